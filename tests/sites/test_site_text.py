"""Sites at a terminal, and the plot of their text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import msgspec
import pytest

from archiver.acquisition.sites.adaptation.model import LearnedFrom
from archiver.acquisition.sites.learning.told import PatternRole, PatternState
from archiver.acquisition.sites.model import PendingVisit, Site, SiteState, Strategy, VisitReading
from archiver.inspection.sites.as_text import site_lines, site_table
from archiver.inspection.sites.model import (
    AdaptedAction,
    BrokenLink,
    CountOf,
    FailedAction,
    LevelCount,
    PatternNote,
    SiteDetails,
    SiteList,
    SiteNote,
    TextPoint,
)
from archiver.inspection.sites.plot import text_file, text_svg, text_words
from archiver.running.site_run import SiteRun

NOW = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
URL = "http://blog.example/"
NOTE = SiteNote(
    number=1,
    url=URL,
    scope="blog.example/",
    state=SiteState.PAUSED,
    why="by hand",
    type="wordpress",
    strategy=Strategy.AUTO,
    way="known",
    plan=f"{URL}: WordPress, crawled with the knowledge base: about 510 requests",
    requests=120,
    visited=118,
    waiting=392,
    held=0,
    skipped=7,
    failed=2,
    skips=(CountOf(code="not_needed", words="not needed: there was a cheaper way", count=7),),
    failures=(CountOf(code="not_found", words="not found (404)", count=2),),
    articles=101,
    contributions=340,
    text=82000,
    text_new=246,
    text_requests=50,
    added=NOW - timedelta(hours=2),
    last_visit=NOW - timedelta(minutes=3),
)
CURVE = (
    TextPoint(requests=1, text=500),
    TextPoint(requests=60, text=70000),
    TextPoint(requests=120, text=82000),
)
DETAILS = SiteDetails(
    site=NOTE,
    levels=(LevelCount(level="post", visited=101, waiting=392, content=101),),
    broken=(
        BrokenLink(
            url=f"{URL}lost", failure="not_found", words="not found (404)", pages=(f"{URL}a", f"{URL}b")
        ),
        BrokenLink(url=f"{URL}gone", failure="gone", words="gone", pages=(URL,), has_more=True),
    ),
    broken_total=5,
    actions=(FailedAction(level="post", action="author", pages=9, example=f"{URL}a", seen=NOW),),
    adapted=(
        AdaptedAction(
            level="post",
            action="title",
            path="h2.headline",
            learned_from=LearnedFrom.EARLIER,
            cost=0.8,
            pages=(f"{URL}a", f"{URL}b", f"{URL}c"),
            tried=3,
            passed=3,
            learned=NOW - timedelta(minutes=3),
            outdated=NOW,
        ),
    ),
    patterns=(
        PatternNote(
            pattern="(/html/h2/a /#/*)",
            links="/html/h2/a",
            addresses="/#/*",
            role=PatternRole.CONTENT,
            state=PatternState.ACTIVE,
            gain=214.3,
            pages=46,
            waiting=0,
        ),
    ),
    curve=CURVE,
    is_running=False,
    now=NOW,
)


def plain(text: str, _: str) -> str:
    return text


def test_the_list_fits_a_window_and_keeps_what_counts() -> None:
    found = SiteList(sites=(NOTE,), is_running=False, now=NOW)
    wide = list(site_table(found, width=None, paint=plain))
    assert wide[1].split() == [
        URL,
        "paused",
        "wordpress",
        "known",
        "118",
        "392",
        "7",
        "2",
        "101",
        "340",
        "0.3",
        "%",
    ]
    narrow = list(site_table(found, width=60, paint=plain))
    assert all(len(line) <= 60 for line in narrow)
    assert narrow[0].split() == ["site", "state", "visited", "waiting", "articles"]


def test_all_of_a_site_is_told() -> None:
    told = "\n".join(site_lines(DETAILS, width=None, paint=plain))
    for line in (
        "State          paused: by hand",
        "Strategy       known (requested: auto)",
        "Documents      118 visited, 392 waiting",
        "Skipped        7 not needed: there was a cheaper way",
        "Failed         2 not found (404)",
        "Text           82,000 distinct pairs of words after 120 requests, 0.3 % of them new in the last 50",
        f"Patterns       1 pay: `scrapy site patterns {NOTE.number}` shows them",
        "Last visit     3 minutes ago",
        f"{URL}lost: not found (404), on\n    {URL}a\n    {URL}b",
        f"{URL}gone: gone, on\n    {URL}\n    and perhaps more\nand 3 more",
        f"author (post): on 9 pages, such as {URL}a",
        "title (post): h2.headline; learned 3 minutes ago from 3 pages, tried on 3, no longer used",
    ):
        assert line in told


def test_a_long_plan_is_wrapped_beside_its_label() -> None:
    lines = list(site_lines(DETAILS, width=60, paint=plain))
    place = next(number for number, line in enumerate(lines) if line.startswith("Plan"))
    assert lines[place + 1].startswith(" " * 15)
    assert all(len(line) <= 60 for line in lines[place : place + 2])


def test_an_order_that_waits_is_told() -> None:
    site = msgspec.structs.replace(NOTE, ordered="resume")
    told = "\n".join(site_lines(msgspec.structs.replace(DETAILS, site=site), width=None, paint=plain))
    assert "State          paused: by hand; resume requested: the next run follows" in told


def test_the_plot_is_sound_and_told_in_words() -> None:
    drawn = ET.fromstring(text_file(CURVE, title="Text <of> a site"))
    (path,) = [one for one in drawn.iter() if one.get("class") == "text-seen"]
    points = [tuple(map(float, point.split(","))) for point in path.get("d", "")[1:].split("L")]
    assert len(points) == len(CURVE) + 1
    assert points == sorted(points), "it goes to the right"
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True), "and up"
    assert text_words(CURVE) == (
        "82,000 distinct pairs of words were seen after 120 requests; half of them after 60."
    )


@pytest.mark.parametrize("curve", [(), CURVE[:1], (TextPoint(requests=3, text=0),)])
def test_a_plot_of_little_is_sound(curve: tuple[TextPoint, ...]) -> None:
    assert ET.fromstring(text_svg(curve, title="Text over requests")) is not None


def site(number: int, state: SiteState) -> Site:
    return Site(id=number, url=URL, scope="blog.example/", strategy=Strategy.AUTO, state=state)


def visit(of: Site) -> PendingVisit:
    return PendingVisit(
        id=1, url=URL, host="blog.example", site=of, via=URL, action="link", reading=VisitReading.PAGE,
        level="", whole=None, depth=0,
    )  # fmt: skip


def test_a_run_takes_up_what_is_ordered_and_lets_rest_what_is_not_open() -> None:
    run = SiteRun(ids=(1,), tell=print)
    paused = site(1, SiteState.PAUSED)
    run.heed(paused)
    assert run.rests(visit(paused))
    run.heed(site(2, SiteState.OPEN))
    assert run.ids == (1, 2)
    run.heed(site(1, SiteState.OPEN))
    assert (run.ids, run.resting) == ((1, 2), set())
    assert not run.rests(visit(paused))
    assert not run.rests(object())
