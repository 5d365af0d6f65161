"""Articles as a kind of objects. `python -m archiver.articles.objects.schema` writes their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.archive.objects.kinds import ObjectKind
from archiver.articles.objects.model import EARLIER_SCHEMAS, SCHEMA, ArchivedObject
from archiver.digests import is_digest_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.objects.kinds import WarcPointer

FILE = Path(__file__).with_name("schema.json")


class ArticleKind(ObjectKind[ArchivedObject]):
    """One version of an article a line. The state store knows where each of them is."""

    name = "articles"
    title = "One version of an article"
    schema = SCHEMA
    earlier_schemas = EARLIER_SCHEMAS
    model = ArchivedObject

    def identity(self, one: ArchivedObject) -> tuple[str, int]:
        return one.id, one.version

    def pointers(self, one: ArchivedObject) -> Sequence[WarcPointer]:
        """Of its page, and of the further ones that it was read from."""
        return [one.warc, *(page.warc for page in one.pages[1:])]

    def flaw(self, one: ArchivedObject) -> str | None:
        # A title that the page does not have is the feed's, and not part of the digest.
        titles = (one.title or "", "")
        found = [is_digest_of(one.digest, f"{title}\n\n{one.text}") for title in titles]
        # None: of another version, which cannot be made here.
        is_sound = any(sound is not False for sound in found)
        told = None if is_sound else f"the title and text of this object do not have the digest {one.digest}"
        return super().flaw(one) or told


def json_schema() -> dict[str, Any]:
    """What every line of an objects file of articles is valid against."""
    return ArticleKind().json_schema()


def main() -> None:
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(json_schema()), indent=2) + b"\n")


if __name__ == "__main__":
    main()
