"""When to ask again: pure functions of state, outcome, policy and time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.channels.polling.estimate import plan
from archiver.acquisition.channels.polling.politeness import Politeness, earliest
from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.outcome_words import failure_in_words
from archiver.acquisition.outcomes import Failed, Failure, Success
from archiver.digests import fraction_of
from archiver.display.when import span_in_words

if TYPE_CHECKING:
    from archiver.acquisition.channels.polling.decide import Aim
    from archiver.acquisition.channels.polls import KnownChannel
    from archiver.acquisition.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How patient the operator is."""

    # The longest wait for what passes by itself: a feed that comes back has entries to lose.
    longest_passing: timedelta = timedelta(days=1)
    # After this long with nothing but failures, and this many of them, a channel is retired …
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


# ── The next poll ────────────────────────────────────────────────────────────────────────────────────────

# Bursts come again: for so long after a gap the channel is polled up to twice as often.
_AFTER_GAP = timedelta(days=7)
_SHARE_AFTER_GAP = 0.5
# What publishers accept; an interval that is shorter already stays.
_FLOOR_AFTER_GAP = timedelta(minutes=30)

# Of the share by which channels drift apart, so much makes a planned poll later.
_LATER = 0.3
_POLITENESS, _BACKOFF, _NO_WISHES = Politeness(), Backoff(), Wishes()


@dataclass(frozen=True, slots=True, kw_only=True)
class PollPolicy:
    """What the operator wants."""

    # The same for all channels; or what their rhythms and the price of a poll come to, where `aim` is given.
    interval: timedelta = timedelta(hours=1)
    aim: Aim | None = None
    # No plan reaches further than this.
    longest: timedelta = timedelta(days=7)
    # Feeds that are due together drift apart by up to this share of their interval.
    jitter: float = 0.1
    # A site is looked through for new feeds this often.
    discovery: timedelta = timedelta(days=7)
    # A channel whose hub tells us what is new is polled this often in case that it does not.
    pushed: timedelta = timedelta(days=1)
    politeness: Politeness = _POLITENESS
    backoff: Backoff = _BACKOFF


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelState:
    """What the schedule knows of a channel."""

    url: str
    every: timedelta | None = None
    failures: int = 0
    # The first of these failures.
    failing_since: datetime | None = None
    retired: bool = False
    wishes: Wishes = _NO_WISHES
    # Its hub tells us when something is new.
    pushed: bool = False
    # How it publishes, as far as that is known.
    rhythm: bytes | None = None
    # When entries were last found to be missing.
    last_gap: datetime | None = None


