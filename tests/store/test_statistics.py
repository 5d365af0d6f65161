"""What statistics are made from, as both databases give it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import insert

from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.feeds.model import FeedDate, FeedHints
from archiver.inspection.statistics.compute import Scope
from archiver.inspection.statistics.model import LeftOut
from archiver.inspection.statistics.queries import find_feeds, gather, seen_entries
from archiver.inspection.statistics.times import Period, SeenEntry
from archiver.store.reading import reading
from archiver.store.schema import channels, entries
from tests.store.samples import FEED, HOUR, NOW, add_channel, entry, feed_of, poll

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.documents.feeds.model import FeedEntry
    from archiver.inspection.statistics.model import Statistics
    from archiver.store.database import Database

SCOPE = Scope(made=NOW)


def published(name: str, hours_ago: float) -> FeedEntry:
    return entry(name, published=FeedDate(text="then", utc=NOW - hours_ago * HOUR))


def statistics(database: Database, **asked: object) -> Statistics:
    return database.run(gather, SCOPE, **asked)  # type: ignore[arg-type] # as it is asked for


def test_each_entry_comes_with_its_dates(database: Database) -> None:
    channel = add_channel(database)
    readable, unreadable = published("a", 5), entry("b", updated=FeedDate(text="last week"))
    poll(database, channel, readable, unreadable)
    later = NOW + HOUR
    poll(database, channel, readable, entry("b", title="Another title"), now=later)
    found = database.run(lambda connection: dict(seen_entries(connection)))
    assert found == {
        channel: [
            SeenEntry(first_seen=NOW, published=NOW - 5 * HOUR, has_published=True),
            SeenEntry(first_seen=NOW, is_edited=True),
        ]
    }


def test_feeds_are_told_from_sites_and_from_what_never_was_read(database: Database) -> None:
    feed, site, dead = (add_channel(database, f"{FEED}/{name}") for name in ("feed", "site", "dead"))
    sent = Validators(etag='"x"', last_modified=None)
    poll(database, feed, published("a", 1), feed=feed_of(published("a", 1), ttl=60), validators=sent)
    poll(database, site, feed=None, discovered=())
    poll(database, dead, feed=None, failed=Failed(failure=Failure.NOT_FOUND))
    found = database.run(find_feeds)
    [one] = found.feeds
    assert (one.id, one.format, one.validators) == (feed, "rss20", frozenset({"etag"}))
    assert one.hints == FeedHints(shown=1, ttl=60)
    assert (found.sites, found.never_read) == (1, 1)


def test_channels_and_labels_choose(database: Database) -> None:
    for number, labels in enumerate([("news",), ("news", "art"), ()], 1):
        channel = add_channel(database, f"{FEED}/{number}", labels=labels)
        poll(database, channel, *(published(f"{number}{name}", name) for name in range(number + 1)))
    assert [one.id for one in statistics(database).channels] == [1, 2, 3]
    assert [one.id for one in statistics(database, labels=["art"]).channels] == [2]
    assert [one.id for one in statistics(database, ids=[1, 3]).channels] == [1, 3]
    assert [one.id for one in statistics(database, ids=[1, 3], labels=["news"]).channels] == [1]
    assert statistics(database, ids=[]).feeds == 0


def test_the_period_holds_for_the_dates_of_entries(database: Database) -> None:
    poll(database, add_channel(database), *(published(str(hours), hours) for hours in (1, 2, 30, 60)))
    period = Period(since=NOW - timedelta(days=2), until=NOW - HOUR)
    [channel] = database.run(gather, Scope(made=NOW, period=period)).channels
    assert (channel.entries, channel.intervals and channel.intervals.mean) == (3, 14.5 * 3600)
    nothing = database.run(gather, Scope(made=NOW, period=Period(since=NOW + HOUR)))
    assert (nothing.feeds, nothing.left_out) == (0, LeftOut(without_entries=1))


def test_an_empty_store_has_nothing_to_count(database: Database) -> None:
    assert statistics(database).feeds == 0


def test_who_only_reads_sees_the_same_and_how_far_it_is(database: Database, store_url: str) -> None:
    def fill(connection: Connection) -> None:
        row = {
            "kind": "feed",
            "status": "active",
            "labels": (),
            "added": NOW,
            "next_poll": NOW,
            "format": "rss20",
        }
        names = range(1, 601)
        connection.execute(
            insert(channels), [row | {"seed_url": f"{FEED}/{n}", "url": f"{FEED}/{n}"} for n in names]
        )
        common = {"digest": "d", "first_seen": NOW, "pending": False}
        rows = [
            common | {"channel_id": n, "key": str(k), "entry": published(str(k), k)}
            for n in names
            for k in (3, 1)
        ]
        connection.execute(insert(entries), rows)

    database.run(fill)
    told: list[tuple[int, int]] = []
    with reading(store_url) as connection:
        found = gather(connection, SCOPE, show=lambda done, total: told.append((done, total)))
    assert (found.feeds, found.total.intervals, found.total.average_mean) == (600, 600, 7200)
    assert (told[0], told[-1], len(told)) == ((2, 1200), (1200, 1200), 600)
