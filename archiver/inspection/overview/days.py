"""What came on each day, without counting rows: numbers are given in the order of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.inspection.overview.model import DayCount
from archiver.store.schema import articles, entries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from sqlalchemy import Connection, Table

# So many rows of each span are looked at in a round: eight rounds for ten million rows.
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class KnownDays:
    """Where days began when they were last asked for: a guess, which is looked at before it is believed."""

    _numbers: dict[str, Mapping[datetime, int]] = field(default_factory=dict)

    def first_numbers(self, state: Connection, table: Table, moments: Sequence[datetime]) -> list[int]:
        known = self._numbers.get(table.name, {})
        found = first_numbers(state, table, moments, [known.get(moment, 0) for moment in moments])
        self._numbers[table.name] = dict(zip(moments, found, strict=True))
        return found


def days_until(
    state: Connection, last: date, days: int, known: KnownDays | None = None
) -> tuple[DayCount, ...]:
    """The new entries and articles of each day, the earliest day first."""
    known = known or KnownDays()
    dates = [last - timedelta(days=back) for back in reversed(range(-1, days))]
    edges = [datetime.combine(day, time(), UTC) for day in dates]
    new_entries, new_articles = (
        _differences(known.first_numbers(state, table, edges)) for table in (entries, articles)
    )
    return tuple(
        DayCount(day=day, entries=some, articles=others)
        for day, some, others in zip(dates[:-1], new_entries, new_articles, strict=True)
    )


def _differences(numbers: Sequence[int]) -> list[int]:
    return [max(after - before, 0) for before, after in pairwise(numbers)]


def first_numbers(
    state: Connection, table: Table, moments: Sequence[datetime], guesses: Sequence[int]
) -> list[int]:
    """For each moment, the number of the first row from it on; behind the last where there is none.

    Rows are numbered as they come, one by one. Where numbers are missing, days seem to have more; where they
    are out of order, as in a state store that was made again, what is found is near.
    """
    highest = state.execute(select(func.max(table.c.id))).scalar() or 0
    # The numbers between which each is looked for: the lower is of an earlier row, the higher of a later.
    spans = [(0, highest + 1)] * len(moments)
    tries = [[guess - 1, guess] for guess in guesses]
    while any(tries):
        seen = _seen(state, table, sorted({number for some in tries for number in some}))
        spans = [_narrowed(*one, seen) for one in zip(spans, tries, moments, strict=True)]
        further = [_spread(*span) for span in spans]
        if further == tries:
            break  # none of these numbers is there
        tries = further
    return [high for _, high in spans]


def _seen(state: Connection, table: Table, numbers: Sequence[int]) -> dict[int, datetime]:
    query = select(table.c.id, table.c.first_seen).where(table.c.id.in_(numbers))
    return {row.id: row.first_seen for row in state.execute(query)}


def _spread(low: int, high: int) -> list[int]:
    """Some numbers between the two, evenly; not all in step, for numbers may be missing in step."""
    step = max(1, (high - low) // _AT_ONCE)
    tried = (number + place * place % step for place, number in enumerate(range(low + 1, high, step)))
    return [number for number in tried if number < high]


def _narrowed(
    span: tuple[int, int], tried: Sequence[int], moment: datetime, seen: Mapping[int, datetime]
) -> tuple[int, int]:
    low, high = span
    known = [number for number in tried if low < number < high and number in seen]
    low = max((number for number in known if seen[number] < moment), default=low)
    return low, min((number for number in known if number > low), default=high)
