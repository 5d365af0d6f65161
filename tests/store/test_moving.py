"""Channels that moved, turned into pages, or have a twin: one channel stays one, by the publisher's word."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.feeds.discovered import DiscoveredFeed
from archiver.store.polling import channels as channel_store
from archiver.store.polling.due import due_channels, next_due
from archiver.store.polling.listing import ImportCounts, import_seeds
from archiver.store.schema import channels, entries, listings
from tests.store.samples import (
    FEED,
    HOUR,
    NOW,
    SEEDS,
    add_channel,
    entry,
    feed_of,
    poll,
    row_of,
    rows_of,
    seed,
)

if TYPE_CHECKING:
    from archiver.acquisition.channels.polls import PollResult
    from archiver.store.database import Database

NEW_HOME = "http://example.net/feed"
THIRD = "http://third.example/feed"
SECURE = "https://example.org/feed"
SELF = "https://example.org/feed"


def load(database: Database, *urls: str, source: str = SEEDS, **other: Any) -> ImportCounts:
    seeds = [seed(url, source=source, **other) for url in urls]
    return database.run(import_seeds, seeds, [source], NOW)


def move(database: Database, channel: int, target: str) -> PollResult:
    poll(database, channel, url=target, moved_to=target)
    return poll(database, channel, url=target, moved_to=target)


def show(database: Database, channel: int, *numbers: int, self_url: str | None = SELF) -> PollResult:
    """A poll that shows these entries, the first one newest."""
    found = [entry(str(number)) for number in numbers]
    return poll(
        database, channel, feed=feed_of(*found, self_url=self_url, title="News", link="http://x.example/")
    )


def sources(database: Database) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for row in rows_of(database, listings):
        found.setdefault(row.channel_id, set()).add(row.source)
    return found


# ── Moved ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seed_that_names_where_a_channel_moved_to_means_that_channel(database: Database) -> None:
    load(database, FEED)
    move(database, 1, NEW_HOME)
    assert load(database, NEW_HOME) == ImportCounts(known=1)
    row = row_of(database, channels)
    assert (row.url, row.host, row.status) == (NEW_HOME, "example.net", "active")


def test_a_channel_that_moved_twice_is_known_by_all_its_addresses(database: Database) -> None:
    load(database, FEED)
    move(database, 1, NEW_HOME)
    move(database, 1, THIRD)
    for name in (FEED, NEW_HOME, THIRD):
        assert load(database, name) == ImportCounts(known=1)
    assert row_of(database, channels).url == THIRD


def test_the_old_and_the_new_address_in_one_file_are_one_channel_with_the_labels_of_both(
    database: Database,
) -> None:
    load(database, FEED)
    move(database, 1, NEW_HOME)
    both = [seed(FEED, labels=("a", "b")), seed(NEW_HOME, labels=("b", "c"), every=2 * HOUR)]
    assert database.run(import_seeds, both, [SEEDS], NOW) == ImportCounts(known=1)
    row = row_of(database, channels)
    assert (row.labels, row.every) == (("a", "b", "c"), 7200)


def test_a_redirect_to_another_channel_unites_them(database: Database) -> None:
    load(database, FEED, source="/a.txt", labels=("a",))
    load(database, NEW_HOME, source="/b.txt", labels=("b",))
    result = move(database, 1, NEW_HOME)
    assert result.notes == (
        f"{NEW_HOME} merged into channel 1, {NEW_HOME}: one redirects to the other for good",
    )
    older, younger = rows_of(database, channels)
    assert (older.url, older.labels, older.status) == (NEW_HOME, ("a", "b"), "active")
    assert (younger.status, younger.merged_into) == ("merged", 1)
    assert sources(database) == {1: {"/a.txt", "/b.txt"}}


def test_a_redirect_to_an_older_channel_is_the_end_of_the_younger(database: Database) -> None:
    load(database, NEW_HOME, FEED)
    move(database, 2, NEW_HOME)
    assert [row.status for row in rows_of(database, channels)] == ["active", "merged"]
    assert load(database, NEW_HOME, FEED) == ImportCounts(known=1)


def test_a_channel_that_was_paused_is_left_alone(database: Database) -> None:
    load(database, FEED, NEW_HOME)
    database.run(channel_store.pause, 2, NOW)
    assert not move(database, 1, NEW_HOME).moved_to
    assert [row.status for row in rows_of(database, channels)] == ["active", "paused"]


# ── Turned into a page ───────────────────────────────────────────────────────────────────────────────────


def turn(database: Database, names: str | None) -> PollResult:
    failed = Failed(failure=Failure.NOT_A_FEED, detail="a web page where there was a feed")
    return poll(database, 1, feed=None, failed=failed, names=names)


def test_the_feed_that_a_page_names_twice_is_followed(database: Database) -> None:
    load(database, FEED)
    assert turn(database, NEW_HOME).notes == ()
    assert row_of(database, channels).url == FEED
    assert turn(database, NEW_HOME).notes == (f"{FEED} is a web page now: followed to its feed {NEW_HOME}",)
    row = row_of(database, channels)
    assert (row.url, row.failures, row.next_poll) == (NEW_HOME, 2, NOW + HOUR)
    assert load(database, NEW_HOME) == ImportCounts(known=1)


@pytest.mark.parametrize("between", [None, THIRD])
def test_a_page_that_names_another_feed_each_time_is_not_followed(
    database: Database, between: str | None
) -> None:
    load(database, FEED)
    for name in (NEW_HOME, between, THIRD):
        turn(database, name)
    assert row_of(database, channels).url == (THIRD if between else FEED)


def test_a_feed_that_is_polled_already_is_not_polled_twice(database: Database) -> None:
    load(database, FEED, NEW_HOME)
    turn(database, NEW_HOME)
    (note,) = turn(database, NEW_HOME).notes
    assert note.endswith(f"{NEW_HOME}, is polled already")
    assert [row.url for row in rows_of(database, channels)] == [FEED, NEW_HOME]


# ── Twins ────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_feed_under_two_addresses_becomes_one_channel(database: Database) -> None:
    load(database, FEED, source="/a.txt", labels=("a",))
    load(database, SECURE, source="/b.txt", labels=("b",), every=2 * HOUR)
    show(database, 1, 6, 5, 4, 3, 2, 1)
    # Two entries came since the older was polled.
    (note,) = show(database, 2, 8, 7, 6, 5, 4, 3, 2).notes
    reason = "it says that it is the same feed, and shows the same entries"
    assert note == f"{SECURE} merged into channel 1, {FEED}: {reason}"
    older, younger = rows_of(database, channels)
    assert (older.status, older.labels, older.every) == ("active", ("a", "b"), 7200)
    assert (younger.status, younger.merged_into) == ("merged", 1)
    assert sources(database) == {1: {"/a.txt", "/b.txt"}}
    # What was kept stays with the channel that had it.
    assert {row.channel_id for row in rows_of(database, entries)} == {1, 2}
    assert load(database, SECURE, source="/b.txt", labels=("b",)) == ImportCounts(known=1)
    assert [row.status for row in rows_of(database, channels)] == ["active", "merged"]


def test_a_merged_channel_is_not_polled(database: Database) -> None:
    load(database, FEED, SECURE)
    for channel in (1, 2):
        show(database, channel, 6, 5, 4, 3, 2, 1)
    due = database.run(due_channels, NOW + 2 * HOUR, limit=9, busy=(), sources=None, not_since=None)
    assert [channel.id for channel in due] == [1]


def test_what_is_resumed_by_hand_is_never_merged_again(database: Database) -> None:
    load(database, FEED, SECURE)
    for channel in (1, 2):
        show(database, channel, 6, 5, 4, 3, 2, 1)
    database.run(channel_store.resume, 2, NOW)
    for channel in (1, 2, 1):
        assert show(database, channel, 7, 6, 5, 4, 3, 2, 1).notes == ()
    rows = rows_of(database, channels)
    assert [(row.status, row.merged_into) for row in rows] == [("active", None), ("active", None)]


@pytest.mark.parametrize(
    ("numbers", "self_url"),
    [
        ((6, 4, 2, 1), SELF),
        ((6, 5, 4, 3, 1, 0), SELF),
        ((6, 5, 4, 3, 2, 1), "https://example.org/other"),
        ((6, 5, 4, 3, 2, 1), None),
    ],
    ids=["too few", "a category", "another feed by its own word", "one that does not say"],
)
def test_channels_that_may_differ_stay_apart(
    database: Database, numbers: tuple[int, ...], self_url: str | None
) -> None:
    load(database, FEED, SECURE)
    show(database, 1, 6, 5, 4, 3, 2, 1)
    assert show(database, 2, *numbers, self_url=self_url).notes == ()
    assert [row.status for row in rows_of(database, channels)] == ["active", "active"]


@pytest.mark.parametrize("other", [f"{FEED}?token=abc", "http://me:secret@example.org/feed"])
def test_what_is_asked_for_with_a_secret_stays_apart(database: Database, other: str) -> None:
    load(database, FEED, other)
    for channel in (1, 2):
        assert show(database, channel, 6, 5, 4, 3, 2, 1).notes == ()


def test_a_part_of_a_feed_is_no_evidence(database: Database) -> None:
    load(database, FEED, SECURE)
    show(database, 1, 6, 5, 4, 3, 2, 1)
    part = feed_of(*(entry(str(number)) for number in (6, 5, 4, 3, 2, 1)), self_url=SELF)
    assert poll(database, 2, feed=part, partial=True).notes == ()
    assert row_of(database, channels, id=2).identity is None


def test_feeds_of_two_sites_stay_with_their_sites(database: Database) -> None:
    load(database, "http://one.example/", "http://two.example/")
    for site, url in ((1, FEED), (2, SECURE)):
        poll(database, site, feed=None, discovered=(DiscoveredFeed(url=url),))
    for channel in (3, 4):
        assert show(database, channel, 6, 5, 4, 3, 2, 1).notes == ()


def test_a_channel_that_fails_is_asked_at_the_address_of_its_twin(database: Database) -> None:
    load(database, FEED, SECURE)
    for channel in (1, 2):
        show(database, channel, 6, 5, 4, 3, 2, 1)
    failed = Failed(failure=Failure.CONNECTION)
    notes = [poll(database, 1, feed=None, failed=failed).notes for _ in range(3)]
    assert notes == [(), (), (f"{FEED} fails, and is asked at {SECURE} from now on",)]
    older, younger = rows_of(database, channels)
    assert (older.url, younger.url, older.next_poll) == (SECURE, FEED, NOW + HOUR)
    assert load(database, FEED, SECURE) == ImportCounts(known=1)


# ── Retired ──────────────────────────────────────────────────────────────────────────────────────────────


def test_long_silence_retires_a_channel_and_an_answer_brings_it_back(database: Database) -> None:
    channel = add_channel(database)
    failed, day = Failed(failure=Failure.TIMEOUT), 24 * HOUR
    for number in range(11):
        result = poll(database, channel, feed=None, failed=failed, now=NOW + 6 * number * day)
    assert result.notes == (f"{FEED}: timeout for 60 d: retired, asked every 30 d",)
    row = row_of(database, channels)
    assert (row.status, row.failing_since) == ("retired", NOW)
    later = NOW + 94 * day
    due = database.run(due_channels, later, limit=9, busy=(), sources=None, not_since=None)
    assert [one.id for one in due] == [channel]
    assert database.run(next_due, None) == row.next_poll
    # Told once, not each month.
    assert poll(database, channel, feed=None, failed=failed, now=later).notes == ()
    result = poll(database, channel, entry("a"), now=later + 30 * day)
    assert result.notes == (f"{FEED} answers again, and is polled as before",)
    row = row_of(database, channels)
    assert (row.status, row.failures, row.failing_since) == ("active", 0, None)


def test_a_channel_that_is_gone_is_never_asked_again(database: Database) -> None:
    channel = add_channel(database)
    poll(database, channel, feed=None, failed=Failed(failure=Failure.GONE))
    much_later = NOW + 24000 * HOUR
    due = database.run(due_channels, much_later, limit=9, busy=(), sources=None, not_since=None)
    assert due == []
    assert database.run(next_due, None) is None


def test_a_retired_channel_that_nobody_lists_is_not_asked(database: Database) -> None:
    load(database, FEED)
    failed, day = Failed(failure=Failure.TIMEOUT), 24 * HOUR
    for number in range(11):
        poll(database, 1, feed=None, failed=failed, now=NOW + 6 * number * day)
    load(database)
    assert row_of(database, channels).status == "unlisted"


# ── Wishes ───────────────────────────────────────────────────────────────────────────────────────────────


def test_what_an_answer_wishes_is_kept_and_done(database: Database) -> None:
    channel = add_channel(database)
    found = feed_of(ttl=180)
    poll(database, channel, feed=found, wishes=Wishes(max_age=2 * HOUR), validators=Validators(etag='"1"'))
    row = row_of(database, channels)
    assert (row.wishes.at, row.wishes.max_age, row.wishes.ttl) == (NOW, 2 * HOUR, 3 * HOUR)
    assert row.wishes.has_validators
    assert NOW + 3 * HOUR <= row.next_poll <= NOW + 3 * HOUR + timedelta(minutes=3)
    # A 304 has a head, and leaves what the feed said.
    poll(database, channel, feed=None, wishes=Wishes(retry_after=30 * HOUR))
    row = row_of(database, channels)
    assert (row.wishes.max_age, row.wishes.ttl, row.wishes.has_validators) == (None, 3 * HOUR, True)
    assert NOW + 30 * HOUR <= row.next_poll <= NOW + 31 * HOUR
    assert row.why == "the server asked for 1.25 d"
