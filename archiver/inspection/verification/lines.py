"""The index lines of a WARC, summed up: equal sums in any order are equal lines."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import REVISIT, http_fields, line_for
from archiver.archive.cdxj.records import index_lines
from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.warc.checking import CheckedRecord

_MODULUS = 1 << 128
_INDEXED = ("response", "revisit")
_NO_DATE = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class LineSum:
    """How many lines, and the sum of their digests: guards against damage, not against malice."""

    count: int = 0
    total: int = 0

    def add(self, line: bytes) -> None:
        self.count += 1
        digest = hashlib.blake2b(line, digest_size=16).digest()
        self.total = (self.total + int.from_bytes(digest, "big")) % _MODULUS


def line_of(record: CheckedRecord, name: str, offset: int, length: int) -> str | None:
    """What `index_lines` gives for this record, without reading the file once more; None for no line.

    So for records as we write them. Where sums differ, `index_lines` itself is asked.
    """
    if record.kind not in _INDEXED:
        return None
    headers = record.headers
    fields = http_fields(record.http_head)
    return line_for(
        url=headers.get("warc-target-uri", ""),
        date=_date(headers["warc-date"]),
        length=length,
        offset=offset,
        filename=name,
        digest=headers.get("warc-payload-digest"),
        status=fields.status,
        mime=REVISIT if record.kind == "revisit" else fields.mime,
    )


def _date(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # a year or a month: not of ours
        return _NO_DATE


def sum_of_index_lines(path: Path) -> LineSum | None:
    """The sum by the book; None where the WARC cannot be indexed."""
    total = LineSum()
    try:
        for line in index_lines(path):
            total.add(line.encode())
    except RecordError:
        return None
    return total
