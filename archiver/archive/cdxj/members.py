"""Gzip members one after another, as streams: in our WARCs, each is one record."""

from __future__ import annotations

import zlib
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_GZIP = zlib.MAX_WBITS | 16
_PIECE = 1 << 14


class GzipMember(RawIOBase):
    """Decompresses up to the end of one member and counts what that took."""

    def __init__(self, file: BinaryIO, offset: int, waiting: bytes) -> None:
        self.offset = offset
        self.length = 0
        self.waiting = waiting  # read from the file and not decompressed
        self._file = file
        self._unzip = zlib.decompressobj(_GZIP)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes nothing else
        while not self._unzip.eof:
            data = self._decompress(len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
        return 0

    def _decompress(self, most: int) -> bytes:
        self.waiting = self.waiting or self._file.read(_PIECE)
        if not self.waiting:
            raise ValueError(f"the file ends within the record at {self.offset}")
        data = self._unzip.decompress(self.waiting, most)
        rest = self._unzip.unused_data or self._unzip.unconsumed_tail
        self.length += len(self.waiting) - len(rest)
        self.waiting = rest
        return data


def members(file: BinaryIO) -> Iterator[tuple[GzipMember, BufferedReader]]:
    """Each member with its content, which must be read to its end before the next is asked for."""
    offset = 0
    while waiting := file.read(_PIECE):
        while waiting:
            member = GzipMember(file, offset, waiting)
            yield member, BufferedReader(member)
            offset += member.length
            waiting = member.waiting
