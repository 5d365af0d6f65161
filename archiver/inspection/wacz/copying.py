"""Records copied as they are, gzip member by gzip member."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Protocol

from archiver.archive.warc.members import DamagedMember, HashedSource, next_record, read_member
from archiver.archive.warc.reader import open_file, parse_head
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.warc.reader import RecordHead
    from archiver.inspection.wacz.model import WaczReport

_PIECE = 1 << 16


class CopySink(Protocol):
    """Where records are copied to."""

    size: int

    def write(self, data: bytes) -> None: ...


class Copied(NamedTuple):
    """A capture and its new place."""

    line: CdxLine
    offset: int
    length: int


class Copier:
    """Copies captures, each with its request and with what the same file says about it."""

    def __init__(self, folder: Path, target: CopySink, report: WaczReport, reach: int | None = None) -> None:
        self._folder = folder
        self._target = target
        self._report = report
        self._reach = reach

    def copy(self, lines: Iterable[CdxLine]) -> Iterator[Copied]:
        """Copy captures that come file by file."""
        for name, of_file in groupby(lines, key=lambda line: line.filename):
            wanted = {line.offset: line for line in of_file}
            try:
                with open_file(self._folder, name) as file:
                    yield from _FileCopy(file, wanted, self._target, self._report).run(self._reach)
            except RecordError as error:
                self._report.problem(str(error))


class _FileCopy:
    """Reads a file through: how an article was found stands some way behind its capture."""

    def __init__(
        self, file: BinaryIO, wanted: dict[int, CdxLine], target: CopySink, report: WaczReport
    ) -> None:
        self._file = file
        self._source = HashedSource(file)
        self._wanted = wanted
        self._target = target
        self._report = report
        self._ids: set[str] = set()

    def run(self, reach: int | None = None) -> Iterator[Copied]:
        """Copy what is wanted; from the last of it, so many records more are looked at, or all."""
        self._copy_warcinfo()
        offset, behind = min(self._wanted), 0
        while self._source.piece(offset) and (reach is None or behind <= reach):
            behind += not self._wanted
            head, end = self._member(offset)
            if head is not None:
                line = self._wanted.pop(offset, None)
                if line is not None:
                    yield Copied(line, self._target.size, end - offset)
                    self._ids.add(head.id)
                    self._report.captures += 1
                if line is not None or self._is_about_copied(head):
                    if head.kind == "conversion":  # how it was made stands in a record about it
                        self._ids.add(head.id)
                    self._copy_bytes(offset, end - offset)
            offset = end
        for line in self._wanted.values():
            self._report.problem(f"no record is at {line.filename}:{line.offset}: run `scrapy verify`")

    def _copy_warcinfo(self) -> None:
        """How the records of this file were made: they refer to it."""
        head, end = self._member(0)
        if head is not None and head.kind == "warcinfo":
            self._copy_bytes(0, end)

    def _member(self, offset: int) -> tuple[RecordHead | None, int]:
        """The head of the record at an offset, and where the next record begins."""
        data = bytearray()

        def take(piece: bytes) -> None:
            if b"\r\n\r\n" not in data:
                data.extend(piece)

        try:
            end = read_member(self._source, offset, take)
        except DamagedMember:
            return None, next_record(self._source, offset + 1)
        return parse_head(bytes(data.partition(b"\r\n\r\n")[0])), end

    def _is_about_copied(self, head: RecordHead) -> bool:
        headers = head.headers
        targets = (headers.get("warc-concurrent-to"), headers.get("warc-refers-to"))
        return head.kind in ("request", "metadata", "conversion") and not self._ids.isdisjoint(targets)

    def _copy_bytes(self, offset: int, left: int) -> None:
        self._file.seek(offset)
        while piece := self._file.read(min(left, _PIECE)):
            self._target.write(piece)
            left -= len(piece)
        self._report.records += 1
