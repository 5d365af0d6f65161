"""When an article was changed: each way in which sources contradict each other."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from archiver.documents.times.model import Source, Why
from tests.timestamps.cases import LIKELY, MARCH_2, SURE, WEAK, Case, holds
from tests.timestamps.said import (
    CAPTURED,
    SEEN,
    at,
    feed,
    http,
    json_ld,
    page,
    resolve,
)

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
        says="what readers are told alone is weak",
        said=[*feed(BORN), *page(Source.TEXT, modified="2 March 2026, 10:30")],
        source=Source.TEXT,
        trust=WEAK,
    ),
    Case(
        says="what readers are told, and a marked time: the moment is taken",
        said=[
            *page(Source.TEXT, modified="2 March 2026"),
            *page(Source.TIME, modified="2026-03-02T09:00:00Z"),
        ],
        at=at(9),
        source=Source.TIME,
        trust=WEAK,
        agrees={Source.TEXT},
    ),
    Case(
        says="what readers are told against what is stated for programs",
        said=[
            *json_ld(BORN, modified="2026-03-02T09:00:00Z"),
            *page(Source.TEXT, modified="26 February 2026"),
        ],
        at=at(9),
        source=Source.JSON_LD,
        trust=LIKELY,
        told={(Source.TEXT, Why.BEFORE)},
    ),
    Case(
        says="what readers are told confirms the feed",
        said=[*feed(BORN, updated="2026-03-02T09:00:00Z"), *page(Source.TEXT, modified="2 March 2026")],
        at=at(9),
        source=Source.FEED,
        trust=SURE,
        agrees={Source.TEXT},
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
