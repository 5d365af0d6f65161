"""Looking captures up by URL and time, over all files of an index."""

from __future__ import annotations

import copy
import heapq
import mmap
from typing import TYPE_CHECKING

from archiver.archive.cdxj.files import INDEX_SUFFIX
from archiver.archive.cdxj.lines import parse_line, target_uri, timestamp
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.cdxj.tiers import unique
from archiver.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime, timedelta
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine

    # A name may come again with other content when an index is built anew.
    Identity = tuple[str, int, int]


class SortedFile:
    """A sorted file that no longer changes. Also usable after it was removed, until it is forgotten."""

    def __init__(self, path: Path) -> None:
        self._data: mmap.mmap | bytes = b""
        with path.open("rb") as file:
            if file.seek(0, 2):  # nothing cannot be mapped
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                # A look-up touches pages far apart: reading ahead would be in vain.
                self._data.madvise(mmap.MADV_RANDOM)

    def lines_with(self, prefix: bytes, least: bytes = b"") -> Iterator[bytes]:
        """The lines that begin so and are not less than `least`, in order, without their ends."""
        start = self._first_from(max(prefix, least))
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

    def lines_back(self, prefix: bytes, before: bytes) -> Iterator[bytes]:
        """The lines that begin so and are less than `before`, the last first."""
        position = self._first_from(before)
        while position > 0:
            start = self._data.rfind(b"\n", 0, position - 1) + 1
            if not self._begins(start, prefix):
                return
            yield self._data[start : self._end_of_line(start)]
            position = start

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


_LAST_SECOND = "9" * 14

# How often a folder may change while it is being opened.
_MOST_TRIES = 20


class Index:
    """The captures of an archive. Reads only; what a run writes meanwhile is seen after `refresh`.

    Captures of addresses that `hides` is true for are not returned: what is withheld is not found.
    """

    def __init__(self, folder: Path, hides: Callable[[str], bool] | None = None) -> None:
        self._folder = folder
        self._hides = hides
        self._files: dict[Identity, SortedFile] = {}
        self.refresh()

    def refresh(self) -> None:
        """See what was written since. Costs little when nothing was."""
        for _ in range(_MOST_TRIES):
            try:
                before = _identities(self._folder)
                files = {name: self._files.get(name) or SortedFile(self._folder / name[0]) for name in before}
                # A merge while we looked may have hidden both its inputs and its result.
                if before == _identities(self._folder):
                    self._files = files
                    return
            except FileNotFoundError:
                continue
        raise ArchiveError(f"{self._folder} keeps changing: is more than one run writing to it?")

    def hiding(self, hides: Callable[[str], bool]) -> Index:
        """The same captures without those of addresses that are withheld now; nothing is opened again."""
        other = copy.copy(self)
        other._hides = hides  # noqa: SLF001 - of this class
        return other

    def captures(self, url: str) -> list[CdxLine]:
        """All captures of a URL, the oldest first."""
        return list(self.range(_key_of(url)))

    def lookup(self, url: str, at: datetime | None = None) -> list[CdxLine]:
        """All captures of a URL: the nearest to a moment first, or else the oldest."""
        captures = self.captures(url)
        return captures if at is None else sorted(captures, key=lambda line: _distance(line, at))

    def nearest(self, url: str, at: datetime) -> CdxLine | None:
        """The capture nearest to a moment, the earlier of two; fast however many there are."""
        prefix = _key_of(url).encode()
        wanted = prefix + timestamp(at).encode()
        lines = sorted(line for file in self._files.values() for line in file.lines_around(prefix, wanted))
        return min(self._shown(lines), key=lambda line: _distance(line, at), default=None)

    def newest(self, url: str, before: str = "") -> Iterator[CdxLine]:
        """The captures of a URL, the newest first; those of the second `before` and of earlier ones."""
        prefix = _key_of(url).encode()
        # A space follows the 14 digits: all lines of that second are less.
        end = prefix + (before or _LAST_SECOND).encode() + b"!"
        lines = heapq.merge(*(file.lines_back(prefix, end) for file in self._files.values()), reverse=True)
        return self._shown(unique(lines))

    def range(self, prefix_key: str, least: str = "") -> Iterator[CdxLine]:
        """The captures whose key begins so, sorted: `com,example)/` a host, `com,example,` names in it.

        With `least`, from the first line on that is not less.
        """
        return self._shown(self._range(prefix_key, least))

    def range_of_all(self, prefix_key: str) -> Iterator[CdxLine]:
        """The same with what is withheld: for the payloads that others share with it."""
        return map(parse_line, self._range(prefix_key))

    def hides(self, url: str) -> bool:
        return self._hides is not None and self._hides(url)

    def _range(self, prefix_key: str, least: str = "") -> Iterator[bytes]:
        prefix, start = prefix_key.encode(), least.encode()
        return unique(heapq.merge(*(file.lines_with(prefix, start) for file in self._files.values())))

    def _shown(self, lines: Iterable[bytes]) -> Iterator[CdxLine]:
        found = map(parse_line, lines)
        return found if self._hides is None else (line for line in found if not self.hides(line.url))


def _key_of(url: str) -> str:
    # With the space that ends a key: other keys may begin like this one.
    return surt_key(target_uri(url)) + " "


def _distance(line: CdxLine, at: datetime) -> timedelta:
    return abs(line.date - at)


def _identities(folder: Path) -> set[Identity]:
    stats = [(path.name, path.stat()) for path in folder.glob(f"*{INDEX_SUFFIX}")]
    return {(name, stat.st_ino, stat.st_mtime_ns) for name, stat in stats}
