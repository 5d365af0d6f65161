"""Channels rebuilt at ten times of five days, held against what the sample web's own log says it had told."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest
from lxml import html

from sample.server import SampleWeb
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.crawl.documents import publish, rss, stories
from tests.crawl.running import DAY, Archived, crawl
from tests.crawl.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

DAYS = 5
# One whose author edits, and one whose feed is so short that entries pass it by unseen.
FEEDS = {"blog": "/atom.xml", "wire": "/wire.xml"}
# The channels' own pages are captured on this day only: those of all other times have to be rebuilt.
PHOTOGRAPHED = 2
A_SECOND = timedelta(seconds=1)

# One process crawls for all tests of this file.
pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("rebuild")]


class Rehearsal(NamedTuple):
    archived: Archived
    web: SampleWeb  # closed; its log is still there
    times: list[datetime]  # ten, in whole seconds


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    folder: Path = tmp_path_factory.mktemp("rebuild") / "archive"
    times = []
    with SampleWeb(day=0, port=0) as web:
        seeds = [web.base(name) + FEEDS[name] for name in FEEDS]
        for day in range(DAYS):
            web.day = day
            before = len(web.log)
            run = crawl(folder, seeds, clock_offset=day * DAY, CHANNEL_PAGES=day == PHOTOGRAPHED)
            assert run.exit_code == 0, run
            if day:
                # The last second before anybody asked for a feed on this day.
                first = min(hit.when for hit in web.log[before:] if hit.path in FEEDS.values())
                times.append(first.replace(microsecond=0))
            times.append(next_second())
    return Rehearsal(Archived(folder), web, [*times, times[-1] + timedelta(days=1)])


def next_second() -> datetime:
    """The next whole second, and not before it is over: times are asked for in seconds."""
    moment = datetime.now(UTC).replace(microsecond=0) + A_SECOND
    time.sleep((moment + A_SECOND - datetime.now(UTC)).total_seconds())
    return moment


def stamp(moment: datetime) -> str:
    return f"{moment:%Y%m%d%H%M%S}"


def channel(rehearsal: Rehearsal, site: str) -> str:
    return rehearsal.web.base(site) + FEEDS[site]


def truth(rehearsal: Rehearsal, site: str, at: datetime) -> list[str]:
    told = rehearsal.web.listed(site, FEEDS[site], at)
    assert told is not None
    return list(told)


@pytest.mark.parametrize("site", FEEDS)
def test_at_ten_times_the_list_is_what_the_server_had_told(
    site: str,
    rehearsal: Rehearsal,
    run_here: RunHere,  # noqa: F811 - the fixture
) -> None:
    expected, found = [], []
    for at in rehearsal.times:
        done = run_here(
            "rebuild", rehearsal.archived.folder, channel(rehearsal, site), "--at", stamp(at), "--json"
        )
        assert done.exit_code == 0, done.told
        found.append([article["url"] for article in json.loads(done.out)["articles"]])
        expected.append(truth(rehearsal, site, at))
    assert len(found) == 10
    assert found == expected
    assert len({tuple(one) for one in expected}) >= 3


def test_each_article_is_in_the_version_that_was_captured_last_by_then(
    rehearsal: Rehearsal,
    run_here: RunHere,  # noqa: F811 - the fixture
) -> None:
    objects = rehearsal.archived.objects
    seen = set()
    for at in rehearsal.times:
        done = run_here(
            "rebuild", rehearsal.archived.folder, channel(rehearsal, "blog"), "--at", stamp(at), "--json"
        )
        for article in json.loads(done.out)["articles"]:
            by_then = [
                line
                for line in objects
                if line["id"] == article["object_id"] and datetime.fromisoformat(line["captured"]) <= at
            ]
            newest = max(by_then, key=lambda line: line["version"])
            assert (article["version"], article["title"]) == (newest["version"], newest["title"])
            assert article["origin"]["record_id"] == newest["warc"]["capture_id"]
            seen.add(article["version"])
    assert seen >= {1, 2}


@pytest.mark.parametrize("site", FEEDS)
def test_the_page_has_that_list_in_the_design_of_another_day(
    site: str,
    rehearsal: Rehearsal,
    run_here: RunHere,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    at, written = rehearsal.times[0], tmp_path / "page.html"
    folder = rehearsal.archived.folder
    done = run_here("rebuild", folder, channel(rehearsal, site), "--at", stamp(at), "-o", str(written))
    assert done.exit_code == 0, done.told
    page = html.fromstring(written.read_text())
    cards = page.xpath("//*[@data-archiver='rebuilt']")
    links = [card.xpath("string((descendant-or-self::a/@href)[1])") for card in cards]
    assert links == truth(rehearsal, site, at)
    # What stands around them is of the only capture there is, which is of a later day.
    (home,) = rehearsal.archived.responses(rehearsal.web.base(site) + "/")
    (body,) = page.xpath("//body[@data-archiver='original']")
    assert body.get("data-archiver-record") == home.id
    assert page.xpath("//script") == []


def test_entries_that_passed_a_short_feed_by_are_noted_between_its_documents(rehearsal: Rehearsal) -> None:
    """The gap was filled from the site's own list: no document ever had them."""
    missed = rehearsal.archived.rows('SELECT * FROM sightings WHERE "left" = seen')
    assert len(missed) == 9
    for row in missed:
        assert row["left_after"] is None
        assert row["not_before"] < row["seen"]


def test_between_two_polls_what_was_published_by_then_is_listed_and_what_it_pushed_out_is_not(
    tmp_path: Path,
    run_here: RunHere,  # noqa: F811 - the fixture
) -> None:
    """A feed has room for three; two more are published, a second apart, while nobody looks."""
    folder = tmp_path / "archive"
    told = stories(5)
    with Site() as web:
        feed = publish(web, told)
        web.add("/feed.xml", rss([one.entry for one in told[2:]]))
        assert crawl(folder, [feed]).exit_code == 0
        fourth = next_second()
        fifth = fourth + A_SECOND
        new = [replace(one.entry, published=at) for one, at in zip(told[:2], (fifth, fourth), strict=True)]
        web.add("/feed.xml", rss([*new, told[2].entry]))
        assert crawl(folder, [feed], clock_offset=DAY).exit_code == 0
    found = {}
    for at in (fourth, fifth):
        done = run_here("rebuild", folder, feed, "--at", stamp(at), "--json")
        assert done.exit_code == 0, done.told
        found[at] = [(one["url"], one["grounds"]) for one in json.loads(done.out)["articles"]]
    urls = [web.url(one.path) for one in told]
    assert found[fourth] == [(urls[1], "published"), (urls[2], "shown"), (urls[3], "not_yet_gone")]
    assert found[fifth] == [(urls[0], "published"), (urls[1], "published"), (urls[2], "shown")]
