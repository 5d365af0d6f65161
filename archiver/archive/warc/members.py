"""Gzip members one after another, each of them one WARC record: as streams, or handed on piece by piece."""

from __future__ import annotations

import hashlib
import zlib
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

_GZIP = zlib.MAX_WBITS | 16
_MAGIC = b"\x1f\x8b\x08"
_RECORD = b"WARC/"
_WINDOW = 1 << 20
# What zlib does not use of a piece it copies: small pieces for small records.
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


class DamagedMember(Exception):  # noqa: N818 - reads as what happened
    """A gzip member that cannot be read to its end."""


class HashedSource:
    """Gives pieces from any place; each byte is hashed once, in its order."""

    def __init__(self, file: BinaryIO, done: Callable[[int], None] = lambda _: None) -> None:
        self._file = file
        self._done = done
        self._hash = hashlib.sha256()
        self._hashed = 0
        self._start = 0
        self._window = memoryview(b"")
        self._is_last = False

    def piece(self, position: int) -> memoryview:
        """Some bytes from there on; few only at the end of the file, and none after it."""
        start = position - self._start
        is_here = start >= 0 and (start + _PIECE <= len(self._window) or (self._is_last and self._window))
        if not is_here:
            self._load(position)
            start = 0
        return self._window[start : start + _PIECE]

    def digest(self) -> str:
        """The SHA-256 of what was read."""
        return self._hash.hexdigest()

    @property
    def size(self) -> int:
        return self._hashed

    def _load(self, position: int) -> None:
        self._file.seek(position)
        self._start, self._window = position, memoryview(self._file.read(_WINDOW))
        self._is_last = len(self._window) < _WINDOW
        new = self._window[self._hashed - position :]
        self._hash.update(new)
        self._hashed += len(new)
        self._done(len(new))


def read_member(source: HashedSource, offset: int, take: Callable[[bytes], None]) -> int:
    """Decompress the gzip member at an offset, piece by piece; where it ends."""
    unzip = zlib.decompressobj(_GZIP)
    position = offset
    while not unzip.eof:
        piece = source.piece(position)
        if not piece:
            raise DamagedMember("the file ends within this record")
        try:
            data = unzip.decompress(piece)
        except zlib.error as error:
            raise DamagedMember("the compressed bytes of this record are damaged") from error
        take(data)
        position += len(piece) - len(unzip.unused_data)
    return position


def next_record(source: HashedSource, position: int) -> int:
    """Where the next gzip member begins that holds a record; the end of the file if there is none."""
    while piece := source.piece(position):
        found = bytes(piece).find(_MAGIC)
        if found < 0:
            # The magic may stand across two pieces.
            position += len(piece) - 2 if len(piece) > 2 else len(piece)
        elif _begins_record(source.piece(position + found)):
            return position + found
        else:
            position += found + 1
    return position


def _begins_record(piece: memoryview) -> bool:
    try:
        return zlib.decompressobj(_GZIP).decompress(piece, len(_RECORD)) == _RECORD
    except zlib.error:
        return False