def state_of(channel: KnownChannel, wishes: Wishes | None = None, *, pushed: bool = False) -> ChannelState:
    return ChannelState(
        url=channel.url,
        every=channel.every,
        failures=channel.failures,
        failing_since=channel.failing_since,
        retired=channel.status == "retired",
        wishes=wishes or Wishes(),
        pushed=pushed,
        rhythm=channel.rhythm,
        last_gap=channel.last_gap,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPoll:
    """The decision, and its reason in words."""

    at: datetime
    why: str
    failures: int = 0
    retired: bool = False


def next_poll(state: ChannelState, outcome: Outcome | Failed, policy: PollPolicy, now: datetime) -> NextPoll:
    """When to poll this channel again, and why then."""
    now = now.astimezone(UTC)
    share = policy.jitter * fraction_of(state.url)
    if isinstance(outcome, Failed):
        return _after_failure(state, outcome, policy, now, share)
    if outcome is Success.SITE:
        wait = policy.discovery * (1 + share)
        told = f"a site, looked through for feeds every {span_in_words(policy.discovery)}"
        return _not_before_retry_after(NextPoll(at=now + wait, why=told), state, now)
    if state.every:
        # The seed is the operator's word, which counts more than the publisher's hints. Earlier, never later:
        # a run that comes at just this interval must find the channel due.
        why = f"every {span_in_words(state.every)}, as its seed asks"
        return _not_before_retry_after(NextPoll(at=now + state.every * (1 - share), why=why), state, now)
    return _mannered(*_wanted(state, policy, now, share), state, policy, now)


def _wanted(
    state: ChannelState, policy: PollPolicy, now: datetime, share: float
) -> tuple[NextPoll, datetime | None]:
    """When a poll is best, and from when on entries may be lost, where that is known."""
    if state.pushed:
        why = f"every {span_in_words(policy.pushed)}, since its hub tells us what is new"
        return NextPoll(at=now + policy.pushed * (1 - share), why=why), None
    if policy.aim is None or state.rhythm is None:
        why = f"every {span_in_words(policy.interval)}, as for every channel"
        wanted = NextPoll(at=now + policy.interval * (1 - share), why=why)
        return after_gap(wanted, now, state.last_gap), None
    found = plan(state.rhythm, policy.aim, now)
    # Channels that are alike in all they do must not come together; what was expected by then still is.
    at = found.at + (found.at - now) * share * _LATER
    return after_gap(NextPoll(at=at, why=found.why), now, state.last_gap), found.loses


def _mannered(
    wanted: NextPoll, loses: datetime | None, state: ChannelState, policy: PollPolicy, now: datetime
) -> NextPoll:
    """The decision, put off as far as politeness asks for it."""
    at, whose = earliest(state.wishes, policy.politeness, now, wanted=wanted.at, loses=loses)
    if at <= wanted.at:
        return wanted
    # What a host wishes it wishes of all its channels: they must not all come at the stroke of the hour.
    at += policy.jitter * fraction_of(state.url) * min(policy.politeness.floor, at - now)
    latest = now + max(
        policy.longest, policy.interval, policy.pushed, policy.politeness.floor, policy.politeness.floor_blind
    )
    return _not_before_retry_after(NextPoll(at=min(at, latest), why=whose), state, now)


def _not_before_retry_after(wanted: NextPoll, state: ChannelState, now: datetime) -> NextPoll:
    """Retry-After gives way to nothing, not even to the operator."""
    wait = state.wishes.retry_after
    if wait is None:
        return wanted
    asked = min(state.wishes.at or now, now) + wait
    return (
        NextPoll(at=asked, why=f"the server asked for {span_in_words(wait)}") if asked > wanted.at else wanted
    )


def _usual_wait(state: ChannelState, policy: PollPolicy, now: datetime) -> timedelta:
    """How long would be waited if all were well: failing is no reason to be asked more often."""
    wanted, _ = _wanted(replace(state, pushed=False), policy, now, 0.0)
    return max(wanted.at - now, policy.interval)


def _after_failure(
    state: ChannelState, failed: Failed, policy: PollPolicy, now: datetime, share: float
) -> NextPoll:
    politeness = policy.politeness
    failures = state.failures + 1
    found = after_failure(
        failed,
        policy.backoff,
        failures=failures,
        silent=now - min(state.failing_since or now, now),
        interval=state.every
        or max(_usual_wait(state, policy, now), politeness.floor, politeness.floor_blind),
        longest=policy.longest,
        retired=state.retired,
    )
    wait, why = found.span * (1 + share), found.why
    if failed.retry_after is not None and failed.retry_after > wait:
        wait, why = (
            failed.retry_after,
            f"{failed.failure}: the server asked for {span_in_words(failed.retry_after)}",
        )
    return NextPoll(at=now + wait, why=why, failures=failures, retired=found.retired)


def after_gap(decision: NextPoll, now: datetime, last_gap: datetime | None) -> NextPoll:
    """The decision, sooner where entries were lost lately."""
    if last_gap is None or not now - _AFTER_GAP <= last_gap <= now:
        return decision
    wait = decision.at - now
    sooner = max(wait * _SHARE_AFTER_GAP, min(wait, _FLOOR_AFTER_GAP))
    if sooner == wait:
        return decision
    why = f"{decision.why}; sooner, since entries were missing on {last_gap:%Y-%m-%d}"
    return replace(decision, at=now + sooner, why=why)
