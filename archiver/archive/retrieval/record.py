"""Single records, opened at their place."""

from __future__ import annotations

import zlib
from contextlib import contextmanager
from io import BufferedReader
from typing import TYPE_CHECKING

from archiver.archive.cdxj.members import GzipMember
from archiver.archive.warc.head import parse_head
from archiver.archive.warc.reader import open_file
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.warc.head import RecordHead

_DAMAGE = (ValueError, EOFError, OSError, zlib.error)


class OpenRecord:
    """A record whose head was read; the block is read when it is asked for."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        file.seek(offset)
        self._content = BufferedReader(GzipMember(file, offset, b""))
        lines = []
        while (line := self._content.readline()) not in (b"", b"\r\n"):
            lines.append(line)
        if not lines or not lines[0].startswith(b"WARC/"):
            raise ValueError("no WARC record is there")
        self.head = parse_head(b"".join(lines))

    def block(self) -> bytes:
        length = int(self.head.headers.get("content-length", ""))
        block = self._content.read(length)
        if len(block) != length:
            raise ValueError("the record is shorter than it says")
        return block


@contextmanager
def opened(folder: Path, name: str, offset: int) -> Iterator[OpenRecord]:
    """The record at this place, also of a file that is still being written."""
    with open_file(folder, name) as file:
        try:
            yield OpenRecord(file, offset)
        except _DAMAGE as error:
            told = f"{folder / name}:{offset} cannot be read: {error}; run `scrapy verify`"
            raise RecordError(told) from error


def read_head(folder: Path, name: str, offset: int) -> RecordHead:
    with opened(folder, name, offset) as record:
        return record.head


def read_block(folder: Path, name: str, offset: int) -> bytes:
    with opened(folder, name, offset) as record:
        return record.block()
