"""Chunks read as browsers read them: strict about sizes, lenient about spaces and line ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# As in Chromium: a line that tells a size, with its extensions.
_LONGEST_LINE = 16 * 1024
_LONGEST_TRAILERS = 64 * 1024
# Spaces around the size, and whatever stands behind a semicolon, quoted or not. A line ends with LF or CR LF.
_SIZE = re.compile(rb"[ \t]*(0{0,32}[0-9a-fA-F]{1,15})[ \t]*(?:;.*)?\r?", re.DOTALL)
# What a line may be that was cut off in the middle.
_CUT_SIZE = re.compile(rb"[ \t]*0{0,32}[0-9a-fA-F]{0,15}[ \t]*(?:;.*)?\r?", re.DOTALL)
_END = re.compile(rb"\r?")


class NotChunkedError(ValueError):
    """These bytes are not what chunks look like."""


class ChunkReader:
    """Takes the bytes of a chunked body as they come and gives back its content."""

    def __init__(self) -> None:
        self._line = b""  # begun, and not ended yet
        self._left = 0  # of the current chunk
        self._is_in_trailers = False
        self._needs_end = False  # of the chunk that was just read
        self._trailers = 0
        # Whether a size was read: before that, it could be anything.
        self.has_begun = False
        self.is_done = False
        self.rest = b""  # what came behind the last chunk and its trailers

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the content in these bytes; NotChunkedError where they cannot be chunks."""
        data, self._line = self._line + data if self._line else data, b""
        position = 0
        while position < len(data) and not self.is_done:
            if self._left:
                piece = data[position : position + self._left]
                self._left -= len(piece)
                position += len(piece)
                yield piece
                continue
            end = data.find(b"\n", position)
            if end < 0:
                self._hold(data[position:])
                return
            self._take(data[position:end])
            position = end + 1
        if self.is_done:
            self.rest = data[position:]

    def can_end_here(self) -> bool:
        """Whether these are chunks up to here, whole or cut off."""
        if not self.has_begun:
            return False
        if self._is_in_trailers or self._left:
            return True
        return bool((_END if self._needs_end else _CUT_SIZE).fullmatch(self._line))

    @property
    def has_content(self) -> bool:
        """Whether all of the content is here; trailers may still follow."""
        return self._is_in_trailers

    def _hold(self, line: bytes) -> None:
        if len(line) > _LONGEST_LINE:
            raise NotChunkedError(f"a line between chunks is longer than {_LONGEST_LINE} bytes")
        self._line = line

    def _take(self, line: bytes) -> None:
        """Read one line, without its LF."""
        if self._is_in_trailers:
            self._trailers += len(line)
            if self._trailers > _LONGEST_TRAILERS:
                raise NotChunkedError(f"the trailers are longer than {_LONGEST_TRAILERS} bytes")
            self.is_done = line in (b"", b"\r")
        elif self._needs_end:
            if line not in (b"", b"\r"):
                raise NotChunkedError("a chunk is longer than its size")
            self._needs_end = False
        else:
            self._take_size(line)

    def _take_size(self, line: bytes) -> None:
        size = _SIZE.fullmatch(line)
        if size is None or len(line) > _LONGEST_LINE:
            raise NotChunkedError(f"{line[:40]!r} is not the size of a chunk")
        self.has_begun = True
        self._left = int(size.group(1), 16)
        self._is_in_trailers = not self._left
        self._needs_end = True
