"""Seeds, polls and pages, for the tests of the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from archiver.acquisition.channels.polling.schedule import PollPolicy
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.items import ChannelPoll
from archiver.acquisition.seeds.model import Seed
from archiver.archive.warc.records import Capture
from archiver.articles.model import Article
from archiver.articles.versions.fingerprints import fingerprint
from archiver.documents.feeds.model import FeedEntry, FeedInfo, ParsedFeed
from archiver.store.polling.listing import import_seeds
from archiver.store.polling.polls import store_poll
from archiver.store.schema import channels, entries, pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Row, Table

    from archiver.acquisition.channels.polls import PollResult
    from archiver.articles.versions.model import Fingerprint
    from archiver.store.database import Database

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
FEED = "http://example.org/feed"
SEEDS = "/seeds.txt"
RULES = PollRules(policy=PollPolicy(), pages_at_once=500)


def seed(url: str = FEED, *, source: str = SEEDS, **other: Any) -> Seed:
    return Seed(url=url, source=source, line=1, **other)


def capture(number: int = 1, *, url: str = "http://example.org/a", date: datetime = NOW) -> Capture:
    later = "" if date == NOW else f"-{date:%Y%m%d%H%M%S}"
    return Capture(
        url=url,
        file="a.warc.gz",
        offset=100 * number,
        record_id=f"<urn:uuid:{number}{later}>",
        date=date,
        digest=f"sha1:{number}-{date:%Y%m%d%H%M%S}",
    )


def add_channel(database: Database, url: str = FEED, **other: Any) -> int:
    """Add a channel to those of the seeds file; its number."""
    database.run(import_seeds, [seed(url, source=url, **other)], [url], NOW)
    return int(row_of(database, channels, seed_url=url).id)


def row_of(database: Database, table: Table, **wanted: Any) -> Row[Any]:
    query = select(table).filter_by(**wanted)
    return database.run(lambda connection: connection.execute(query).one())


def rows_of(database: Database, table: Table) -> Sequence[Row[Any]]:
    return database.run(lambda connection: connection.execute(select(table).order_by(table.c[0])).all())


def entry(name: str = "a", **other: Any) -> FeedEntry:
    values = {"id": name, "link": f"http://example.org/{name}", "title": f"Title {name}"} | other
    return FeedEntry(**values)


def feed_of(*found: FeedEntry, **info: Any) -> ParsedFeed:
    return ParsedFeed(format="rss20", info=FeedInfo(**info), entries=found)


def poll(
    database: Database,
    channel_id: int,
    *found: FeedEntry,
    now: datetime = NOW,
    rules: PollRules = RULES,
    **other: Any,
) -> PollResult:
    """Store a poll; of these entries, unless it was something else."""
    values = {"feed": feed_of(*found), "url": FEED, "capture": capture(9, url=FEED)} | other
    done = ChannelPoll(channel_id=channel_id, **values)
    return database.run(store_poll, done, rules=rules, recorded=now, now=now)


def article(text: str = "Many words", title: str = "Title") -> tuple[Article, Fingerprint]:
    found = Article(method="sigfeed", confidence=0.9, text=text, html=f"<p>{text}", title=title)
    return found, fingerprint(found)


def all_entries(database: Database) -> dict[str, Row[Any]]:
    return {row.key: row for row in rows_of(database, entries)}


def all_pages(database: Database) -> dict[str, Row[Any]]:
    return {row.url: row for row in rows_of(database, pages)}
