"""When an article was published, by what feeds and pages state: their contradictions, days and zones."""

from __future__ import annotations

from datetime import date

import pytest

from archiver.documents.times.model import Source, Why
from tests.timestamps.cases import LIKELY, SURE, WEAK, Case, holds_for_publication
from tests.timestamps.said import (
    NOT_YET,
    address,
    at,
    feed,
    json_ld,
    meta,
    page,
    shown,
)

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
]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.says)
def test_publication(case: Case) -> None:
    holds_for_publication(case)
