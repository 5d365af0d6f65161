"""Lines of records, found again by the rows that know where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.records.objects.model import ArchivedRecord

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

    from archiver.archive.objects.writer import ObjectWriter


def last_version(objects: ObjectWriter, row: RowMapping) -> ArchivedRecord:
    """The last version of a record, as its objects file has it."""
    line = objects.line_at(row["object_file"], row["object_offset"])
    return msgspec.json.decode(line, type=ArchivedRecord)
