"""A subscription lives by what its hub says: asked, agreed, renewed, refused, left."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.websub.subscription import (
    State,
    Subscription,
    after_answer,
    after_question,
    asking,
    form,
    is_signed,
    lapsed,
)

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LEASE = timedelta(days=10)
TOPIC = "https://example.org/feed"
WANTED = Subscription(
    channel_id=1,
    hub="https://hub.example/",
    topic=TOPIC,
    path="p",
    secret="s3cret",
    state=State.WANTED,
    next_step=NOW,
)
ASKED = asking(WANTED, NOW)
QUESTION = {"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.challenge": "c", "hub.lease_seconds": "86400"}


def agreed() -> Subscription:
    found = after_question(ASKED, QUESTION, lease=LEASE, now=NOW).subscription
    assert found is not None
    return found


def test_a_hub_is_asked_with_a_secret_and_to_stop_without() -> None:
    fields = dict(form(WANTED, "https://me.example/p", LEASE))
    assert fields == {
        "hub.mode": "subscribe",
        "hub.topic": TOPIC,
        "hub.callback": "https://me.example/p",
        "hub.lease_seconds": "864000",
        "hub.secret": "s3cret",
    }
    leaving = dict(form(replace(WANTED, state=State.LEAVING), "https://me.example/p", LEASE))
    assert leaving["hub.mode"] == "unsubscribe"
    assert "hub.secret" not in leaving


def test_what_was_asked_for_is_agreed_to_and_renewed_before_it_ends() -> None:
    verified = after_question(ASKED, QUESTION, lease=LEASE, now=NOW)
    assert verified.challenge == "c"
    found = agreed()
    assert (found.state, found.expires, found.tries) == (State.ACTIVE, NOW + DAY, 0)
    assert NOW < found.next_step < NOW + DAY
    renewed = after_question(asking(found, NOW + 20 * HOUR), QUESTION, lease=LEASE, now=NOW + 20 * HOUR)
    assert renewed.subscription is not None
    assert renewed.subscription.expires == NOW + 44 * HOUR


@pytest.mark.parametrize(
    "change",
    [
        {"hub.topic": "https://example.org/other"},
        {"hub.topic": ""},
        {"hub.mode": "unsubscribe"},
        {"hub.mode": "publish"},
        {"hub.challenge": ""},
    ],
)
def test_what_was_not_asked_for_is_not_agreed_to(change: dict[str, str]) -> None:
    verified = after_question(ASKED, QUESTION | change, lease=LEASE, now=NOW)
    assert (verified.challenge, verified.subscription) == (None, ASKED)


@pytest.mark.parametrize("state", [State.WANTED, State.DENIED, State.LEAVING])
def test_nobody_subscribes_us_to_what_we_do_not_want(state: State) -> None:
    assert after_question(replace(WANTED, state=state), QUESTION, lease=LEASE, now=NOW).challenge is None


def test_a_hub_that_refuses_is_left_alone_for_a_while() -> None:
    refused = {"hub.mode": "denied", "hub.topic": TOPIC, "hub.reason": "no"}
    trusted = replace(agreed(), trusted=True)
    found = after_question(trusted, refused, lease=LEASE, now=NOW).subscription
    assert found is not None
    assert (found.state, found.trusted, found.next_step) == (State.DENIED, False, NOW + 7 * DAY)
    assert after_answer(ASKED, 410, NOW) == replace(found, expires=None)
    assert lapsed(found, NOW + 7 * DAY).state is State.WANTED


def test_leaving_is_over_when_the_hub_has_asked_back() -> None:
    leaving = asking(replace(agreed(), state=State.LEAVING), NOW)
    verified = after_question(leaving, QUESTION | {"hub.mode": "unsubscribe"}, lease=LEASE, now=NOW)
    assert (verified.challenge, verified.subscription) == ("c", None)


def test_a_hub_that_does_not_answer_is_asked_less_and_less_and_then_left_alone() -> None:
    found: Subscription | None = WANTED
    waits, now = [], NOW
    while found is not None and found.state is not State.DENIED:
        found = after_answer(asking(lapsed(found, now), now), None, now)
        assert found is not None
        waits.append(found.next_step - now)
        now = found.next_step
    assert waits == [HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR, 7 * DAY]


def test_a_hub_that_says_yes_and_never_asks_back_is_left_alone_as_well() -> None:
    found: Subscription | None = WANTED
    for _ in range(6):
        assert found is not None
        found = after_answer(asking(lapsed(found, NOW), NOW), 202, NOW)
    assert found is not None
    assert found.state is State.DENIED


def test_a_hub_that_asks_back_before_it_answers_is_believed() -> None:
    assert after_answer(agreed(), 500, NOW) == agreed()


def test_a_lease_that_ends_is_no_longer_relied_on() -> None:
    trusted = replace(agreed(), trusted=True)
    assert trusted.is_alive(NOW + DAY - HOUR)
    assert not trusted.is_alive(NOW + DAY)
    over = lapsed(trusted, NOW + DAY)
    assert (over.state, over.trusted) == (State.WANTED, False)
    assert lapsed(trusted, NOW + HOUR) == trusted


@pytest.mark.parametrize(
    ("given_lease", "expected"),
    [
        (None, LEASE),
        ("", LEASE),
        ("soon", LEASE),
        ("-1", LEASE),
        ("0", timedelta(seconds=1)),
        ("9" * 30, 90 * DAY),
    ],
)
def test_a_lease_without_sense_does_no_harm(given_lease: str | None, expected: timedelta) -> None:
    query = {name: value for name, value in QUESTION.items() if name != "hub.lease_seconds"}
    if given_lease is not None:
        query["hub.lease_seconds"] = given_lease
    found = after_question(ASKED, query, lease=LEASE, now=NOW).subscription
    assert found is not None
    assert found.expires == NOW + expected


@given(st.binary(max_size=100), st.sampled_from(["sha1", "sha256", "sha384", "sha512"]))
def test_who_knows_the_secret_is_believed(body: bytes, method: str) -> None:
    signature = hmac.new(b"s3cret", body, getattr(hashlib, method)).hexdigest()
    assert is_signed("s3cret", body, f"{method}={signature}")
    assert not is_signed("another", body, f"{method}={signature}")
    assert not is_signed("s3cret", body + b"!", f"{method}={signature}")


@given(st.text(max_size=80))
def test_nobody_else_is(header: str) -> None:
    assert not is_signed("s3cret", b"body", header)
    assert not is_signed("s3cret", b"body", "md5=" + hmac.new(b"s3cret", b"body", hashlib.md5).hexdigest())
