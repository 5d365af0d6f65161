"""Feeds of comments are asked for when their articles were looked at, and not otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.items import CommentFeedFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PageValidators
from archiver.store.content.comment_feeds import due_comment_feeds, store_comment_feed
from archiver.store.content.settlement import settle_findings
from archiver.store.object_files import lines_settled
from archiver.store.schema import comment_feeds
from tests.store.samples import HOUR, NOW, capture, entry, poll, row_of
from tests.store.settling import RULES, finding
from tests.store.test_contributions import comment

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.targets import CommentFeedAsk
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.content.contributions import ContributionCounts
    from archiver.store.database import Database

FEED = "http://example.org/a/feed"


def look(database: Database, objects: ObjectWriter, *, comments: bool = True, at: datetime = NOW) -> None:
    """What a look at the page of `a` comes to."""
    found = finding(database, date=at)
    rules = replace(RULES, comments=comments)
    database.run(settle_findings, [found], objects, rules, recorded=at, now=at)


def due(database: Database, **other: Any) -> list[CommentFeedAsk]:
    values: dict[str, Any] = {"limit": 10, "per_host": 2, "busy": (), "without": ()}
    return database.run(due_comment_feeds, NOW + HOUR, **(values | other))


def store(database: Database, objects: ObjectWriter, ask: CommentFeedAsk, **came: Any) -> ContributionCounts:
    def work(connection: Connection) -> ContributionCounts:
        with lines_settled(connection, objects):
            fetch = CommentFeedFetch(ask=ask, **came)
            return store_comment_feed(connection, objects, fetch, recorded=NOW, now=NOW)

    return database.run(work)


@pytest.fixture
def looked(database: Database, channel: int, objects: ObjectWriter) -> Database:
    poll(database, channel, entry("a", comments_feed=FEED))
    look(database, objects)
    return database


def test_a_look_at_an_article_has_its_feed_of_comments_asked_for_once(
    looked: Database, objects: ObjectWriter
) -> None:
    (ask,) = due(looked)
    assert (ask.url, ask.page_url, ask.host) == (FEED, "http://example.org/a", "example.org")
    shown = capture(7, url=FEED)
    known = PageValidators(url=FEED, etag='"x"')
    counts = store(looked, objects, ask, found=(comment(),), capture=shown, validators=known)
    assert counts.new == 1
    assert due(looked) == []
    look(looked, objects, at=NOW + HOUR)
    (again,) = due(looked)
    assert (again.validators, again.capture) == (known, shown)


def test_what_fails_or_is_not_modified_waits_for_the_next_look(
    looked: Database, objects: ObjectWriter
) -> None:
    (ask,) = due(looked)
    assert store(looked, objects, ask, failed=Failed(failure=Failure.TIMEOUT)).new == 0
    assert due(looked) == []
    assert row_of(looked, comment_feeds).url == FEED


def test_hosts_that_have_enough_are_left_out(looked: Database) -> None:
    assert due(looked, without=("example.org",)) == []
    (ask,) = due(looked)
    assert due(looked, busy=(ask.id,)) == []


def test_without_the_setting_or_a_feed_nothing_is_asked_for(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a", comments_feed=FEED))
    look(database, objects, comments=False)
    assert due(database) == []
    poll(database, channel, entry("a"), now=NOW + HOUR)
    look(database, objects, at=NOW + 2 * HOUR)
    assert due(database) == []


def test_another_feed_begins_anew(looked: Database, channel: int, objects: ObjectWriter) -> None:
    (ask,) = due(looked)
    store(looked, objects, ask, capture=capture(7, url=FEED), validators=PageValidators(url=FEED, etag='"x"'))
    poll(looked, channel, entry("a", title="New", comments_feed=f"{FEED}/2"), now=NOW + HOUR)
    look(looked, objects, at=NOW + HOUR)
    (other,) = due(looked)
    assert (other.url, other.validators, other.capture) == (f"{FEED}/2", None, None)
