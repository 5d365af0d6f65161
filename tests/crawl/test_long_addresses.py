"""Addresses of 60 kB: fetched, kept and found again, by our tools and by those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.checks import assert_whole
from tests.crawl.running import crawl, scrapy
from tests.zoo.addresses import LONG, LongAddresses

if TYPE_CHECKING:
    from pathlib import Path


def test_addresses_of_sixty_kilobytes_are_fetched_and_kept(archive: Path) -> None:
    with LongAddresses("127.0.0.61") as site:
        run = crawl(archive, [site.url("/feed.xml"), site.url("/moving-feed")], FAILING_SHARE=1)
        asked = {target[:14] for target in site.paths}
    assert run.exit_code == 0, run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert {f"/linked?{LONG}"[:14], f"/moved?{LONG}"[:14]} <= asked
    assert sorted(one["title"] for one in run.objects) == ["Linked from afar", "Moved far away"]
    assert max(len(record.url or "") for record in run.records) > len(LONG)
    assert run.pending() == 0
    assert_whole(run)
    done = scrapy(archive, "verify")
    assert done.exit_code == 0, done.stdout + done.stderr
