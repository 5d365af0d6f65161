"""Subscriptions in the store: wanted where a feed names a hub, relied on while the hub deserves it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.channels.websub.subscription import State
from archiver.acquisition.outcomes import Failed, Failure
from archiver.store.polling import channels as channel_store
from archiver.store.polling import subscriptions as hubs
from archiver.store.polling.subscriptions import Call
from archiver.store.schema import channels, subscriptions
from tests.store.samples import FEED, HOUR, NOW, RULES, add_channel, entry, feed_of, poll, row_of, rows_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.channels.polls import PollResult
    from archiver.acquisition.channels.websub.subscription import Subscription
    from archiver.documents.feeds.model import FeedEntry
    from archiver.store.database import Database

HUB = "https://hub.example/"
SUBSCRIBING = replace(RULES, websub=True)
LEASE = timedelta(days=10)
SOON = NOW + timedelta(minutes=1)


def publish(database: Database, *found: FeedEntry, now: datetime = NOW, **other: Any) -> PollResult:
    """A poll of the channel, whose feed names a hub."""
    told = {"hubs": (HUB,), "self_url": FEED} | other
    return poll(database, 1, feed=feed_of(*found, **told), now=now, rules=SUBSCRIBING)


def subscription(database: Database) -> Subscription:
    found = database.run(hubs.of_channel, 1)
    assert found is not None
    return found


def agree(database: Database, now: datetime = NOW) -> str:
    """The hub is asked, and agrees; the path of the callback."""
    (due,) = database.run(hubs.due_steps, now, 9)
    asked = database.run(hubs.ask, due, now)
    query = {"hub.mode": "subscribe", "hub.topic": FEED, "hub.challenge": "c"}
    assert database.run(hubs.question, asked.path, query, lease=LEASE, now=now) == "c"
    database.run(hubs.answered, asked.path, 202, now)
    return asked.path


def call(database: Database, path: str, now: datetime, secret: str | None = None) -> Call:
    key = (secret or subscription(database).secret).encode()
    signature = "sha256=" + hmac.new(key, b"new", hashlib.sha256).hexdigest()
    return database.run(hubs.called, path, b"new", signature, now)


@pytest.fixture
def path(database: Database) -> str:
    """A channel with a subscription that its hub agreed to."""
    add_channel(database)
    publish(database, entry("a"))
    return agree(database)


def test_nobody_subscribes_unless_the_operator_wants_it(database: Database) -> None:
    poll(database, add_channel(database), feed=feed_of(hubs=(HUB,), self_url=FEED))
    assert rows_of(database, subscriptions) == []


def test_a_feed_that_names_a_hub_is_subscribed_to(database: Database, path: str) -> None:
    found = subscription(database)
    assert (found.state, found.hub, found.topic, found.path) == (State.ACTIVE, HUB, FEED, path)
    assert found.expires == NOW + LEASE
    assert database.run(hubs.due_steps, NOW, 9) == []


def test_polls_are_sparse_only_when_the_hub_has_called(database: Database, path: str) -> None:
    publish(database, entry("a"), now=NOW + HOUR)
    assert row_of(database, channels).next_poll <= NOW + 2 * HOUR
    assert call(database, path, NOW + 1.5 * HOUR) is Call.HEARD
    assert row_of(database, channels).next_poll == NOW + 1.5 * HOUR
    publish(database, entry("b"), now=NOW + 1.5 * HOUR)
    row = row_of(database, channels)
    assert timedelta(hours=21) <= row.next_poll - NOW <= timedelta(hours=26)
    # At the next poll nothing is new that the hub had kept to itself.
    publish(database, entry("b"), now=NOW + 24 * HOUR)
    assert row_of(database, channels).next_poll > NOW + 44 * HOUR


def test_a_hub_that_keeps_something_to_itself_is_not_relied_on(database: Database, path: str) -> None:
    call(database, path, NOW + HOUR)
    publish(database, entry("b"), now=NOW + HOUR)
    assert subscription(database).trusted
    publish(database, entry("c"), now=NOW + 24 * HOUR)
    assert not subscription(database).trusted
    assert row_of(database, channels).next_poll <= NOW + 25 * HOUR


def test_calls_come_no_more_often_than_a_hub_may_and_never_before_retry_after(
    database: Database, path: str
) -> None:
    poll(database, 1, feed=None, rules=SUBSCRIBING, now=NOW + HOUR)
    for _ in range(100):
        call(database, path, NOW + HOUR + timedelta(seconds=1))
    assert row_of(database, channels).next_poll == NOW + HOUR + timedelta(seconds=10)
    asked = Wishes(retry_after=3 * HOUR)
    poll(database, 1, feed=None, rules=SUBSCRIBING, now=NOW + 2 * HOUR, wishes=asked)
    call(database, path, NOW + 2 * HOUR)
    assert row_of(database, channels).next_poll >= NOW + 5 * HOUR


def test_a_call_that_is_not_signed_or_not_expected_changes_nothing(database: Database, path: str) -> None:
    before = rows_of(database, channels), rows_of(database, subscriptions)
    assert call(database, path, NOW, secret="guessed") is Call.IGNORED
    assert call(database, "elsewhere", NOW) is Call.UNKNOWN
    assert call(database, path, NOW + LEASE) is Call.IGNORED
    assert (rows_of(database, channels), rows_of(database, subscriptions)) == before


def test_a_channel_whose_hub_is_lost_is_due_at_once(database: Database, path: str) -> None:
    call(database, path, SOON)
    publish(database, entry("b"), now=SOON)
    refused = {"hub.mode": "denied", "hub.topic": FEED}
    database.run(hubs.question, path, refused, lease=LEASE, now=NOW + HOUR)
    assert subscription(database).state is State.DENIED
    assert row_of(database, channels).next_poll == NOW + HOUR


def test_a_lease_that_lapsed_gives_the_channel_back(database: Database, path: str) -> None:
    call(database, path, SOON)
    publish(database, entry("b"), now=SOON)
    (due,) = database.run(hubs.due_steps, NOW + LEASE, 9)
    asked = database.run(hubs.ask, due, NOW + LEASE)
    assert (asked.state, asked.trusted) == (State.ASKED, False)
    assert row_of(database, channels).next_poll == NOW + LEASE


def test_a_run_that_begins_asks_whoever_may_have_called_in_vain(database: Database, path: str) -> None:
    call(database, path, SOON)
    publish(database, entry("b"), now=SOON)
    database.run(hubs.distrust_hubs, NOW + 2 * HOUR)
    assert row_of(database, channels).next_poll == NOW + 2 * HOUR
    assert not subscription(database).trusted


def test_a_feed_that_names_another_hub_is_subscribed_to_there(database: Database, path: str) -> None:
    publish(database, entry("a"), hubs=("https://other.example/",))
    found = subscription(database)
    assert (found.state, found.hub) == (State.WANTED, "https://other.example/")
    assert found.path != path


@pytest.mark.parametrize("how", ["removed", "no hub any more"])
def test_what_is_no_longer_wanted_is_left(database: Database, path: str, how: str) -> None:
    if how == "removed":
        database.run(channel_store.remove, 1, NOW)
    else:
        publish(database, entry("a"), hubs=())
    (due,) = database.run(hubs.due_steps, NOW, 9)
    assert due.state is State.LEAVING
    database.run(hubs.ask, due, NOW)
    query = {"hub.mode": "unsubscribe", "hub.topic": FEED, "hub.challenge": "c"}
    assert database.run(hubs.question, path, query, lease=LEASE, now=NOW) == "c"
    assert rows_of(database, subscriptions) == []


def test_a_304_and_a_failure_leave_a_subscription_as_it_is(database: Database, path: str) -> None:
    poll(database, 1, feed=None, rules=SUBSCRIBING)
    poll(database, 1, feed=None, failed=Failed(failure=Failure.TIMEOUT), rules=SUBSCRIBING)
    assert (subscription(database).state, subscription(database).path) == (State.ACTIVE, path)
