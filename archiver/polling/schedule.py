"""When to ask again: pure functions of state, outcome, policy and time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from archiver.digests import fraction_of
from archiver.outcomes import Failed, Failure, Success

if TYPE_CHECKING:
    from archiver.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class PollPolicy:
    """What the operator wants."""

    interval: timedelta = timedelta(hours=1)
    longest: timedelta = timedelta(days=7)
    # Feeds that are due together drift apart by up to this share of their interval.
    jitter: float = 0.1
    # A site is looked through for new feeds this often.
    discovery: timedelta = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelState:
    """What the schedule knows of a channel."""

    url: str
    every: timedelta | None = None
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPoll:
    """The decision, and its reason in words."""

    at: datetime
    why: str
    failures: int = 0
    retired: bool = False


# A failure that will pass is asked about again sooner than one that a person has to mend.
_FIRST_WAIT = {
    Failure.RATE_LIMITED: 2.0,
    Failure.NOT_FOUND: 4.0,
    Failure.REFUSED: 4.0,
    Failure.ROBOTS: 8.0,
    Failure.NOT_A_FEED: 4.0,
    Failure.CLIENT_ERROR: 4.0,
    Failure.ADDRESS: 8.0,
}


def next_poll(state: ChannelState, outcome: Outcome | Failed, policy: PollPolicy, now: datetime) -> NextPoll:
    """When to poll this channel again, and why then."""
    if isinstance(outcome, Failed):
        return _after_failure(state, outcome, policy, now)
    if outcome is Success.SITE:
        wait = _spread(policy.discovery, state, policy)
        return NextPoll(
            at=now + wait, why=f"a site, looked through for feeds every {_words(policy.discovery)}"
        )
    base = state.every or policy.interval
    why = f"every {_words(base)}, " + ("as its seed asks" if state.every else "as for every channel")
    # Earlier, never later: a run that comes at just this interval must find the channel due.
    wait = base * (1 - policy.jitter * fraction_of(state.url))
    return NextPoll(at=now + wait, why=why)


def _after_failure(state: ChannelState, failed: Failed, policy: PollPolicy, now: datetime) -> NextPoll:
    failures = state.failures + 1
    if failed.failure is Failure.GONE:
        return NextPoll(at=now + policy.longest, why="410 Gone: retired", failures=failures, retired=True)
    interval = state.every or policy.interval
    # The exponent is capped where any interval has long reached the longest one.
    wait = interval * _FIRST_WAIT.get(failed.failure, 1.0) * 2 ** min(failures - 1, 16)
    # A seed may ask for less than the longest interval allows: failing is no reason to ask more often.
    wait = _spread(min(wait, max(policy.longest, interval)), state, policy)
    why = f"{failed.failure}, {failures} in a row: asked again after {_words(wait)}"
    if failed.retry_after is not None and failed.retry_after > wait:
        wait, why = failed.retry_after, f"{failed.failure}: the server asked for {_words(failed.retry_after)}"
    return NextPoll(at=now + wait, why=why, failures=failures)


def _spread(interval: timedelta, state: ChannelState, policy: PollPolicy) -> timedelta:
    """The interval, a little longer by an amount that is always the same for this channel."""
    return interval * (1 + policy.jitter * fraction_of(state.url))


def _words(interval: timedelta) -> str:
    seconds = interval.total_seconds()
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
