"""The records of a WARC file of others, checked one by one: those that are whole, and the flaws of the rest.

Most files have a gzip member for each record, and are copied as they are. Of plain files, and of those that
are compressed as a whole, each record is compressed by itself, as every reader of an archive expects it.
"""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from archiver.archive.warc.checking import MORE_THAN_ONE, RecordCheck
from archiver.archive.warc.members import DamagedMember, HashedSource, next_record, read_member

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from archiver.archive.imports.sources import SourceWarc
    from archiver.archive.warc.checking import CheckedRecord

_PIECE = 1 << 16
_LONGEST_HEAD = 1 << 20
_LENGTH = re.compile(rb"(?im)^content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?$")
# Where one of these is raised, nothing behind that place can be read.
STREAM_DAMAGE = (DamagedMember, EOFError, OSError, zlib.error)


@dataclass(slots=True, kw_only=True)
class CheckedWarc:
    """What a file holds."""

    sha256: str = ""
    records: int = 0
    first_date: str = ""
    # Where its whole records are, as ranges of bytes.
    ranges: list[tuple[int, int]] = field(default_factory=list)
    flaws: list[tuple[int, str]] = field(default_factory=list)  # with their offsets
    # Its records are not gzip members of their own.
    is_stream: bool = False

    def add(self, start: int, end: int, record: CheckedRecord) -> None:
        self.records += 1
        self.first_date = self.first_date or record.headers.get("warc-date", "")
        if self.ranges and self.ranges[-1][1] == start:
            self.ranges[-1] = (self.ranges[-1][0], end)
        else:
            self.ranges.append((start, end))


def check_source(source: SourceWarc, done: Callable[[int], None]) -> CheckedWarc:
    """Read a file from its beginning to its end."""
    with source.open() as file:
        hashed = HashedSource(file, done)
        checked = CheckedWarc(is_stream=source.is_plain)
        if not checked.is_stream:
            _check_members(hashed, checked)
        _read_on(hashed)
        checked.sha256 = hashed.digest()
    if checked.is_stream:
        _check_stream(source, checked)
    return checked


def _check_stream(source: SourceWarc, checked: CheckedWarc) -> None:
    offset = 0
    try:
        for offset, pieces in stream_records(source):
            check = RecordCheck(payloads=False)
            for piece in pieces:
                check.feed(piece)
            _note(checked, check.finish(), offset, offset)
    except STREAM_DAMAGE as error:
        checked.flaws.append((offset, f"{error}: the rest of the file is left out"))


def _check_members(source: HashedSource, checked: CheckedWarc) -> None:
    offset = 0
    while source.piece(offset):
        check = RecordCheck(payloads=False)
        try:
            end = read_member(source, offset, check.feed)
        except DamagedMember as error:
            end = next_record(source, offset + 1)
            checked.flaws.append((offset, f"{error}: {end - offset} bytes are left out"))
            offset = end
            continue
        record = check.finish()
        if MORE_THAN_ONE in record.flaws:
            checked.is_stream, checked.records, checked.first_date = True, 0, ""
            checked.ranges, checked.flaws = [], []
            return
        _note(checked, record, offset, end)
        offset = end


def _note(checked: CheckedWarc, record: CheckedRecord, start: int, end: int) -> None:
    if record.flaws:
        checked.flaws.append((start, f"{'; '.join(record.flaws)}: the record is left out"))
    else:
        checked.add(start, end, record)


def _read_on(source: HashedSource) -> None:
    """To the end of the file: its digest is of all of it."""
    while source.piece(source.size):
        pass


def stream_records(source: SourceWarc) -> Iterator[tuple[int, Iterator[bytes]]]:
    """The records of a plain file, or of one that is compressed as a whole, each piece by piece."""
    with source.open() as file:
        reader = file if source.is_plain else cast("BinaryIO", gzip.GzipFile(fileobj=file))
        offset = 0
        while head := _next_head(reader):
            record = _Pieces(reader, head)
            yield offset, iter(record)
            offset += record.length


def _next_head(reader: BinaryIO) -> bytes:
    """The head of the next record with its blank line; nothing at the end of the file."""
    lines: list[bytes] = []
    while line := reader.readline(_LONGEST_HEAD):
        if not lines and not line.strip():
            continue
        if not lines and not line.startswith(b"WARC/"):
            raise DamagedMember("no WARC record is there")
        lines.append(line)
        if not line.strip():
            return b"".join(lines)
    if lines:
        raise DamagedMember("the file ends within the head of a record")
    return b""


class _Pieces:
    """The bytes of one record, read as they are asked for."""

    def __init__(self, reader: BinaryIO, head: bytes) -> None:
        self._reader = reader
        self._head = head
        found = _LENGTH.search(head)
        if found is None:
            raise DamagedMember("the record does not say how long it is")
        self._left = int(found[1])
        self.length = len(head) + self._left + 4

    def __iter__(self) -> Iterator[bytes]:
        yield self._head
        left = self._left + 4
        while left:
            piece = self._reader.read(min(left, _PIECE))
            if not piece:
                raise DamagedMember("the file ends within a record")
            left -= len(piece)
            yield piece
