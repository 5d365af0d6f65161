"""What `scrapy statistics` finds. Spans are seconds, shares lie between 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time

from archiver.inspection.statistics.figures import Histogram, Spread  # noqa: TC001 - msgspec reads the annotations

FORM = "statistics/1"
# The quantities of the cumulative plot, in its order: fields of Spread.
QUARTILES = ("minimum", "first_quartile", "median", "third_quartile", "maximum")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFigures:
    """One feed."""

    id: int
    url: str  # as it may be shown
    title: str | None = None
    labels: tuple[str, ...] = ()
    format: str
    shown: int | None = None  # entries in its last document, where that is known
    entries: int = 0  # that were kept, in the period
    dated: int = 0  # those with a date that is believed
    first_seen: int = 0  # those that go by when they were first seen
    unknown: int = 0  # undated ones that the first poll found
    intervals: Spread | None = None
    rhythm: str = ""
    hints: tuple[str, ...] = ()
    hints_known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Channels that are no active feeds."""

    sites: int = 0
    never_read: int = 0
    without_entries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCount:
    type: str
    feeds: int
    share: float
    dialects: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelIntervals:
    """The update intervals of the feeds of one label, or of all."""

    label: str | None
    feeds: int
    with_intervals: int
    intervals: int
    average_mean: float | None
    pooled_deviation: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The share of feeds of which a quartile of the intervals is at most so many seconds."""

    quartile: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpTo:
    """The same shares at one span that people know, for each of QUARTILES."""

    seconds: float
    shares: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HintCount:
    hint: str
    feeds: int
    of: int  # the feeds of which it is known
    share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCounts:
    entries: int = 0
    dated: int = 0
    first_seen: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    form: str
    made: datetime
    since: datetime | None
    until: datetime | None
    of: str  # which channels, in words
    feeds: int
    left_out: LeftOut
    entries: EntryCounts
    types: tuple[TypeCount, ...]
    shown: Histogram
    kept: Histogram
    labels: tuple[LabelIntervals, ...]
    total: LabelIntervals
    curves: tuple[Curve, ...]
    up_to: tuple[UpTo, ...]
    # The share of feeds whose median interval is a day, to the minute: they publish by the clock.
    daily: float | None
    hints: tuple[HintCount, ...]
    channels: tuple[ChannelFigures, ...]
