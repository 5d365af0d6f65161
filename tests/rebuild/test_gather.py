"""From the parts of an archive to the articles of a channel: versions, the feed's own words, its order."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.channels.polling.schedule import PollPolicy
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.items import ChannelPoll
from archiver.acquisition.seeds.model import Seed
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import write_index
from archiver.archive.warc.records import Capture
from archiver.archive.withheld import NOTHING_WITHHELD
from archiver.clock import rfc3339
from archiver.documents.feeds.model import FeedEntry, FeedInfo, ParsedFeed
from archiver.errors import ArchiveError, RecordError
from archiver.inspection.rebuild.document import document_at
from archiver.inspection.rebuild.gather import RebuildFolders, gather
from archiver.inspection.rebuild.model import Grounds, WordSource
from archiver.store.database import Database
from archiver.store.polling.channels import channel_row
from archiver.store.polling.listing import import_seeds
from archiver.store.polling.polls import store_poll
from archiver.store.schema import articles, pages, versions
from tests.warc.cdxj_samples import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.inspection.rebuild.gather import Gathered

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
FEED = "http://a.example/feed"


def document(*names: str, **titles: str) -> bytes:
    """The feed as it came over the wire."""
    items = "".join(
        f"<item><guid isPermaLink='false'>{name}</guid><link>http://a.example/{name}</link>"
        f"<title>{titles.get(name, name)}</title>"
        f"<description>About {name} &lt;b&gt;now&lt;/b&gt;</description></item>"
        for name in names
    )
    body = (
        f"<rss version='2.0'><channel><title>A</title><link>http://a.example/</link>{items}</channel></rss>"
    )
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n" + body.encode()


class Archive:
    """An archive with one channel, made by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "warc").mkdir(parents=True)
        (folder / "objects").mkdir()
        self.database = Database(f"sqlite:///{folder / 'state.sqlite'}")
        seed = Seed(url=FEED, source="s", line=1)
        self.database.run(import_seeds, [seed], ["s"], NOON)

    def keep(self, block: bytes, at: datetime, url: str = FEED) -> None:
        """Write a response into a WARC of its own."""
        name = f"{at:%Y%m%d%H%M%S}.warc.gz"
        identity = {"WARC_Date": rfc3339(at), "WARC_Record_ID": f"<urn:uuid:{at:%H%M%S}>"}
        kind = "application/http; msgtype=response"
        path = self.folder / "warc" / name
        path.write_bytes(record("response", url, block, Content_Type=kind, **identity))
        write_index(path, self.folder / "index")

    def poll(self, *entries: FeedEntry, at: datetime) -> None:
        feed = ParsedFeed(format="rss20", info=FeedInfo(title="A"), entries=entries)
        done = ChannelPoll(channel_id=1, url=FEED, feed=feed, capture=capture(FEED, at))
        rules = PollRules(policy=PollPolicy(), pages_at_once=500)
        self.database.run(store_poll, done, rules=rules, recorded=at, now=at)

    def version(self, at: datetime, **fields: Any) -> None:
        """Of the article behind the first page."""
        line = {"id": "object", "url": "http://a.example/read", "title": "As read", "text": "Words. " * 100}
        (self.folder / "objects" / "o.jsonl").write_text(json.dumps(line | fields) + "\n")
        made = {"digest": "", "title_digest": "", "text_digest": "", "method": "article", "captured": at}
        place = {
            "object_file": "o.jsonl",
            "object_offset": 0,
            "capture": capture("http://a.example/read", at),
        }

        def write(connection: Any) -> None:
            known = {"key": "k", "url": "u", "first_seen": at, "last_captured": at, "version": 1}
            connection.execute(articles.insert().values(id=1, **known))
            connection.execute(pages.update().where(pages.c.id == 1).values(article_id=1))
            connection.execute(versions.insert().values(article_id=1, version=1, **made, **place))

        self.database.run(write)

    @property
    def places(self) -> RebuildFolders:
        index = Index(self.folder / "index")
        return RebuildFolders(
            index=index,
            warc=self.folder / "warc",
            objects=self.folder / "objects",
            withheld=NOTHING_WITHHELD,
        )

    def gather(self, at: datetime) -> Gathered:
        return self.database.run(lambda state: gather(state, self.places, channel_row(state, 1), at))


def capture(url: str, at: datetime) -> Capture:
    return Capture(url=url, file="x", offset=0, record_id="<urn:uuid:r>", date=at, digest="sha1:x")


def entry(name: str, title: str | None = None) -> FeedEntry:
    return FeedEntry(id=name, link=f"http://a.example/{name}", title=title or name, summary=f"About {name}")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    made = Archive(tmp_path / "archive")
    yield made
    made.database.close()


