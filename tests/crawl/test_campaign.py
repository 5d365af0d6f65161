"""A campaign is run: the most relevant pages first, within its budget, and again after an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.checks import assert_warcs_pass
from tests.crawl.flood_web import FloodWeb, campaign_text
from tests.crawl.running import crawl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site


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
