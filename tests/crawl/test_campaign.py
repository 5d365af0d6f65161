"""A campaign is run: the most relevant pages first, within its budget, and again after an end."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.exchanges import kept_exchanges
from tests.crawl.checks import assert_warcs_pass
from tests.crawl.flood_web import FloodWeb, campaign_text
from tests.crawl.running import crawl, scrapy, start_crawl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site


# Two of each of three hosts.
UNDER_WAY = 6


def run_campaign(archive: Path, text: str, **settings: str) -> CrawlRun:
    archive.parent.mkdir(exist_ok=True)
    file = archive.parent / "flood.yaml"
    file.write_text(text)
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"} | settings
    return crawl(archive, spider="campaign", arguments={"file": str(file)}, **chosen)


def test_relevant_pages_come_first_and_the_budget_is_kept_to_the_request(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    web = FloodWeb(make_site)
    run = run_campaign(archive, campaign_text(web, 30))
    assert run.exit_code == 0, run.stderr
    assert len(web.asked) == 30
    pages = [url for url in web.asked if not url.endswith(("/robots.txt", "/"))]
    assert sum(url in web.relevant for url in pages) >= 0.7 * len(pages)
    assert sum("/calendar/" in url for url in web.asked) <= 2
    assert_warcs_pass(run)


@pytest.mark.zoo
@pytest.mark.parametrize("after", [3, 9, 17, 26])
def test_a_campaign_that_is_killed_goes_on_with_the_budget_that_is_left(
    archive: Path, make_site: Callable[..., Site], after: int
) -> None:
    web = FloodWeb(make_site)
    file = archive.parent / "flood.yaml"
    file.write_text(campaign_text(web, 34))
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"}
    process = start_crawl(archive, spider="campaign", arguments={"file": str(file)}, **chosen)
    with process:
        until = time.monotonic() + 60
        while len(web.asked) < after and time.monotonic() < until:
            time.sleep(0.005)
        process.kill()
    run = run_campaign(archive, file.read_text())
    assert run.exit_code == 0, run.stderr
    kept = [one for path in (archive / "warc").glob("*.warc.gz") for one in kept_exchanges(path)]
    assert sum(one.context.get("campaign") == "flood" for one in kept) == 34
    # What was under way when the run was killed is asked for again, and counted again.
    assert 34 <= len(web.asked) <= 34 + UNDER_WAY
    pages = [one.url for one in kept if not one.url.endswith("/robots.txt")]
    assert len(pages) - len(set(pages)) <= UNDER_WAY
    assert len(web.relevant & set(pages)) >= 15
    status = json.loads(scrapy(archive, "campaign", "status", "flood", "--json").stdout)
    assert (status["requests"], status["state"]) == (34, "spent")
