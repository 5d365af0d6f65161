"""Channels that were merged: only within a domain or by a redirect, and parted when they differ."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from archiver.acquisition.channels.merging import CHECK_EVERY, CONFIRM_AFTER
from archiver.acquisition.outcomes import Failed, Failure
from archiver.domains import registered_domain, same_owner
from archiver.store.polling.due import due_channels, next_due
from archiver.store.schema import channels, entries
from tests.store.samples import FEED, NOW, SEEDS, entry, feed_of, poll, row_of, rows_of
from tests.store.test_moving import NEW_HOME, SECURE, SELF, load, move, show, sources

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.channels.polls import PollResult
    from archiver.store.database import Database

HOSTILE = "http://hostile.example/feed"
SIX = (6, 5, 4, 3, 2, 1)


# ── Owners ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("blog.example.co.uk", "example.co.uk"),
        ("example.org", "example.org"),
        ("ALICE.github.io", "alice.github.io"),
        ("co.uk", ""),
        ("localhost", ""),
        ("127.0.0.1", ""),
        ("::1", ""),
    ],
)
def test_the_registered_domain_of_a_host(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://example.org/feed", "https://www.example.org:8443/rss", True),
        ("http://alice.github.io/feed", "http://bob.github.io/feed", False),
        ("http://example.org/", "http://example.net/", False),
        ("http://127.0.0.1/a", "https://127.0.0.1/b", True),
        ("http://127.0.0.1:8001/a", "http://127.0.0.1:8001/b", True),
        ("http://127.0.0.1:8001/a", "http://127.0.0.1:8002/a", False),
        ("http://127.0.0.1/a", "http://127.0.0.2/a", False),
        ("http://[::1]/a", "http://[::1]/b", True),
        ("http://localhost/a", "http://example.org/a", False),
    ],
)
def test_addresses_of_one_owner(one: str, other: str, *, same: bool) -> None:
    assert same_owner(one, other) is same
    assert same_owner(other, one) is same


# ── Merging ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("urls", [(FEED, HOSTILE), (HOSTILE, FEED)])
def test_a_feed_of_another_domain_cannot_silence_one_by_its_word(
    database: Database, urls: tuple[str, str]
) -> None:
    load(database, *urls)
    for channel in (1, 2):
        assert show(database, channel, *SIX).notes == ()
    assert [row.status for row in rows_of(database, channels)] == ["active", "active"]


def test_a_redirect_unites_channels_of_two_domains(database: Database) -> None:
    load(database, FEED, NEW_HOME)
    move(database, 1, NEW_HOME)
    assert [row.status for row in rows_of(database, channels)] == ["active", "merged"]


def test_who_once_redirected_does_not_answer_for_a_feed_that_is_down(database: Database) -> None:
    load(database, FEED, HOSTILE)
    move(database, 2, FEED)
    assert row_of(database, channels, id=2).status == "merged"
    failed = Failed(failure=Failure.CONNECTION)
    assert [poll(database, 1, feed=None, failed=failed).notes for _ in range(3)] == [(), (), ()]
    assert row_of(database, channels, id=1).url == FEED


# ── Parting ──────────────────────────────────────────────────────────────────────────────────────────────


def merged(database: Database) -> None:
    load(database, FEED, SECURE)
    for channel in (1, 2):
        show(database, channel, *SIX)
    assert row_of(database, channels, id=2).status == "merged"


def due(database: Database, now: datetime, asked: list[str] | None = None) -> list[int]:
    found = database.run(due_channels, now, limit=9, busy=(), sources=asked, not_since=None)
    assert all(not one.validators for one in found if one.id == 2)
    return [one.id for one in found]


def look(database: Database, channel: int, at: datetime, *numbers: int) -> PollResult:
    found = feed_of(*(entry(str(number)) for number in numbers), self_url=SELF, title="News")
    return poll(database, channel, feed=found, now=at)


def test_a_merged_channel_is_looked_at_once_a_week(database: Database) -> None:
    merged(database)
    for asked in (None, [SEEDS]):
        assert due(database, NOW + CHECK_EVERY - timedelta(hours=1), asked) == [1]
        assert sorted(due(database, NOW + CHECK_EVERY, asked)) == [1, 2]
    assert due(database, NOW + CHECK_EVERY, ["/other.txt"]) == []
    assert database.run(next_due, None) <= NOW + CHECK_EVERY
    later = NOW + CHECK_EVERY
    look(database, 1, later, 8, 7, *SIX)
    assert look(database, 2, later, 8, 7, *SIX).notes == ()
    row = row_of(database, channels, id=2)
    assert (row.status, row.next_poll) == ("merged", later + CHECK_EVERY)
    # What it shows is the other's.
    assert {one.channel_id for one in rows_of(database, entries) if one.key in {"7", "8"}} == {1}


def test_channels_that_differ_are_parted(database: Database) -> None:
    merged(database)
    at = NOW + CHECK_EVERY
    assert look(database, 2, at, 99, *SIX).notes == ()
    assert row_of(database, channels, id=2).next_poll == at + CONFIRM_AFTER
    look(database, 1, at + CONFIRM_AFTER / 2, 7, *SIX)
    at += CONFIRM_AFTER
    (note,) = look(database, 2, at, 99, *SIX).notes
    assert note == f"{SECURE} parted from channel 1, {FEED}: it shows entries that the other does not"
    row = row_of(database, channels, id=2)
    assert (row.status, row.merged_into, row.next_poll, row.apart) == ("active", None, at, True)
    assert sources(database) == {1: {SEEDS}, 2: {SEEDS}}
    # Its entries are kept from the next poll on, and it is not merged again.
    assert look(database, 2, at, 99, *SIX).new == 1
    assert look(database, 1, at, *SIX).notes == ()


def test_an_entry_that_the_other_shows_a_little_later_does_not_part_them(database: Database) -> None:
    merged(database)
    at = NOW + CHECK_EVERY
    look(database, 2, at, 7, *SIX)
    look(database, 1, at + CONFIRM_AFTER / 2, 7, *SIX)
    at += CONFIRM_AFTER
    assert look(database, 2, at, 8, 7, *SIX).notes == ()
    assert row_of(database, channels, id=2).status == "merged"


def test_a_channel_that_was_not_polled_since_had_no_chance_to_show_it(database: Database) -> None:
    merged(database)
    at = NOW + CHECK_EVERY
    for _ in range(3):
        assert look(database, 2, at, 7, *SIX).notes == ()
        at += CONFIRM_AFTER
    assert row_of(database, channels, id=2).status == "merged"


def test_a_larger_window_is_no_difference(database: Database) -> None:
    load(database, FEED, SECURE)
    show(database, 1, *SIX)
    show(database, 2, *SIX, 60, 61, 62)
    at = NOW + CHECK_EVERY
    for _ in range(3):
        look(database, 1, at, *SIX)
        assert look(database, 2, at, *SIX, 60, 61, 62).notes == ()
        at += CHECK_EVERY
    assert row_of(database, channels, id=2).status == "merged"


def test_a_merged_address_that_fails_stays_merged(database: Database) -> None:
    merged(database)
    failed = Failed(failure=Failure.NOT_FOUND)
    assert poll(database, 2, feed=None, failed=failed).outcome == Failure.NOT_FOUND
    row = row_of(database, channels, id=2)
    assert (row.status, row.failures, row.next_poll) == ("merged", 0, NOW + CHECK_EVERY)


def test_what_an_older_archiver_merged_across_domains_is_parted(database: Database) -> None:
    load(database, HOSTILE, FEED)
    show(database, 1, *SIX)
    values = {"status": "merged", "merged_into": 1}
    database.run(
        lambda connection: connection.execute(update(channels).where(channels.c.id == 2).values(values))
    )
    assert sorted(due(database, NOW)) == [1, 2] or due(database, NOW) == [2]
    (note,) = poll(database, 2, url=FEED, feed=feed_of(*(entry(str(one)) for one in SIX))).notes
    assert note.startswith(f"{FEED} parted from channel 1, {HOSTILE}: it is of another domain")
    assert row_of(database, channels, id=2).status == "active"
