"""Channels made due before their time: never before a Retry-After, never a retired one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.feeds.discovered import DiscoveredFeed
from archiver.extensions.poll_now import poll_channels
from archiver.store.polling import channels as channel_store
from archiver.store.polling.due import due_channels, failing_share, next_up, poll_now, settings_changed
from archiver.store.schema import channels
from tests.store.samples import FEED, HOUR, NOW, RULES, add_channel, poll, row_of, rows_of

if TYPE_CHECKING:
    from archiver.store.database import Database

OTHER, THIRD = "http://example.net/feed", "http://example.com/feed"
SOON = timedelta(minutes=1)
FAILED = Failed(failure=Failure.TIMEOUT)


def due(database: Database) -> list[str]:
    """What is due a minute after the polls."""
    return [row.url for row in rows_of(database, channels) if row.next_poll <= NOW + SOON]


def test_all_channels_are_due_when_asked_for(database: Database) -> None:
    for url in (FEED, OTHER):
        poll(database, add_channel(database, url), url=url)
    assert due(database) == []
    assert database.run(poll_now, NOW + SOON).due == 2
    assert due(database) == [FEED, OTHER]
    assert {row.why for row in rows_of(database, channels)} == {"asked for by hand"}


def test_only_the_failing_ones_or_those_of_a_file_are_due(database: Database) -> None:
    for url in (FEED, OTHER, THIRD):
        failed = FAILED if url != FEED else None
        poll(
            database,
            add_channel(database, url),
            url=url,
            **({"feed": None, "failed": failed} if failed else {}),
        )
    assert database.run(poll_now, NOW + SOON, sources=[FEED], failing=True).due == 0
    assert database.run(poll_now, NOW + SOON, sources=[OTHER], failing=True).due == 1
    assert due(database) == [OTHER]
    assert database.run(poll_now, NOW + SOON, failing=True).due == 2


@pytest.mark.parametrize("answer", ["failure", "success"])
def test_nothing_is_due_before_its_server_allows(database: Database, answer: str) -> None:
    channel = add_channel(database)
    rest = timedelta(minutes=40)
    if answer == "failure":
        poll(database, channel, feed=None, failed=Failed(failure=Failure.UNAVAILABLE, retry_after=rest))
    else:
        poll(database, channel, wishes=Wishes(retry_after=rest))
    made = database.run(poll_now, NOW + SOON)
    assert (made.due, made.waiting) == (0, ((FEED, NOW + rest),))
    (told,) = made.held_in_words(NOW + SOON)
    assert told == f"Not polled now: {FEED}, its server asked for rest (Retry-After); due in 39 minutes"
    # It is planned for then, not for when it would have been due by itself.
    assert row_of(database, channels).next_poll == NOW + rest
    database.run(channel_store.resume, channel, NOW + SOON)
    assert row_of(database, channels).next_poll == NOW + rest
    assert database.run(poll_now, NOW + rest).due == 1


@pytest.mark.parametrize("status", ["retired", "paused", "unlisted"])
def test_a_channel_that_is_not_polled_is_not_polled_now_either(database: Database, status: str) -> None:
    channel = add_channel(database)
    if status == "retired":
        poll(database, channel, feed=None, failed=Failed(failure=Failure.GONE))
    else:
        change = channel_store.pause if status == "paused" else channel_store.remove
        database.run(change, channel, NOW)
    before = row_of(database, channels)
    made = database.run(poll_now, NOW + SOON)
    assert made.due == 0
    assert row_of(database, channels) == before
    assert made.retired == ((FEED,) if status == "retired" else ())
    told = database.run(poll_channels, [FEED], NOW)
    assert told.done == []
    assert told.problems == [f"{FEED} is {status} and not polled: `scrapy channels resume 1` brings it back"]


def test_channels_are_named_by_number_address_and_label(database: Database) -> None:
    for url, label in ((FEED, "news"), (OTHER, "news"), (THIRD, "letters")):
        poll(database, add_channel(database, url, labels=(label, "all of them")), url=url)
    for names, expected in (
        (["3"], [THIRD]),
        ([FEED.replace("http:", "feed:")], [FEED, THIRD]),
        (["news"], [FEED, OTHER, THIRD]),
    ):
        told = database.run(poll_channels, names, NOW + SOON)
        assert told.problems == []
        assert due(database) == expected
    assert [line.partition(":")[0] for line in told.done] == ["2 channels are due now"]
    unknown = database.run(poll_channels, ["9", "weather"], NOW)
    told = "No channel and no label is called {}: `scrapy channels` lists them"
    assert unknown.problems == [told.format(name) for name in ("9", "weather")]


def test_a_site_is_polled_with_its_feeds(database: Database) -> None:
    site = add_channel(database, "http://example.org/")
    poll(database, site, feed=None, discovered=(DiscoveredFeed(url=FEED, title="Found"),))
    poll(database, 2)
    database.run(poll_channels, ["http://example.org/"], NOW + SOON)
    assert len(due(database)) == 2


def test_what_waits_the_longest_stays_first(database: Database) -> None:
    for url, now in ((FEED, NOW), (OTHER, NOW - 5 * HOUR)):
        poll(database, add_channel(database, url), url=url, now=now)
    database.run(poll_now, NOW + SOON)
    found = database.run(due_channels, NOW + SOON, limit=9, busy=(), sources=None, not_since=None)
    assert [channel.url for channel in found] == [OTHER, FEED]


# ── Settings that changed ────────────────────────────────────────────────────────────────────────────────


def rules(**causes: str) -> PollRules:
    return PollRules(policy=RULES.policy, pages_at_once=500, causes=causes)


def test_a_failure_under_another_setting_is_due_at_once(database: Database) -> None:
    channel = add_channel(database)
    refused = Failed(failure=Failure.ADDRESS)
    poll(database, channel, feed=None, failed=refused, rules=rules(address="public only"))
    assert database.run(settings_changed, {"address": "public only", "dns": "x"}, NOW + SOON) == []
    assert due(database) == []
    assert database.run(settings_changed, {"address": "all", "dns": "x"}, NOW + SOON) == [FEED]
    assert due(database) == [FEED]


def test_a_failure_that_no_setting_causes_stays_as_it_is(database: Database) -> None:
    channel = add_channel(database)
    missing, refused = Failed(failure=Failure.NOT_FOUND), Failed(failure=Failure.ADDRESS)
    poll(database, channel, feed=None, failed=missing, rules=rules(address="public"))
    assert database.run(settings_changed, {"address": "all"}, NOW + SOON) == []
    # What was well again, too.
    poll(database, channel, feed=None, failed=refused, rules=rules(address="public"))
    poll(database, channel, rules=rules(address="public"))
    assert database.run(settings_changed, {"address": "all"}, NOW + SOON) == []


# ── What is next, and what fails ─────────────────────────────────────────────────────────────────────────


def test_the_next_channel_is_known_by_its_name(database: Database) -> None:
    assert database.run(next_up, None) is None
    for url, now in ((FEED, NOW), (OTHER, NOW - SOON)):
        poll(database, add_channel(database, url), url=url, now=now)
    row = database.run(next_up, None)
    assert row is not None
    first = min(rows_of(database, channels), key=lambda one: one.next_poll)
    assert (row.url, row.next_poll) == (first.url, first.next_poll)
    assert database.run(next_up, ["/other.txt"]) is None


def fail(database: Database, url: str, *, hours: int = 0) -> None:
    number = row_of(database, channels, seed_url=url).id
    poll(database, number, url=url, feed=None, failed=FAILED, now=NOW + hours * HOUR)


def test_the_share_of_failing_channels_is_that_of_the_run(database: Database) -> None:
    urls = [f"http://example.org/{number}" for number in range(4)]
    for url in urls:
        add_channel(database, url)
    assert database.run(failing_share, None, NOW) == 0
    for url in urls[:3]:
        fail(database, url)
    assert database.run(failing_share, None, NOW) == 0.75
    # Channels that other files list say nothing of this run.
    assert database.run(failing_share, urls[3:], NOW) == 0
    assert database.run(failing_share, urls[2:], NOW) == 0.5
    # Nor do those that failed before it …
    poll(database, 4, url=urls[3], now=NOW + HOUR)
    assert database.run(failing_share, None, NOW + HOUR) == 0
    # … and one that fails alone is one of four.
    fail(database, urls[0], hours=2)
    poll(database, 2, url=urls[1], now=NOW + 2 * HOUR)
    poll(database, 3, url=urls[2], now=NOW + 2 * HOUR)
    assert database.run(failing_share, None, NOW + 2 * HOUR) == 0.25


def test_paused_and_retired_channels_do_not_count_as_failing(database: Database) -> None:
    for url in (FEED, OTHER):
        add_channel(database, url)
        fail(database, url)
    database.run(channel_store.pause, 1, NOW)
    poll(database, 2, url=OTHER)
    assert database.run(failing_share, None, NOW) == 0
