"""Several workers on one PostgreSQL store: nothing is lost, nothing is asked twice, politeness holds."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.crawl.running import write_seeds
from tests.crawl.sharing import PAGES_EVERY, ManyHosts, Workers, count_store
from tests.store.conftest import empty, postgresql

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["postgresql"]
pytestmark = pytest.mark.zoo
CHANNELS, HOSTS, DAYS = 200, 40, 3
DELAY = 0.2
REQUESTS = 8


@pytest.fixture
def store(postgresql: str) -> str:
    with psycopg.connect(f"{postgresql} dbname=postgres", autocommit=True) as connection:
        empty(connection)
    return postgresql


def workers_of(folder: Path, store: str, web: ManyHosts) -> Workers:
    place = store.split(maxsplit=1)[0].removeprefix("host=")
    return Workers(
        folder=folder,
        store=f"postgresql+psycopg://postgres@/postgres?host={place}",
        seeds=write_seeds(folder / "archive", web.seeds()),
        settings={
            "WORKER_TIMEOUT": 5,
            "POLL_INTERVAL": "20h",
            "DOWNLOAD_DELAY": DELAY,
            "RANDOMIZE_DOWNLOAD_DELAY": False,
            "CONCURRENT_REQUESTS": REQUESTS,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "RUN_HOST_TIME": 600,
        },
    )


def test_workers_that_are_killed_lose_nothing(tmp_path: Path, store: str) -> None:
    web, chosen = ManyHosts(CHANNELS, HOSTS, latency=0.02), random.Random()
    names = ["one", "two", "three"]
    with web.serving():
        workers = workers_of(tmp_path, store, web)
        for day in range(DAYS):
            web.day = day
            asked = len(web.polls())
            workers.start(names, day)
            if day < DAYS - 1:
                goal = asked + chosen.randint(CHANNELS // 10, CHANNELS // 2)
                while len(web.polls()) < goal and any(one.poll() is None for one in workers.running.values()):
                    time.sleep(0.02)
                workers.kill(chosen.choice(names))
            workers.wait(120)
    assert workers.problems == []
    found = count_store(store)
    assert found.polls == {DAYS: CHANNELS}
    assert (found.pending, found.unread, found.held) == (0, 0, 0)
    assert found.entries == found.versions == DAYS * CHANNELS // PAGES_EVERY
    # At the server, only what a killed worker had under way was asked for again: two for each request.
    polls = web.polls()
    assert len(polls) == DAYS * CHANNELS
    assert sum(polls.values()) - len(polls) <= 2 * REQUESTS * len(workers.killed)
    assert web.early(DELAY) == []
    assert max(web.most_at_once.values()) == 1
