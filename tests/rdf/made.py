"""An archive with articles and comments, told as RDF: a real store, real objects, no crawl."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from archiver.archive.objects.kinds import WarcPointer
from archiver.archive.withheld import NOTHING_WITHHELD, pattern_of, withheld_by
from archiver.articles.contributions.model import ContributionPage
from archiver.documents.contributions import Contribution, ContributionKind
from archiver.inspection.rdf.asking import ask_store, feed_store
from archiver.inspection.rdf.exporting import ChosenObjects, RdfExport
from archiver.inspection.rdf.opening import open_to_feed
from archiver.store.content.contributions import write_contributions
from archiver.store.object_files import lines_settled
from archiver.store.reading import reading
from archiver.store.schema import versions
from archiver.urls import same_page_key
from tests.history.made import START
from tests.search.made import SearchedArchive
from tests.store.samples import capture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import LinePlace
    from archiver.archive.withheld import Withheld
    from archiver.inspection.rdf.feeding import RdfFeeder


class RdfArchive(SearchedArchive):
    """What is put in can be written as RDF, and asked in SPARQL."""

    def say(self, article: int, text: str, **fields: Any) -> LinePlace:
        """Each version has a capture of its own, as in a crawl."""
        number = len(self.run(select(versions.c.version).filter_by(article_id=article))) + 1
        name = f"<urn:uuid:{article}-{number}-{fields.get('at', START):%d%H}>"
        warc = WarcPointer(file="a.warc.gz", offset=number, record_id=name, capture_id=name)
        return super().say(article, text, **{"warc": warc} | fields)

    def comment(self, name: str, *found: Contribution, at: datetime = START) -> None:
        """Comments on the page of an article."""
        url = f"http://example.org/{name}"
        page = ContributionPage(key=same_page_key(url), url=url, capture=capture(7, url=url, date=at))

        def write(connection: Connection) -> None:
            with lines_settled(connection, self.objects):
                write_contributions(connection, self.objects, page, found, at)

        self.database.run(write)

    def exported(
        self, format_: str = "nquads", *, withheld: Withheld = NOTHING_WITHHELD, **chosen: Any
    ) -> bytes:
        output = io.BytesIO()
        with reading(self.url) as state:
            export = RdfExport(state, self.folder / "objects", withheld, ChosenObjects(**chosen))
            export.write(output, format_, lambda _done, _total: None)
        return output.getvalue()

    def feed_rdf(self, withheld: Withheld = NOTHING_WITHHELD) -> RdfFeeder:
        with reading(self.url) as state:
            return feed_store(self.folder, state, withheld, lambda _done, _total: None)

    def statements(self) -> set[str]:
        """All that is in the store."""
        with open_to_feed(self.folder) as (store, _):
            return set(map(str, store))

    def texts(self) -> list[str]:
        """Of all versions in the store."""
        question = "SELECT ?t {?v <https://schema.org/text> ?t} ORDER BY ?t"
        with open_to_feed(self.folder) as (store, _):
            return [solution["t"].value for solution in store.query(question)]  # type: ignore[union-attr] # a SELECT

    def asked(
        self, question: str, withheld: Withheld = NOTHING_WITHHELD, *, most: int = 0, seconds: int = 20
    ) -> list[tuple[str | None, ...]]:
        """The values of an answer."""
        with (
            reading(self.url) as state,
            ask_store(self.folder, state, withheld, question, most=most, seconds=seconds) as answer,
        ):
            return [tuple(cell and cell["value"] for cell in row) for row in answer.rows()]


def comment(key: str, text: str = "First!", **other: Any) -> Contribution:
    return Contribution(kind=ContributionKind.COMMENT, key=key, text=text, **other)


def withheld(*named: str) -> Withheld:
    return withheld_by((pattern_of(one), "order 7") for one in named)


@contextmanager
def archive_of_rdf(folder: Path) -> Iterator[RdfArchive]:
    archive = RdfArchive(folder)
    try:
        yield archive
    finally:
        archive.close()
