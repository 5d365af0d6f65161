"""Posting histories: when feeds published what, as one row for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

# Seconds: more than any span of time, so that moments of different feeds can be searched in one row.
APART = 1e11


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
        return self.published + feed * APART

    def until(self, feed: NDArray[np.intp], moment: NDArray[np.float64]) -> NDArray[np.intp]:
        """The place after the last entry that each feed had published by then."""
        return np.searchsorted(self._keys, moment + feed * APART, side="right")

    def of(self, feed: int) -> NDArray[np.float64]:
        return self.published[self.first[feed] : self.first[feed + 1]]


def histories_of(feeds: Iterable[History]) -> Histories:
    rows = list(feeds)
    times = [np.sort(np.asarray(row.published, np.float64)) for row in rows]
    return Histories(
        published=np.concatenate(times) if times else np.zeros(0),
        first=np.concatenate(([0], np.cumsum([len(one) for one in times]))).astype(np.intp),
        window=np.array([row.window for row in rows], np.intp),
        kind=tuple(row.kind for row in rows),
    )
