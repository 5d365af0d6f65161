"""What feeds, addresses, answers of servers and other entries are evidence of."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from archiver.documents.feeds.dates import are_of_poll, neighbours_in, parse_date
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.lists.sitemap import read_sitemap
from archiver.documents.times.http import from_head, time_in_etag
from archiver.documents.times.model import Bracket, Evidence, Source, What, Why
from archiver.documents.times.statements import from_address, from_entry, stated
from tests.timestamps.said import SEEN, at

HOUR = timedelta(hours=1)
DATE = "Mon, 02 Mar 2026 10:02:00 GMT"
WRITTEN = "Mon, 02 Mar 2026 09:20:01 GMT"
SECONDS = f"{int(at(9, 20, 1).timestamp()):x}"
MICROSECONDS = f"{int(at(9, 20, 1).timestamp()) * 1_000_000 + 500_000:x}"


@pytest.mark.parametrize(
    ("text", "moment", "day", "only_day"),
    [
        ("2026-03-02T23:30:00-06:00", at(5, 30, day=3), date(2026, 3, 2), False),
        ("2026-03-02T00:00:00Z", at(0), date(2026, 3, 2), True),
        ("Mon, 02 Mar 2026 00:00:00 +0200", at(22, day=1), date(2026, 3, 2), True),
        ("2026-03-02T00:00:00.000+00:00", at(0), date(2026, 3, 2), True),
        ("20260302T000000Z", at(0), date(2026, 3, 2), True),
        ("2026-03-02T10:00:00+00:00", at(10), date(2026, 3, 2), False),
        ("2026-03-02T10:00:00Z", at(10), date(2026, 3, 2), False),
        ("2026-03-02T00:00:07Z", at(0, 0, 7), date(2026, 3, 2), False),
        ("2026-03-02 09:00", None, date(2026, 3, 2), False),
        (str(int(at(9).timestamp())), at(9), None, False),
    ],
)
def test_a_date_is_as_exact_as_it_is_written(
    text: str, moment: datetime | None, day: date | None, *, only_day: bool
) -> None:
    found = stated(What.PUBLISHED, Source.META, text)
    expected = {"at": moment, "day": day, "text": text, "only_day": only_day}
    assert found == Evidence(what=What.PUBLISHED, source=Source.META, **expected)  # type: ignore[arg-type]


def test_what_is_no_date_is_no_evidence() -> None:
    assert stated(What.PUBLISHED, Source.META, "yesterday") is None


@pytest.mark.parametrize(
    ("found_by", "source"),
    [
        (None, Source.FEED),
        ("archive", Source.FEED),
        ("paged", Source.FEED),
        ("listing", Source.LISTING),
        ("sitemap", Source.SITEMAP),
    ],
)
def test_an_entry_says_where_its_dates_are_from(found_by: str | None, source: Source) -> None:
    entry = FeedEntry(published=parse_date("2026-03-02T09:00:00Z"), updated=parse_date("2026-03-02"))
    found = from_entry(entry, found_by=found_by, doubt=Why.POLL)
    assert [(one.what, one.source, one.at, one.day, one.doubt) for one in found] == [
        (What.PUBLISHED, source, at(9), date(2026, 3, 2), Why.POLL),
        (What.MODIFIED, source, None, date(2026, 3, 2), Why.POLL),
    ]
    assert from_entry(FeedEntry(published=parse_date("soon"))) == []


def test_lastmod_is_a_change_and_the_date_of_news_a_publication() -> None:
    document = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
      xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://post.example/s/9.html</loc>
      <lastmod>2026-03-02T09:30:00Z</lastmod><news:news><news:publication_date>2026-03-01T08:00:00Z
      </news:publication_date></news:news></url></urlset>"""
    examples = [f"https://post.example/s/{number}.html" for number in range(3)]
    read = read_sitemap(document, url="https://post.example/map.xml", examples=examples, since=None)
    (entry,) = read.entries
    found = from_entry(entry, found_by="sitemap")
    assert [(one.what, one.at) for one in found] == [
        (What.PUBLISHED, at(8, day=1)),
        (What.MODIFIED, at(9, 30)),
    ]


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/2026/03/02/fog", date(2026, 3, 2)),
        ("/news/2026/3/2", date(2026, 3, 2)),
        ("/news/2026/mar/02/fog", date(2026, 3, 2)),
        ("/news/2026-03-02-fog.html", date(2026, 3, 2)),
        ("/news/fog-20260302.html", date(2026, 3, 2)),
        ("/news/2026_03_02/", date(2026, 3, 2)),
        ("/news/2026/03/fog", None),
        ("/news/2026/13/02/fog", None),
        ("/news/2026/fog/02/x", None),
        ("/news/120260302", None),
        ("/news/202603021", None),
        ("/news/1850/03/02/", None),
        ("/search?day=2026-03-02", None),
    ],
)
def test_an_address_may_name_a_day(path: str, day: date | None) -> None:
    found = from_address(f"https://post.example{path}")
    assert [(one.day, one.at, one.source) for one in found] == ([(day, None, Source.ADDRESS)] if day else [])


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (f'"{SECONDS}-1f3"', at(9, 20, 1)),
        (f'W/"{SECONDS}-1f3"', at(9, 20, 1)),
        (f'"1f3-{MICROSECONDS}"', at(9, 20, 1) + HOUR / 7200),
        (f'"2a04b-1f3-{MICROSECONDS}-gzip"', at(9, 20, 1) + HOUR / 7200),
        (f'"1f3-{MICROSECONDS};br"', at(9, 20, 1) + HOUR / 7200),
        ('"00000001-1f3"', None),
        ('"fffffffe-1f3"', None),
        ('"33a64df551425fcc55e4d42a148795d9f25f89d4"', None),
        ('"1f3-65a"', None),
        ("", None),
    ],
)
def test_the_time_in_an_etag(tag: str, expected: datetime | None) -> None:
    assert time_in_etag(tag) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Last-Modified": WRITTEN}, [(Source.HTTP, None)]),
        ({"last-modified": WRITTEN, "DATE": DATE}, [(Source.HTTP, None)]),
        # Made for us.
        ({"Last-Modified": DATE, "Date": DATE}, []),
        ({"Last-Modified": "Mon, 02 Mar 2026 10:01:57 GMT", "Date": DATE}, []),
        ({"Last-Modified": "Tue, 03 Mar 2026 10:00:00 GMT", "Date": DATE}, []),
        ({"Last-Modified": "now", "Date": DATE}, []),
        ({"ETag": f'"{SECONDS}-1f3"', "Date": DATE}, [(Source.ETAG, None)]),
        ({"Last-Modified": WRITTEN, "ETag": f'"{SECONDS}-1"'}, [(Source.HTTP, None), (Source.ETAG, None)]),
        (
            {"Last-Modified": WRITTEN, "ETag": '"69a4b012-1f3"'},
            [(Source.HTTP, None), (Source.ETAG, Why.REWRITTEN)],
        ),
        # A file of the future is a number of another kind.
        ({"ETag": '"7fa55641-1f3"', "Date": DATE}, []),
        ({}, []),
    ],
)
def test_the_head_of_an_answer(headers: dict[str, str], expected: list[tuple[Source, Why | None]]) -> None:
    found = from_head(headers.items())
    assert [(one.source, one.doubt) for one in found] == expected
    assert {one.what for one in found} <= {What.MODIFIED}


