"""A crawl that watches, with a fast clock: the schedule is obeyed, the budget kept, a gap filled."""

from __future__ import annotations

import os
import signal
import time
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.crawl.documents import Entry, rss
from tests.crawl.running import finish, start_crawl
from tests.crawl.site import Site

if TYPE_CHECKING:
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer, Request

# One process watches for all tests of this file. What decides is tested without a clock in tests/polling and
# tests/store, a run that watches in test_running.py.
pytestmark = [pytest.mark.xdist_group("schedule"), pytest.mark.zoo]

# Schedule time: two hours a second. More seconds for a closer look: WATCH_SECONDS=60.
SPEED = 7200
SECONDS = float(os.environ.get("WATCH_SECONDS", "24"))
HOUR = 3600 / SPEED
# The price begins with a guess; by then it has been thought over a few times.
STEADY = 16 * HOUR
BUDGET = 12
WINDOW = 10
# Entries a day, in even steps.
RATES = (1, 2, 4, 8, 16, 32)
BURST_AT, BURST = 12, 25  # hours, entries


class Watched(NamedTuple):
    site: Site
    run: CrawlRun
    feeds: list[str]
    burst: str
    began: float
    ended: float


class Newsroom:
    """Feeds that go with the fast clock, which begins with the first request."""

    def __init__(self, site: Site) -> None:
        self.began = 0.0
        self.feeds = [
            site.add(f"/{rate}.xml", lambda request, rate=rate: self.feed(request, rate)) for rate in RATES
        ]
        self.burst = site.add("/burst.xml", self.bursting)

    def hours(self) -> float:
        self.began = self.began or time.monotonic()
        return (time.monotonic() - self.began) / HOUR

    def feed(self, request: Request, rate: float) -> Answer:
        """Without pages: only the feeds count here."""
        newest = int((self.hours() + 240) * rate / 24)
        return self.answer(request, [f"{rate}-{number}" for number in range(newest, newest - WINDOW, -1)])

    def bursting(self, request: Request) -> Answer:
        """An entry every eight hours and many at once, further pages as WordPress has them."""
        newest = int((self.hours() + 240) / 8) + (BURST if self.hours() > BURST_AT else 0)
        page = int((request.target.partition("paged=")[2]) or 1)
        first = newest - (page - 1) * WINDOW
        return self.answer(request, [f"burst-{number}" for number in range(first, first - WINDOW, -1)])

    def answer(self, request: Request, ids: list[str]) -> Answer:
        etag = f'"{ids[0]}"'
        found = [Entry(id=one, title=f"Title of {one}", published=None) for one in ids]
        feed = rss(found).but(("ETag", etag))
        is_known = request.header("If-None-Match") == etag
        return feed.but(status=304, body=b"") if is_known else feed


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    archive = tmp_path_factory.mktemp("schedule") / "archive"
    with Site() as site:
        room = Newsroom(site)
        process = start_crawl(
            archive,
            [*room.feeds, room.burst],
            arguments={"watch": "1"},
            POLL_INTERVAL=None,
            POLL_BUDGET=BUDGET,
            # A machine that stalls for a second stalls for two hours here. A feed that overran meanwhile may
            # be polled sooner than the floor allows; tests/polling has that case.
            POLL_FLOOR_URGENT="30m",
            CLOCK_SPEED=SPEED,
        )
        end = time.monotonic() + 30
        while not room.began and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(SECONDS)
        ended = time.monotonic()
        process.send_signal(signal.SIGTERM)
        run = finish(process, archive)
        return Watched(site, run, room.feeds, room.burst, room.began, ended)


def polls(watched: Watched, url: str) -> list[float]:
    path = url.removeprefix(watched.site.origin)
    return [request.at for request in watched.site.requests if request.target == path]


def test_the_run_ends_well(watched: Watched) -> None:
    assert watched.run.exit_code == 0, watched.run


def test_no_channel_is_polled_sooner_than_politeness_allows(watched: Watched) -> None:
    """By the dates of its WARC records: at the server a request arrives late now and then."""
    asked = [(one.url, one.headers["WARC-Date"]) for one in watched.run.records if one.type == "request"]
    for url in watched.feeds:
        times = sorted(datetime.fromisoformat(date) for asked_url, date in asked if asked_url == url)
        assert len(times) > 1
        assert all((later - earlier).total_seconds() >= 0.5 * HOUR for earlier, later in pairwise(times))


def test_polls_go_where_entries_are(watched: Watched) -> None:
    counts = [len(polls(watched, url)) for url in watched.feeds]
    assert counts[-1] > counts[0]


def test_the_budget_is_kept(watched: Watched) -> None:
    """Within a tenth, as the store's own test has it without a clock; a machine that stalls polls less."""
    begun = watched.began + STEADY
    made = sum(at > begun for url in [*watched.feeds, watched.burst] for at in polls(watched, url))
    wanted = BUDGET / 24 * (len(watched.feeds) + 1) * (watched.ended - begun) / HOUR
    assert 0.5 < made / wanted < 1.3, f"{made} polls, {wanted:.0f} wanted"


def test_the_gap_is_filled(watched: Watched) -> None:
    channel = "channel_id = (SELECT id FROM channels WHERE seed_url = ?)"
    gaps = watched.run.rows(f"SELECT * FROM gaps WHERE {channel}", watched.burst)
    assert ("filled", "paged") in [(gap["state"], gap["how"]) for gap in gaps]
    known = watched.run.rows(f"SELECT count(*) FROM entries WHERE {channel}", watched.burst)
    assert known[0][0] >= WINDOW + BURST


def test_each_channel_tells_when_it_is_next_polled_and_why(watched: Watched) -> None:
    # The second where the machine stalled: a second of it is two hours here, and a feed may overrun in that.
    for url in watched.feeds:
        why = watched.run.channel(url)["why"]
        assert "expected by then" in why or "it shows may be new" in why, why
