"""Dates come out right in UTC, or unknown, never wrong."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.documents.feeds.dates import moment, parse_date, written_day
from archiver.lexicon import dates as date_names
from archiver.lexicon.dates import MONTHS, ZONES, fold

# All of these are 2024-05-02 10:00 UTC.
SAME_MOMENT = [
    "Thu, 02 May 2024 10:00:00 GMT",
    "Thu, 2 May 2024 10:00 UT",
    "02 May 2024 10:00:00 Z",
    "2 May 24 10:00:00 GMT",
    "2 May 124 10:00:00 GMT",
    "Thu,02 May 2024 10:00:00 +0000",
    "Thu, 02 May 2024 10:00:00 -0000",
    "Thu, 02 May 2024 12:00:00 +0200",
    "Thu, 02 May 2024 12:00:00 +02:00",
    "Thu, 02 May 2024 12:00:00 +0200 (CEST)",
    "Thu, 02 May 2024 12:00:00 CEST",
    "Thu, 02 May 2024 11:00:00 BST",
    "Thu, 02 May 2024 13:00:00 MSK",
    "Thu, 02 May 2024 19:00:00 JST",
    "Thu, 02 May 2024 05:00:00 EST",
    "Thu, 02 May 2024 06:00:00 EDT",
    "Thu, 02 May 2024 04:00:00 CST",
    "Thu, 02 May 2024 03:00:00 PDT",
    "Thu, 02 May 2024 15:30:00 +0530",
    "Mon, 02 May 2024 10:00:00 GMT",  # it was a Thursday
    "thursday, 02-may-24 10:00:00 gmt",
    "Thu, 02 May 2024 10:00:00 AM GMT",
    "Thu, 02 May 2024 05:00:00 PM +0700",
    "Thu, 02 May 2024 17:00:00 PM +0700",
    "Thu, 02 May 2024 12:00 a.m. HST",
    "2024-05-02T10:00:00Z",
    "2024-05-02t10:00z",
    "2024-05-02T10:00:00.000+00:00",
    "2024-05-02T10:00:00,000Z",
    "2024-05-02 12:00:00 +0200",
    "2024-05-02 12:00:00 +0200 CEST",
    "2024-05-02 10:00:00 UTC",
    "2024-05-02T12:00:00+02",
    "2024/05/02 12:00 GMT+2",
    "20240502T100000Z",
    "1714644000",
    "1714644000000",
    "May 2, 2024 10:00 AM GMT",
    "Thursday, May 2nd, 2024 at 10:00 UTC",
    "Thu May  2 10:00:00 2024 GMT",
    "Thu May  2 12:00:00 CEST 2024",
    "Thu May 02 2024 12:00:00 GMT+0200 (Central European Summer Time)",
    "2024年5月2日 19:00 +0900",
    "2024年5月2日（木） 19時00分00秒 JST",  # noqa: RUF001 - full-width on purpose
    "2024年5月2日下午6:00 +0800",
    "2024년 5월 2일 오후 7:00 KST",
    "jeu., 02 mai 2024 12:00:00 +0200",
    "2 mai 2024 à 12h00 +0200",
    "Do, 2. Mai 2024, 12:00 Uhr +0200",
    "jue, 02 de mayo de 2024 12:00 +0200",
    "gio, 02 mag 2024 12:00:00 +0200",
    "quinta-feira, 2 de maio de 2024 07:00 -0300",
    "do 2 mei 2024 12:00 +0200",
    "Чт, 02 мая 2024 13:00:00 +0300",
    "02.05.2024 12:00 +0200",
    "２０２４-05-02T10:00:00Z",  # noqa: RUF001 - full-width on purpose
    "  2024-05-02T10:00:00Z\n",
]

UNKNOWN = [
    "",
    "yesterday",
    "2024",
    "2024-05",
    "2024-05-02",
    "Thu, 02 May 2024",
    "2024年5月1日",
    "20240502",
    "2024-05-02T10:00:00",  # no zone
    "Thu, 02 May 2024 10:00:00",
    "Thu May  2 10:00:00 2024",
    "Thu, 02 May 2024 10:00:00 IST",  # India, Israel or Ireland
    "Thu, 02 May 2024 10:00:00 AST",
    "Thu, 02 May 2024 10:00:00 B",  # RFC 822 had the signs wrong
    "Thu, 02 May 2024 10:00:00 XYZ",
    "2024-05-02 10:00:00 CST",  # also China
    "2024年5月2日 10:00 CST",
    "Sun, 02 Dec 2012 10:00:00 MSK",  # an hour further east in those years
    "Thu, 02 May 2024 10:00:00 +1500",
    "Thu, 02 May 2024 10:00:00 -1300",
    "Thu, 02 May 2024 10:00:00 +0020",
    "Thu, 02 May 2024 10:00:00 +0260",
    "Thu, 02 May 2024 14:05 AM GMT",
    "Thu, 02 May 2024 0:05 PM GMT",
    "Thu, 02 May 2024 24:01:00 GMT",
    "Thu, 02 May 2024 25:00:00 GMT",
    "Thu, 02 May 2024 10:60:00 GMT",
    "Thu, 02 May 2024 10:00:61 GMT",
    "Thu, 31 Apr 2024 10:00:00 GMT",
    "2024-13-02T10:00:00Z",
    "2023-02-29T10:00:00Z",
    "2024-00-02T10:00:00Z",
    "05/06/2024 10:00 GMT",  # May or June
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "1403-02-13T10:00:00Z",  # Iran's calendar
    "Thu, 02 May 2567 10:00:00 +0700",  # Thailand's
    "171464400",  # nine digits
    "2024050210",  # rather YYYYMMDDHH
    "17146440000",
    "Thu, 02 Mug 2024 10:00:00 GMT",
    "2024-05-02T10:00:00Z and more",
    "x" * 10_000,
]


@pytest.mark.parametrize("text", SAME_MOMENT)
def test_forms_of_one_moment_are_all_read(text: str) -> None:
    assert moment(text) == datetime(2024, 5, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize("text", UNKNOWN)
def test_uncertain_date_stays_unknown(text: str) -> None:
    assert moment(text) is None


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("Sat, 31 Dec 2016 23:59:60 GMT", datetime(2017, 1, 1, tzinfo=UTC)),
        ("2024-12-31T24:00:00Z", datetime(2025, 1, 1, tzinfo=UTC)),
        ("Thu, 02 May 2024 12:30 AM GMT", datetime(2024, 5, 2, 0, 30, tzinfo=UTC)),
        ("Thu, 02 May 2024 12:30 PM GMT", datetime(2024, 5, 2, 12, 30, tzinfo=UTC)),
        ("Sat, 01 Jan 00 10:00:00 GMT", datetime(2000, 1, 1, 10, tzinfo=UTC)),
        ("Fri, 01 Jan 99 10:00:00 GMT", datetime(1999, 1, 1, 10, tzinfo=UTC)),
        ("25/05/2024 10:00 GMT", datetime(2024, 5, 25, 10, tzinfo=UTC)),
        ("05/25/2024 10:00 GMT", datetime(2024, 5, 25, 10, tzinfo=UTC)),
        ("1714644000.25", datetime(2024, 5, 2, 10, 0, 0, 250_000, tzinfo=UTC)),
        ("2024-05-02T10:00:00.123456789Z", datetime(2024, 5, 2, 10, 0, 0, 123_456, tzinfo=UTC)),
    ],
)
def test_borders_of_the_clock_and_the_calendar(text: str, utc: datetime) -> None:
    assert moment(text) == utc


def test_text_is_kept_as_written() -> None:
    assert parse_date("2024年5月1日").text == "2024年5月1日"
    assert parse_date("2024年5月1日").utc is None


def test_moments_are_in_utc() -> None:
    found = moment("Thu, 02 May 2024 12:00:00 +0200")
    assert found is not None
    assert found.tzinfo is UTC


def test_no_month_name_means_two_months() -> None:
    lines = (*date_names._MONTHS, *date_names._SHORT_MONTHS)
    assert all(MONTHS[fold(name)] == n for line in lines for n, name in enumerate(line.split(), start=1))


_OFFSETS = st.sampled_from([timezone(timedelta(minutes=m)) for m in range(-12 * 60, 14 * 60 + 1, 30)])
_FIRST, _LAST = datetime(1950, 1, 1), datetime(2049, 1, 1)  # noqa: DTZ001 - bounds carry no zone
_DATES = st.datetimes(_FIRST, _LAST, timezones=_OFFSETS)


@settings(max_examples=200, database=None)
@given(_DATES)
def test_every_date_in_the_standard_forms_is_read_back(date: datetime) -> None:
    whole = date.replace(microsecond=0)
    assert moment(date.isoformat()) == date
    assert moment(whole.isoformat(sep=" ")) == whole
    assert moment(format_datetime(whole)) == whole
    assert moment(whole.strftime("%d %b %y %H:%M:%S %z")) == whole
    assert moment(whole.strftime("%A, %d-%b-%Y %I:%M:%S %p %z")) == whole


@settings(max_examples=300, database=None)
@given(st.text(alphabet="0123456789:-+/., TZamp年月日MayGMTCE", max_size=40))
def test_any_text_is_a_date_or_unknown(text: str) -> None:
    found = moment(text)
    assert found is None or found.tzinfo is UTC


@pytest.mark.parametrize("zone", ["ist", "ast", "gst", "a", "m", "y"])
def test_zones_of_several_places_are_not_listed(zone: str) -> None:
    assert zone not in ZONES


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-05-02", date(2024, 5, 2)),
        ("Thu, 02 May 2024 23:30:00 -0600", date(2024, 5, 2)),
        ("2024-05-02 10:00", date(2024, 5, 2)),
        ("May 2, 2024", date(2024, 5, 2)),
        ("2024年5月2日", date(2024, 5, 2)),
        ("04/03/2026", None),
        ("0001-01-01T00:00:00Z", None),
        ("1714640400", None),
        ("yesterday", None),
    ],
)
def test_a_day_is_the_one_that_is_written_whatever_the_zone(text: str, day: date | None) -> None:
    assert written_day(text) == day
