"""Finding lines in one sorted file by halving it, without reading it."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class SortedFile:
    """A sorted file that nobody changes any more. Also usable after it was removed, until it is forgotten."""

    def __init__(self, path: Path) -> None:
        self._data: mmap.mmap | bytes = b""
        with path.open("rb") as file:
            if file.seek(0, 2):  # nothing cannot be mapped
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                # A look-up touches pages far apart: reading ahead would be in vain.
                self._data.madvise(mmap.MADV_RANDOM)

    def lines_with(self, prefix: bytes) -> Iterator[bytes]:
        """The lines that begin so, in order, without their ends."""
        start = self._first_from(prefix)
        while self._begins(start, prefix):
            end = self._end_of_line(start)
            yield self._data[start:end]
            start = end + 1

    def lines_around(self, prefix: bytes, wanted: bytes) -> Iterator[bytes]:
        """The last line before `wanted` and the first one from it on, where they begin with the prefix."""
        position = self._first_from(wanted)
        if position > 0:
            yield from self._line_with(prefix, self._data.rfind(b"\n", 0, position - 1) + 1)
        yield from self._line_with(prefix, position)

    def _line_with(self, prefix: bytes, start: int) -> Iterator[bytes]:
        if self._begins(start, prefix):
            yield self._data[start : self._end_of_line(start)]

    def _begins(self, start: int, prefix: bytes) -> bool:
        return start < len(self._data) and self._data[start : start + len(prefix)] == prefix

    def _first_from(self, wanted: bytes) -> int:
        """Where the first line begins that is not less."""
        low, high = 0, len(self._data)
        while low < high:
            middle = (low + high) // 2
            start = self._data.rfind(b"\n", low, middle) + 1 or low
            # A shorter line ends in \n here, which is less than anything in a key.
            if self._data[start : start + len(wanted)] < wanted:
                low = min(self._end_of_line(middle) + 1, high)
            else:
                high = start
        return low

    def _end_of_line(self, position: int) -> int:
        end = self._data.find(b"\n", position)
        return len(self._data) if end < 0 else end
