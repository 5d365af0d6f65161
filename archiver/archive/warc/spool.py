"""Large responses on their way into WARC: in files without a name, which no crash leaves behind."""

from __future__ import annotations

import errno
import tempfile
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

from archiver.archive.warc.chunks import ChunkReader, NotChunkedError
from archiver.errors import ArchiveFull

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

_PIECE = 1 << 18
# Longer than any head that is waited for.
_START = 1 << 20


@dataclass(slots=True)
class Spool:
    """What came of one response so far."""

    file: BinaryIO
    size: int = 0
    # Why it could not be kept: told when the exchange is to be written, since only then is waited for it.
    error: OSError | None = None

    def add(self, data: bytes) -> None:
        if self.error is not None:
            return
        try:
            self.file.seek(self.size)
            write_all(self.file, data)
        except OSError as error:
            self.error = error
        self.size += len(data)

    def start(self) -> bytes:
        """The beginning, with the head in it."""
        self.file.seek(0)
        return self.file.read(_START)


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeBody:
    """A body in a spool, read in pieces as often as is needed."""

    spool: Spool
    offset: int
    size: int
    is_chunked: bool = False  # its chunks are to be joined

    def pieces(self) -> Iterator[bytes]:
        return self._content() if self.is_chunked else self._raw()

    def _raw(self) -> Iterator[bytes]:
        position = self.offset
        while position < self.spool.size:
            self.spool.file.seek(position)
            piece = self.spool.file.read(_PIECE)
            if not piece:
                raise OSError(errno.EIO, "a response that waited to be written is shorter than it was")
            position += len(piece)
            yield piece

    def _content(self) -> Iterator[bytes]:
        reader = ChunkReader()
        for piece in self._raw():
            yield from _joined(reader, piece)
            if reader.has_content:
                return

    def without_chunks(self) -> LargeBody | None:
        """The content of a chunked body, as far as it came; None when it is not what chunks look like."""
        reader, size = ChunkReader(), 0
        try:
            for piece in self._raw():
                size += sum(map(len, reader.feed(piece)))
        except NotChunkedError:
            if not reader.has_content:
                return None
        if not reader.can_end_here():
            return None
        return LargeBody(spool=self.spool, offset=self.offset, size=size, is_chunked=True)


def _joined(reader: ChunkReader, piece: bytes) -> Iterator[bytes]:
    """The content in a piece: one, where there may be thousands of chunks."""
    parts: list[bytes] = []
    try:
        parts.extend(reader.feed(piece))
    except NotChunkedError:
        if not reader.has_content:
            raise
    if parts:
        yield b"".join(parts)


def large_body(spool: Spool, offset: int) -> LargeBody:
    return LargeBody(spool=spool, offset=offset, size=spool.size - offset)


@dataclass(slots=True)
class Spools:
    """All responses that are still coming in and too large to wait in memory, by their numbers."""

    folder: Path
    _open: dict[int, Spool] = field(default_factory=dict)

    def add(self, number: int, data: bytes) -> None:
        spool = self._open.get(number)
        if spool is None:
            spool = self._open[number] = self._new()
        spool.add(data)

    def take(self, number: int, rest: bytes) -> Spool:
        """All that came under this number, with the rest of it; from here on it is the caller's."""
        self.add(number, rest)
        spool = self._open.pop(number)
        if spool.error is not None:
            raise ArchiveFull(
                f"Cannot write to {self.folder}: {spool.error.strerror}. Free some space and run again."
            ) from spool.error
        return spool

    def drop(self, number: int) -> None:
        """Forget a response that is not going to be kept."""
        spool = self._open.pop(number, None)
        if spool is not None:
            spool.file.close()

    def _new(self) -> Spool:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Beside the WARC files, on the disk that has room for them. Unbuffered: a full one is noticed.
            return Spool(tempfile.TemporaryFile(dir=self.folder, buffering=0))
        except OSError as error:
            return Spool(BytesIO(), error=error)


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write to an unbuffered file, which may take less at once."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) or 0 :]
