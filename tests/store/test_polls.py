"""A poll becomes state: channel, validators and pending entries, together or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from archiver.acquisition.channels.polling.schedule import PollPolicy
from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.findings import Settlement
from archiver.acquisition.items import ChannelPoll, Validators
from archiver.acquisition.outcomes import Failed, Failure, Success
from archiver.acquisition.pages import EntryOutcome
from archiver.documents.feeds.model import FeedDate, FeedEntry, FeedHints
from archiver.errors import ArchiveError
from archiver.store.content import pages as page_store
from archiver.store.polling.polls import store_poll
from archiver.store.schema import articles, channels, entries, pages, validators
from tests.store.samples import (
    FEED,
    HOUR,
    NOW,
    RULES,
    add_channel,
    all_entries,
    all_pages,
    capture,
    entry,
    feed_of,
    poll,
    row_of,
    rows_of,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.store.database import Database

NEW_HOME = "http://example.net/feed"


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


def settle_everything(database: Database, *, with_article: bool = False) -> None:
    """As if every page had been fetched and read."""

    def settle(connection: Connection) -> None:
        connection.execute(update(entries).values(pending=False, outcome="stored"))
        connection.execute(update(pages).values(state="settled"))
        if with_article:
            row = {"url": "http://example.org/a", "first_seen": NOW, "last_captured": NOW, "version": 1}
            connection.execute(articles.insert().values(id=1, key="a", **row))
            connection.execute(update(pages).values(article_id=1))

    database.run(settle)


def test_new_entries_wait_for_their_pages(database: Database, channel: int) -> None:
    result = poll(database, channel, entry("a"), entry("b"))
    assert (result.outcome, result.new, result.changed) == (Success.NEW, 2, 0)
    found = all_entries(database)
    assert [found[key].pending for key in ("a", "b")] == [True, True]
    assert found["a"].entry == entry("a")
    assert found["a"].first_seen == NOW
    assert found["a"].feed_capture == capture(9, url=FEED)
    waiting = all_pages(database)
    assert sorted(waiting) == ["http://example.org/a", "http://example.org/b"]
    page = waiting["http://example.org/a"]
    assert (page.state, page.next_try, page.tries, page.host) == ("pending", NOW, 0, "example.org")
    row = row_of(database, channels)
    assert (row.entries, row.polls, row.outcome, row.last_poll) == (2, 1, "new", NOW)


def test_the_same_feed_again_adds_nothing(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    before = all_entries(database), all_pages(database)
    result = poll(database, channel, entry("a"), now=NOW + HOUR)
    assert (result.outcome, result.new, result.changed) == (Success.UNCHANGED, 0, 0)
    assert (all_entries(database), all_pages(database)) == before


def test_a_304_adds_nothing_and_is_told_apart(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"), feed=feed_of(entry("a"), title="Title"))
    assert poll(database, channel, feed=None).outcome is Success.NOT_MODIFIED
    row = row_of(database, channels)
    assert (row.title, row.kind, row.polls, row.entries) == ("Title", "feed", 2, 1)


def test_a_changed_entry_asks_for_its_page_again(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    settle_everything(database)
    result = poll(database, channel, entry("a", title="Corrected"), now=NOW + HOUR)
    assert (result.new, result.changed) == (0, 1)
    found = all_entries(database)["a"]
    assert (found.pending, found.outcome, found.changed) == (True, None, NOW + HOUR)
    assert found.first_seen == NOW
    assert found.entry.title == "Corrected"
    page = all_pages(database)["http://example.org/a"]
    assert (page.state, page.next_try, page.tries) == ("pending", NOW + HOUR, 0)


def test_an_entry_with_another_id_is_the_same_entry(database: Database, channel: int) -> None:
    poll(database, channel, entry("a", id="old"))
    settle_everything(database)
    result = poll(database, channel, entry("a", id="new"))
    assert (result.outcome, result.new, result.changed) == (Success.UNCHANGED, 0, 0)
    assert list(all_entries(database)) == ["new"]
    assert not all_entries(database)["new"].pending


def test_an_entry_that_moves_to_another_page_waits_for_that(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    settle_everything(database)
    poll(database, channel, entry("a", link="http://example.org/moved"))
    assert all_entries(database)["a"].page_id == all_pages(database)["http://example.org/moved"].id
    assert all_pages(database)["http://example.org/a"].state == "settled"


def test_episodes_that_link_to_one_page_stay_apart(database: Database, channel: int) -> None:
    """The oldest leaves the document as the newest enters: nothing is written over."""
    home = "http://example.org/podcast"
    episodes = [entry(str(number), link=home) for number in range(6)]
    for first in range(4):
        poll(database, channel, *episodes[first : first + 3])
    found = all_entries(database)
    assert sorted(found) == ["0", "1", "2", "3", "4", "5"]
    assert [found[key].entry.title for key in sorted(found)] == [f"Title {number}" for number in range(6)]
    assert list(all_pages(database)) == [home]


def test_an_entry_without_link_ends_at_once(database: Database, channel: int) -> None:
    poll(database, channel, FeedEntry(id="a", title="No link"), entry("b", link="mailto:a@example.org"))
    found = all_entries(database)
    assert [(row.pending, row.outcome, row.settled) for row in found.values()] == [
        (False, "no_link", NOW)
    ] * 2
    assert all_pages(database) == {}


def test_a_page_that_two_channels_announce_is_one(database: Database, channel: int) -> None:
    other = add_channel(database, "http://example.com/feed")
    poll(database, channel, entry("a"))
    poll(database, other, entry("z", link="http://EXAMPLE.org/a?utm_source=other"))
    assert list(all_pages(database)) == ["http://example.org/a"]
    assert {row.page_id for row in all_entries(database).values()} == {1}


def test_a_page_that_is_archived_is_not_fetched_for_another_channel(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    settle_everything(database, with_article=True)
    other = add_channel(database, "http://example.com/feed")
    poll(database, other, entry("z", link="http://example.org/a"))
    found = all_entries(database)["z"]
    assert (found.pending, found.outcome, found.settled) == (False, "unchanged", NOW)
    assert all_pages(database)["http://example.org/a"].state == "settled"


def test_something_new_on_a_page_that_is_archived_asks_for_it_again(database: Database, channel: int) -> None:
    """A page of changes: each entry has an anchor on it."""
    page = "http://example.org/a"
    poll(database, channel, entry("1", link=f"{page}#1"), entry("2", link=f"{page}#2"))
    settle_everything(database, with_article=True)
    poll(database, channel, *(entry(key, link=f"{page}#{key}") for key in ("3", "2", "1")), now=NOW + HOUR)
    assert [key for key, row in all_entries(database).items() if row.pending] == ["3"]
    assert all_pages(database)[page].state == "pending"


def test_a_page_that_gave_nothing_is_asked_for_again_by_another_channel(
    database: Database, channel: int
) -> None:
    poll(database, channel, entry("a"))
    settle_everything(database)
    other = add_channel(database, "http://example.com/feed")
    poll(database, other, entry("z", link="http://example.org/a"))
    assert all_entries(database)["z"].pending
    assert all_pages(database)["http://example.org/a"].state == "pending"


def test_the_pages_of_a_large_feed_are_asked_for_by_and_by(database: Database, channel: int) -> None:
    rules = PollRules(policy=PollPolicy(interval=HOUR, jitter=0), pages_at_once=100)
    poll(database, channel, *(entry(str(number)) for number in range(1250)), rules=rules)
    moments = [row.next_try for row in rows_of(database, pages)]
    assert moments == [NOW + HOUR * (number // 100) for number in range(1250)]
    assert all(row.pending for row in rows_of(database, entries))


def test_without_a_limit_all_pages_are_asked_for_at_once(database: Database, channel: int) -> None:
    rules = replace(RULES, pages_at_once=0)
    poll(database, channel, *(entry(str(number)) for number in range(600)), rules=rules)
    assert {row.next_try for row in rows_of(database, pages)} == {NOW}


def test_a_failure_is_counted_and_nothing_else_changes(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"), validators=Validators(etag='"1"'))
    failed = Failed(failure=Failure.UNAVAILABLE, detail="HTTP 503", retry_after=timedelta(days=2))
    result = poll(database, channel, feed=None, failed=failed)
    assert (result.outcome, result.detail, result.retired) == (Failure.UNAVAILABLE, "HTTP 503", False)
    row = row_of(database, channels)
    assert (row.failures, row.outcome, row.next_poll) == (1, "unavailable", NOW + timedelta(days=2))
    assert row.status == "active"
    assert row_of(database, validators).etag == '"1"'
    assert all_entries(database)["a"].pending
    poll(database, channel, feed=None)
    assert row_of(database, channels).failures == 0


def test_gone_retires_the_channel_and_its_pages_still_come(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    assert poll(database, channel, feed=None, failed=Failed(failure=Failure.GONE)).retired
    assert row_of(database, channels).status == "retired"
    assert all_entries(database)["a"].pending


def test_a_permanent_redirect_is_believed_at_the_second_time(database: Database, channel: int) -> None:
    assert not poll(database, channel, url=NEW_HOME, moved_to=NEW_HOME).moved_to
    assert row_of(database, channels).url == FEED
    assert poll(database, channel, url=NEW_HOME, moved_to=NEW_HOME).moved_to
    row = row_of(database, channels)
    assert (row.url, row.seed_url, row.moved_to) == (NEW_HOME, FEED, None)


@pytest.mark.parametrize("between", [None, "http://example.net/other"])
def test_a_redirect_that_changes_its_mind_is_not_believed(
    database: Database, channel: int, between: str | None
) -> None:
    for target in (NEW_HOME, between, NEW_HOME):
        assert not poll(database, channel, url=target or FEED, moved_to=target).moved_to
    assert row_of(database, channels).url == FEED


def test_a_304_behind_a_redirect_counts_as_well(database: Database, channel: int) -> None:
    poll(database, channel, url=NEW_HOME, moved_to=NEW_HOME)
    assert poll(database, channel, feed=None, url=NEW_HOME, moved_to=NEW_HOME).moved_to


def test_a_channel_that_moves_keeps_its_password(database: Database) -> None:
    channel = add_channel(database, "http://me:secret@example.org/feed")
    target = "http://example.org/atom"
    for _ in range(2):
        poll(database, channel, url=target, moved_to=target)
    assert row_of(database, channels).url == "http://me:secret@example.org/atom"


def test_a_password_does_not_go_to_another_host(database: Database) -> None:
    channel = add_channel(database, "http://me:secret@example.org/feed")
    for _ in range(2):
        poll(database, channel, url=NEW_HOME, moved_to=NEW_HOME)
    assert row_of(database, channels).url == NEW_HOME


def test_a_poll_that_cannot_be_stored_leaves_no_trace(database: Database, channel: int) -> None:
    before = rows_of(database, channels)
    broken = ChannelPoll(
        channel_id=channel,
        url=FEED,
        feed=feed_of(entry("a")),
        validators=Validators(etag='"1"'),
        capture=capture(),
    )

    def store_then_fail(connection: Connection) -> None:
        store_poll(connection, broken, rules=RULES, recorded=NOW, now=NOW)
        connection.execute(update(channels).values(seed_url=None))

    with pytest.raises(ArchiveError):
        database.run(store_then_fail)
    assert rows_of(database, channels) == before
    assert rows_of(database, entries) == rows_of(database, pages) == rows_of(database, validators) == []


def test_whatever_a_server_sends_can_be_stored(database: Database, channel: int) -> None:
    odd = "a\0b\udc80c"
    failed = Failed(failure=Failure.CLIENT_ERROR, detail=odd)
    poll(database, channel, feed=None, failed=failed)
    for _ in range(2):
        found = entry("a\0b", link="http://example.org/a"), entry("c\0d", link=None)
        told = feed_of(*found, title=odd, language=odd)
        poll(database, channel, feed=told, validators=Validators(etag=odd, last_modified=odd))
    assert row_of(database, channels).title == "a\ufffdb?c"
    assert row_of(database, validators).etag == "a\ufffdb?c"
    assert len(all_entries(database)) == 2
    database.run(page_store.try_again, 1, odd, HOUR, NOW)
    ended = Settlement(page_id=1, outcome=EntryOutcome.NOT_HTML, known_at=NOW, detail=odd)
    database.run(page_store.settle, [ended], recorded=NOW, now=NOW)
    assert all_pages(database)["http://example.org/a"].failure == "a\ufffdb?c"


def test_whatever_a_feed_holds_can_be_stored(database: Database, channel: int) -> None:
    odd = [
        entry("🥊", title="'; DROP TABLE entries; --"),
        entry("x" * 5000, link="http://example.org/" + "y." * 3000),
        entry("ü" * 5000),
        FeedEntry(id="%s %(name)s :name", link="http://example.org/%25s?q=:x", title="{}"),
        FeedEntry(title="only a title"),
        FeedEntry(),
        entry("stamped", updated=FeedDate(text="morgen früh")),
    ]
    assert poll(database, channel, *odd).new == len(odd)
    again = poll(database, channel, *odd)
    assert (again.new, again.changed, again.outcome) == (0, 0, Success.UNCHANGED)
    assert [row.entry for row in rows_of(database, entries)] == odd


def test_a_channel_keeps_what_its_last_document_hinted_at(database: Database, channel: int) -> None:
    said = {"ttl": 60, "skip_hours": (0, 1), "hubs": ("http://hub.example/",), "paging": {"next": FEED}}
    poll(database, channel, feed=feed_of(entry("a"), entry("b"), **said))
    expected = FeedHints(shown=2, **said)
    assert row_of(database, channels, id=channel).hints == expected
    poll(database, channel, feed=None)
    assert row_of(database, channels, id=channel).hints == expected
    poll(database, channel, entry("b"))
    assert row_of(database, channels, id=channel).hints == FeedHints(shown=1)


# ── Feeds that break off ─────────────────────────────────────────────────────────────────────────────────

BROKEN = Failed(failure=Failure.TRUNCATED, detail="the document breaks off before its end")


def test_a_feed_that_breaks_off_is_a_failure_that_keeps_its_validators(
    database: Database, channel: int
) -> None:
    poll(database, channel, entry("a"), validators=Validators(etag='"1"'))
    before = row_of(database, channels)
    broken = feed_of(entry("b"), entry("a", title="Cut"), title="Bro")
    result = poll(
        database, channel, feed=broken, failed=BROKEN, validators=Validators(etag='"2"'), now=NOW + HOUR
    )
    assert (result.outcome, result.new, result.changed) == (Failure.TRUNCATED, 1, 0)
    row = row_of(database, channels)
    assert row_of(database, validators).etag == '"1"'
    assert (row.failures, row.outcome, row.entries) == (1, "truncated", 2)
    # What it is called, how it publishes and what it shows comes from whole documents alone.
    for name in ("title", "rhythm", "hints", "shown", "identity", "wishes", "last_success"):
        assert getattr(row, name) == getattr(before, name)
    assert all_entries(database)["a"].entry.title == "Title a"
    assert all_pages(database)["http://example.org/b"].state == "pending"


def test_entries_of_a_feed_that_breaks_off_hide_no_gap(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"), entry("b"))
    # Of a document in which nothing may be left that was known, the first two entries came.
    assert (
        poll(database, channel, feed=feed_of(entry("y"), entry("x")), failed=BROKEN, now=NOW + HOUR).new == 0
    )
    whole = poll(database, channel, entry("z"), entry("y"), entry("x"), entry("w"), now=NOW + 2 * HOUR)
    assert whole.gap is not None
    assert whole.new == 4


def test_entries_of_a_first_document_that_breaks_off_are_kept(database: Database, channel: int) -> None:
    assert poll(database, channel, feed=feed_of(entry("a")), failed=BROKEN).new == 1
    assert poll(database, channel, entry("a"), entry("b"), now=NOW + HOUR).new == 1


# ── Retry-After ──────────────────────────────────────────────────────────────────────────────────────────


def test_until_when_a_server_asked_for_rest_is_known_after_success_and_failure(
    database: Database, channel: int
) -> None:
    patience = timedelta(minutes=7)
    poll(database, channel, feed=None, failed=Failed(failure=Failure.RATE_LIMITED, retry_after=patience))
    assert row_of(database, channels).not_before == NOW + patience
    poll(database, channel, wishes=Wishes(retry_after=patience), now=NOW + HOUR)
    assert row_of(database, channels).not_before == NOW + HOUR + patience
    poll(database, channel, now=NOW + 2 * HOUR)
    assert row_of(database, channels).not_before is None
