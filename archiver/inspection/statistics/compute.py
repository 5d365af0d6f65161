"""The figures of each feed, and those of all of them together."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from archiver.acquisition.channels.polling.words import rhythm_of
from archiver.inspection.statistics.figures import (
    average_mean,
    cumulated,
    histogram_of,
    pooled_deviation,
    share_up_to,
    spread_of,
)
from archiver.inspection.statistics.hints import count_hints, hints_in
from archiver.inspection.statistics.model import (
    FORM,
    QUARTILES,
    ChannelFigures,
    Curve,
    EntryCounts,
    LabelIntervals,
    Statistics,
    TypeCount,
    UpTo,
)
from archiver.inspection.statistics.times import ALWAYS, intervals, publication_times
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from archiver.documents.feeds.model import FeedHints
    from archiver.inspection.statistics.figures import Spread
    from archiver.inspection.statistics.model import LeftOut
    from archiver.inspection.statistics.times import Period, SeenEntry

# The study's types: whatever is Atom, whatever is RDF (RSS 0.90 and 1.0), and the versions of the other RSS.
_TYPES = {"atom": "Atom", "json": "JSON Feed", "rss090": "RDF", "rss10": "RDF", "rss": "RSS, unknown version"}

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
# Where the cumulative plot is told in numbers.
_SPANS = (MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A channel that was read as a feed."""

    id: int
    url: str
    title: str | None = None
    labels: tuple[str, ...] = ()
    format: str
    hints: FeedHints | None = None
    validators: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What the figures are about, and when they were made."""

    made: datetime
    of: str = "all channels"
    period: Period = ALWAYS


def figures_of(feed: Feed, entries: Sequence[SeenEntry], period: Period = ALWAYS) -> ChannelFigures | None:
    """What one feed comes to; None where it has no entry in the period."""
    found = publication_times(entries, period)
    if not found.entries:
        return None
    return ChannelFigures(
        id=feed.id,
        url=redact(feed.url),
        title=feed.title,
        labels=feed.labels,
        format=feed.format,
        shown=feed.hints.shown if feed.hints else None,
        entries=found.entries,
        dated=found.dated,
        first_seen=found.first_seen,
        unknown=found.unknown,
        intervals=spread_of(intervals(found.times)),
        rhythm=rhythm_of(found.times),
        hints=hints_in(entries, feed.hints, feed.validators),
        hints_known=feed.hints is not None,
    )


def statistics_of(channels: Sequence[ChannelFigures], left_out: LeftOut, scope: Scope) -> Statistics:
    """All tables and figures."""
    spreads = [channel.intervals for channel in channels if channel.intervals]
    ordered = {name: sorted(map(attrgetter(name), spreads)) for name in QUARTILES}
    return Statistics(
        form=FORM,
        made=scope.made,
        since=scope.period.since,
        until=scope.period.until,
        of=scope.of,
        feeds=len(channels),
        left_out=left_out,
        entries=_entries(channels),
        types=_types([channel.format for channel in channels]),
        shown=histogram_of(channel.shown for channel in channels if channel.shown is not None),
        kept=histogram_of(channel.entries for channel in channels),
        labels=_by_label(channels),
        total=_intervals(None, [channel.intervals for channel in channels]),
        curves=tuple(Curve(quartile=name, points=cumulated(values)) for name, values in ordered.items()),
        up_to=tuple(_up_to(seconds, ordered.values()) for seconds in _SPANS),
        daily=_daily(spreads),
        hints=count_hints(channels),
        channels=tuple(channels),
    )


def _entries(channels: Sequence[ChannelFigures]) -> EntryCounts:
    return EntryCounts(
        entries=sum(one.entries for one in channels),
        dated=sum(one.dated for one in channels),
        first_seen=sum(one.first_seen for one in channels),
        unknown=sum(one.unknown for one in channels),
    )


def _types(formats: Sequence[str]) -> tuple[TypeCount, ...]:
    dialects: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in formats:
        dialects[type_of(one)][dialect_of(one)] += 1
    return tuple(
        TypeCount(type=name, feeds=found.total(), share=found.total() / len(formats), dialects=_sorted(found))
        for name, found in sorted(dialects.items())
    )


def _sorted(found: Counter[str]) -> dict[str, int]:
    return dict(sorted(found.items()))


def _by_label(channels: Sequence[ChannelFigures]) -> tuple[LabelIntervals, ...]:
    """A feed with several labels counts under each; those without any come last, together."""
    found: defaultdict[str | None, list[Spread | None]] = defaultdict(list)
    for channel in channels:
        for label in dict.fromkeys(channel.labels or (None,)):
            found[label].append(channel.intervals)
    order = sorted(found, key=lambda label: (label is None, (label or "").casefold(), label or ""))
    return tuple(_intervals(label, found[label]) for label in order)


def _intervals(label: str | None, all_spreads: Sequence[Spread | None]) -> LabelIntervals:
    spreads = [spread for spread in all_spreads if spread is not None]
    return LabelIntervals(
        label=label,
        feeds=len(all_spreads),
        with_intervals=len(spreads),
        intervals=sum(spread.count for spread in spreads),
        average_mean=average_mean(spreads),
        pooled_deviation=pooled_deviation(spreads),
    )


def _up_to(seconds: float, ordered: Iterable[Sequence[float]]) -> UpTo:
    return UpTo(seconds=seconds, shares=tuple(share_up_to(values, seconds) for values in ordered))


def _daily(spreads: Sequence[Spread]) -> float | None:
    exact = sum(abs(spread.median - DAY) < MINUTE for spread in spreads)
    return exact / len(spreads) if spreads else None


def type_of(feed_format: str) -> str:
    """`RSS 2.0` of `rss20`, `RDF` of `rss10`."""
    if feed_format.startswith(("atom", "json")):
        return _TYPES[feed_format[:4]]
    return _TYPES.get(feed_format) or dialect_of(feed_format)


def dialect_of(feed_format: str) -> str:
    """`Atom 1.0` of `atom10`, `RSS 0.91` of `rss091`."""
    family = feed_format.rstrip("0123456789")
    name = {"rss": "RSS", "atom": "Atom", "json": "JSON Feed"}.get(family, family)
    return f"{name} {_version(feed_format.removeprefix(family))}".rstrip()


def _version(digits: str) -> str:
    """`1.0` of `1` and of `10`, `0.91` of `091`."""
    return f"{digits[0]}.{digits[1:] or '0'}" if digits else ""
