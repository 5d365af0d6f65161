"""Lines sorted on disk: as many as there are, in little memory."""

from __future__ import annotations

import heapq
from itertools import groupby
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# So many bytes are sorted in memory; a merge reads as many files at once as there are of these.
_IN_MEMORY = 1 << 26


class SortedLines:
    """Takes lines in any order and gives them back sorted, each once. A line ends in a line feed."""

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._lines: list[bytes] = []
        self._size = 0
        self._runs: list[IO[bytes]] = []

    def add(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        if self._size >= self._in_memory:
            self._write_run()

    def __iter__(self) -> Iterator[bytes]:
        for run in self._runs:
            run.seek(0)
        merged = heapq.merge(*self._runs, sorted(self._lines))
        return (line for line, _ in groupby(merged))

    def close(self) -> None:
        for run in self._runs:
            run.close()

    def _write_run(self) -> None:
        run = TemporaryFile()  # noqa: SIM115 - closed by close()
        run.writelines(sorted(self._lines))
        self._runs.append(run)
        self._lines, self._size = [], 0
