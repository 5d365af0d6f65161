"""Posts as objects. `python -m archiver.articles.posts.schema` writes their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import ObjectKind
from archiver.articles.posts.model import SCHEMA, ArchivedPost, post_digest
from archiver.digests import are_comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.objects.kinds import WarcPointer

FILE = Path(__file__).with_name("schema.json")


class PostObjects(ObjectKind[ArchivedPost]):
    """One version of a post a line. The state store knows where each of them is."""

    name = "posts"
    title = "One version of a post"
    schema = SCHEMA
    model = ArchivedPost

    def identity(self, one: ArchivedPost) -> tuple[str, int]:
        return one.id, one.version

    def pointers(self, one: ArchivedPost) -> Sequence[WarcPointer]:
        return [one.warc]

    def flaw(self, one: ArchivedPost) -> str | None:
        made = post_digest(one.title, one.text, one.links)
        is_sound = made == one.digest or not are_comparable(made, one.digest)
        told = None if is_sound else f"the text of this object does not have the digest {one.digest}"
        return super().flaw(one) or told


def main() -> None:
    schema = PostObjects().json_schema()
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")


if __name__ == "__main__":
    main()