def test_an_article_that_was_captured_is_shown_as_it_read(archive: Archive) -> None:
    archive.poll(entry("a"), at=NOON)
    archive.version(NOON + HOUR, summary="Short", image={"url": "http://a.example/i.jpg"})
    (early,) = archive.gather(NOON + HOUR / 2).rebuilt.articles
    (late,) = archive.gather(NOON + HOUR).rebuilt.articles
    assert (early.source, early.title, early.version) == (WordSource.FEED, "a", None)
    assert (late.source, late.title, late.lead) == (WordSource.VERSION, "As read", "Short")
    assert (late.url, late.image) == ("http://a.example/read", "http://a.example/i.jpg")
    assert (late.object_id, late.version) == ("object", 1)
    assert late.grounds is Grounds.LAST_KNOWN


def test_without_a_summary_the_text_begins(archive: Archive) -> None:
    archive.poll(entry("a"), at=NOON)
    archive.version(NOON)
    (found,) = archive.gather(NOON).rebuilt.articles
    assert found.lead.startswith("Words. Words.")
    assert found.lead.endswith("Words.…")
    assert len(found.lead) <= 301


def test_what_the_feed_said_then_is_told_and_not_what_it_says_today(archive: Archive) -> None:
    archive.keep(document("a", a="First words"), NOON)
    archive.poll(entry("a", "First words"), at=NOON)
    archive.poll(entry("a", "Other words"), at=NOON + HOUR)
    (found,) = archive.gather(NOON + HOUR / 2).rebuilt.articles
    assert found.title == "First words"
    assert found.lead == "About a now"
    assert found.origin is not None
    assert found.origin.record_id == "<urn:uuid:120000>"


def test_without_the_document_its_last_words_are_all_there_is(archive: Archive) -> None:
    archive.poll(entry("a", "First words"), at=NOON)
    archive.poll(entry("a", "Other words"), at=NOON + HOUR)
    (found,) = archive.gather(NOON + HOUR / 2).rebuilt.articles
    assert (found.title, found.origin) == ("Other words", None)


def test_the_order_is_that_of_the_document_also_where_entries_were_moved(archive: Archive) -> None:
    for at, names in ((NOON, "abc"), (NOON + HOUR, "cab")):
        archive.keep(document(*names), at)
        archive.poll(*map(entry, names), at=at)
    titles = [[one.title for one in archive.gather(at).rebuilt.articles] for at in (NOON, NOON + HOUR)]
    assert titles == [["a", "b", "c"], ["c", "a", "b"]]


def test_a_document_that_came_later_or_was_none_is_not_read(archive: Archive) -> None:
    archive.keep(document("a"), NOON)
    archive.keep(b"HTTP/1.1 503 Busy\r\n\r\n", NOON + HOUR)
    archive.keep(document("b"), NOON + 3 * HOUR)
    index, warc = Index(archive.folder / "index"), archive.folder / "warc"

    def keys(at: datetime) -> list[str] | None:
        found = document_at(index, warc, [FEED], at)
        return list(found.entries) if found else None

    assert keys(NOON - HOUR) is None
    assert [keys(NOON + hours * HOUR) for hours in (0, 1, 2.9, 3)] == [["a"], ["a"], ["a"], ["b"]]


def test_a_moment_before_the_first_poll_is_refused(archive: Archive) -> None:
    with pytest.raises(ArchiveError, match="Nothing was captured yet of channel 1"):
        archive.gather(NOON)
    archive.poll(entry("a"), at=NOON)
    with pytest.raises(ArchiveError, match="is before the first poll of channel 1"):
        archive.gather(NOON - HOUR)


def test_a_missing_object_is_told(archive: Archive) -> None:
    archive.poll(entry("a"), at=NOON)
    archive.version(NOON)
    (archive.folder / "objects" / "o.jsonl").unlink()
    with pytest.raises(RecordError, match="scrapy verify"):
        archive.gather(NOON)


def test_entries_that_share_a_page_are_shown_each_by_its_own_part(archive: Archive) -> None:
    notes = [
        FeedEntry(id=name, link=f"http://a.example/notes#{name}", title=name, summary=f"About {name}")
        for name in "ab"
    ]
    archive.poll(*notes, at=NOON)
    archive.version(NOON, url="http://a.example/notes#a", title="Note a as read")
    first, second = archive.gather(NOON).rebuilt.articles
    assert (first.source, first.title, first.url) == (
        WordSource.VERSION,
        "Note a as read",
        "http://a.example/notes#a",
    )
    assert (second.source, second.title) == (WordSource.FEED, "b")
