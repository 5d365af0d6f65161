"""All that is known of one channel."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, update

from archiver.archive.cdxj.files import write_lines
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.lines import REVISIT, line_for
from archiver.archive.withheld import NOTHING_WITHHELD, pattern_of, withheld_by
from archiver.documents.feeds.model import FeedDate
from archiver.documents.lists.model import Plan
from archiver.errors import ArchiveError, WithheldError
from archiver.inspection.channels.details import ChannelPlaces, read_channel
from archiver.store.reading import reading
from archiver.store.schema import addresses, channels, gaps
from tests.history.made import MadeArchive, made
from tests.store.samples import FEED, HOUR, NOW, entry, poll

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.withheld import Withheld
    from archiver.inspection.channels.model import ChannelDetails

OLD = "http://old.example/feed"
MONDAY_9 = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@pytest.fixture
def archive(store_url: str, tmp_path: Path) -> Iterator[MadeArchive]:
    with made(tmp_path / "archive", store_url) as new:
        yield new


def read(
    archive: MadeArchive, store_url: str, number: int, withheld: Withheld = NOTHING_WITHHELD
) -> ChannelDetails:
    with reading(store_url) as state:
        places = ChannelPlaces(state=state, index=Index(archive.folder / "index"), withheld=withheld)
        return read_channel(places, number, NOW + HOUR)


def captured(archive: MadeArchive, *lines: tuple[str, int, str | None, str]) -> None:
    """Captures: address, hours after the beginning, status, type."""
    written = [
        line_for(url=url, date=NOW + hour * HOUR, length=100 + hour, offset=hour, filename="a.warc.gz",
                 status=status, mime=mime, digest="sha1:A")
        for url, hour, status, mime in lines
    ]  # fmt: skip
    write_lines(archive.folder / "index", "a.warc.gz", written)


def test_polls_of_all_its_addresses_come_newest_first(archive: MadeArchive, store_url: str) -> None:
    number = archive.channel(FEED)
    archive.change(insert(addresses).values(url=OLD, channel_id=number))
    captured(
        archive,
        (OLD, 0, "301", "text/html"),
        (FEED, 1, "200", "application/rss+xml"),
        (FEED, 2, "200", REVISIT),
        (FEED, 3, None, REVISIT),
        (FEED, 4, "503", "text/html"),
        (f"{FEED}/another", 5, "200", "application/rss+xml"),
    )
    history = read(archive, store_url, number).history
    assert [(one.outcome, one.status, one.bytes) for one in history] == [
        ("failed", 503, 104),
        ("not_modified", 304, 103),
        ("same", 200, 102),
        ("document", 200, 101),
        ("redirect", 301, 100),
    ]
    assert history[-1].url == OLD


def test_entries_are_counted_by_hours_of_the_week(archive: MadeArchive, store_url: str) -> None:
    number = archive.channel(FEED)
    dates = [MONDAY_9, MONDAY_9 + timedelta(minutes=20), MONDAY_9 - timedelta(days=1), None]
    found = [
        entry(str(place), published=FeedDate(text=str(date), utc=date)) for place, date in enumerate(dates)
    ]
    poll(archive.database, number, *found)
    rhythm = read(archive, store_url, number).rhythm
    assert rhythm.entries == 3
    assert (rhythm.hours[0][9], rhythm.hours[6][9]) == (2, 1)
    assert sum(map(sum, rhythm.hours)) == 3


def test_gaps_say_how_they_were_filled(archive: MadeArchive, store_url: str) -> None:
    number = archive.channel(FEED)
    values = {"channel_id": number, "after_entry": 0, "after_key": "a", "before_key": "b", "next_try": NOW}
    for hour, state, how, filled in ((0, "filled", "listing, sitemap", 9), (1, "unfillable", "not asked", 0)):
        gap = values | {
            "seen": NOW + hour * HOUR,
            "state": state,
            "how": how,
            "filled": filled,
            "plan": Plan(),
        }
        archive.change(insert(gaps).values(**gap))
    first, second = read(archive, store_url, number).gaps
    assert (first.words, first.how) == ("could not be filled", "not asked")
    assert (second.words, second.how, second.filled) == ("filled", "listing, sitemap", 9)


def test_its_newest_articles_are_told_once(archive: MadeArchive, store_url: str) -> None:
    number = archive.channel(FEED)
    for name in ("first", "second"):
        article = archive.article(f"http://example.org/{name}", channel=number)
        archive.version(article, title=f"The {name}")
    assert [one.title for one in read(archive, store_url, number).articles] == ["The second", "The first"]


def test_failures_and_the_next_poll_are_in_words(archive: MadeArchive, store_url: str) -> None:
    number = archive.channel("http://me:hunter2@example.org/feed")
    values = {
        "failures": 2,
        "outcome": "rate_limited",
        "failing_since": NOW,
        "last_poll": NOW,
        "why": "later",
    }
    archive.change(update(channels).where(channels.c.id == number).values(**values))
    told = read(archive, store_url, number)
    assert (told.channel.state, told.outcome_words, told.why) == ("failing", "rate limited (429)", "later")
    assert "hunter2" not in told.channel.url + told.seed_url + "".join(told.sources)


def test_a_channel_that_is_not_there_is_told(archive: MadeArchive, store_url: str) -> None:
    with pytest.raises(ArchiveError, match="no channel 99: `scrapy channels` lists all"):
        read(archive, store_url, 99)


def test_what_is_withheld_is_not_told(archive: MadeArchive, store_url: str) -> None:
    number = archive.channel(FEED)
    for name in ("first", "second"):
        archive.version(archive.article(f"http://example.org/{name}", channel=number), title=name)
    page = withheld_by([(pattern_of("http://example.org/first"), "asked for")])
    assert [one.title for one in read(archive, store_url, number, page).articles] == ["second"]
    with pytest.raises(WithheldError, match="is withheld"):
        read(archive, store_url, number, withheld_by([(pattern_of("example.org"), "asked for")]))
