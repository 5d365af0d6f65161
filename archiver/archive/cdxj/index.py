"""Looking captures up by URL and time, over all files of an index."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from archiver.archive.cdxj.files import INDEX_SUFFIX
from archiver.archive.cdxj.lines import parse_line, target_uri, timestamp
from archiver.archive.cdxj.search import SortedFile
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.cdxj.tiers import unique
from archiver.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, timedelta
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine

    # A name may come again with other content when an index is built anew.
    Identity = tuple[str, int, int]

# How often a folder may change while it is being opened.
_MOST_TRIES = 20


class Index:
    """The captures of an archive. Reads only; what a run writes meanwhile is seen after `refresh`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
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
        return min(map(parse_line, lines), key=lambda line: _distance(line, at), default=None)

    def range(self, prefix_key: str) -> Iterator[CdxLine]:
        """The captures whose key begins so, sorted: `com,example)/` a host, `com,example,` names in it."""
        prefix = prefix_key.encode()
        lines = heapq.merge(*(file.lines_with(prefix) for file in self._files.values()))
        return map(parse_line, unique(lines))


def _key_of(url: str) -> str:
    # With the space that ends a key: other keys may begin like this one.
    return surt_key(target_uri(url)) + " "


def _distance(line: CdxLine, at: datetime) -> timedelta:
    return abs(line.date - at)


def _identities(folder: Path) -> set[Identity]:
    stats = [(path.name, path.stat()) for path in folder.glob(f"*{INDEX_SUFFIX}")]
    return {(name, stat.st_ino, stat.st_mtime_ns) for name, stat in stats}