def hours(*past: float | None) -> list[datetime | None]:
    return [None if hour is None else SEEN - HOUR * hour for hour in past]


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (hours(0, 0.01, 0.02, 0.05), True),  # all just now
        (hours(7.51, 7.51, None, 7.51, 7.51), True),  # all alike
        (hours(8, 8, 8, 8), False),  # alike at a full hour: no more exact is the feed
        (hours(0, 0, 0), False),  # few
        (hours(0, 0.01, 0.02, 3), False),
        ([], False),
    ],
)
def test_dates_of_the_poll_are_known_by_all_being_alike(
    dates: list[datetime | None], *, expected: bool
) -> None:
    assert are_of_poll(dates, SEEN) is expected


@pytest.mark.parametrize(
    ("dates", "place", "expected"),
    [
        (hours(1, 2, 9, 3, 4), 2, Bracket(after=SEEN - 3 * HOUR, before=SEEN - 2 * HOUR)),
        (hours(1, 2, None, 3, 4), 2, Bracket(after=SEEN - 3 * HOUR, before=SEEN - 2 * HOUR)),
        (hours(4, 3, None, 2, 1), 2, Bracket(after=SEEN - 3 * HOUR, before=SEEN - 2 * HOUR)),
        (hours(None, 1, 2, 3, 4), 0, Bracket(after=SEEN - HOUR, before=None)),
        (hours(1, 2, 3, 4, None), 4, Bracket(after=None, before=SEEN - 4 * HOUR)),
        (hours(1, None, None, 2, 3, 4), 1, Bracket(after=SEEN - 2 * HOUR, before=SEEN - HOUR)),
        (hours(1, 3, None, 2, 4), 2, None),  # in no order
        (hours(1, None, 2), 1, None),  # too few to see one
        (hours(1, 1, None, 1, 1), 2, None),
        ([SEEN, SEEN, None, SEEN, datetime(1970, 1, 1, tzinfo=UTC)], 2, None),
    ],
)
def test_neighbours_bracket_an_entry(
    dates: list[datetime | None], place: int, expected: Bracket | None
) -> None:
    assert neighbours_in(dates, place) == expected
