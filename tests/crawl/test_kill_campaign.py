"""Whatever kills a campaign, the next run goes on with it: nothing lost, nothing twice, the budget true."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.exchanges import kept_exchanges
from tests.crawl.checks import assert_whole
from tests.crawl.flood_web import FloodWeb, campaign_text
from tests.crawl.killing import CAMPAIGN_BOUNDARIES
from tests.crawl.running import ROOT, Archived, crawl, crawl_command, scrapy
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Site

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("kill_campaign")]

# RANDOM_KILLS=50 for a longer try.
RANDOM_KILLS = int(os.environ.get("RANDOM_KILLS", "20"))
BUDGET = 34
# Two of each of three hosts.
UNDER_WAY = 6
SETTINGS: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"}


def words_of(archive: Path, web: FloodWeb) -> list[str]:
    archive.parent.mkdir(exist_ok=True)
    file = archive.parent / "flood.yaml"
    file.write_text(campaign_text(web, BUDGET))
    arguments = {"file": str(file)}
    return crawl_command(
        archive, seeds=None, clock_offset=0, arguments=arguments, settings=SETTINGS, spider="campaign"
    )


def settled(archive: Path) -> set[str]:
    if not (archive / "state.sqlite").exists():
        return set()
    tables = Archived(archive).rows("SELECT name FROM sqlite_master WHERE name = 'candidates'")
    if not tables:
        return set()
    return {row["url"] for row in Archived(archive).rows("SELECT url FROM candidates WHERE state = 'done'")}


def exchanges(archive: Path) -> list[str]:
    kept = [one for path in sorted((archive / "warc").glob("*.warc.gz")) for one in kept_exchanges(path)]
    return [one.url for one in kept if one.context.get("campaign") == "flood"]


def go_on(archive: Path, web: FloodWeb) -> None:
    """Complete a campaign that was killed, and hold it against WARC and the servers' logs."""
    known, before = settled(archive), Counter(web.asked)
    run = crawl(
        archive, spider="campaign", arguments={"file": str(archive.parent / "flood.yaml")}, **SETTINGS
    )
    assert run.exit_code == 0, run.stderr
    kept = exchanges(archive)
    # What was under way when it was killed may have been sent, and not written.
    assert len(kept) == BUDGET
    assert BUDGET <= len(web.asked) <= BUDGET + UNDER_WAY
    again = Counter(web.asked) - before
    assert not known & again.keys(), f"settled, and asked for again: {sorted(known & again.keys())}"
    pages = [url for url in again.elements() if not url.endswith("/robots.txt")]
    assert not [url for url, times in Counter(pages).items() if times > 1], "nor is anything twice"
    status = json.loads(scrapy(archive, "campaign", "status", "flood", "--json").stdout)
    assert (status["requests"], status["state"]) == (BUDGET, "spent")
    rows = run.rows("SELECT count(*) AS count FROM candidates WHERE state = 'done' AND outcome = 'read'")
    articles = {one["url"] for one in run.objects}
    assert len(articles) == len(run.objects), "each article is written once"
    relevant = run.rows("SELECT url FROM relevances WHERE score >= 0.5 AND same_as IS NULL")
    assert {row["url"] for row in relevant} == articles, "and none is lost"
    assert rows[0]["count"] >= len(articles) >= 12
    assert_whole(run)


@pytest.mark.parametrize("number", [1, 5])
@pytest.mark.parametrize("boundary", CAMPAIGN_BOUNDARIES)
def test_a_campaign_killed_at_a_write_boundary_goes_on(
    boundary: str, number: int, archive: Path, make_site: Callable[..., Site]
) -> None:
    if number > 1 and boundary.startswith(("campaign-", "spending-")):
        pytest.skip("it is reached once in a run")
    if number > 1 and boundary == "object-half":
        number = 2  # objects are written by groups of pages
    web = FloodWeb(make_site)
    command = [
        sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *words_of(archive, web)
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    go_on(archive, web)


@pytest.mark.parametrize("trial", range(RANDOM_KILLS))
def test_a_campaign_killed_at_any_moment_goes_on(
    trial: int, archive: Path, make_site: Callable[..., Site]
) -> None:
    chance = random.Random(trial)
    web = FloodWeb(make_site)
    # Counted by requests: by the clock, a busy machine would be killed before it asked for anything.
    asked = chance.randint(1, BUDGET - 2)
    command = [sys.executable, "-m", "scrapy", *words_of(archive, web)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: len(web.asked) >= asked)
        time.sleep(chance.uniform(0, 0.3))
        process.kill()
    go_on(archive, web)
