"""Hosts that make a run wait: the run ends, what they have left waits for the next one, and others go on."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, stories
from tests.crawl.running import crawl, start_crawl
from tests.crawl.site import text
from tests.waiting import wait_until
from tests.zoo.slow import HourlyDelay, MuteRobots, PatientDelay

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Site

pytestmark = pytest.mark.zoo


def test_a_run_ends_and_the_pages_of_slow_hosts_wait_for_the_next(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    hourly, patient = make_site("127.0.0.41", HourlyDelay), make_site("127.0.0.42", PatientDelay)
    good = make_site("127.0.0.43")
    feeds = [hourly.url("/feed.xml"), patient.url("/feed.xml"), publish(good, stories(3))]
    run = crawl(archive, feeds, RUN_HOST_TIME=8, EXTRACTION_GROUP_SECONDS=1)
    assert run.exit_code == 0
    assert run.report["reason"] == "finished"
    # Of the one that wants an hour, one thing is asked for in a run: its feed, which would be lost first.
    assert hourly.paths == ["/feed.xml"]
    assert {url: row["outcome"] for url, row in run.channels().items()} == dict.fromkeys(feeds, "new")
    # The other one is asked for as much as fits, no faster than it wants.
    assert 2 <= len(patient.paths) <= 6
    assert min(later.at - before.at for before, later in pairwise(patient.requests)) > 1.8
    # Nothing that waits was counted as a try, and nothing of the good host waits.
    waiting = run.rows("SELECT host, tries FROM pages WHERE state = 'pending'")
    assert {row["host"] for row in waiting} == {hourly.host, patient.host}
    assert {row["tries"] for row in waiting} == {0}
    notes = "\n".join(run.report["notes"])
    assert f"{hourly.host}: 20 pages wait for the next run" in notes
    assert f"{patient.host}: {21 - len(patient.paths)} pages wait for the next run" in notes

    asked = len(patient.paths)
    second = crawl(archive, feeds, RUN_HOST_TIME=8, EXTRACTION_GROUP_SECONDS=1)
    assert second.report["reason"] == "finished"
    # Its hour is not over: it is not asked for anything, not even for its robots.txt.
    assert [request.path for request in hourly.requests] == ["/robots.txt", "/feed.xml"]
    assert len(patient.paths) > asked
    assert f"{hourly.host}: 20 pages wait for a later run" in "\n".join(second.report["notes"])

    with closing(sqlite3.connect(archive / "state.sqlite")) as state, state:
        state.execute("UPDATE host_rests SET asked = asked - 3600 * 1000000")
    third = crawl(archive, feeds, RUN_HOST_TIME=8, EXTRACTION_GROUP_SECONDS=1)
    # Its page: the feed is not due yet.
    assert (third.report["reason"], len(hourly.paths)) == ("finished", 2)


def test_a_rest_that_is_nearly_over_is_waited_for_and_ends_where_it_is_no_longer_asked_for(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    hourly = make_site("127.0.0.44", HourlyDelay)
    feed = hourly.url("/feed.xml")
    crawl(archive, [feed], RUN_HOST_TIME=8, EXTRACTION_GROUP_SECONDS=1)
    hourly.add("/robots.txt", text("User-agent: *\nDisallow:\n"))
    with closing(sqlite3.connect(archive / "state.sqlite")) as state, state:
        now = time.time()
        state.execute("UPDATE host_rests SET asked = ?", [int((now - 3600 + 6) * 1e6)])
    second = crawl(archive, [feed], RUN_HOST_TIME=30, EXTRACTION_GROUP_SECONDS=1)
    assert hourly.requests[2].path == "/robots.txt"
    assert len(hourly.paths) == 21
    assert not second.rows("SELECT * FROM host_rests WHERE asked > ?", int(now * 1e6))


def test_hosts_that_are_waited_for_do_not_take_the_places_of_others(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    slow = [make_site(f"127.0.0.{number}", HourlyDelay) for number in range(51, 55)]
    first = crawl(
        archive, [one.url("/feed.xml") for one in slow], RUN_HOST_TIME=4, EXTRACTION_GROUP_SECONDS=1
    )
    assert first.pending() == 80
    slow += [make_site(f"127.0.0.{number}", MuteRobots) for number in range(55, 59)]
    good = make_site("127.0.0.50")
    feeds = [*(one.url("/feed.xml") for one in slow), publish(good, stories(20))]
    # Eight places for eight slow hosts with twenty pages each: all were theirs.
    run = start_crawl(archive, feeds, arguments={"watch": "1"}, CONCURRENT_REQUESTS=8)
    try:
        wait_until(lambda: len(good.paths) >= 21)
    finally:
        # It would wait for the mute ones until they time out.
        run.kill()
        run.communicate()
