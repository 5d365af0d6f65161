"""The frontier around polls: what they are conditional on, and which looks at articles wait for them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Connection, insert, update

from archiver.acquisition.items import Validators
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.watching import RecheckRules
from archiver.acquisition.targets import DueChannel
from archiver.store.database import Database
from archiver.store.schema import articles, channels, pages
from tests.store.samples import FEED, add_channel, capture, entry, poll
from tests.test_frontier import frontier_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.running.frontier import Frontier

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
DAILY = RecheckRules(policy=RecheckPolicy(interval=DAY, until=9999 * DAY), share=0.5)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    yield opened
    opened.close()


def at_rest() -> asyncio.Event:
    idle = asyncio.Event()
    idle.set()
    return idle


async def first_channel(frontier: Frontier) -> DueChannel:
    async for target in frontier.targets(watch=False, idle=at_rest()):
        assert isinstance(target, DueChannel)
        return target
    raise AssertionError


@pytest.mark.parametrize(("hours", "is_conditional"), [(23, True), (25, False)])
def test_a_channel_that_answered_only_304_for_a_day_is_asked_for_the_whole_feed(
    database: Database, tmp_path: Path, hours: float, *, is_conditional: bool
) -> None:
    channel = add_channel(database)
    whole = datetime.now(UTC) - hours * HOUR
    given = Validators(etag='"1"', capture=capture(url=FEED, date=whole))
    poll(database, channel, entry("a"), validators=given, now=whole)
    poll(database, channel, feed=None, capture=None, now=whole + 20 * HOUR)
    due = update(channels).values(next_poll=whole)
    database.run(Connection.execute, due)
    database.run(Connection.execute, update(pages).values(state="settled"))
    found = asyncio.run(asyncio.wait_for(first_channel(frontier_of(database, tmp_path)), 30))
    assert (FEED in found.validators) == is_conditional


async def order_of_a_run(database: Database, frontier: Frontier) -> list[str]:
    """What happens in a run that ends, where a poll takes a moment and leaves its channel due again."""
    happened: list[str] = []

    async def answer(channel: DueChannel) -> None:
        await asyncio.sleep(0.1)
        now = datetime.now(UTC)
        await asyncio.to_thread(poll, database, channel.id, entry("a"), now=now)
        await database.run_async(Connection.execute, update(channels).values(next_poll=now))
        happened.append("polled")
        frontier.done(channel)

    async with asyncio.TaskGroup() as answers:
        async for target in frontier.targets(watch=False, idle=at_rest()):
            if isinstance(target, DueChannel):
                answers.create_task(answer(target))
            else:
                happened.append("looked at")
                frontier.stopping = True
    return happened


def test_a_known_article_is_looked_at_after_the_poll_of_its_channel_in_the_same_run(
    database: Database, tmp_path: Path
) -> None:
    """An entry that changed would ask for the page by itself; one that did not keeps nothing waiting."""
    before = datetime.now(UTC) - 2 * DAY
    poll(database, add_channel(database), entry("a"), now=before)
    known = {"key": "a", "url": "http://example.org/a", "first_seen": before, "last_captured": before}
    database.run(Connection.execute, insert(articles).values(id=1, version=1, **known))
    watched = {"article_id": 1, "born": before, "looked": before, "recheck": before + DAY}
    database.run(Connection.execute, update(pages).values(state="settled", **watched))
    database.run(Connection.execute, update(channels).values(next_poll=before + DAY))
    frontier = frontier_of(database, tmp_path, rechecks=DAILY)
    found = asyncio.run(asyncio.wait_for(order_of_a_run(database, frontier), 30))
    assert found == ["polled", "looked at"]
