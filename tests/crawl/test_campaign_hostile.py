"""A campaign keeps its bounds among hostile hosts, and its delay at every host."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.exchanges import kept_exchanges
from tests.crawl.known_web.pages import campaign_text
from tests.crawl.known_web.serving import ServedWeb
from tests.crawl.known_web.traps import html_page
from tests.crawl.running import crawl
from tests.crawl.site import Answer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun

pytestmark = pytest.mark.zoo


def run_campaign(archive: Path, web: ServedWeb, requests: int, **settings: object) -> CrawlRun:
    file = archive.parent / "flood.yaml"
    file.write_text(campaign_text(web.known, requests))
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"} | settings
    return crawl(archive, spider="campaign", arguments={"file": str(file)}, **chosen)


def test_traps_cost_few_requests_and_the_budget_is_kept(archive: Path) -> None:
    with ServedWeb(7, hosts=6, stories=60) as web:
        run = run_campaign(archive, web, 140)
        assert run.exit_code == 0, run.stderr
        kept = [one for path in run.warcs for one in kept_exchanges(path)]
        assert len(web.asked) == len(kept) == 140
        # Some are reached by redirects as well, which lead to them again and are not followed.
        assert any("/moved/" in url for url in web.asked)
        pages = [url for url in web.asked if not url.endswith("/robots.txt")]
        assert len(pages) == len(set(pages))
        # Each kind of trap has to be seen before it is known: some ten requests, whatever the budget.
        assert len(web.known.wasted(web.asked)) <= 14
        # The last host forbids everything.
        assert {one.target for one in web.sites[-1].requests} <= {"/robots.txt"}


def test_slow_drips_and_huge_bodies_do_not_hold_a_campaign_up(archive: Path) -> None:
    with ServedWeb(8, hosts=4, stories=40, traps=0) as web:
        slow, huge = web.sites[2], web.sites[3]
        lures = [(slow.url("/drip"), "flood dyke sandbags"), (huge.url("/huge"), "flood dyke sandbags")]
        web.sites[0].add(
            "/", html_page("Flood", ["The flood at the dyke."], [*lures, ("/section/0", "News")])
        )
        kind = (("Content-Type", "text/html"),)
        slow.add("/drip", Answer(headers=kind, body=b"<p>flood", endless=b"x", pause=0.5))
        huge.add("/huge", Answer(headers=kind, body=b"<p>flood</p>" * 1_000_000))
        run = run_campaign(archive, web, 40, DOWNLOAD_TIMEOUT="5", DOWNLOAD_MAXSIZE="1000000")
        assert run.exit_code == 0, run.stderr
        assert len(web.asked) == 40
        assert slow.to("/drip")
        assert huge.to("/huge")
        relevant = {web.known.page_at(url) for url in web.asked} & web.known.relevant
        assert len(relevant) >= 8


def test_the_delay_is_kept_at_every_host(archive: Path) -> None:
    with ServedWeb(9, hosts=4, stories=30, traps=2) as web:
        run = run_campaign(archive, web, 30, CAMPAIGN_PER_HOST_DELAY="1", RANDOMIZE_DOWNLOAD_DELAY="False")
        assert run.exit_code == 0, run.stderr
        assert len(web.asked) == 30
        for site in web.sites:
            times = sorted(one.at for one in site.requests)
            gaps = [later - earlier for earlier, later in pairwise(times)]
            assert all(gap >= 1 for gap in gaps), (site.host, gaps)
