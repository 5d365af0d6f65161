"""What the other entries of a feed say of one: between which it stands, and whether their dates are real."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.documents.times.model import Bracket

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

# With fewer, an order or an equality may be chance.
_FEWEST = 4
_SAME = timedelta(seconds=2)
# From writing the document to having it.
_JUST_NOW = timedelta(minutes=5)
# Before are the zeros of clocks.
_FIRST_YEAR = 1981


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
