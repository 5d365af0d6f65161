"""What a channel published before its first poll is fetched when it is asked for, on sites of many kinds."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.crawl.gap_sites import WINDOW
from tests.crawl.killing import GAP_BOUNDARIES
from tests.crawl.running import DAY, ROOT, crawl, crawl_command, finish, scrapy, start_scrapy
from tests.crawl.site import Site
from tests.crawl.test_gaps import ALL, KINDS, told_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun

pytestmark = [pytest.mark.xdist_group("history"), pytest.mark.zoo]

OLDER = ALL - WINDOW
# What each kind of site proves: that all was found, or only that this much was.
WAYS = {name: kind.way for name, kind in KINDS.items()}
NAMES = [name for name in KINDS if name != "closed"]


class Town(NamedTuple):
    """All sites, crawled, asked for their history, and crawled again."""

    sites: dict[str, Site]
    told: dict[str, list[Story]]
    archive: Path
    asked: CrawlRun
    second: CrawlRun


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    archive = tmp_path_factory.mktemp("history") / "archive"
    sites = {name: Site(f"127.0.0.{number}") for number, name in enumerate(KINDS, start=91)}
    told = {name: told_at(kind) for name, kind in KINDS.items()}
    for name, site in sites.items():
        for one in told[name]:
            site.add(one.path, one.page)
        KINDS[name].publish(site, told[name])
    feeds = [site.url("/feed.xml") for site in sites.values()]
    first = crawl(archive, feeds)
    assert first.exit_code == 0, first
    shutil.copytree(archive, archive.parent / "before")
    for site in sites.values():
        site.forget()
    asked = scrapy(archive, "channels", "history", *feeds)
    second = crawl(archive, feeds, clock_offset=60)
    yield Town(sites, told, archive, asked, second)
    for site in sites.values():
        site.close()


def channel_of(town: Town, name: str) -> int:
    return int(town.second.channel(town.sites[name].url("/feed.xml"))["id"])


def test_what_will_happen_is_told(town: Town) -> None:
    assert town.asked.exit_code == 0, town.asked
    assert town.asked.stdout.count("the next crawl asks for it") == len(KINDS)


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_the_feed_no_longer_shows_comes(town: Town, name: str) -> None:
    channel = channel_of(town, name)
    rows = town.second.rows(
        "SELECT e.found_by, e.outcome, p.url FROM entries e JOIN pages p ON p.id = e.page_id"
        " WHERE e.channel_id = ?",
        channel,
    )
    (history,) = town.second.rows("SELECT * FROM gaps WHERE channel_id = ?", channel)
    expected = {town.sites[name].url(one.path) for one in town.told[name]}
    assert {row["url"] for row in rows} == expected, dict(history)
    assert {row["outcome"] for row in rows} == {"stored"}
    assert sum(row["found_by"] == WAYS[name] for row in rows) == OLDER
    assert (history["state"], history["filled"]) == ("filled", OLDER), dict(history)


def test_the_run_tells_how_many_came_and_of_which_channels_all(town: Town) -> None:
    assert town.second.exit_code == 0, town.second
    assert town.second.report["history_entries"] == OLDER * len(NAMES)
    assert town.second.report["gaps_ended"] == {}
    assert f"{OLDER * len(NAMES)} entries found" in town.second.stdout
    complete = [note for note in town.second.report["notes"] if "history complete" in note]
    assert len(complete) == len(NAMES)
    (lacking,) = [note for note in town.second.report["notes"] if "perhaps not complete" in note]
    assert lacking.startswith(town.sites["closed"].url("/feed.xml"))


def test_a_channel_shows_how_far_its_history_is(town: Town) -> None:
    shown = scrapy(town.archive, "channels", "show", str(channel_of(town, "wordpress"))).stdout
    assert f"complete: {OLDER} entries found" in shown
    assert "Gaps" not in shown


def test_no_gap_is_taken_for_one_and_none_is_seen_later(town: Town, tmp_path: Path) -> None:
    """What came last is old: a poll that shows nothing but what is known is like any other."""
    archive = shutil.copytree(town.archive, tmp_path / "archive")
    run = crawl(archive, [town.sites["wordpress"].url("/feed.xml")], clock_offset=DAY)
    assert (run.report["gaps_seen"], run.report["entries_new"]) == (0, 0)


def test_a_limit_and_a_date_are_kept(town: Town, tmp_path: Path) -> None:
    archive = shutil.copytree(town.archive.parent / "before", tmp_path / "archive")
    some, dated = (town.sites[name].url("/feed.xml") for name in ("wordpress", "archived feeds"))
    scrapy(archive, "channels", "history", some, "--limit", "3")
    since = town.told["archived feeds"][5].published
    scrapy(archive, "channels", "history", dated, "--since", f"{since:%Y-%m-%dT%H:%M:%SZ}")
    run = crawl(archive, [some, dated], clock_offset=60)
    query = "SELECT count(*) AS n FROM entries WHERE channel_id = ? AND found_by IS NOT NULL"
    (limited,) = run.rows(query, run.channel(some)["id"])
    (late,) = run.rows(query, run.channel(dated)["id"])
    assert (limited["n"], late["n"]) == (3, OLDER - 5)
    assert "ended at --limit 3: 3 entries found in 1 document" in run.stdout
    assert f"complete back to {since:%Y-%m-%d}" in run.stdout


def test_history_can_be_stopped_and_is_asked_for_once(town: Town, tmp_path: Path) -> None:
    archive = shutil.copytree(town.archive.parent / "before", tmp_path / "archive")
    url = town.sites["wordpress"].url("/feed.xml")
    scrapy(archive, "channels", "history", url)
    assert "under way" in scrapy(archive, "channels", "history", url).stdout
    assert "no more of its history" in scrapy(archive, "channels", "history", url, "--stop").stdout
    run = crawl(archive, [url], clock_offset=60)
    assert (run.report["entries_new"], run.report["history_open"]) == (0, 0)
    paused = scrapy(archive, "channels", "pause", url)
    assert paused.exit_code == 0
    refused = scrapy(archive, "channels", "history", url)
    assert refused.exit_code == 1
    assert "resume" in refused.stderr


def test_a_replay_fetches_the_same_histories(town: Town, tmp_path: Path) -> None:
    archive = shutil.copytree(town.archive, tmp_path / "archive")
    run = crawl(archive, profile="replay")
    # An object that does not come out again is an error.
    assert run.exit_code == 0, run
    assert f"{OLDER * len(NAMES)} entries found" in run.stdout


def test_a_run_that_is_killed_in_a_history_is_completed_by_the_next(town: Town, tmp_path: Path) -> None:
    archive = shutil.copytree(town.archive.parent / "before", tmp_path / "archive")
    url = town.sites["wordpress"].url("/feed.xml")
    scrapy(archive, "channels", "history", url)
    words = crawl_command(archive, seeds=[url], clock_offset=60, arguments={}, settings={"EXTRACTION": False})
    for boundary in GAP_BOUNDARIES:
        command = [sys.executable, "-m", "tests.crawl.killing", boundary, "1", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
        assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    run = finish(start_scrapy(words), archive)
    (history,) = run.rows("SELECT * FROM gaps")
    assert (history["state"], history["filled"]) == ("filled", OLDER)
    (row,) = run.rows("SELECT count(*) AS n FROM entries WHERE channel_id = ?", channel_of(town, "wordpress"))
    assert row["n"] == ALL
