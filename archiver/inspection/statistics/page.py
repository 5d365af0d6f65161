"""The statistics as one HTML file that loads nothing and runs nothing, for screens of any size."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from archiver.display.page import STYLE, html_page
from archiver.display.tables import printable
from archiver.inspection.statistics import tables
from archiver.inspection.statistics.svg import cumulative_svg, histogram_svg
from archiver.inspection.statistics.tables import ColumnKind, in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from archiver.inspection.statistics.figures import Histogram
    from archiver.inspection.statistics.model import Statistics
    from archiver.inspection.statistics.tables import Row, Table

# A page of many more is too long to read; CSV and JSON have all.
_MOST_CHANNELS = 1000
_CHANNEL_COLUMNS = ("channel", "title", "url", "labels", "rhythm", "shown", "entries", "mean", "median")
_STYLE = """
:root { --bar: #3a6ea5; --low: #7a5195; --early: #2f6fb0; --middle: #1b7f3b; --late: #c06a00;
  --high: #b0304a; }
@media (prefers-color-scheme: dark) { :root { --bar: #6ea3dc; --low: #b79ad0; --early: #7db3ec;
  --middle: #5fd085; --late: #f0a64a; --high: #f08299; } }
body { overflow-wrap: break-word; }
p { margin: .5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .25rem 1rem .25rem 0; text-align: left; vertical-align: top; }
th, td { border-bottom: 1px solid var(--line); }
th { vertical-align: bottom; }
tfoot td { font-weight: 600; border-top: 2px solid var(--line); }
td:first-child { min-width: 5.5rem; }
.number { text-align: right; }
td.number { white-space: nowrap; }
.channels .text { min-width: 9rem; max-width: 20rem; }
figure { margin: .8rem 0; }
svg { display: block; width: 100%; max-width: 40rem; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .axis { fill: var(--soft); }
.grid { stroke: var(--line); fill: none; }
.base { stroke: var(--soft); fill: none; }
.bar { fill: var(--bar); }
.curve { fill: none; stroke-width: 2; }
.minimum { stroke: var(--low); stroke-dasharray: 2 3; }
.first_quartile { stroke: var(--early); stroke-dasharray: 7 3; }
.median { stroke: var(--middle); stroke-width: 3; }
.third_quartile { stroke: var(--late); stroke-dasharray: 7 3 2 3; }
.maximum { stroke: var(--high); stroke-dasharray: 1 2; }
"""
_TITLE = "Statistics of the archive"


def page_of(found: Statistics) -> str:
    body = f"<main><h1>{_TITLE}</h1>\n{chr(10).join(_parts(found))}\n</main>"
    return html_page(_TITLE, body, style=STYLE + _STYLE)


def _parts(found: Statistics) -> Iterator[str]:
    yield f'<p class="soft">{escape(about(found))}</p>'
    yield _section(tables.overview(found).title, [_table(tables.overview(found))])
    yield _section(tables.feed_types(found).title, [_table(tables.feed_types(found))])
    for histogram, name, title in (
        (found.shown, "entries_shown", "Entries in a feed document"),
        (found.kept, "entries_kept", "Entries kept for a feed"),
    ):
        yield _section(title, _histogram(histogram, name, title))
    yield _section(tables.intervals_by_label(found).title, [_table(tables.intervals_by_label(found))])
    yield _section("Quartiles of update intervals", _quartiles(found))
    yield _section(tables.hints_present(found).title, [_table(tables.hints_present(found))])
    yield _section("Channels", _channels(found))


def tables_page(title: str, told: str, found: Iterable[Table]) -> str:
    """A page of nothing but tables."""
    nothing = "<p>Nothing yet.</p>"
    parts = [_section(table.title, [_table(table) if table.rows else nothing]) for table in found]
    body = f'<main><h1>{escape(title)}</h1>\n<p class="soft">{escape(told)}</p>{"".join(parts)}\n</main>'
    return html_page(title, body, style=STYLE + _STYLE)


def about(found: Statistics) -> str:
    """What the figures are of, and when they were made."""
    told = f"Made {_minute(found.made)} of {printable(found.of)}"
    if found.since:
        told += f", entries from {_minute(found.since)}"
    if found.until:
        told += f", entries up to {_minute(found.until)}"
    return f"{told}. All times are UTC."


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _section(title: str, parts: Iterable[str]) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def _histogram(histogram: Histogram, name: str, title: str) -> Iterator[str]:
    told = tables.about_histogram(histogram)
    yield f"<p>{escape(told)}</p>"
    if histogram.feeds:
        yield f"<figure>{histogram_svg(histogram, name, title, told)}</figure>"
        yield _folded("The same in numbers", _table(tables.entries_per_feed(histogram, name, title)))


def _quartiles(found: Statistics) -> Iterator[str]:
    told = tables.about_intervals(found)
    yield f"<p>{escape(told)}</p>"
    if found.daily is None:
        return
    title = "Share of feeds with a given quartile of their update intervals, cumulated"
    yield f"<figure>{cumulative_svg(found.curves, 'quartiles', title, told)}"
    yield f'<figcaption class="soft">{title}; the axis of intervals is logarithmic.</figcaption></figure>'
    yield _table(tables.interval_quartiles(found))


def _channels(found: Statistics) -> Iterator[str]:
    table = tables.channels(found, _CHANNEL_COLUMNS)
    more = len(table.rows) - _MOST_CHANNELS
    if more > 0:
        yield f"<p>The first {_MOST_CHANNELS:,}; {more:,} more are in the CSV and JSON files.</p>"
    yield _folded(f"{found.feeds:,} feeds", _table(table, table.rows[:_MOST_CHANNELS], "channels"))


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def _table(table: Table, rows: Sequence[Row] | None = None, kind: str = "table") -> str:
    body = list(table.rows if rows is None else rows)
    foot = [body.pop()] if table.has_total else []
    head = "".join(_head(column.title, column.kind) for column in table.columns)
    parts = f"<thead><tr>{head}</tr></thead><tbody>{_rows(table, body)}</tbody>"
    parts += f"<tfoot>{_rows(table, foot)}</tfoot>" if foot else ""
    return f'<div class="wide"><table class="{kind}">{parts}</table></div>'


def _head(title: str, kind: ColumnKind) -> str:
    return f'<th scope="col" class="{_class(kind)}">{escape(title)}</th>'


def _rows(table: Table, rows: Iterable[Row]) -> str:
    kinds = [column.kind for column in table.columns]
    return "".join(
        "<tr>"
        + "".join(_cell(in_words(cell, kind), kind) for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )


def _cell(text: str, kind: ColumnKind) -> str:
    return f'<td class="{_class(kind)}">{escape(text)}</td>'


def _class(kind: ColumnKind) -> str:
    return "text" if kind is ColumnKind.TEXT else "number"
