"""Contributions as objects. `python -m archiver.articles.contributions.schema` writes their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import ObjectKind
from archiver.articles.contributions.model import SCHEMA, ArchivedContribution, digest_of
from archiver.digests import are_comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.objects.kinds import WarcPointer

FILE = Path(__file__).with_name("schema.json")


class ContributionObjects(ObjectKind[ArchivedContribution]):
    """One version of a contribution a line. The state store knows where each of them is."""

    name = "contributions"
    title = "One version of a contribution"
    schema = SCHEMA
    model = ArchivedContribution

    def identity(self, one: ArchivedContribution) -> tuple[str, int]:
        return one.id, one.version

    def pointers(self, one: ArchivedContribution) -> Sequence[WarcPointer]:
        return [one.warc]

    def flaw(self, one: ArchivedContribution) -> str | None:
        made = digest_of(one.text)
        is_sound = made == one.digest or not are_comparable(made, one.digest)
        told = None if is_sound else f"the text of this object does not have the digest {one.digest}"
        return super().flaw(one) or told


def main() -> None:
    schema = ContributionObjects().json_schema()
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")


if __name__ == "__main__":
    main()
