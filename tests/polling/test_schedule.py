"""When a channel is polled again: pure, bounded, and never sooner than the server asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.decide import Aim
from archiver.acquisition.channels.polling.estimate import learn
from archiver.acquisition.channels.polling.politeness import Politeness
from archiver.acquisition.channels.polling.schedule import (
    Backoff,
    ChannelState,
    NextPoll,
    PollPolicy,
    next_poll,
)
from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.outcomes import Failed, Failure, Outcome, Success

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
URL = "https://example.org/feed"
POLICY = PollPolicy()

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Any moment, those of clock changes and leap seconds among them.
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)) | st.sampled_from(  # noqa: DTZ001 - hypothesis adds the zone
    [
        datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime(2026, 3, 29, 0, 59, 59, 999999, tzinfo=UTC),
        datetime(2026, 10, 25, 1, 0, tzinfo=UTC),
        datetime(2028, 2, 29, 23, 30, tzinfo=UTC),
    ]
)
INTERVALS = st.timedeltas(timedelta(minutes=1), timedelta(days=30))
WAITS = st.none() | st.timedeltas(timedelta(), timedelta(days=30))
SECONDS = st.floats(0, 4e9)
# What polls at any time showed, published at any time.
RHYTHMS = st.builds(
    lambda moments, shown, is_gap, now: learn(None, moments, shown=shown, is_gap=is_gap, now=now).rhythm,
    st.lists(SECONDS, max_size=12),
    st.integers(0, 1000),
    st.booleans(),
    MOMENTS,
)
AIMS = st.builds(
    Aim,
    price=st.floats(1e-7, 100),
    fairness=st.floats(0, 100),
    shortest=st.floats(60, 1e5),
    longest=st.floats(1e5, 2e6),
)
STATES = st.builds(
    ChannelState,
    url=st.text(max_size=30),
    every=st.none() | INTERVALS,
    failures=st.integers(0, 10_000),
    failing_since=st.none() | MOMENTS,
    retired=st.booleans(),
    rhythm=st.none() | RHYTHMS,
    last_gap=st.none() | MOMENTS,
    pushed=st.booleans(),
)
POLICIES = st.builds(
    PollPolicy,
    interval=INTERVALS,
    aim=st.none() | AIMS,
    longest=INTERVALS,
    discovery=INTERVALS,
    jitter=st.floats(0, 1),
    politeness=st.builds(
        Politeness, floor=INTERVALS, floor_blind=INTERVALS, floor_urgent=INTERVALS, longest_wish=INTERVALS
    ),
    backoff=st.builds(Backoff, retire_after=INTERVALS, retired_interval=INTERVALS, longest_passing=INTERVALS),
)
# Mostly nonsense: publishers may say anything.
SPANS = st.none() | st.timedeltas(timedelta(), timedelta(days=100_000))
WISHES = st.builds(
    Wishes,
    at=st.none() | MOMENTS,
    max_age=SPANS,
    expires=SPANS,
    retry_after=WAITS,
    has_validators=st.booleans(),
    ttl=SPANS,
    skip_hours=st.lists(st.integers(0, 23), max_size=24).map(tuple),
    skip_days=st.lists(st.sampled_from(DAYS), max_size=7).map(tuple),
    update_period=st.none() | st.sampled_from(["hourly", "daily", "weekly", "monthly", "yearly", "often"]),
    update_frequency=st.none() | st.integers(0, 2**53),
    update_base=st.none() | MOMENTS,
)
FAILURES = st.builds(Failed, failure=st.sampled_from(Failure), retry_after=WAITS)


def wait_after(outcome: Outcome | Failed, **state: object) -> timedelta:
    return next_poll(ChannelState(url=URL, **state), outcome, POLICY, NOW).at - NOW  # type: ignore[arg-type] # given by name


def latest(state: ChannelState, policy: PollPolicy) -> timedelta:
    """The longest wait that anybody set."""
    politeness, retired = policy.politeness, policy.backoff.retired_interval
    floors = (politeness.floor, politeness.floor_blind)
    planned = timedelta(seconds=float(policy.aim.longest)) if policy.aim else timedelta()
    own = (policy.longest, policy.interval, policy.pushed, policy.discovery, state.every or timedelta())
    own = (*own, planned, retired)
    return max(*own, *floors) * (1 + policy.jitter)


@given(STATES, WISHES, st.sampled_from(Success) | FAILURES, POLICIES, MOMENTS)
def test_the_next_poll_is_never_in_the_past_and_never_beyond_the_maximum(
    state: ChannelState, wishes: Wishes, outcome: Success | Failed, policy: PollPolicy, now: datetime
) -> None:
    """Whatever is wished, on any day and at any hour, and however the clock was set since."""
    state = replace(state, wishes=wishes)
    decision = next_poll(state, outcome, policy, now)
    wish = outcome.retry_after if isinstance(outcome, Failed) else wishes.retry_after
    assert decision.at > now
    assert decision.at <= now + max(latest(state, policy), wish or timedelta())
    assert decision.why


@given(STATES, WISHES, st.sampled_from(Success), POLICIES)
def test_an_answer_may_ask_for_time_as_well(
    state: ChannelState, wishes: Wishes, outcome: Success, policy: PollPolicy
) -> None:
    wishes = replace(wishes, at=NOW)
    decision = next_poll(replace(state, wishes=wishes), outcome, policy, NOW)
    assert decision.at >= NOW + (wishes.retry_after or timedelta())


@given(STATES, WISHES, st.sampled_from(Success), POLICIES)
def test_only_the_operator_may_go_below_the_floors(
    state: ChannelState, wishes: Wishes, outcome: Success, policy: PollPolicy
) -> None:
    state = replace(state, wishes=replace(wishes, at=NOW), every=None)
    decision = next_poll(state, outcome, replace(policy, discovery=timedelta(days=30)), NOW)
    assert decision.at >= NOW + min(policy.politeness.floor, policy.politeness.floor_urgent)
    if policy.aim is None or state.rhythm is None or state.pushed:
        assert decision.at >= NOW + policy.politeness.floor


def test_the_seed_counts_more_than_the_feed_but_not_more_than_retry_after() -> None:
    every = timedelta(minutes=20)
    hints = Wishes(at=NOW, max_age=timedelta(hours=6), ttl=timedelta(days=1), skip_hours=tuple(range(23)))
    state = ChannelState(url=URL, every=every, wishes=hints)
    assert next_poll(state, Success.NEW, POLICY, NOW).at <= NOW + every
    asked = replace(state, wishes=replace(hints, retry_after=timedelta(hours=3)))
    decision = next_poll(asked, Success.NEW, POLICY, NOW)
    assert (decision.at, decision.why) == (NOW + timedelta(hours=3), "the server asked for 3 h")


def test_a_feed_that_asks_for_a_longer_interval_has_it() -> None:
    state = ChannelState(url=URL, wishes=Wishes(at=NOW, ttl=timedelta(hours=3), has_validators=True))
    decision = next_poll(state, Success.NOT_MODIFIED, POLICY, NOW)
    assert timedelta(hours=3) <= decision.at - NOW <= timedelta(hours=3, minutes=3)
    assert decision.why == "the feed's ttl of 3 h"


def test_channels_of_a_host_do_not_come_together_when_its_skipped_hours_are_over() -> None:
    wishes = Wishes(at=NOW, skip_hours=(7, 8, 9))
    states = [ChannelState(url=f"{URL}/{number}", wishes=wishes) for number in range(200)]
    moments = [next_poll(state, Success.NEW, POLICY, NOW).at - NOW for state in states]
    assert len(set(moments)) == 200
    assert min(moments) >= timedelta(hours=3)
    assert max(moments) - min(moments) > timedelta(minutes=2)


@given(STATES, FAILURES, POLICIES)
def test_a_server_that_asks_for_time_is_given_it(
    state: ChannelState, failed: Failed, policy: PollPolicy
) -> None:
    decision = next_poll(state, failed, policy, NOW)
    assert decision.retired or decision.at >= NOW + (failed.retry_after or timedelta())


@given(STATES, FAILURES, POLICIES)
def test_a_failing_channel_is_never_asked_more_often_than_a_healthy_one(
    state: ChannelState, failed: Failed, policy: PollPolicy
) -> None:
    # A hub that is relied on tells nothing of a feed that fails.
    state = replace(state, retired=False, pushed=False)
    decision = next_poll(state, failed, policy, NOW)
    assert decision.failures == state.failures + 1
    assert decision.retired or decision.at >= next_poll(state, Success.NEW, policy, NOW).at


@given(STATES, st.sampled_from(Success) | FAILURES, POLICIES)
def test_the_same_question_has_the_same_answer(
    state: ChannelState, outcome: Success | Failed, policy: PollPolicy
) -> None:
    assert next_poll(state, outcome, policy, NOW) == next_poll(state, outcome, policy, NOW)


@given(st.sampled_from(sorted(set(Failure) - {Failure.GONE})), st.integers(0, 100))
def test_waits_grow_with_every_failure(failure: Failure, failures: int) -> None:
    failed = Failed(failure=failure)
    assert wait_after(failed, failures=failures) <= wait_after(failed, failures=failures + 1)


@pytest.mark.parametrize("failure", [Failure.TIMEOUT, Failure.SERVER_ERROR, Failure.CONNECTION])
def test_what_passes_by_itself_is_asked_about_every_day(failure: Failure) -> None:
    assert wait_after(Failed(failure=failure), failures=30) < timedelta(days=1.2)


def test_what_a_person_must_mend_is_asked_about_every_week() -> None:
    assert wait_after(Failed(failure=Failure.NOT_FOUND), failures=30) >= timedelta(days=7)


@pytest.mark.parametrize("outcome", [Success.NEW, Success.UNCHANGED, Success.NOT_MODIFIED])
def test_an_answer_is_followed_by_the_plain_interval_and_forgets_failures(outcome: Success) -> None:
    decision = next_poll(ChannelState(url=URL, failures=7), outcome, POLICY, NOW)
    # Never later than the interval: a cron job that runs just as often must find it due.
    assert timedelta(hours=0.9) <= decision.at - NOW <= timedelta(hours=1)
    assert decision.failures == 0
    assert decision.why == "every 1 h, as for every channel"


def test_a_seed_pins_its_interval() -> None:
    decision = next_poll(ChannelState(url=URL, every=timedelta(minutes=20)), Success.NEW, POLICY, NOW)
    assert timedelta(minutes=18) <= decision.at - NOW <= timedelta(minutes=20)
    assert decision.why == "every 20 min, as its seed asks"


def test_a_site_is_looked_through_less_often() -> None:
    wait = wait_after(Success.SITE, every=timedelta(hours=2))
    assert timedelta(days=7) <= wait <= timedelta(days=7.7)


def test_a_channel_that_is_gone_is_retired() -> None:
    decision = next_poll(ChannelState(url=URL), Failed(failure=Failure.GONE), POLICY, NOW)
    assert decision.retired


@given(st.sampled_from(sorted(set(Failure) - {Failure.GONE})), st.integers(0, 1000))
def test_a_channel_that_fails_for_a_short_time_is_not_retired(failure: Failure, failures: int) -> None:
    state = ChannelState(url=URL, failures=failures, failing_since=NOW - timedelta(days=59))
    assert not next_poll(state, Failed(failure=failure), POLICY, NOW).retired


@given(st.sampled_from(sorted(set(Failure) - {Failure.GONE})), st.integers(0, 8))
def test_a_channel_that_failed_few_times_is_not_retired(failure: Failure, failures: int) -> None:
    state = ChannelState(url=URL, failures=failures, failing_since=NOW - timedelta(days=900))
    assert not next_poll(state, Failed(failure=failure), POLICY, NOW).retired


def test_long_silence_retires_and_the_channel_is_still_asked_now_and_then() -> None:
    silent = ChannelState(url=URL, failures=9, failing_since=NOW - timedelta(days=60))
    decision = next_poll(silent, Failed(failure=Failure.DNS), POLICY, NOW)
    assert decision.retired
    assert timedelta(days=30) <= decision.at - NOW <= timedelta(days=33)
    assert decision.why == "dns for 60 d: retired, asked every 30 d"


def test_an_error_of_ours_retires_nobody() -> None:
    silent = ChannelState(url=URL, failures=99, failing_since=NOW - timedelta(days=600))
    assert not next_poll(silent, Failed(failure=Failure.INTERNAL), POLICY, NOW).retired


def test_a_retired_channel_that_fails_again_stays_retired() -> None:
    state = ChannelState(url=URL, failures=40, failing_since=NOW - timedelta(days=90), retired=True)
    decision = next_poll(state, Failed(failure=Failure.TIMEOUT), POLICY, NOW)
    assert decision.retired
    assert decision.at - NOW >= timedelta(days=30)


def test_what_a_person_must_mend_is_asked_about_less_often() -> None:
    assert wait_after(Failed(failure=Failure.TIMEOUT)) < wait_after(Failed(failure=Failure.NOT_FOUND))


def test_the_reason_says_what_the_server_asked_for() -> None:
    failed = Failed(failure=Failure.RATE_LIMITED, retry_after=timedelta(days=2))
    assert (
        next_poll(ChannelState(url=URL), failed, POLICY, NOW).why == "rate_limited: the server asked for 2 d"
    )


def test_channels_that_are_due_together_drift_apart() -> None:
    polls = {next_poll(ChannelState(url=f"{URL}/{n}"), Success.NEW, POLICY, NOW).at for n in range(100)}
    assert len(polls) == 100
    assert max(polls) - min(polls) > timedelta(minutes=4)


# ── By rhythm and price ──────────────────────────────────────────────────────────────────────────────────


PLANNED = PollPolicy(aim=Aim(price=0.026, shortest=1800.0))


def daily(hour: float, days: int = 20, shown: int = 15) -> bytes:
    """The rhythm of a channel that publishes each day at one hour."""
    moments = [
        (NOW.replace(hour=0) - timedelta(days=day) + timedelta(hours=hour)).timestamp()
        for day in range(1, days)
    ]
    return learn(None, moments, shown=shown, is_gap=False, now=NOW).rhythm


def planned(rhythm: bytes, **other: object) -> NextPoll:
    state = ChannelState(url=URL, rhythm=rhythm, wishes=Wishes(has_validators=True), **other)  # type: ignore[arg-type] # given by name
    return next_poll(state, Success.NEW, PLANNED, NOW)


def test_a_plan_tells_what_it_expects() -> None:
    decision = planned(daily(9.0))
    assert decision.why.endswith("new entries are expected by then")
    assert NOW + timedelta(minutes=30) <= decision.at <= NOW + timedelta(hours=4)


def test_an_hour_that_a_channel_keeps_to_is_polled_after_it() -> None:
    at = planned(daily(8.0)).at
    assert timedelta(hours=1) < at - NOW < timedelta(hours=1, minutes=45)


def test_a_seed_s_interval_and_a_fixed_one_count_more_than_any_rhythm() -> None:
    assert planned(daily(9.0), every=timedelta(hours=5)).why == "every 5 h, as its seed asks"
    fixed = next_poll(ChannelState(url=URL, rhythm=daily(9.0)), Success.NEW, POLICY, NOW)
    assert fixed.why.startswith("every 1 h")


def test_a_wish_gives_way_where_the_window_would_overrun() -> None:
    busy = [NOW.timestamp() - 300 * number for number in range(900)]  # three days
    rhythm = learn(None, busy, shown=20, is_gap=False, now=NOW).rhythm
    wishes = Wishes(at=NOW, ttl=timedelta(hours=12), has_validators=True)
    decision = next_poll(ChannelState(url=URL, rhythm=rhythm, wishes=wishes), Success.NEW, PLANNED, NOW)
    assert decision.at - NOW < timedelta(hours=2)


def test_a_gap_brings_polls_closer() -> None:
    sooner, usual = planned(daily(20.0), last_gap=NOW), planned(daily(20.0))
    assert sooner.at - NOW == pytest.approx((usual.at - NOW) / 2, abs=timedelta(seconds=1))


def test_another_channel_of_the_same_kind_comes_at_another_moment() -> None:
    decisions = {
        next_poll(ChannelState(url=f"{URL}/{number}", rhythm=daily(9.0)), Success.NEW, PLANNED, NOW).at
        for number in range(20)
    }
    assert len(decisions) == 20
