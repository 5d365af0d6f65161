"""The statistics in a terminal: aligned tables, bars, and the cumulative plot in characters."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from archiver.display.tables import display_width, printable, shortened
from archiver.inspection.statistics import tables
from archiver.inspection.statistics.axes import share_at, span_axis
from archiver.inspection.statistics.tables import QUARTILE_NAMES, ColumnKind, in_words, span_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from archiver.inspection.statistics.figures import Histogram
    from archiver.inspection.statistics.model import ChannelFigures, Curve, Statistics
    from archiver.inspection.statistics.tables import Table

    Paint = Callable[[str, str], str]

_GAP = "  "
_NARROWEST = 8  # of a column that is cut
_BAR = "█"
_LONGEST_BAR = 50
_PLOT_HEIGHT = 16
_PLOT_WIDTH = range(30, 101)


def lines_of(found: Statistics, paint: Paint, *, width: int, with_channels: bool = False) -> Iterator[str]:
    """Everything, for a terminal of this width. `paint` colours a text by the name of a colour."""
    yield from part_lines(tables.overview(found), paint, width)
    yield from part_lines(tables.feed_types(found), paint, width)
    shown = tables.entries_per_feed(found.shown, "entries_shown", "Entries in a feed document")
    yield from _heading(shown.title, paint)
    yield from textwrap.wrap(tables.about_histogram(found.shown), width)
    yield from _bars(found.shown, width)
    yield from _heading("Entries kept for a feed", paint)
    yield from textwrap.wrap(tables.about_histogram(found.kept), width)
    yield from part_lines(tables.intervals_by_label(found), paint, width)
    yield from part_lines(tables.interval_quartiles(found), paint, width)
    yield from textwrap.wrap(tables.about_intervals(found), width)
    yield from _plot(found.curves, paint, width)
    yield from part_lines(tables.hints_present(found), paint, width)
    if with_channels:
        yield from _heading("Channels", paint)
        for channel in found.channels:
            yield from _channel(channel, width)


def _channel(one: ChannelFigures, width: int) -> Iterator[str]:
    yield shortened(f"{one.id:>5}  {printable(one.title or one.url)}", width)
    median = f"; median interval {span_in_words(one.intervals.median)}" if one.intervals else ""
    told = f"{one.rhythm}; {one.entries:,} entries{median}"
    yield from textwrap.wrap(told, width, initial_indent=" " * 7, subsequent_indent=" " * 7)


def _heading(title: str, paint: Paint) -> Iterator[str]:
    yield ""
    yield paint(title, "bold")


def part_lines(table: Table, paint: Paint, width: int) -> Iterator[str]:
    yield from _heading(table.title, paint)
    yield from table_lines(table, width)


def table_lines(table: Table, width: int) -> Iterator[str]:
    """Numbers to the right, words to the left, and the longest words cut where there is no room."""
    cells = [
        [in_words(cell, column.kind) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    heads = [_head(column.title, [row[n] for row in cells]) for n, column in enumerate(table.columns)]
    height = max(len(head) for head in heads)
    stacked = [[""] * (height - len(head)) + head for head in heads]
    above = [list(line) for line in zip(*stacked, strict=True)]
    is_text = [column.kind is ColumnKind.TEXT for column in table.columns]
    widths = _widths([*above, *cells], is_text, width)
    for number, row in enumerate([*above, *cells]):
        if number == height or (table.has_total and number == height + len(cells) - 1):
            yield _GAP.join("-" * one for one in widths)
        yield _GAP.join(map(_cell, row, widths, is_text)).rstrip()


def _head(title: str, cells: Sequence[str]) -> list[str]:
    """A title that is wider than what stands below it takes several lines."""
    return textwrap.wrap(title, max(map(display_width, [*cells, *title.split()]), default=1)) or [""]


def _widths(rows: Sequence[Sequence[str]], is_text: Sequence[bool], width: int) -> list[int]:
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    while (surplus := sum(widths) + len(_GAP) * (len(widths) - 1) - width) > 0:
        texts = [n for n, text in enumerate(is_text) if text and widths[n] > _NARROWEST]
        if not texts:
            break
        widest = max(texts, key=widths.__getitem__)
        widths[widest] = max(_NARROWEST, widths[widest] - max(1, surplus // len(texts)))
    return widths


def _cell(text: str, width: int, is_text: bool) -> str:
    text = shortened(text, width)
    space = " " * (width - display_width(text))
    return text + space if is_text else space + text


def _bars(histogram: Histogram, width: int) -> Iterator[str]:
    highest = max((one.feeds for one in histogram.bins), default=0)
    names = [tables.bin_name(one) for one in histogram.bins]
    margin = max(map(len, names), default=0)
    digits = len(f"{highest:,}")
    longest = max(1, min(_LONGEST_BAR, width - margin - digits - 2 * len(_GAP)))
    for name, one in zip(names, histogram.bins, strict=True):
        length = max(round(longest * one.feeds / highest), one.feeds > 0) if highest else 0
        yield f"{name:>{margin}}{_GAP}{one.feeds:>{digits},}{_GAP}{_BAR * length}".rstrip()


def _plot(curves: Sequence[Curve], paint: Paint, width: int) -> Iterator[str]:
    """Shares upwards, spans to the right; each curve is drawn with the number of its quartile."""
    if not any(curve.points for curve in curves):
        return
    axis = span_axis(seconds for curve in curves for seconds, _ in curve.points)
    across = min(max(width - 8, _PLOT_WIDTH.start), _PLOT_WIDTH.stop - 1)
    canvas = [[" "] * across for _ in range(_PLOT_HEIGHT + 1)]
    # The median last: it is what the plot is about.
    for number in sorted(range(len(curves)), key=lambda one: one == len(curves) // 2):
        for column in range(across):
            if share := share_at(curves[number].points, axis.at(column / (across - 1))):
                canvas[_PLOT_HEIGHT - round(share * _PLOT_HEIGHT)][column] = str(number)
    yield ""
    for number, row in enumerate(canvas):
        share = 1 - number / _PLOT_HEIGHT
        name = f"{share:>5.0%} |" if number % (_PLOT_HEIGHT // 4) == 0 else f"{'':5} |"
        yield (name + _painted("".join(row).rstrip(), paint)).rstrip()
    yield f"{'':5} +{'-' * across}"
    yield f"{'':7}{_tick_names(axis.ticks, across)}"
    names = [f"{number} {name.lower()}" for number, name in enumerate(QUARTILE_NAMES.values())]
    yield from textwrap.wrap(f"Share of feeds up to an interval: {', '.join(names)}", width)


def _painted(row: str, paint: Paint) -> str:
    return row.replace("2", paint("2", "green"))


def _tick_names(ticks: Sequence[tuple[float, str]], across: int) -> str:
    line = ""
    for place, name in ticks:
        start = min(round(place * (across - 1)), across - len(name))
        # One that would touch its neighbour is left out.
        if not line or start > len(line):
            line = f"{line:<{start}}{name}"
    return line
