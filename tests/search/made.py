"""An archive to search in: a real store and real objects, no crawl."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from archiver.articles.versions.model import Change
from archiver.search.feeding import Feeder
from archiver.search.model import SearchRequest
from archiver.search.opening import open_index, open_store
from archiver.search.searching import never, search
from archiver.store.object_files import save_object_length
from archiver.store.reading import reading
from archiver.store.schema import articles, channels, versions
from tests.history.made import START, MadeArchive, plain_object
from tests.store.samples import capture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.objects.writer import LinePlace
    from archiver.search.model import SearchResult


class SearchedArchive(MadeArchive):
    """Articles are put in as a crawl settles them; `feed` and `search` are the real ones."""

    def __init__(self, folder: Path, store_url: str | None = None) -> None:
        super().__init__(folder, store_url)
        self.url = store_url or f"sqlite:///{folder / 'state.sqlite'}"

    def add(self, name: str, text: str, *, channel: int = 0, at: datetime = START, **fields: Any) -> int:
        """An article with its first version; its number."""
        number = self.article(f"http://example.org/{name}")
        self.say(number, text, channel=channel, at=at, **fields)
        return number

    def say(
        self, article: int, text: str, *, channel: int = 0, at: datetime = START, **fields: Any
    ) -> LinePlace:
        """The next version of an article."""
        row = self.run(select(articles.c.key, articles.c.url, articles.c.version).filter_by(id=article))[0]
        number = row.version + 1
        kinds = ("new",) if number == 1 else ("text",)
        values = {"published": at, "captured": at, "title": "A title"} | fields
        said = replace(
            plain_object(row.key, row.url), text=text, version=number, change=Change(kinds=kinds), **values
        )
        place = self.objects.stage(said, at)
        grown = self.objects.flush()
        of_version = {
            "article_id": article, "version": number, "captured": at, "digest": "t1:0",
            "title_digest": "t1:0", "text_digest": "t1:0", "method": "article",
            "capture": capture(number, url=row.url, date=at), "object_file": place.file,
            "object_offset": place.offset, "object_digest": place.digest, "kinds": ",".join(kinds),
            "title": said.title, "channel_id": channel,
        }  # fmt: skip
        self.change(insert(versions).values(**of_version))
        self.change(update(articles).filter_by(id=article).values(version=number, last_captured=at))
        # Last: a run commits all of this at once, and a feeder goes by the length.
        for one in grown:
            self.database.run(save_object_length, one.file, one.length)
        return place

    def label(self, channel: int, *labels: str) -> None:
        self.change(update(channels).filter_by(id=channel).values(labels=labels))

    def feed(self) -> Feeder:
        with open_store(self.folder, self.url) as store, reading(self.url) as state:
            feeder = Feeder(store, state, self.folder / "objects")
            feeder.feed()
            return feeder

    def search(self, words: str = "", *, hidden: Callable[[str], bool] = never, **other: Any) -> SearchResult:
        request = SearchRequest(words=words, **other)
        with reading(self.url) as state, open_index(self.folder, state) as index:
            return search(index, state, self.folder / "objects", request, hidden=hidden)

    def found(self, words: str = "", **other: Any) -> list[str]:
        """The last parts of the addresses that are found."""
        return [hit.url.rpartition("/")[2] for hit in self.search(words, **other).hits]


@contextmanager
def searched(folder: Path, store_url: str | None = None) -> Iterator[SearchedArchive]:
    archive = SearchedArchive(folder, store_url)
    try:
        yield archive
    finally:
        archive.close()
