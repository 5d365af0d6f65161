"""A site that does not want to be asked, or cannot answer: when nothing is asked of it, and for how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.outcome_words import failure_in_words
from archiver.acquisition.outcomes import PASSING, Failure

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from archiver.acquisition.outcomes import Failed

# Answers that are none, one after the other, whatever they are about: it is the site, and not its pages.
MOST_IN_A_ROW = 10
_ASKS_FOR_REST = frozenset({Failure.RATE_LIMITED, Failure.UNAVAILABLE})
_REFUSES = PASSING | {Failure.REFUSED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a site takes it that it is asked."""

    in_a_row: int = 0  # failures
    rest_until: datetime | None = None  # nothing is asked for before
    paused: str = ""  # why it is not asked for anything more; empty: it is


def after_answer(in_a_row: int, failed: Failed | None, now: datetime, usual_wait: timedelta) -> Standing:
    """How a site stands after an answer; it rests for `usual_wait` where it does not say how long."""
    if failed is None:
        return Standing()
    # There is no such page: that says nothing of the others.
    if failed.failure not in _REFUSES:
        return Standing(in_a_row=in_a_row)
    told = failure_in_words(failed.failure, failed.detail)
    asks = failed.failure in _ASKS_FOR_REST
    rest = now + (failed.retry_after or usual_wait) if asks else None
    many = in_a_row + 1
    paused = f"{many} requests in a row failed, the last one: {told}" if many >= MOST_IN_A_ROW else ""
    return Standing(in_a_row=many, rest_until=rest, paused=paused)
