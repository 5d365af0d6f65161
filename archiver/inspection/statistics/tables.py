"""The statistics as tables: the same rows for terminal, CSV and page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from archiver.display.tables import printable
from archiver.inspection.statistics.hints import HINTS
from archiver.inspection.statistics.model import QUARTILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.inspection.statistics.figures import Bin, Histogram
    from archiver.inspection.statistics.model import ChannelFigures, LabelIntervals, Statistics

Cell = str | int | float | None
_NOTHING = "–"
_UNITS = (("d", 86400), ("h", 3600), ("min", 60))
_ROUND_SPANS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


class ColumnKind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"  # 0 to 1
    SPAN = "span"  # seconds


Row = tuple["Cell", ...]
NO_LABEL = "(no label)"
QUARTILE_NAMES = dict(
    zip(QUARTILES, ("Minimum", "First quartile", "Median", "Third quartile", "Maximum"), strict=True)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    name: str  # for programs
    title: str  # for people
    kind: ColumnKind = ColumnKind.TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    # Whether the last row sums up the others.
    has_total: bool = False


def all_tables(found: Statistics) -> tuple[Table, ...]:
    return (
        overview(found),
        feed_types(found),
        entries_per_feed(found.shown, "entries_shown", "Entries in a feed document"),
        entries_per_feed(found.kept, "entries_kept", "Entries kept for a feed"),
        intervals_by_label(found),
        interval_quartiles(found),
        quartile_curves(found),
        hints_present(found),
        channels(found),
    )


def overview(found: Statistics) -> Table:
    rows: list[Row] = [
        ("feeds", found.feeds),
        ("entries", found.entries.entries),
        ("entries with a date that is believed", found.entries.dated),
        ("entries by when they were first seen", found.entries.first_seen),
        ("entries of unknown time", found.entries.unknown),
        ("left out: sites, polled for their feeds", found.left_out.sites),
        ("left out: never read as a feed", found.left_out.never_read),
        ("left out: feeds without entries", found.left_out.without_entries),
    ]
    columns = (Column(name="what", title=""), Column(name="number", title="Number", kind=ColumnKind.COUNT))
    return Table(name="overview", title="What was counted", columns=columns, rows=tuple(rows))


def feed_types(found: Statistics) -> Table:
    rows: list[Row] = [
        (
            one.type,
            one.feeds,
            one.share,
            ", ".join(f"{name}: {feeds}" for name, feeds in one.dialects.items()),
        )
        for one in found.types
    ]
    columns = (
        Column(name="type", title="Type"),
        Column(name="feeds", title="Number", kind=ColumnKind.COUNT),
        Column(name="share", title="Proportion", kind=ColumnKind.SHARE),
        Column(name="dialects", title="Dialects"),
    )
    total: Row = ("Total", found.feeds, 1.0 if found.feeds else None, "")
    return Table(name="feed_types", title="Feed types", columns=columns, rows=(*rows, total), has_total=True)


def entries_per_feed(histogram: Histogram, name: str, title: str) -> Table:
    columns = (
        Column(name="entries", title="Entries"),
        Column(name="feeds", title="Feeds", kind=ColumnKind.COUNT),
        Column(name="share", title="Proportion", kind=ColumnKind.SHARE),
    )
    rows: list[Row] = [(bin_name(one), one.feeds, one.feeds / histogram.feeds) for one in histogram.bins]
    return Table(name=name, title=title, columns=columns, rows=tuple(rows))


def bin_name(one: Bin) -> str:
    if one.last is None:
        return f"{one.first}+"
    return f"{one.first}–{one.last}" if one.last > one.first else str(one.first)


def about_histogram(histogram: Histogram) -> str:
    """What the study says of its histogram, in a sentence."""
    if not histogram.feeds:
        return "Not known of any feed yet."
    frequent = ", ".join(f"{one.entries} ({one.feeds:,})" for one in histogram.most_frequent)
    return (
        f"{histogram.feeds:,} feeds; half have at most {histogram.median:g}; {histogram.below_30:.1%} have "
        f"fewer than 30. Most frequent: {frequent}."
    )


def intervals_by_label(found: Statistics) -> Table:
    columns = (
        Column(name="label", title="Label"),
        Column(name="feeds", title="Feeds", kind=ColumnKind.COUNT),
        Column(name="feeds_with_intervals", title="With intervals", kind=ColumnKind.COUNT),
        Column(name="intervals", title="Intervals", kind=ColumnKind.COUNT),
        Column(name="average_mean", title="Average mean", kind=ColumnKind.SPAN),
        Column(name="pooled_deviation", title="Pooled deviation", kind=ColumnKind.SPAN),
    )
    rows = [_label_row(one.label or NO_LABEL, one) for one in found.labels]
    return Table(
        name="intervals_by_label",
        title="Update intervals by label",
        columns=columns,
        rows=(*rows, _label_row("Total", found.total)),
        has_total=True,
    )


def _label_row(name: str, one: LabelIntervals) -> Row:
    return name, one.feeds, one.with_intervals, one.intervals, one.average_mean, one.pooled_deviation


def interval_quartiles(found: Statistics) -> Table:
    columns = (
        Column(name="up_to", title="At most"),
        *(Column(name=name, title=title, kind=ColumnKind.SHARE) for name, title in QUARTILE_NAMES.items()),
    )
    rows = tuple((round_span(one.seconds), *one.shares) for one in found.up_to)
    title = "Quartiles of update intervals: share of feeds up to a span"
    return Table(name="interval_quartiles", title=title, columns=columns, rows=rows)


def about_intervals(found: Statistics) -> str:
    """What the study reads from its cumulative plot, in a sentence."""
    if found.daily is None:
        return "No feed has two entries of known time yet."
    hour, day = (dict(zip(QUARTILES, one.shares, strict=True)) for one in found.up_to if one.seconds in _TOLD)
    return (
        f"{found.total.with_intervals:,} feeds with intervals. Their median interval is at most an hour for "
        f"{hour['median']:.1%} and at most a day for {day['median']:.1%}; for {found.daily:.1%} it is a day, "
        f"to the minute. {day['maximum']:.1%} never let more than a day pass without an entry; "
        f"{day['minimum']:.1%} once had two within a day."
    )


_TOLD = (3600.0, 86400.0)


def quartile_curves(found: Statistics) -> Table:
    columns = (
        Column(name="quartile", title="Quartile"),
        Column(name="seconds", title="Interval", kind=ColumnKind.SPAN),
        Column(name="share", title="Feeds up to it", kind=ColumnKind.SHARE),
    )
    rows = tuple((one.quartile, *point) for one in found.curves for point in one.points)
    return Table(name="quartile_curves", title="The cumulative plot", columns=columns, rows=rows)


def hints_present(found: Statistics) -> Table:
    columns = (
        Column(name="hint", title="Hint"),
        Column(name="feeds", title="Feeds", kind=ColumnKind.COUNT),
        Column(name="of", title="Of", kind=ColumnKind.COUNT),
        Column(name="share", title="Proportion", kind=ColumnKind.SHARE),
    )
    rows = tuple((HINTS[one.hint], one.feeds, one.of, one.share) for one in found.hints)
    return Table(name="hints", title="Hints that feeds give", columns=columns, rows=rows)


_CHANNEL_COLUMNS = (
    Column(name="channel", title="Channel", kind=ColumnKind.COUNT),
    Column(name="title", title="Title"),
    Column(name="url", title="Address"),
    Column(name="labels", title="Labels"),
    Column(name="format", title="Format"),
    Column(name="rhythm", title="Rhythm"),
    Column(name="shown", title="Shown", kind=ColumnKind.COUNT),
    Column(name="entries", title="Entries", kind=ColumnKind.COUNT),
    Column(name="intervals", title="Intervals", kind=ColumnKind.COUNT),
    Column(name="mean", title="Mean", kind=ColumnKind.SPAN),
    Column(name="deviation", title="Deviation", kind=ColumnKind.SPAN),
    *(Column(name=name, title=title, kind=ColumnKind.SPAN) for name, title in QUARTILE_NAMES.items()),
    Column(name="hints", title="Hints"),
)


def channels(found: Statistics, only: Sequence[str] = ()) -> Table:
    """One row for each feed; with `only`, not all columns."""
    chosen = [number for number, one in enumerate(_CHANNEL_COLUMNS) if not only or one.name in only]
    rows = tuple(tuple(row[number] for number in chosen) for row in map(_channel_row, found.channels))
    columns = tuple(_CHANNEL_COLUMNS[number] for number in chosen)
    return Table(name="channels", title="Channels", columns=columns, rows=rows)


def _channel_row(one: ChannelFigures) -> Row:
    spread = one.intervals
    numbers = ("mean", "deviation", *QUARTILES)
    return (
        one.id,
        one.title or "",
        one.url,
        ", ".join(one.labels),
        one.format,
        one.rhythm,
        one.shown,
        one.entries,
        spread.count if spread else 0,
        *(getattr(spread, name) if spread else None for name in numbers),
        " ".join(one.hints),
    )


def in_words(cell: Cell, kind: ColumnKind) -> str:
    if cell is None:
        return _NOTHING
    if isinstance(cell, str):
        return printable(cell)
    if kind is ColumnKind.SHARE:
        return f"{cell:.1%}"
    return span_in_words(cell) if kind is ColumnKind.SPAN else f"{cell:,}"


def span_in_words(seconds: float) -> str:
    """`12 d 14 h 12 min`, as the study writes it; below a minute, `35 s`."""
    if seconds < 59.5:
        return f"{seconds:.0f} s" if seconds >= 9.5 or seconds == round(seconds) else f"{seconds:.1f} s"
    rest = round(seconds / 60) * 60
    parts = []
    for unit, size in _UNITS:
        number, rest = divmod(rest, size)
        if number:
            parts.append(f"{number:,} {unit}")
    return " ".join(parts)


def round_span(seconds: float) -> str:
    """`6 hours`, `1 day`, `30 days`: a span that has a name."""
    for unit, size in _ROUND_SPANS:
        if seconds >= size:
            number = round(seconds / size)
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return f"{seconds:g} seconds"
