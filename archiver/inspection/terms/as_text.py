"""Words over time at a terminal."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from archiver.display.tables import TableColumn, folded, many, printable, table_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from archiver.inspection.terms.model import TermNote, TermReport

    Paint = Callable[[str, str], str]

_COLUMNS = (
    TableColumn(title="term", narrowest=12),
    TableColumn(title="articles", is_number=True),
    TableColumn(title="before", is_number=True),
    TableColumn(title="odds", is_number=True),
    TableColumn(title="95 % interval", is_number=True, is_optional=True),
    TableColumn(title="such as", narrowest=20, is_optional=True),
)


def lines_of(report: TermReport, *, only_new: bool, width: int | None, paint: Paint) -> Iterator[str]:
    """The lists one after another; an empty one says so."""
    yield folded(_head(report), width)
    lists = (
        ("New", report.new),
        *(() if only_new else (("Rising", report.rising), ("Falling", report.falling))),
    )
    for title, notes in lists:
        yield ""
        yield paint(title, "bold")
        yield from _table(notes, width, paint) if notes else ["none"]


def _head(report: TermReport) -> str:
    return (
        f"{many(report.articles, 'article')} of {report.since} to {report.until}, against"
        f" {many(report.articles_before, 'article')} since {report.compared_since}"
    )


def _table(notes: Sequence[TermNote], width: int | None, paint: Paint) -> Iterator[str]:
    rows = [
        (
            note.term,
            str(note.articles),
            str(note.before),
            f"×{_times(note.log_odds)}",
            f"{_times(note.low)} to {_times(note.high)}",
            printable(note.examples[0].title or note.examples[0].url) if note.examples else "",
        )
        for note in notes
    ]
    return table_lines(_COLUMNS, rows, width=width, paint=paint)


def _times(logarithm: float) -> str:
    """The odds against those before: ×2 is twice as likely."""
    return f"{exp(logarithm):.2g}" if logarithm < 4 else f"{exp(logarithm):.0f}"  # e⁴ has two digits
