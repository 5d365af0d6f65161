"""When an article was published, by what else is known: the impossible, what was seen, sitemaps, HTTP."""

from __future__ import annotations

from datetime import date

import pytest

from archiver.documents.times.model import Bracket, Source, Why
from tests.timestamps.cases import LIKELY, SURE, WEAK, Case, holds_for_publication
from tests.timestamps.said import (
    CAPTURED,
    NOT_YET,
    SEEN,
    at,
    feed,
    http,
    json_ld,
    resolve,
)

DAY_BEFORE = Bracket(after=at(7, day=1), before=at(8, day=1))
PUBLISHED = [
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
    holds_for_publication(case)


def test_what_nobody_states_has_a_lower_end() -> None:
    times = resolve([], first_seen=SEEN, captured=CAPTURED, not_before=NOT_YET)
    assert times.published is not None
    assert (times.published.after, times.published.at) == (NOT_YET, SEEN)
    assert (times.published_at, times.published_day, times.updated_at) == (None, None, None)
