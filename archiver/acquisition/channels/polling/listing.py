"""The channels as a table, a line for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.acquisition.outcome_words import FAILURES, in_words
from archiver.acquisition.outcomes import Failure
from archiver.display.tables import Coloured, TableColumn, table_lines
from archiver.display.when import when
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Row

    from archiver.display.tables import Paint

_COLUMNS = (
    TableColumn(title="No.", is_number=True),
    TableColumn(title="Channel", narrowest=20),
    TableColumn(title="Status", narrowest=15),
    TableColumn(title="Entries", is_number=True),
    TableColumn(title="Next poll"),
    TableColumn(title="Labels", narrowest=6, is_optional=True),
    TableColumn(title="Last poll", is_optional=True),
    TableColumn(title="URL", narrowest=24, is_optional=True),
)


def chosen(
    rows: Sequence[Row[Any]],
    *,
    status: str | None = None,
    failing: bool = False,
    labels: Collection[str] = (),
) -> list[Row[Any]]:
    """The channels of a status, those that fail, those with one of some labels."""
    return [
        row
        for row in rows
        if status in {None, row.status}
        and (not failing or is_failing(row))
        and (not labels or not set(labels).isdisjoint(row.labels))
    ]


def is_failing(row: Row[Any]) -> bool:
    """Whether its last poll failed, and it is not stopped by hand."""
    return bool(row.failures) and row.status in {"active", "retired"}


def is_polled(row: Row[Any]) -> bool:
    """Whether there is a next poll: a retired channel is asked now and then, unless it is gone for good."""
    return bool(row.status == "active" or (row.status == "retired" and row.outcome != Failure.GONE))


def schedule_now(rows: Sequence[Row[Any]], now: datetime) -> datetime:
    """The schedule's time: after a rehearsal it is ahead of the machine's, but never before the last poll."""
    polls: list[datetime] = [row.last_poll for row in rows if row.last_poll is not None]
    return max([now, *polls])


def channel_table(
    rows: Sequence[Row[Any]], now: datetime, *, width: int | None, paint: Paint | None = None
) -> Iterator[str]:
    """A heading and a line for each channel."""
    return table_lines(_COLUMNS, [_cells(row, now) for row in rows], width=width, paint=paint)


def _cells(row: Row[Any], now: datetime) -> tuple[str | Coloured, ...]:
    url = redact(row.url)
    return (
        str(row.id),
        row.title or url.partition("://")[2],
        _status(row),
        str(row.entries),
        _next_poll(row, now),
        ", ".join(row.labels),
        when(row.last_poll, now) if row.last_poll else "never",
        url,
    )


def _next_poll(row: Row[Any], now: datetime) -> str:
    if not is_polled(row):
        return "–"
    return when(row.next_poll, now) if row.next_poll > now else "due now"


def _status(row: Row[Any]) -> Coloured:
    if row.status != "active":
        return Coloured(row.status, "grey")
    if row.failures:
        return Coloured(in_words(row.outcome or "failing", FAILURES), "red")
    return Coloured("ok", "green") if row.last_poll else Coloured("not polled yet")
