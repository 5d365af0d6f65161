"""What a crash left behind: whole records are kept, a torn tail is set aside."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.warc.members import DamagedMember, HashedSource, read_member
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.archive.writers import ANYONE
from archiver.errors import ArchiveError
from archiver.files import sync_folder

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.writers import Writer

TORN_SUFFIX = ".torn"
_PIECE = 1 << 16
_CONTENT_LENGTH = re.compile(rb"\r\nContent-Length: *(\d+)\r\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What was done with one file."""

    file: str
    records: int
    torn_bytes: int


def repair_folder(folder: Path, writer: Writer = ANYONE) -> list[Repair]:
    """Close every file of the writer that a crash left open: another one may still be writing to its own."""
    paths = sorted(folder.glob(f"*.warc.gz{OPEN_SUFFIX}"))
    return [repair_file(path) for path in paths if writer.owns(path.name)]


def repair_file(path: Path) -> Repair:
    """Keep the whole records under the final name, and the rest, if any, beside it."""
    final = path.with_name(path.name.removesuffix(OPEN_SUFFIX))
    if final.exists():
        raise ArchiveError(f"{final} and {path.name} both exist, and neither is written over: move one away.")
    with path.open("r+b") as file:
        records, end = _whole_records(file)
        size = file.seek(0, os.SEEK_END)
        if end < size:
            _set_aside(file, end, final.with_name(final.name + TORN_SUFFIX))
        os.fsync(file.fileno())
    if records:
        path.rename(final)
    else:
        path.unlink()
    sync_folder(path.parent)
    return Repair(file=final.name, records=records, torn_bytes=size - end)


def _set_aside(file: BinaryIO, end: int, torn: Path) -> None:
    file.seek(end)
    with torn.open("wb") as tail:
        while piece := file.read(_PIECE):
            tail.write(piece)
        os.fsync(tail.fileno())
    file.truncate(end)


def _whole_records(file: BinaryIO) -> tuple[int, int]:
    """How many whole records the file begins with, and where they end."""
    source = HashedSource(file)
    count, end = 0, 0
    while source.piece(end):
        check = _RecordCheck()
        try:
            end_of_member = read_member(source, end, check.feed)
        except DamagedMember:
            break
        if not check.is_whole():
            break
        count, end = count + 1, end_of_member
    return count, end


class _RecordCheck:
    """Whether the bytes fed to it are one WARC record of the length it promises."""

    def __init__(self) -> None:
        self._head = b""
        self._wanted: int | None = None
        self._length = 0
        self._tail = b""

    def feed(self, data: bytes) -> None:
        self._length += len(data)
        self._tail = (self._tail + data[-4:])[-4:]
        if self._wanted is None:
            self._head += data
            self._read_head()

    def _read_head(self) -> None:
        end = self._head.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _CONTENT_LENGTH.search(self._head[: end + 2])
        self._wanted = end + 4 + int(length.group(1)) + 4 if length else -1
        self._head = b""

    def is_whole(self) -> bool:
        return self._length == self._wanted and self._tail == b"\r\n\r\n"
