"""What came on each day, without counting rows: numbers are given in the order of time."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.inspection.overview.model import DayCount
from archiver.store.schema import articles, entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from sqlalchemy import Connection, Table

# So many rows of each span are looked at in a round: five rounds for ten million rows.
_AT_ONCE = 30


def days_until(state: Connection, last: date, days: int) -> tuple[DayCount, ...]:
    """The new entries and articles of each day, the earliest day first."""
    dates = [last - timedelta(days=back) for back in reversed(range(-1, days))]
    edges = [datetime.combine(day, time(), UTC) for day in dates]
    new_entries, new_articles = (_between(state, table, edges) for table in (entries, articles))
    return tuple(
        DayCount(day=day, entries=some, articles=others)
        for day, some, others in zip(dates[:-1], new_entries, new_articles, strict=True)
    )


def _between(state: Connection, table: Table, edges: Sequence[datetime]) -> list[int]:
    """How many rows were first seen between each moment and the next."""
    return [max(after - before, 0) for before, after in pairwise(first_numbers(state, table, edges))]


def first_numbers(state: Connection, table: Table, moments: Sequence[datetime]) -> list[int]:
    """For each moment, the number of the first row from it on; behind the last where there is none.

    Rows are numbered as they come, one by one. Where numbers are missing, days seem to have more; where they
    are out of order, as in a state store that was made again, what is found is near.
    """
    highest = state.execute(select(func.max(table.c.id))).scalar() or 0
    # The numbers between which each is looked for: the lower is of an earlier row, the higher of a later.
    spans = [(0, highest + 1)] * len(moments)
    while tried := sorted({number for low, high in spans for number in _spread(low, high)}):
        query = select(table.c.id, table.c.first_seen).where(table.c.id.in_(tried))
        seen = [(row.id, row.first_seen) for row in state.execute(query)]
        narrowed = [_narrowed(span, moment, seen) for span, moment in zip(spans, moments, strict=True)]
        if narrowed == spans:
            break  # none of these numbers is there
        spans = narrowed
    return [high for _, high in spans]


def _spread(low: int, high: int) -> Iterator[int]:
    """Some numbers between the two, evenly; not all in step, for numbers may be missing in step."""
    step = max(1, (high - low) // _AT_ONCE)
    tried = (number + place * place % step for place, number in enumerate(range(low + 1, high, step)))
    return (number for number in tried if number < high)


def _narrowed(
    span: tuple[int, int], moment: datetime, seen: Sequence[tuple[int, datetime]]
) -> tuple[int, int]:
    low, high = span
    earlier = [number for number, at in seen if low < number < high and at < moment]
    low = max(earlier, default=low)
    later = [number for number, at in seen if low < number < high and at >= moment]
    return low, min(later, default=high)
