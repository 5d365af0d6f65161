"""Load: as many hostile hosts as good ones, and the good ones do not notice."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import threading
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, stories
from tests.crawl.running import Archived, start_crawl
from tests.crawl.site import Site
from tests.crawl.test_memory import MOST, Watch
from tests.waiting import wait_until
from tests.zoo.bodies import MB, HoldsLargeBody
from tests.zoo.final import RefusesAtFirst, UnaskedNotModified
from tests.zoo.robots import (
    AgentsTimesRules,
    EndlessRobots,
    LockedRobots,
    RobotsBomb,
    TornRobots,
    WildcardRobots,
)
from tests.zoo.slow import HourlyDelay, MuteRobots, PatientDelay

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

HOSTS = 64
KINDS = (
    HoldsLargeBody,
    AgentsTimesRules,
    EndlessRobots,
    RobotsBomb,
    WildcardRobots,
    TornRobots,
    LockedRobots,
    HourlyDelay,
    PatientDelay,
    MuteRobots,
    RefusesAtFirst,
    UnaskedNotModified,
)
LATEST = 30.0  # seconds after its due time at which a poll may start
SHARE = 0.95
SEEN = 0.9  # of the due times: one that stands for less than the half second between two looks is missed
ROUNDS = 2  # polls of each good host
SECONDS = 240


class DueTimes:
    """Reads again and again from the state store when each channel is due."""

    def __init__(self, archive: Path, process: subprocess.Popen[str]) -> None:
        self.found: dict[str, set[float]] = {}
        self._state = archive / "state.sqlite"
        self._process = process
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while self._process.returncode is None:
            with contextlib.suppress(sqlite3.Error):
                self._read()
            time.sleep(0.5)

    def _read(self) -> None:
        with closing(sqlite3.connect(f"file:{self._state}?mode=ro", uri=True, timeout=1)) as state:
            for url, due in state.execute("SELECT seed_url, next_poll FROM channels"):
                self.found.setdefault(url, set()).add(due / 1e6)


def delays(site: Site, due: set[float], now: float) -> list[float]:
    """How long after each of its due times the feed was asked for; until now, where it was not."""
    epoch = time.time() - time.monotonic()
    asked = [request.at + epoch for request in site.requests if request.path == "/feed.xml"]
    found = []
    for moment in sorted(one for one in due if one < now):
        later = [at for at in asked if at >= moment - 1]
        found.append((later[0] if later else now) - moment)
    return found


def is_polled(site: Site) -> bool:
    """Whether it was polled often enough, and all of its pages were asked for."""
    return len(site.to("/feed.xml")) >= ROUNDS and len(site.paths) >= ROUNDS + 2


def prepared(kind: type[Site], host: str) -> Site:
    """A hostile site; one that only misbehaves in its robots.txt announces something as well."""
    site = kind(host)
    if kind.__module__.endswith("robots"):
        publish(site, stories(2))
    return site


@pytest.mark.zoo
def test_hostile_hosts_do_not_delay_good_ones(archive: Path) -> None:
    with ExitStack() as stack:
        good = [stack.enter_context(Site(f"127.0.20.{number}")) for number in range(1, HOSTS + 1)]
        bad = [
            stack.enter_context(prepared(KINDS[number % len(KINDS)], f"127.0.21.{number + 1}"))
            for number in range(HOSTS)
        ]
        feeds = [publish(site, stories(2, first=2 * number)) for number, site in enumerate(good)]
        seeds = [
            address
            for pair in zip([site.url("/feed.xml") for site in bad], feeds, strict=True)
            for address in pair
        ]
        process = start_crawl(
            archive,
            seeds,
            arguments={"watch": "1"},
            POLL_INTERVAL="1m",
            POLL_FLOOR="1m",
            POLL_FLOOR_BLIND="1m",
            DOWNLOAD_TIMEOUT=30,
            EXTRACTION_GROUP_SECONDS=5,
        )
        stack.callback(process.kill)
        watch, due = Watch(process), DueTimes(archive, process)
        wait_until(lambda: process.poll() is not None or all(map(is_polled, good)), SECONDS)
        assert process.poll() is None, process.communicate()
        now = time.time()
        late = [
            delay
            for site, feed in zip(good, feeds, strict=True)
            for delay in delays(site, due.found[feed], now)
        ]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    peak = watch.end()
    in_time = sum(delay <= LATEST for delay in late) / len(late)
    late.sort()
    median, last = late[len(late) // 2], late[-1]
    figures = f"{len(late)} polls, {in_time:.1%} in time, median {median:.1f} s, last {last:.1f} s"
    figures += f", {peak / MB:.0f} MB"
    print(figures)
    assert len(late) >= SEEN * ROUNDS * HOSTS
    assert in_time >= SHARE, figures
    assert peak < MOST, figures
    archived = Archived(archive)
    hosts = {site.host for site in good}
    rows = archived.rows("SELECT p.host, e.outcome FROM entries e JOIN pages p ON p.id = e.page_id")
    assert sorted(row["outcome"] or "" for row in rows if row["host"] in hosts) == ["stored"] * (2 * HOSTS)
