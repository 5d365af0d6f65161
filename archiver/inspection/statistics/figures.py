"""Numbers made of numbers: means, quartiles, the pooled deviation, histograms and cumulated shares."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
# Every five entries up to a hundred, so that 10, 50 and 100 end a bar; wider ones above.
_BIN_ENDS = (0, *range(5, 101, 5), 200, 500, 1000)
_MOST_FREQUENT = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A series of intervals in seconds: how many, their mean, their deviation and their quartiles."""

    count: int
    mean: float
    deviation: float | None  # of a sample (n - 1); none of a single interval
    minimum: float
    first_quartile: float
    median: float
    third_quartile: float
    maximum: float


def spread_of(values: Sequence[float]) -> Spread | None:
    """None of an empty series."""
    if not values:
        return None
    ordered = sorted(values)
    count = len(ordered)
    mean = math.fsum(ordered) / count
    squares = math.fsum((value - mean) ** 2 for value in ordered)
    lowest, first, median, third, highest = (quantile(ordered, share) for share in _QUARTERS)
    return Spread(
        count=count,
        mean=mean,
        deviation=math.sqrt(squares / (count - 1)) if count > 1 else None,
        minimum=lowest,
        first_quartile=first,
        median=median,
        third_quartile=third,
        maximum=highest,
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share lies; between two values, in proportion."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def average_mean(spreads: Iterable[Spread]) -> float | None:
    """The mean of the series' means: each feed counts once, however often it publishes."""
    means = [spread.mean for spread in spreads]
    return math.fsum(means) / len(means) if means else None


def pooled_deviation(spreads: Iterable[Spread]) -> float | None:
    """√(Σ (nᵢ - 1) sᵢ² ÷ Σ (nᵢ - 1)): how far intervals lie from the mean of their own feed."""
    known = [(one.count - 1, one.deviation) for one in spreads if one.deviation is not None]
    freedom = sum(count for count, _ in known)
    if not freedom:
        return None
    return math.sqrt(math.fsum(count * deviation**2 for count, deviation in known) / freedom)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """How many feeds have between so many and so many entries; the last bin has no end."""

    first: int
    last: int | None
    feeds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequent:
    entries: int
    feeds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """How many feeds have how many entries."""

    feeds: int
    median: float | None
    below_30: float | None  # the share of feeds
    most_frequent: tuple[Frequent, ...]
    bins: tuple[Bin, ...]


def histogram_of(values: Iterable[int]) -> Histogram:
    counts = Counter(values)
    ordered = sorted(counts.elements())
    return Histogram(
        feeds=len(ordered),
        median=quantile(ordered, 0.5) if ordered else None,
        below_30=sum(value < 30 for value in ordered) / len(ordered) if ordered else None,
        most_frequent=tuple(
            Frequent(entries=value, feeds=feeds)
            for value, feeds in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_MOST_FREQUENT]
        ),
        bins=_bins(ordered),
    )


def _bins(ordered: Sequence[int]) -> tuple[Bin, ...]:
    """From the first bin up to the highest that is not empty; that of no entries only if a feed has none."""
    bins, first, below = [], 0, 0
    for last in _BIN_ENDS:
        until = bisect_right(ordered, last)
        if below == len(ordered):
            break
        if last or until:
            bins.append(Bin(first=first, last=last, feeds=until - below))
        first, below = last + 1, until
    if below < len(ordered):
        bins.append(Bin(first=first, last=None, feeds=len(ordered) - below))
    return tuple(bins)


def share_up_to(ordered: Sequence[float], limit: float) -> float | None:
    """The share of the values that are no larger than the limit."""
    return bisect_right(ordered, limit) / len(ordered) if ordered else None


def cumulated(ordered: Sequence[float], most: int = 200) -> tuple[tuple[float, float], ...]:
    """Each value with the share of values up to it; of very many, so many spread evenly over the shares."""
    count = len(ordered)
    steps = min(count, most)
    values = {ordered[count * step // steps - 1] for step in range(1, steps + 1)}
    return tuple((value, bisect_right(ordered, value) / count) for value in sorted(values))
