"""Posting histories: when feeds published what, as one row for all of them."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

# Seconds: more than any span of time, so that moments of different feeds can be searched in one row.
_APART = 1e11


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

    def with_windows(self, kind: str, size: int) -> Histories:
        """The same with other windows for the feeds of a kind."""
        is_kind = np.array([one == kind for one in self.kind])
        return replace(self, window=np.where(is_kind, size, self.window))


def read_histories(path: Path) -> Histories:
    """A file of one JSON object for each feed: `published` (seconds), `window` and `kind`."""
    rows = list(_rows(path))
    times = [np.sort(np.asarray(row["published"], np.float64)) for row in rows]
    return Histories(
        published=np.concatenate(times) if times else np.zeros(0),
        first=np.concatenate(([0], np.cumsum([len(one) for one in times]))).astype(np.intp),
        window=np.array([row["window"] for row in rows], np.intp),
        kind=tuple(row.get("kind", "other") for row in rows),
    )


def _rows(path: Path) -> Iterator[dict]:
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as lines:
        yield from (json.loads(line) for line in lines if line.strip())
