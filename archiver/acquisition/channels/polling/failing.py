"""Channels that fail: how long to wait after each kind of failure, and when to give a channel up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.outcome_words import failure_in_words
from archiver.acquisition.outcomes import Failure
from archiver.display.when import span_in_words

if TYPE_CHECKING:
    from archiver.acquisition.outcomes import Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How patient the operator is."""

    # The longest wait for what passes by itself: a feed that comes back has entries to lose.
    longest_passing: timedelta = timedelta(days=1)
    # After so long with nothing but failures, and so many of them, a channel is retired …
    retire_after: timedelta = timedelta(days=60)
    retire_tries: int = 10
    # … and asked so seldom whether it came back.
    retired_interval: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """What to do after a failure."""

    span: timedelta
    why: str
    retired: bool = False


# How many intervals the first wait has. What a person has to mend is asked about later than what will pass.
_FIRST_WAIT = {
    Failure.RATE_LIMITED: 2.0,
    Failure.DNS: 2.0,
    Failure.NOT_FOUND: 4.0,
    Failure.REFUSED: 4.0,
    Failure.REDIRECTS: 4.0,
    Failure.NOT_A_FEED: 4.0,
    Failure.UNASKED: 2.0,
    Failure.CLIENT_ERROR: 4.0,
    Failure.ROBOTS: 8.0,
    Failure.TOO_LARGE: 8.0,
    Failure.ADDRESS: 8.0,
}
# What passes by itself, as a rule within a day.
_PASSING = {
    Failure.UNAVAILABLE,
    Failure.SERVER_ERROR,
    Failure.TIMEOUT,
    Failure.CONNECTION,
    Failure.TRUNCATED,
    Failure.INTERNAL,
}


def after_failure(
    failed: Failed,
    backoff: Backoff,
    *,
    failures: int,
    silent: timedelta,
    interval: timedelta,
    longest: timedelta,
    retired: bool,
) -> Wait:
    """How long to wait after this many failures in a row, the first of them so long ago."""
    if failed.failure is Failure.GONE:
        return Wait(span=backoff.retired_interval, why="410 Gone: retired", retired=True)
    is_silent = silent >= backoff.retire_after and failures >= backoff.retire_tries
    # An error of ours says nothing of the channel.
    if retired or (is_silent and failed.failure is not Failure.INTERNAL):
        every = max(backoff.retired_interval, interval)
        why = f"{failed.failure} for {span_in_words(silent)}: retired, asked every {span_in_words(every)}"
        return Wait(span=every, why=why, retired=True)
    if failed.failure in _PASSING:
        longest = min(longest, backoff.longest_passing)
    # The exponent is capped where any interval has long reached the longest one.
    wait = interval * _FIRST_WAIT.get(failed.failure, 1.0) * 2 ** min(failures - 1, 16)
    # A seed may ask for less than the longest wait allows: failing is no reason to ask more often.
    wait = min(wait, max(longest, interval))
    told = f"{failure_in_words(failed.failure)}, {failures} in a row"
    return Wait(span=wait, why=f"{told}: asked again after {span_in_words(wait)}")
