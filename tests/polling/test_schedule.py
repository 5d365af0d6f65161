"""When a channel is polled again: pure, bounded, and never sooner than the server asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.outcomes import Failed, Failure, Outcome, Success
from archiver.polling.schedule import ChannelState, PollPolicy, next_poll

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
URL = "https://example.org/feed"
POLICY = PollPolicy()

INTERVALS = st.timedeltas(timedelta(minutes=1), timedelta(days=30))
WISHES = st.none() | st.timedeltas(timedelta(), timedelta(days=30))
STATES = st.builds(
    ChannelState, url=st.text(max_size=30), every=st.none() | INTERVALS, failures=st.integers(0, 10_000)
)
POLICIES = st.builds(
    PollPolicy, interval=INTERVALS, longest=INTERVALS, discovery=INTERVALS, jitter=st.floats(0, 1)
)
FAILURES = st.builds(Failed, failure=st.sampled_from(Failure), retry_after=WISHES)


def wait_after(outcome: Outcome | Failed, **state: object) -> timedelta:
    return next_poll(ChannelState(url=URL, **state), outcome, POLICY, NOW).at - NOW  # type: ignore[arg-type] # given by name


@given(STATES, st.sampled_from(Success) | FAILURES, POLICIES)
def test_the_next_poll_is_never_in_the_past_and_never_beyond_the_maximum(
    state: ChannelState, outcome: Success | Failed, policy: PollPolicy
) -> None:
    decision = next_poll(state, outcome, policy, NOW)
    wish = outcome.retry_after if isinstance(outcome, Failed) else None
    longest = max(policy.longest, policy.interval, policy.discovery, state.every or timedelta())
    assert decision.at > NOW
    assert decision.at <= NOW + max(longest * (1 + policy.jitter), wish or timedelta())
    assert decision.why


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
def test_only_gone_retires(failure: Failure, failures: int) -> None:
    state = ChannelState(url=URL, failures=failures)
    assert not next_poll(state, Failed(failure=failure), POLICY, NOW).retired


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
