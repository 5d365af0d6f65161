"""Two captures a moment apart tell what changes by itself, of an article that changed at each look before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from archiver.acquisition.findings import Finding, KnownArticle
from archiver.acquisition.rechecks.watching import RESTLESS, Restless
from archiver.articles.leads import Announcer, Lead
from archiver.articles.versions.model import Making, Spot
from archiver.running.reading.judging import _pair
from tests.store.samples import FEED, NOW, article, capture, entry

URL = "http://example.org/a"
MOMENT = timedelta(seconds=20)
DAY = timedelta(days=1)
ANNOUNCED = Lead(
    source="channels",
    via=FEED,
    scope=1,
    first_seen=NOW,
    announcer=Announcer(id=1, entry=entry(), channel_id=1),
)


def known() -> KnownArticle:
    return KnownArticle(
        id=1,
        key=URL,
        url=URL,
        first_seen=NOW,
        last_captured=NOW,
        version=4,
        fingerprint=article()[1],
        capture=capture(1),
        making=Making(extractor="article/2"),
    )


@pytest.mark.parametrize(
    ("streak", "later", "tells"),
    [
        (RESTLESS, MOMENT, True),
        (RESTLESS + 1, MOMENT, True),
        (RESTLESS - 1, MOMENT, False),
        (RESTLESS, DAY, False),
    ],
)
def test_only_a_look_a_moment_after_the_last_of_many_changes_tells_what_is_noise(
    streak: int, later: timedelta, *, tells: bool
) -> None:
    found, digests = article("Other words")
    finding = Finding(
        page_id=1,
        url=URL,
        leads=(ANNOUNCED,),
        known_at=NOW + later,
        capture=capture(2, date=NOW + later),
        article=found,
        fingerprint=digests,
    )
    spots = (Spot(before="a", after="b", paths=("div/p",), seen="c"),)
    pair = _pair(finding, known(), Restless(streak=streak, volatile=spots), "")
    assert pair.is_moment_later is tells
    assert pair.volatile == spots
