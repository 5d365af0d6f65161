"""An archive of half a year in which some words rise, fall and come for the first time."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import insert, select

from archiver.archive.withheld import NOTHING_WITHHELD
from archiver.inspection.terms.reading import TermsAsked, counted_terms
from archiver.store.database import Database
from archiver.store.object_files import save_object_length
from archiver.store.reading import reading
from archiver.store.schema import articles, versions
from archiver.urls import same_page_key
from tests.history.made import plain_object
from tests.search.made import SearchedArchive
from tests.store.samples import capture

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.terms.model import TermReport

# A Monday: the last of the weeks begins then.
LAST = datetime(2026, 3, 2, 12, tzinfo=UTC)
WEEK = timedelta(days=7)
A_WEEK = 40
WEEKS = 12


class Story(NamedTuple):
    """An article that is to be in the archive."""

    name: str
    at: datetime
    title: str
    text: str
    channel: int = 1
    language: str = "en"


class TermsArchive(SearchedArchive):
    """Many articles at once, settled as a crawl does."""

    def publish(self, stories: Iterable[Story]) -> None:
        some = list(stories)
        self.database.run(self._publish, some)

    def _publish(self, connection: Connection, some: list[Story]) -> None:
        rows = [{"url": f"http://example.org/{one.name}", "at": one.at} for one in some]
        connection.execute(insert(articles), [_article(row["url"], row["at"]) for row in rows])  # type: ignore[arg-type]
        known = connection.execute(select(articles.c.url, articles.c.id))
        numbers: dict[str, int] = {row.url: row.id for row in known}
        made = []
        for row, one in zip(rows, some, strict=True):
            said = replace(
                plain_object(same_page_key(str(row["url"])), str(row["url"])),
                text=one.text, title=one.title, language=one.language, published=one.at, captured=one.at,
                first_seen=one.at,
            )  # fmt: skip
            place = self.objects.stage(said, LAST)
            made.append(_version(numbers[str(row["url"])], one, place))
        for grown in self.objects.flush():
            save_object_length(connection, grown.file, grown.length)
        connection.execute(insert(versions), made)

    def renumber(self, by: int) -> None:
        """Give all articles other numbers."""
        self.database.close()
        with closing(sqlite3.connect(self.folder / "state.sqlite")) as store, store:
            store.execute("UPDATE articles SET id = id + ?", (by,))
            store.execute("UPDATE versions SET article_id = article_id + ?", (by,))
        self.database = Database(self.url)

    def terms(self, withheld: Withheld = NOTHING_WITHHELD, **asked: Any) -> TermReport:
        with reading(self.url) as state:
            return counted_terms(self.folder, state, withheld, TermsAsked(**asked))


def _article(url: str, at: datetime) -> dict[str, Any]:
    return {"key": same_page_key(url), "url": url, "first_seen": at, "last_captured": at, "version": 1}


def _version(number: int, one: Story, place: Any) -> dict[str, Any]:
    return {
        "article_id": number, "version": 1, "captured": one.at, "digest": "t1:0", "title_digest": "t1:0",
        "text_digest": "t1:0", "method": "article", "capture": capture(1, url=f"http://example.org/{one.name}"),
        "object_file": place.file, "object_offset": place.offset, "object_digest": place.digest,
        "kinds": "new", "title": one.title, "channel_id": one.channel,
    }  # fmt: skip


def half_a_year(chances: random.Random) -> Iterator[Story]:
    """Articles about some of 150 words; in the last weeks also about a volcano, and never about a harvest."""
    words = [f"{first}{last}" for first in ("bra", "cle", "dro", "fin", "gul") for last in _ENDS]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    for week in range(WEEKS):
        is_late = week >= WEEKS - 2
        for number in range(A_WEEK):
            about = chances.choices(words, weights, k=8)
            if chances.random() < (0.25 if is_late else 0.02):
                about.append("volcano")
            if is_late and chances.random() < 0.2:
                about.append("lava flow")
            if not is_late and chances.random() < 0.25:
                about.append("harvest")
            channel = 1 + number % 4
            text = ". ".join(f"The {word} and {word}" for word in about)
            # One channel puts this below all of its articles, from now on.
            frame = ". Download our app. Download our app." if is_late and channel == 2 else ""
            at = LAST - (WEEKS - 1 - week) * WEEK + timedelta(minutes=number)
            yield Story(f"{week}/{number}", at, f"Of {about[0]}", text + frame, channel)


_ENDS = tuple(f"{vowel}{end}" for vowel in "aeiou" for end in ("bek", "dor", "fam", "gil", "kun", "lop"))


@contextmanager
def archive_of_terms(folder: Path) -> Iterator[TermsArchive]:
    archive = TermsArchive(folder)
    try:
        yield archive
    finally:
        archive.close()
