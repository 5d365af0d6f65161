"""Posting histories: when feeds published what, as one row for all of them."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from archiver.errors import ArchiverError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

# Seconds: more than any span of time, so that moments of different feeds can be searched in one row.
_APART = 1e11
_GZIP = b"\x1f\x8b"


class HistoriesError(ArchiverError):
    """A file of histories that cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One feed: when its entries were published, in seconds since 1970, and how many it shows at once."""

    published: Sequence[float] | NDArray[np.float64]
    window: int
    kind: str = "other"


@dataclass(frozen=True, kw_only=True)
class Histories:
    """All entries of all feeds; those of feed i are published[first[i]:first[i + 1]], oldest first."""

    published: NDArray[np.float64]
    first: NDArray[np.intp]
    window: NDArray[np.intp]
    kind: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.window)

    @cached_property
    def _keys(self) -> NDArray[np.float64]:
        feed = np.repeat(np.arange(len(self)), np.diff(self.first))
        return self.published + feed * _APART

    def until(self, feed: NDArray[np.intp], moment: NDArray[np.float64]) -> NDArray[np.intp]:
        """The place after the last entry that each feed had published by then."""
        return np.searchsorted(self._keys, moment + feed * _APART, side="right")

    def of(self, feed: int) -> NDArray[np.float64]:
        return self.published[self.first[feed] : self.first[feed + 1]]

    def with_windows(self, kind: str, size: int) -> Histories:
        """The same with other windows for the feeds of a kind."""
        is_kind = np.array([one == kind for one in self.kind], bool)
        return replace(self, window=np.where(is_kind, size, self.window))

    def part(self, remainder: int, of: int) -> Histories:
        """Every so-manieth feed."""
        feeds = range(remainder, len(self), of)
        return histories_of(
            History(published=self.of(feed), window=int(self.window[feed]), kind=self.kind[feed])
            for feed in feeds
        )


def histories_of(feeds: Iterable[History]) -> Histories:
    rows = list(feeds)
    times = [np.sort(np.asarray(row.published, np.float64)) for row in rows]
    return Histories(
        published=np.concatenate(times) if times else np.zeros(0),
        first=np.concatenate(([0], np.cumsum([len(one) for one in times]))).astype(np.intp),
        window=np.array([row.window for row in rows], np.intp),
        kind=tuple(row.kind for row in rows),
    )


def read_histories(path: Path) -> Histories:
    """A file of one JSON object for each feed: `published` (seconds), `window` and `kind`; gzip or not."""
    try:
        found = histories_of(_rows(path))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise HistoriesError(f"{path} cannot be read: {error}") from error
    if not len(found.published):
        raise HistoriesError(f"{path} has no feed with entries")
    return found


def _rows(path: Path) -> Iterator[History]:
    with path.open("rb") as beginning:
        is_gzip = beginning.read(2) == _GZIP
    with gzip.open(path, "rt", encoding="utf-8") if is_gzip else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _row(line, f"{path}, line {number}")


def _row(line: str, where: str) -> History:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise HistoriesError(f"{where} is no JSON: {error}") from error
    if not isinstance(row, dict):
        raise HistoriesError(f"{where} is no JSON object")
    window, kind = row.get("window"), row.get("kind", "other")
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise HistoriesError(f"{where}: `window` must be a whole number from 1, not {json.dumps(window)}")
    if not isinstance(kind, str):
        raise HistoriesError(f"{where}: `kind` must be a text, not {json.dumps(kind)}")
    return History(published=_moments(row.get("published"), where), window=window, kind=kind)


def _moments(found: object, where: str) -> NDArray[np.float64]:
    if not isinstance(found, list):
        raise HistoriesError(f"{where}: `published` must be a list of moments")
    strays = [one for one in found if isinstance(one, bool) or not isinstance(one, int | float)]
    moments = np.asarray([] if strays else found, np.float64)
    if strays or not (np.abs(moments) < _APART / 10).all():
        raise HistoriesError(f"{where}: `published` must be seconds since 1970, all of them")
    return moments
