"""Each way in which sources contradict each other, and what the rule makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.timestamps.model import Bracket, Source, Stamp, Trust, Why
from tests.timestamps.said import (
    CAPTURED,
    NOT_YET,
    SEEN,
    address,
    at,
    feed,
    http,
    json_ld,
    meta,
    page,
    resolve,
    shown,
)

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.timestamps.model import Evidence

SURE, LIKELY, WEAK = Trust
MARCH_2 = date(2026, 3, 2)
DAY_BEFORE = Bracket(after=at(7, day=1), before=at(8, day=1))
Told = set[tuple[Source, Why]]


@dataclass(frozen=True, kw_only=True)
class Case:
    says: str
    said: list[Evidence]
    source: Source
    trust: Trust
    at: datetime | None = None
    day: date | None = MARCH_2
    agrees: set[Source] = field(default_factory=set)
    other_zone: set[Source] = field(default_factory=set)
    told: Told = field(default_factory=set)
    neighbours: Bracket | None = None
    not_before: datetime | None = None
    unchanged_until: datetime | None = None


def holds(stamp: Stamp | None, case: Case) -> None:
    assert stamp is not None
    assert (stamp.at, stamp.day, stamp.source, stamp.trust) == (case.at, case.day, case.source, case.trust)
    assert set(stamp.agrees) == case.agrees
    assert set(stamp.other_zone) == case.other_zone
    assert {(one.source, one.why) for one in stamp.contradicted_by} == case.told


PUBLISHED = [
    # The feed and the page.
    Case(
        says="the feed alone is likely",
        said=feed("2026-03-02T09:30:00Z"),
        at=at(9, 30),
        source=Source.FEED,
        trust=LIKELY,
    ),
    Case(
        says="feed and page agree within minutes: sure",
        said=[*feed("2026-03-02T09:30:00Z"), *json_ld("2026-03-02T10:27:00+01:00")],
        at=at(9, 30),
        source=Source.FEED,
        trust=SURE,
        agrees={Source.JSON_LD},
    ),
    Case(
        says="feed against page: the feed is followed, and hardly trusted",
        said=[*feed("2026-03-02T09:30:00Z"), *json_ld("2026-02-20T08:11:00Z")],
        at=at(9, 30),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.JSON_LD, Why.APART)},
    ),
    Case(
        says="feed against page and address: two that do not copy from each other outvote one",
        said=[*feed("2026-03-02T09:30:00Z"), *json_ld("2026-02-20T08:11:00Z"), *address("/2026/02/20/fog")],
        at=at(8, 11, day=20, month=2),
        day=date(2026, 2, 20),
        source=Source.JSON_LD,
        trust=LIKELY,
        agrees={Source.ADDRESS},
        told={(Source.FEED, Why.APART)},
    ),
    Case(
        says="two statements of one page do not outvote the feed: they repeat each other",
        said=[
            *feed("2026-03-02T09:30:00Z"),
            *json_ld("2026-02-20T08:11:00Z"),
            *meta("2026-02-20T08:11:00Z"),
        ],
        at=at(9, 30),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.JSON_LD, Why.APART), (Source.META, Why.APART)},
    ),
    Case(
        says="what the page calls a change is no publication, although the feed says so",
        said=[
            *feed("2026-03-02T09:30:00Z"),
            *json_ld("2026-03-01T08:00:00Z", modified="2026-03-02T09:30:00Z"),
        ],
        at=at(8, day=1),
        day=date(2026, 3, 1),
        source=Source.JSON_LD,
        trust=LIKELY,
        told={(Source.FEED, Why.CHANGE)},
    ),
    Case(
        says="some minutes apart says nothing",
        said=[*feed("2026-03-02T09:30:00Z"), *json_ld("2026-03-02T09:20:00Z")],
        at=at(9, 30),
        source=Source.FEED,
        trust=LIKELY,
    ),
    # Within the page.
    Case(
        says="JSON-LD against a meta element: the meta element, hardly trusted",
        said=[*meta("2026-03-02T07:00:00Z"), *json_ld("2026-03-01T20:10:00Z")],
        at=at(7),
        source=Source.META,
        trust=WEAK,
        told={(Source.JSON_LD, Why.APART)},
    ),
    Case(
        says="the day in the address against JSON-LD",
        said=[*json_ld("2026-03-02T07:00:00Z"), *address("/2026/02/11/fog.html")],
        at=at(7),
        source=Source.JSON_LD,
        trust=WEAK,
        told={(Source.ADDRESS, Why.APART)},
    ),
    Case(
        says="what readers see against the feed",
        said=[*feed("2026-03-02T07:00:00Z"), *shown("27 February 2026")],
        at=at(7),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.TEXT, Why.APART)},
    ),
    Case(
        says="a time element against what JSON-LD says",
        said=[*json_ld("2026-03-02T07:00:00Z"), *page(Source.TIME, "2026-02-27T07:13:00Z")],
        at=at(7),
        source=Source.JSON_LD,
        trust=WEAK,
        told={(Source.TIME, Why.APART)},
    ),
    Case(
        says="a time element alone is weak",
        said=page(Source.TIME, "2026-03-02T07:00:00Z"),
        at=at(7),
        source=Source.TIME,
        trust=WEAK,
    ),
    Case(
        says="a vague meta element against the page's address",
        said=[*page(Source.VAGUE_META, "2026-03-02T07:00:00Z"), *address("/20260211-fog")],
        at=at(7),
        source=Source.VAGUE_META,
        trust=WEAK,
        told={(Source.ADDRESS, Why.APART)},
    ),
    # Days.
    Case(
        says="a day agrees with any moment of it, in any zone; the moment counts",
        said=[*feed("2026-03-02"), *json_ld("2026-03-01T22:30:00-03:00")],
        at=at(1, 30),
        day=date(2026, 3, 1),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.FEED},
    ),
    Case(
        says="midnight to the second is a day, and gives way to an hour",
        said=[*feed("Mon, 02 Mar 2026 00:00:00 +0000"), *json_ld("2026-03-02T08:13:00Z")],
        at=at(8, 13),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.FEED},
    ),
    Case(
        says="a day against a day",
        said=[*json_ld("2026-03-02"), *address("/2026/02/11/fog")],
        source=Source.JSON_LD,
        trust=WEAK,
        told={(Source.ADDRESS, Why.APART)},
    ),
    Case(
        says="a day and the next one may be two zones",
        said=[*json_ld("2026-03-02"), *address("/2026/03/01/fog")],
        source=Source.JSON_LD,
        trust=LIKELY,
    ),
    Case(
        says="the same day twice, of those who do not copy",
        said=[*shown("2 March 2026"), *address("/2026/03/02/fog")],
        source=Source.ADDRESS,
        trust=LIKELY,
        agrees={Source.TEXT},
    ),
    Case(
        says="an hour without a zone is only a day",
        said=json_ld("2026-03-02T08:13:00"),
        source=Source.JSON_LD,
        trust=LIKELY,
    ),
    # Zones.
    Case(
        says="the same minute in another hour is a mistake about the zone, and no contradiction",
        said=[*feed("2026-03-02T07:13:20Z"), *json_ld("2026-03-02T09:13:00Z")],
        at=at(7, 13, 20),
        source=Source.FEED,
        trust=LIKELY,
        other_zone={Source.JSON_LD},
    ),
    Case(
        says="of two zones, the one that we can confirm",
        said=[*feed("2026-03-02T07:13:20Z"), *json_ld("2026-03-02T09:13:20Z")],
        at=at(9, 13, 20),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.FIRST_SEEN},
        other_zone={Source.FEED},
        not_before=NOT_YET,
    ),
    Case(
        says="ahead by a zone: the day is left, and the page's moment",
        said=[*feed("2026-03-02T11:13:20Z"), *json_ld("2026-03-02T09:13:20Z")],
        at=at(9, 13, 20),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.FEED},
        told={(Source.FEED, Why.FUTURE)},
    ),
    # The impossible.
    Case(
        says="ahead by a zone, alone: the day without the moment",
        said=feed("2026-03-02T11:13:20Z"),
        source=Source.FEED,
        trust=LIKELY,
        told={(Source.FEED, Why.FUTURE)},
    ),
    Case(
        says="ahead by days: not believed",
        said=[*feed("2026-03-09T09:00:00Z"), *json_ld("2026-03-02T09:00:00Z")],
        at=at(9),
        source=Source.JSON_LD,
        trust=LIKELY,
        told={(Source.FEED, Why.FUTURE)},
    ),
    Case(
        says="ahead by a quarter of an hour: clocks",
        said=feed("2026-03-02T10:14:00Z"),
        at=at(10, 14),
        source=Source.FEED,
        trust=LIKELY,
    ),
    Case(
        says="1970 is no date",
        said=[*feed("Thu, 01 Jan 1970 01:00:00 +0100"), *json_ld("2026-03-02T09:00:00Z")],
        at=at(9),
        source=Source.JSON_LD,
        trust=LIKELY,
        told={(Source.FEED, Why.PLACEHOLDER)},
    ),
    Case(
        says="a feed that dates its entries with the poll is not believed",
        said=[*feed("2026-03-02T09:59:58Z", doubt=Why.POLL), *json_ld("2026-02-20T08:11:00Z")],
        at=at(8, 11, day=20, month=2),
        day=date(2026, 2, 20),
        source=Source.JSON_LD,
        trust=LIKELY,
        told={(Source.FEED, Why.POLL)},
    ),
    # What we saw.
    Case(
        says="dated between the last poll without it and the first with it: sure",
        said=feed("2026-03-02T09:30:00Z"),
        at=at(9, 30),
        source=Source.FEED,
        trust=SURE,
        agrees={Source.FIRST_SEEN},
        not_before=NOT_YET,
    ),
    Case(
        says="dated before the last poll without it: feeds lag",
        said=feed("2026-03-02T05:30:00Z"),
        at=at(5, 30),
        source=Source.FEED,
        trust=LIKELY,
        not_before=NOT_YET,
    ),
    Case(
        says="the neighbours against the feed",
        said=feed("2026-03-02T05:30:00Z"),
        at=at(5, 30),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.NEIGHBOURS, Why.ORDER)},
        neighbours=DAY_BEFORE,
    ),
    Case(
        says="the neighbours and the page against the feed: its own order outvotes its date",
        said=[*feed("2026-03-02T05:30:00Z"), *json_ld("2026-03-01T07:30:00Z")],
        at=at(7, 30, day=1),
        day=date(2026, 3, 1),
        source=Source.JSON_LD,
        trust=LIKELY,
        agrees={Source.NEIGHBOURS},
        told={(Source.FEED, Why.APART)},
        neighbours=DAY_BEFORE,
    ),
    Case(
        says="in its order, a feed does not confirm itself",
        said=feed("2026-03-01T07:30:00Z"),
        at=at(7, 30, day=1),
        day=date(2026, 3, 1),
        source=Source.FEED,
        trust=LIKELY,
        neighbours=DAY_BEFORE,
    ),
    Case(
        says="the neighbours for the page",
        said=json_ld("2026-03-01T07:30:00Z"),
        at=at(7, 30, day=1),
        day=date(2026, 3, 1),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.NEIGHBOURS},
        neighbours=DAY_BEFORE,
    ),
    # The sitemap.
    Case(
        says="a sitemap of news against the page",
        said=[*feed("2026-03-02T09:00:00Z", found_by="sitemap"), *json_ld("2026-02-27T09:10:00Z")],
        at=at(9, 10, day=27, month=2),
        day=date(2026, 2, 27),
        source=Source.JSON_LD,
        trust=WEAK,
        told={(Source.SITEMAP, Why.APART)},
    ),
    Case(
        says="a listing agrees with the page",
        said=[*feed("2026-03-02", found_by="listing"), *json_ld("2026-03-02T09:10:00Z")],
        at=at(9, 10),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.LISTING},
    ),
    # HTTP.
    Case(
        says="a page that was written when the feed says so",
        said=[*feed("2026-03-02T09:10:00Z"), *http("Mon, 02 Mar 2026 09:11:00 GMT")],
        at=at(9, 10),
        source=Source.FEED,
        trust=SURE,
        agrees={Source.HTTP},
    ),
    Case(
        says="the page against HTTP: last written before it was published",
        said=[*json_ld("2026-03-02T09:10:00Z"), *http("Sun, 01 Mar 2026 17:03:11 GMT")],
        at=at(9, 10),
        source=Source.JSON_LD,
        trust=WEAK,
        told={(Source.HTTP, Why.BEFORE)},
    ),
    Case(
        says="a page is written anew for many reasons",
        said=[*json_ld("2026-02-20T09:10:00Z"), *http("Sun, 01 Mar 2026 17:03:11 GMT")],
        at=at(9, 10, day=20, month=2),
        day=date(2026, 2, 20),
        source=Source.JSON_LD,
        trust=LIKELY,
    ),
    Case(
        says="edited last before it was published, as what is written for later: no contradiction",
        said=[*feed("2026-03-02T09:10:00Z"), *json_ld(modified="2026-02-20T09:12:00Z")],
        at=at(9, 10),
        source=Source.FEED,
        trust=LIKELY,
    ),
    Case(
        says="the sitemap against the feed: last written before it was published",
        said=[*feed("2026-03-02T09:10:00Z"), *feed(updated="2026-02-20", found_by="sitemap")],
        at=at(9, 10),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.SITEMAP, Why.BEFORE)},
    ),
    # Nobody says.
    Case(
        says="nothing is left: when it was first seen, after it was not there",
        said=feed("2027-01-01T00:00:00Z"),
        at=SEEN,
        day=None,
        source=Source.FIRST_SEEN,
        trust=WEAK,
        told={(Source.FEED, Why.FUTURE)},
        not_before=NOT_YET,
    ),
    Case(
        says="nothing is stated: not after those that the feed lists as newer",
        said=[],
        at=at(8, day=1),
        day=None,
        source=Source.NEIGHBOURS,
        trust=WEAK,
        neighbours=DAY_BEFORE,
    ),
    Case(
        says="nothing is stated but a change: not after it",
        said=feed(updated="2026-03-01T06:10:00Z"),
        at=at(6, 10, day=1),
        day=None,
        source=Source.CHANGE,
        trust=WEAK,
    ),
]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.says)
def test_publication(case: Case) -> None:
    times = resolve(
        case.said,
        first_seen=SEEN,
        captured=CAPTURED,
        not_before=case.not_before,
        neighbours=case.neighbours,
    )
    holds(times.published, case)


BORN = "2026-03-01T08:00:00Z"
MODIFIED = [
    Case(
        says="feed and page agree",
        said=[*feed(BORN, updated="2026-03-02T09:00:00Z"), *json_ld(modified="2026-03-02T09:00:10Z")],
        at=at(9),
        source=Source.FEED,
        trust=SURE,
        agrees={Source.JSON_LD},
    ),
    Case(
        says="feed against page",
        said=[*feed(BORN, updated="2026-03-02T09:00:00Z"), *json_ld(modified="2026-03-01T11:44:00Z")],
        at=at(9),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.JSON_LD, Why.APART)},
    ),
    Case(
        says="the sitemap against the feed: last written before that change",
        said=[
            *feed(BORN, updated="2026-03-02T09:00:00Z"),
            *feed(updated="2026-03-01T08:30:11Z", found_by="sitemap"),
        ],
        at=at(9),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.SITEMAP, Why.BEFORE)},
    ),
    Case(
        says="the sitemap after the feed: a page is written anew for many reasons",
        said=[
            *feed(BORN, updated="2026-03-02T07:00:00Z"),
            *feed(updated="2026-03-02T09:11:00Z", found_by="sitemap"),
        ],
        at=at(7),
        source=Source.FEED,
        trust=LIKELY,
    ),
    Case(
        says="the sitemap alone is weak",
        said=feed(updated="2026-03-02", found_by="sitemap"),
        source=Source.SITEMAP,
        trust=WEAK,
    ),
    Case(
        says="Last-Modified against what the page states",
        said=[*json_ld(BORN, modified="2026-03-02T09:00:00Z"), *http("Sun, 01 Mar 2026 17:03:11 GMT")],
        at=at(9),
        source=Source.JSON_LD,
        trust=WEAK,
        told={(Source.HTTP, Why.BEFORE)},
    ),
    Case(
        says="Last-Modified agrees with what the page states",
        said=[*json_ld(BORN, modified="2026-03-02T09:00:00Z"), *http("Mon, 02 Mar 2026 09:00:01 GMT")],
        at=at(9),
        source=Source.JSON_LD,
        trust=SURE,
        agrees={Source.HTTP},
    ),
    Case(
        says="Last-Modified and ETag are of one file, and confirm nothing",
        said=http("Mon, 02 Mar 2026 09:20:01 GMT", etag='W/"69a55641-1f3"'),
        at=at(9, 20, 1),
        day=None,
        source=Source.HTTP,
        trust=WEAK,
        agrees={Source.ETAG},
    ),
    Case(
        says="the ETag against Last-Modified",
        said=http("Mon, 02 Mar 2026 09:20:01 GMT", etag='"69a4b012-1f3"'),
        at=at(9, 20, 1),
        day=None,
        source=Source.HTTP,
        trust=WEAK,
        told={(Source.ETAG, Why.REWRITTEN)},
    ),
    Case(
        says="Last-Modified is Date: made for us, and the ETag still tells",
        said=http("Mon, 02 Mar 2026 10:02:00 GMT", etag='"69a55641-1f3"'),
        at=at(9, 20, 1),
        day=None,
        source=Source.ETAG,
        trust=WEAK,
    ),
    Case(
        says="after the capture: not believed",
        said=[*feed(BORN, updated="2026-03-02T09:00:00Z"), *json_ld(modified="2026-04-02T09:00:00Z")],
        at=at(9),
        source=Source.FEED,
        trust=LIKELY,
        told={(Source.JSON_LD, Why.FUTURE)},
    ),
    Case(
        says="before the publication: not believed",
        said=[*feed(BORN, updated="2026-03-02T09:00:00Z"), *json_ld(modified="2026-02-02T09:00:00Z")],
        at=at(9),
        source=Source.FEED,
        trust=LIKELY,
        told={(Source.JSON_LD, Why.BEFORE)},
    ),
    Case(
        says="1980 is the date of a build",
        said=[*feed(BORN, updated="2026-03-02T09:00:00Z"), *http("Tue, 01 Jan 1980 00:00:01 GMT")],
        at=at(9),
        source=Source.FEED,
        trust=LIKELY,
        told={(Source.HTTP, Why.PLACEHOLDER)},
    ),
    Case(
        says="a silent edit: the article was still as before after the change that is stated",
        said=feed(BORN, updated="2026-03-01T09:00:00Z"),
        at=at(9, day=1),
        day=date(2026, 3, 1),
        source=Source.FEED,
        trust=WEAK,
        told={(Source.CAPTURE, Why.UNSEEN)},
        unchanged_until=at(6),
    ),
    Case(
        says="an edit that is stated",
        said=feed(BORN, updated="2026-03-02T09:00:00Z"),
        at=at(9),
        source=Source.FEED,
        trust=LIKELY,
        unchanged_until=at(6),
    ),
]


@pytest.mark.parametrize("case", MODIFIED, ids=lambda case: case.says)
def test_change(case: Case) -> None:
    times = resolve(case.said, first_seen=SEEN, captured=CAPTURED, unchanged_until=case.unchanged_until)
    holds(times.modified, case)


def test_a_change_that_cannot_be_is_told_where_no_change_is_left() -> None:
    times = resolve(
        [*feed(BORN), *json_ld(modified="2026-05-01T08:00:00Z")], first_seen=SEEN, captured=CAPTURED
    )
    assert times.modified is None
    assert [(one.source, one.why) for one in times.refused] == [(Source.JSON_LD, Why.FUTURE)]


def test_what_nobody_states_has_a_lower_end() -> None:
    times = resolve([], first_seen=SEEN, captured=CAPTURED, not_before=NOT_YET)
    assert times.published is not None
    assert (times.published.after, times.published.at) == (NOT_YET, SEEN)
    assert (times.published_at, times.published_day, times.updated_at) == (None, None, None)


def test_only_what_is_stated_becomes_a_date_of_the_object() -> None:
    said = [*feed("2026-03-02T07:00:00Z"), *http("Mon, 02 Mar 2026 09:20:01 GMT")]
    times = resolve(said, first_seen=SEEN, captured=CAPTURED)
    assert (times.published_at, times.published_day, times.updated_at) == (at(7), MARCH_2, None)
    assert times.modified is not None
    assert times.modified.source is Source.HTTP


def test_what_was_seen_is_sure_and_says_where() -> None:
    before = SEEN - timedelta(days=1)
    times = resolve([], first_seen=SEEN, captured=CAPTURED, unchanged_until=before, found_by="sitemap")
    assert times.unchanged_until is not None
    seen = [times.first_seen, times.unchanged_until, times.captured]
    assert [(one.at, one.source) for one in seen] == [
        (SEEN, Source.SITEMAP),
        (before, Source.CAPTURE),
        (CAPTURED, Source.CAPTURE),
    ]
    assert {one.trust for one in seen} == {SURE}
