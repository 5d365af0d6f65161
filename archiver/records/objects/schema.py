"""Records as objects. `python -m archiver.records.objects.schema` writes their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import ObjectKind
from archiver.digests import are_comparable
from archiver.records.objects.model import SCHEMA, ArchivedRecord, values_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.objects.kinds import WarcPointer

FILE = Path(__file__).with_name("schema.json")


class RecordObjects(ObjectKind[ArchivedRecord]):
    """One version of a record a line. The state store knows where each of them is."""

    name = "records"
    title = "One version of a record"
    schema = SCHEMA
    model = ArchivedRecord

    def identity(self, one: ArchivedRecord) -> tuple[str, int]:
        return one.id, one.version

    def pointers(self, one: ArchivedRecord) -> Sequence[WarcPointer]:
        detail = [one.detail.warc] if one.detail else []
        return [*(answer.warc for answer in one.answers), *detail]

    def flaw(self, one: ArchivedRecord) -> str | None:
        made = values_digest(one.attributes)
        is_sound = made == one.digest or not are_comparable(made, one.digest)
        told = None if is_sound else f"the values of this object do not have the digest {one.digest}"
        return super().flaw(one) or told


def main() -> None:
    schema = RecordObjects().json_schema()
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")


if __name__ == "__main__":
    main()
