"""Looks come where edits are expected, never below the floor, and end."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.rechecks.curve import Look, learn
from archiver.acquisition.rechecks.schedule import ArticleState, RecheckPolicy, in_words, next_recheck

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
POLICY = RecheckPolicy()
ENDLESS = timedelta(days=10**6)
# Less than a second: ages are kept in days, as fractions.
SLACK = timedelta(milliseconds=1)

STATES = st.builds(
    lambda age, first, looks, changes, validators: ArticleState(
        age=age * DAY,
        last_look_age=age * DAY,
        first_age=min(first, age) * DAY,
        looks=looks,
        changes=min(changes, looks),
        validators=validators,
    ),
    st.floats(0, 29.9),
    st.floats(0, 29.9),
    st.integers(0, 40),
    st.integers(0, 40),
    st.booleans(),
)
LOOKS = st.lists(st.tuples(st.floats(0, 40), st.floats(0, 40), st.booleans()), max_size=15)
PRICES = st.floats(0.002, 1.0)


def taught(looks: list[tuple[float, float, bool]]) -> bytes | None:
    curve = None
    for begin, end, changed in looks:
        curve = learn(curve, Look(age_before=begin * DAY, age_now=end * DAY, changed=changed))
    return curve


def wait(state: ArticleState, curve: bytes | None = None, policy: RecheckPolicy = POLICY) -> timedelta:
    """None is later than any."""
    found = next_recheck(state, curve, None, policy).wait
    return ENDLESS if found is None else found


@given(STATES, LOOKS, PRICES)
def test_never_below_the_floor_nor_beyond_the_end(
    state: ArticleState, looks: list[tuple[float, float, bool]], price: float
) -> None:
    found = next_recheck(state, taught(looks), None, replace(POLICY, price=price)).wait
    if found is not None:
        assert POLICY.floor - SLACK <= found
        assert state.age + found <= POLICY.until + SLACK


@given(STATES, LOOKS, PRICES, PRICES)
def test_a_higher_price_is_never_sooner(
    state: ArticleState, looks: list[tuple[float, float, bool]], one: float, other: float
) -> None:
    curve, low, high = taught(looks), min(one, other), max(one, other)
    cheap, dear = (wait(state, curve, replace(POLICY, price=price)) for price in (low, high))
    assert cheap <= dear + SLACK


@given(STATES, LOOKS, st.integers(0, 10))
def test_more_edits_seen_are_never_later(
    state: ArticleState, looks: list[tuple[float, float, bool]], more: int
) -> None:
    changed = replace(state, changes=min(state.changes + more, state.looks))
    assert wait(changed, taught(looks)) <= wait(state, taught(looks)) + SLACK


@given(STATES, st.integers(1, 50_000))
def test_a_pinned_interval_is_exact(state: ArticleState, minutes: int) -> None:
    interval = minutes * MINUTE
    found = next_recheck(state, None, None, replace(POLICY, interval=interval)).wait
    assert found == (interval if state.age + interval <= POLICY.until else None)


def test_an_article_is_looked_at_soon_then_less_and_less_and_then_no_more() -> None:
    waits, state = [], ArticleState(age=10 * MINUTE, last_look_age=10 * MINUTE, first_age=10 * MINUTE)
    while (found := wait(state)) != ENDLESS:
        waits.append(found)
        age = state.age + found
        state = replace(state, age=age, last_look_age=age, looks=state.looks + 1)
    assert waits[0] < HOUR
    assert waits == sorted(waits)
    assert 5 <= len(waits) <= 15
    assert 10 * DAY < state.age <= 30 * DAY


def test_one_that_changed_is_looked_at_sooner_than_one_that_did_not() -> None:
    state = ArticleState(age=5 * HOUR, last_look_age=5 * HOUR, looks=5)
    assert wait(replace(state, changes=4)) < 0.5 * wait(state)


def test_the_last_look_is_at_the_end_if_an_edit_is_likely_enough() -> None:
    state = ArticleState(age=20 * DAY, last_look_age=20 * DAY, looks=10, changes=6)
    decision = next_recheck(state, None, None, replace(POLICY, price=0.015))
    assert (decision.wait, decision.why) == (10 * DAY, "the last look")
    settled = next_recheck(replace(state, changes=0), None, None, POLICY)
    assert settled.wait is None
    assert settled.why.startswith("settled: the chance of another edit is 0.")


def test_old_articles_are_left_alone() -> None:
    state = ArticleState(age=40 * DAY, last_look_age=40 * DAY, first_age=40 * DAY)
    assert next_recheck(state, None, None, POLICY).why == "older than 30 days"
    near = replace(state, age=30 * DAY - MINUTE, last_look_age=30 * DAY - MINUTE)
    assert next_recheck(near, None, None, POLICY).wait is None


def test_what_was_not_watched_says_nothing_of_the_article() -> None:
    """Of two as old, the one that was watched without a change is the quieter one."""
    watched = ArticleState(age=DAY, last_look_age=DAY, looks=5)
    assert wait(replace(watched, first_age=DAY, looks=0)) < wait(watched)


def test_time_that_passed_since_the_last_look_counts() -> None:
    state = ArticleState(age=DAY, last_look_age=DAY)
    later = replace(state, age=DAY + HOUR)
    assert wait(later) == wait(state) - HOUR
    assert wait(replace(state, age=20 * DAY)) == timedelta()


def test_where_servers_say_whether_anything_changed_looks_cost_less() -> None:
    state = ArticleState(age=HOUR, last_look_age=HOUR)
    assert wait(replace(state, validators=True)) < wait(state)


def test_one_that_is_gone_is_looked_for_at_doubling_intervals() -> None:
    state = ArticleState(age=DAY, last_look_age=DAY, gone_age=DAY, looks=3)
    waits = []
    while (found := wait(state)) != ENDLESS:
        waits.append(found)
        state = replace(state, age=state.age + found, last_look_age=state.age + found)
    assert waits[:5] == [15 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR]
    assert 30 * DAY <= state.age <= 62 * DAY
    assert next_recheck(state, None, None, POLICY).why.startswith("gone for")


@pytest.mark.parametrize(
    ("span", "words"),
    [(15 * MINUTE, "15 min"), (3 * HOUR, "3 h"), (36 * HOUR, "36 h"), (30 * DAY, "30 days")],
)
def test_spans_in_words(span: timedelta, words: str) -> None:
    assert in_words(span) == words
