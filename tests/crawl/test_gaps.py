"""Entries that a feed showed between two polls are gone back for, on sites of many kinds."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.crawl import cms_sites, gap_sites
from tests.crawl.documents import story
from tests.crawl.gap_sites import WINDOW
from tests.crawl.killing import GAP_BOUNDARIES
from tests.crawl.running import DAY, ROOT, crawl, crawl_command, finish, scrapy, start_scrapy
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("gaps")

BEFORE, MISSING = 7, 9
ALL = BEFORE + MISSING + WINDOW


class Kind(NamedTuple):
    """How a site is made, where its articles are, and by which way its gap is filled."""

    publish: Callable[[Site, Sequence[Story]], None]
    path: str
    way: str


KINDS = {
    "archived feeds": Kind(gap_sites.archived_feeds, "/stories/{n}.html", "archive"),
    "wordpress": Kind(gap_sites.wordpress, "/2026/03/{slug}/", "paged"),
    "counted from 0": Kind(gap_sites.counted_from_0, "/node/{n}", "page"),
    "json feed": Kind(gap_sites.json_feed, "/p/{n}", "next"),
    "listing": Kind(gap_sites.listing, "/stories/{n}.html", "listing"),
    "mkdocs": Kind(gap_sites.blog_in_documentation, "/blog/2026/03/02/{slug}/", "listing"),
    "pelican": Kind(gap_sites.files_in_a_folder, "/{slug}.html", "listing"),
    "sitemaps": Kind(gap_sites.sitemaps, "/stories/{n}.html", "sitemap"),
    "ghost": Kind(cms_sites.ghost, "/{slug}/", "listing"),
    "drupal": Kind(cms_sites.drupal, "/news/{slug}", "listing"),
    "hugo": Kind(cms_sites.hugo, "/posts/{slug}/", "sitemap"),
    "jekyll": Kind(cms_sites.jekyll, "/2026/03/02/{slug}.html", "listing"),
    "closed": Kind(gap_sites.closed, "/stories/{n}.html", ""),
}


class Town(NamedTuple):
    """All sites, crawled before and after a burst."""

    sites: dict[str, Site]
    told: dict[str, list[Story]]
    archive: Path
    first: CrawlRun
    second: CrawlRun


def told_at(kind: Kind) -> list[Story]:
    found = []
    for number in range(1, ALL + 1):
        slug = story(number).title.lower().replace(" ", "-")
        found.append(story(number, kind.path.format(n=number, slug=slug)))
    return found


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    archive = tmp_path_factory.mktemp("gaps") / "archive"
    sites = {name: Site(f"127.0.0.{number}") for number, name in enumerate(KINDS, start=31)}
    told = {name: told_at(kind) for name, kind in KINDS.items()}
    for name, site in sites.items():
        for one in told[name]:
            site.add(one.path, one.page)
        KINDS[name].publish(site, told[name][:BEFORE])
    feeds = [site.url("/feed.xml") for site in sites.values()]
    first = crawl(archive, feeds)
    shutil.copytree(archive, archive.parent / "before")
    for name, site in sites.items():
        site.forget()
        KINDS[name].publish(site, told[name])
    second = crawl(archive, feeds, clock_offset=DAY)
    yield Town(sites, told, archive, first, second)
    for site in sites.values():
        site.close()


def channel_of(town: Town, name: str) -> int:
    return int(town.second.channel(town.sites[name].url("/feed.xml"))["id"])


def test_a_first_poll_shows_no_gap(town: Town) -> None:
    assert town.first.exit_code == 0, town.first
    assert town.first.reports[0]["gaps_seen"] == 0
    assert "Gaps" not in town.first.stdout


@pytest.mark.parametrize("name", [name for name in KINDS if name != "closed"])
def test_a_gap_is_filled(town: Town, name: str) -> None:
    """Nothing is missing, nothing is there twice, and nothing that was older than the archive."""
    kind, channel = KINDS[name], channel_of(town, name)
    (gap,) = town.second.rows("SELECT * FROM gaps WHERE channel_id = ?", channel)
    assert (gap["state"], gap["how"], gap["filled"]) == ("filled", kind.way, MISSING), dict(gap)
    rows = town.second.rows(
        "SELECT e.found_by, e.outcome, p.url FROM entries e JOIN pages p ON p.id = e.page_id"
        " WHERE e.channel_id = ? ORDER BY p.url",
        channel,
    )
    expected = {town.sites[name].url(one.path) for one in town.told[name][BEFORE - WINDOW :]}
    assert sorted(row["url"] for row in rows) == sorted(expected)
    assert {row["outcome"] for row in rows} == {"stored"}
    found = {row["url"] for row in rows if row["found_by"] == kind.way}
    assert found == {town.sites[name].url(one.path) for one in town.told[name][BEFORE : BEFORE + MISSING]}
    titles = {one.title for one in town.told[name][BEFORE - WINDOW :]}
    feed = town.sites[name].url("/feed.xml")
    assert {one["title"] for one in town.second.objects if one["channel"] == feed} == titles


def test_all_are_told(town: Town) -> None:
    run, filled = town.second, len(KINDS) - 1
    assert run.exit_code == 0, run
    assert run.report["gaps_seen"] == len(KINDS)
    assert run.report["gaps_ended"] == {"filled": filled, "unfillable": 1}
    assert run.report["entries_filled"] == filled * MISSING
    assert run.report["entries_new"] == filled * MISSING + len(KINDS) * WINDOW
    told = f"{len(KINDS)} seen, {filled} filled, 1 could not be filled; {filled * MISSING} entries found"
    assert told in run.stdout
    (note,) = [note for note in run.report["notes"] if "missing" in note]
    assert note.startswith(town.sites["closed"].url("/feed.xml"))
    # Between the last that was known and the first that is.
    known = town.told["closed"]
    assert known[BEFORE - 1].path in note
    assert known[BEFORE + MISSING].path in note
    gaps = [one["gaps"] for one in json.loads(scrapy(town.archive, "channels", "--json").stdout)]
    assert (gaps.count({"filled": 1}), gaps.count({"unfillable": 1})) == (filled, 1)


def test_every_exchange_is_in_the_archive_and_no_site_is_asked_too_much(town: Town) -> None:
    records = town.second.records
    asked = {record.url for record in records if record.type == "request"}
    for name, site in town.sites.items():
        assert {site.url(request.target) for request in site.requests} <= asked
        documents = [path for path in site.paths if path not in {one.path for one in town.told[name]}]
        assert len(documents) <= 10, (name, documents)
    assert not town.sites["sitemaps"].to("/old.xml.gz")
    fetched = [request.target for request in town.sites["archived feeds"].requests]
    assert [path for path in fetched if "archive" in path] == ["/archive/4", "/archive/3", "/archive/2"]


def test_a_channel_that_lost_entries_is_polled_sooner(town: Town) -> None:
    row = town.second.channel(town.sites["closed"].url("/feed.xml"))
    assert row["last_gap"] == pytest.approx(row["last_poll"] + DAY * 1e6, abs=60e6)
    # Half the interval would be less than politeness allows where a server gives no validators.
    assert 50 / 60 <= (row["next_poll"] - row["last_gap"]) / 3600e6 < 0.9


@pytest.mark.zoo
def test_a_replay_fills_the_same_gaps(town: Town, tmp_path: Path) -> None:
    archive = shutil.copytree(town.archive, tmp_path / "archive")
    run = crawl(archive, profile="replay")
    assert run.exit_code == 0, run
    assert f"{len(town.second.objects)} objects came out" in run.stdout


@pytest.mark.zoo
def test_a_run_that_is_killed_while_it_fills_a_gap_is_completed_by_the_next(
    town: Town, tmp_path: Path
) -> None:
    archive = shutil.copytree(town.archive.parent / "before", tmp_path / "archive")
    seeds, settings = [town.sites["wordpress"].url("/feed.xml")], {"EXTRACTION": False}
    words = crawl_command(archive, seeds=seeds, clock_offset=DAY, arguments={}, settings=settings)
    for boundary in GAP_BOUNDARIES:
        command = [sys.executable, "-m", "tests.crawl.killing", boundary, "1", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
        assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    run = finish(start_scrapy(words), archive)
    assert run.exit_code == 0, run
    (gap,) = run.rows("SELECT * FROM gaps")
    assert (gap["state"], gap["how"], gap["filled"], gap["documents"]) == ("filled", "paged", MISSING, 3)
    (row,) = run.rows("SELECT count(*) AS n FROM entries WHERE channel_id = ?", channel_of(town, "wordpress"))
    assert row["n"] == WINDOW + MISSING + WINDOW
