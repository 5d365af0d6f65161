"""Hosts whose robots.txt is hostile or broken: each costs itself alone, and is obeyed where it can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, rss, stories
from tests.crawl.running import DAY, crawl
from tests.zoo.robots import (
    AgentsTimesRules,
    EndlessRobots,
    LockedRobots,
    MarkedRobots,
    RobotsBomb,
    TornRobots,
    VersionedRobots,
    WildcardRobots,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

OBEYED = ("unchanged", "robots")
UNKNOWN = ("unavailable", "unavailable")
FREE = ("unchanged", "unchanged")
# What becomes of a feed that may be read and of one that may not.
FIRST: dict[type[Site], tuple[str, str]] = {
    AgentsTimesRules: OBEYED,
    EndlessRobots: UNKNOWN,
    RobotsBomb: OBEYED,
    WildcardRobots: OBEYED,
    MarkedRobots: OBEYED,
    TornRobots: UNKNOWN,
    LockedRobots: FREE,
    VersionedRobots: OBEYED,
}
SECOND = FIRST | {TornRobots: OBEYED, LockedRobots: ("robots", "robots")}


def outcomes(run: CrawlRun, hosts: dict[type[Site], Site]) -> dict[type[Site], tuple[str, str]]:
    rows = run.channels()
    return {
        kind: (rows[host.url("/feed.xml")]["outcome"], rows[host.url("/private/feed.xml")]["outcome"])
        for kind, host in hosts.items()
    }


@pytest.mark.zoo
def test_each_robots_txt_is_obeyed_or_not_believed(archive: Path, make_site: Callable[..., Site]) -> None:
    hosts = {kind: make_site(f"127.0.0.{number}", kind) for number, kind in enumerate(FIRST, start=21)}
    good = make_site("127.0.0.20")
    feeds = [publish(good, stories(2))]
    for host in hosts.values():
        feeds += [host.add("/feed.xml", rss([])), host.add("/private/feed.xml", rss([]))]
    first = crawl(archive, feeds, FAILING_SHARE=1)
    assert first.exit_code == 0
    assert outcomes(first, hosts) == FIRST
    assert len(first.objects) == 2
    # Parsed in the process that serves all hosts, in a moment.
    assert first.report["cpu_seconds"]["crawl"] < 5
    # Nothing was asked for that may not be: not even once.
    asked = {kind for kind, host in hosts.items() if "/private/feed.xml" in host.paths}
    assert asked == {LockedRobots}

    second = crawl(archive, feeds, clock_offset=DAY, FAILING_SHARE=1)
    assert outcomes(second, hosts) == SECOND
