"""What a strategy asks for on a site, and how much of the site's text it has after how many requests."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from archiver.acquisition.sites.learning.graph import Grams, GraphPage
    from archiver.inspection.sites.simulation.site import SimulatedSite

# Shares of the text for which it is told how many requests they took.
MARKS = (0.9, 0.95, 0.97, 0.99)
_MOST_POINTS = 200


class StrategyRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a strategy."""

    strategy: str
    seed: int
    requests: int
    pages: int
    missing: int  # requests for what was not captured: they count as not found
    text: float  # share of all pairs of words of the captured pages
    links: float  # likewise of links to other sites
    # After how many requests so much of the text was reached; null: never.
    reached: tuple[int | None, ...]
    curve: tuple[tuple[int, int], ...]  # requests, and pairs of words after them


class SiteText:
    """All text of a site, to measure runs against."""

    def __init__(self, pages: Sequence[GraphPage]) -> None:
        self.pages = len(pages)
        self._grams = _all([page.grams for page in pages])
        self._links = _all([page.external for page in pages])

    @property
    def total(self) -> int:
        return len(self._grams)

    def play(self, site: SimulatedSite, asked: Iterator[str], *, name: str, seed: int) -> StrategyRun:
        """Count what the pages bring that a strategy asks for."""
        text, links = _Seen(self._grams), _Seen(self._links)
        counts: list[int] = []
        pages = missing = 0
        for url in asked:
            page = site.read(url)
            if page is None:
                missing += not site.is_captured(url)
            else:
                pages += 1
                text.add(page.grams)
                links.add(page.external)
            counts.append(text.count)
        return StrategyRun(
            strategy=name,
            seed=seed,
            requests=len(counts),
            pages=pages,
            missing=missing,
            text=text.share,
            links=links.share,
            reached=tuple(_first(counts, mark * self.total) for mark in MARKS),
            curve=tuple(_points(counts)),
        )


class _Seen:
    def __init__(self, known: Grams) -> None:
        self._known = known
        self._is_seen: NDArray[np.bool_] = np.zeros(len(known), np.bool_)
        self.count = 0

    def add(self, grams: Grams) -> None:
        known = grams[np.isin(grams, self._known, assume_unique=True)]
        places = np.searchsorted(self._known, known)
        new = places[~self._is_seen[places]]
        self._is_seen[new] = True
        self.count += len(new)

    @property
    def share(self) -> float:
        return self.count / len(self._known) if len(self._known) else 1.0


def _all(parts: Sequence[Grams]) -> Grams:
    return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.uint64)


def _first(counts: Sequence[int], wanted: float) -> int | None:
    return next((number for number, count in enumerate(counts, 1) if count >= wanted), None)


def _points(counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    step = max(1, len(counts) // _MOST_POINTS)
    yield from islice(enumerate(counts, 1), 0, None, step)
    if counts and (len(counts) - 1) % step:
        yield len(counts), counts[-1]
