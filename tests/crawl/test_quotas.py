"""A crawl that reaches a quota says so, and what is left waits for the next day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, stories
from tests.crawl.running import DAY, crawl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Site

PAGES = 24
MOST = 4


@pytest.mark.zoo
def test_what_a_host_gives_beyond_its_quota_waits_for_the_next_day(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    large, small = make_site("127.0.0.61"), make_site("127.0.0.62")
    feeds = [publish(large, stories(PAGES)), publish(small, stories(2, first=PAGES + 1))]
    limits = {"HOST_PAGES_PER_DAY": MOST, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_DELAY": 0.3}
    first = crawl(archive, feeds, **limits)
    assert first.exit_code == 0
    fetched = len(large.paths) - 1
    # What is under way when the quota is reached is kept.
    assert MOST <= fetched <= MOST + 12
    (note,) = [note for note in first.report["notes"] if "HOST_PAGES_PER_DAY" in note]
    assert note.startswith(f"{large.host} has reached HOST_PAGES_PER_DAY = {MOST}: what is left waits until ")
    assert first.pending() == PAGES - fetched
    assert {row["tries"] for row in first.rows("SELECT tries FROM pages WHERE state = 'pending'")} == {0}
    second = crawl(archive, feeds, clock_offset=DAY, HOST_PAGES_PER_DAY=PAGES)
    assert second.pending() == 0
    assert len(second.objects) == PAGES + 2
