"""How far the dates of a feed's entries can be believed, as only the whole document shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.documents.times.model import Bracket

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.documents.feeds.model import FeedEntry

# With fewer, an order or an equality may be chance.
_FEWEST = 4
_SAME = timedelta(seconds=2)
# From writing the document to having it.
_JUST_NOW = timedelta(minutes=5)
# Before are the zeros of clocks.
_FIRST_YEAR = 1981

# Of longer documents the end is old, and was seen before.
_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Dating:
    """Between which dates a document lists an entry, and whether it dates its entries at all."""

    between: Bracket | None = None
    of_poll: bool = False


def datings(entries: Sequence[FeedEntry], fetched: datetime) -> list[Dating]:
    """One for each of the first entries of a document."""
    dates = [entry.published.utc if entry.published else None for entry in entries[:_MOST]]
    of_poll = are_of_poll(dates, fetched)
    return [Dating(between=neighbours_in(dates, place), of_poll=of_poll) for place in range(len(dates))]


def are_of_poll(dates: Sequence[datetime | None], fetched: datetime) -> bool:
    """Whether a document dates all its entries alike or as of now: then it tells its own age, not theirs.

    Whole days are no sign of that: many feeds give no hour.
    """
    known = _real(dates)
    if len(known) < _FEWEST:
        return False
    if all(abs(date - fetched) <= _JUST_NOW for date in known):
        return True
    first = known[0]
    is_midnight = (first.minute, first.second) == (0, 0)
    return not is_midnight and max(known) - min(known) <= _SAME


def neighbours_in(dates: Sequence[datetime | None], place: int) -> Bracket | None:
    """Between which dates an entry stands, by its place in a document that is in order without it."""
    before, after = _real(dates[:place]), _real(dates[place + 1 :])
    others = [*before, *after]
    if len(others) < _FEWEST or others[0] == others[-1]:
        return None
    if others[0] > others[-1]:  # the newest first, as nearly everywhere
        newer, older = before[-1:], after[:1]
        is_in_order = all(one >= other for one, other in pairwise(others))
    else:
        newer, older = after[:1], before[-1:]
        is_in_order = all(one <= other for one, other in pairwise(others))
    if not is_in_order:
        return None
    return Bracket(after=next(iter(older), None), before=next(iter(newer), None))


def _real(dates: Sequence[datetime | None]) -> list[datetime]:
    return [date for date in dates if date is not None and date.year >= _FIRST_YEAR]
