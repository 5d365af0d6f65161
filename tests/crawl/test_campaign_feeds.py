"""A campaign follows the feeds of relevant pages, and is run together with feeds of the operator."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.exchanges import kept_exchanges
from tests.crawl.checks import assert_warcs_pass
from tests.crawl.documents import Entry, page, rss
from tests.crawl.flood_web import FloodWeb, campaign_text
from tests.crawl.running import ROOT, crawl, crawl_command, scrapy
from tests.crawl.test_campaign import run_campaign

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

pytestmark = pytest.mark.zoo


def charged(run: CrawlRun) -> int:
    kept = [one for path in (run.folder / "warc").glob("*.warc.gz") for one in kept_exchanges(path)]
    return sum(one.context.get("campaign") == "flood" for one in kept)


def polls(web: FloodWeb) -> list[str]:
    return [url for url in web.asked if url.endswith("/feed.xml")]


def test_feeds_of_relevant_pages_are_polled_and_their_entries_are_candidates(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    web = FloodWeb(make_site, feeds=True)
    run = run_campaign(archive, campaign_text(web, 60))
    assert run.exit_code == 0, run.stderr
    assert sorted(polls(web)) == sorted(site.url("/feed.xml") for site in web.sites)
    # Polls are not charged, pages are.
    assert charged(run) == len(web.asked) - len(polls(web)) <= 60
    found = run.rows("SELECT url, state FROM candidates WHERE found_by = 'feed'")
    assert len(found) == 18
    news = [row["url"] for row in found if row["state"] == "done"]
    assert {url for url in news if int(url[-1]) % 2 == 0} == {
        site.url(f"/news/{number}") for site in web.sites for number in (0, 2, 4)
    }
    stored = {url for url, outcome in run.outcomes().items() if outcome == "stored"}
    assert stored == {url for url in news if int(url[-1]) % 2 == 0}
    assert not run.pending()
    assert_warcs_pass(run)
    told = scrapy(archive, "campaign", "feeds", "flood").stdout
    assert told.count("feed.xml") == 3


def test_feeds_of_a_campaign_are_not_polled_once_its_budget_is_spent(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    web = FloodWeb(make_site, feeds=True)
    run = run_campaign(archive, campaign_text(web, 24))
    assert charged(run) == 24
    before = len(polls(web))
    again = crawl(archive)
    assert again.exit_code == 0, again.stderr
    assert len(polls(web)) == before
    assert {row["status"] for row in again.channels().values()} <= {"unlisted"}


def test_feeds_and_a_campaign_in_one_run(archive: Path, make_site: Callable[..., Site], site: Site) -> None:
    web = FloodWeb(make_site)
    # The operator's own feed announces pages of one of the campaign's hosts, too.
    shared = web.sites[0]
    site.add("/feed.xml", rss([Entry(link="/a", title="A"), Entry(link=shared.url("/own"), title="Own")]))
    site.add("/a", page("A", ["Some words of an article that is long enough to be one."] * 5))
    shared.add("/own", page("Own", ["Other words of an article that is long enough to be one."] * 5))
    seeds, file = archive.parent / "seeds.txt", archive.parent / "flood.yaml"
    seeds.write_text(site.url("/feed.xml"))
    file.write_text(campaign_text(web, 20))
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0.3", "CONCURRENT_REQUESTS_PER_DOMAIN": "1"}
    run = crawl(archive, arguments={"seeds": str(seeds), "campaigns": str(file)}, **chosen)
    assert run.exit_code == 0, run.stderr
    assert charged(run) == 20
    assert {one["url"] for one in run.objects} >= {site.url("/a"), shared.url("/own")}
    assert "flood:" in run.stdout
    assert "Channels" in run.stdout
    times = sorted(one.at for one in shared.requests if one.target != "/robots.txt")
    assert min(after - before for before, after in pairwise(times)) > 0.25


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("boundary", ["warc-record-written", "poll-before-commit", "poll-committed"])
def test_a_run_killed_at_a_write_boundary_of_a_poll_loses_no_entry_and_asks_for_none_twice(
    archive: Path, make_site: Callable[..., Site], boundary: str, number: int
) -> None:
    web = FloodWeb(make_site, feeds=True)
    file = archive.parent / "flood.yaml"
    file.write_text(campaign_text(web, 70))
    words = crawl_command(
        archive,
        seeds=None,
        clock_offset=0,
        arguments={"file": str(file)},
        settings={"CAMPAIGN_PER_HOST_DELAY": "0"},
        spider="campaign",
    )
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    run = run_campaign(archive, file.read_text())
    assert run.exit_code == 0, run.stderr
    found = [row["url"] for row in run.rows("SELECT url FROM candidates WHERE found_by = 'feed'")]
    assert len(found) == len(set(found)) == 18
    assert charged(run) <= 70
    assert not run.pending()
