"""An archive with articles that changed, went and came back: a real store and real objects, no crawl."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from archiver.articles.objects.model import SCHEMA, ArchivedObject, WarcPointer, article_id
from archiver.articles.versions.model import Change
from archiver.store.database import Database
from archiver.store.schema import absences, articles, pages, twins, versions
from archiver.urls import host_of, same_page_key
from tests.objects.writers import object_writer
from tests.store.samples import add_channel, capture, entry, feed_of, poll

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.documents.pages.model import Image, Link

START = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
URL = "http://example.org/ferry"
FIRST = "The ferry runs every day.\n\nFishermen fear for their nets.\n\nNobody was asked.\n\nThe end."
SECOND = "The ferry runs every second day.\n\nFishermen fear for their nets.\n\nNobody was asked.\n\nThe end."


class MadeArchive:
    """What is put in is what the commands find."""

    def __init__(self, folder: Path, store_url: str | None = None) -> None:
        self.folder = folder
        (folder / "warc").mkdir(parents=True, exist_ok=True)
        self.database = Database(store_url or f"sqlite:///{folder / 'state.sqlite'}")
        self.objects = object_writer(folder / "objects")

    def channel(self, url: str = "http://me:hunter2@example.org/feed") -> int:
        return add_channel(self.database, url)

    def article(self, url: str = URL, *, link: str | None = None, channel: int = 0) -> int:
        """An article without versions, and the page that leads to it; announced, where there is a channel."""
        if channel:
            listed = feed_of(entry(link or url, link=link or url), title="The Shore")
            poll(self.database, channel, feed=listed, now=START)
        key, page = same_page_key(url), same_page_key(link or url)
        values = {"key": key, "url": url, "first_seen": START, "last_captured": START, "version": 0}
        number = self._insert(articles, values)
        known = self.run(select(pages.c.id).where(pages.c.key == page))
        if not known:
            host = host_of(link or url)
            new = {"key": page, "url": link or url, "host": host, "state": "settled", "next_try": START}
            self.change(insert(pages).values(**new))
        self.change(update(pages).where(pages.c.key == page).values(article_id=number, state="settled"))
        return number

    def version(
        self,
        article: int,
        at: datetime = START,
        *,
        kinds: str | None = "new",
        text: str = FIRST,
        title: str | None = "The ferry",
        links: tuple[Link, ...] = (),
        images: tuple[Image, ...] = (),
        **other: Any,
    ) -> int:
        """The next version of an article, with its object."""
        row = self.run(select(articles.c.key, articles.c.url, articles.c.version).filter_by(id=article))[0]
        number = row.version + 1
        said = replace(
            plain_object(row.key, row.url), text=text, title=title, links=links, images=images, version=number
        )
        place = self.objects.stage(said, at)
        self.objects.flush()
        values = {
            "article_id": article, "version": number, "captured": at, "digest": "t1:0",
            "title_digest": "t1:0", "text_digest": "t1:0", "method": "article",
            "capture": capture(number, url=row.url, date=at),
            "object_file": place.file, "object_offset": place.offset, "kinds": kinds, "title": title,
        }  # fmt: skip
        self.change(insert(versions).values(**values | other))
        self.change(update(articles).filter_by(id=article).values(version=number, last_captured=at))
        return number

    def absence(self, article: int, after: datetime, gone: datetime, how: str, **other: Any) -> None:
        values = {"noted": gone} | other
        self.change(insert(absences).values(article_id=article, after=after, gone=gone, how=how, **values))

    def twin(self, article: int, other: int, how: str = "text", similarity: float = 0.97) -> None:
        values = {"article_id": article, "other_id": other, "how": how, "similarity": similarity}
        self.change(insert(twins).values(found=START + HOUR, **values))

    def watch(self, article: int, **values: Any) -> None:
        self.change(update(pages).filter_by(article_id=article).values(**values))

    def run(self, query: Any) -> Any:
        return self.database.run(lambda connection: connection.execute(query).all())

    def change(self, statement: Any) -> None:
        self.database.run(lambda connection: connection.execute(statement))

    def _insert(self, table: Any, values: dict[str, Any]) -> int:
        def add(connection: Connection) -> int:
            return int(connection.execute(insert(table).values(**values).returning(table.c.id)).scalar_one())

        return self.database.run(add)

    def close(self) -> None:
        self.objects.close()
        self.database.close()


@contextmanager
def made(folder: Path, store_url: str | None = None) -> Iterator[MadeArchive]:
    archive = MadeArchive(folder, store_url)
    try:
        yield archive
    finally:
        archive.close()


def plain_object(key: str, url: str) -> ArchivedObject:
    return ArchivedObject(
        schema=SCHEMA,
        id=article_id(key),
        url=url,
        canonical_url=None,
        channel="http://example.org/feed",
        channel_title=None,
        entry_id="1",
        title=None,
        authors=(),
        categories=(),
        language="en",
        published=START,
        updated=None,
        first_seen=START,
        captured=START,
        version=1,
        change=Change(kinds=("new",)),
        text="",
        html="",
        links=(),
        images=(),
        summary=None,
        comments=None,
        digest="t1:0",
        method="article",
        confidence=0.9,
        warc=WarcPointer(file="a.warc.gz", offset=3, record_id="<urn:x>", capture_id="<urn:x>"),
    )
