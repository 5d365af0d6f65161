"""The frontier: what is due is handed out, whenever it became due."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, update

from archiver.acquisition.channels.polling.schedule import PollPolicy
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.items import ChannelPoll, GapFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.sitemaps import SitemapPlan
from archiver.acquisition.rechecks.watching import RecheckRules
from archiver.acquisition.seeds import Seed
from archiver.acquisition.targets import DueChannel, GapAsk, PendingPage, SitemapAsk, Target
from archiver.clock import Clock
from archiver.documents.feeds.model import FeedEntry, FeedInfo, ParsedFeed
from archiver.running.archive import Archive, ArchiveConfig
from archiver.running.frontier import Frontier
from archiver.running.session import Limits, Places, Session
from archiver.running.sources.channels import ChannelSource
from archiver.running.sources.gaps import GapSource
from archiver.running.sources.pages import PageSource, RecheckSource
from archiver.running.sources.sitemaps import SitemapSource
from archiver.store.database import Database
from archiver.store.polling.filling import FillRules, store_gap_fetch
from archiver.store.polling.listing import import_seeds
from archiver.store.polling.polls import store_poll
from archiver.store.schema import channels, pages, sitemaps

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    import pytest

NEWS, LETTERS = "https://news.example/feed.xml", "https://letters.example/feed.xml"


class Interrupted(Database):
    """A store in which something happens between its answer and whoever asked."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def run_async(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        result = await super().run_async(function, *args, **kwargs)
        if isinstance(getattr(function, "__self__", None), PageSource) and self.meanwhile is not None:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return result


SOURCES = (PageSource, ChannelSource, SitemapSource, RecheckSource, GapSource)


def frontier_of(database: Database, folder: Path, **rules: Any) -> Frontier:
    """The sources of a real session, with few places, over this store."""
    config = ArchiveConfig(
        folder=folder / "archive",
        warc_folder=folder / "archive/warc",
        index_folder=folder / "archive/index",
        state_url=f"sqlite:///{folder / 'state.sqlite'}",
        polls=PollRules(policy=PollPolicy(), pages_at_once=0),
        **rules,
    )
    places = Places(requests=5, per_host=4)
    archive = Archive(config)
    session = Session(archive, SOURCES, places=places, limits=Limits(), on_fatal=lambda: None)
    archive.close()
    return Frontier(database, Clock(), list(session.sources), per_host=places.per_host)


async def poll(database: Database, frontier: Frontier, channel: DueChannel, *links: str) -> None:
    """A poll ends, with an entry for each link."""
    entries = tuple(FeedEntry(id=link, link=link) for link in links)
    feed = ParsedFeed(format="rss20", info=FeedInfo(), entries=entries)
    done = ChannelPoll(channel_id=channel.id, url=NEWS, feed=feed)
    now = datetime.now(UTC)
    rules = PollRules(policy=PollPolicy(), pages_at_once=0)
    await database.run_async(store_poll, done, rules=rules, recorded=now, now=now)
    frontier.want("pages")
    frontier.done(channel)


async def handed_out(database: Interrupted, frontier: Frontier) -> list[Target]:
    """Both channels are polled; the second poll ends while the store is asked about the first one's pages."""
    idle = asyncio.Event()
    idle.set()
    found: list[Target] = []
    async for target in frontier.targets(watch=False, idle=idle):
        found.append(target)
        if isinstance(target, PendingPage):
            frontier.done(target)
            frontier.stopping = True
        elif len(found) == 2:
            database.meanwhile = lambda: poll(database, frontier, found[1], "https://letters.example/1")
            await poll(database, frontier, found[0])
    return found


def test_a_page_that_is_announced_while_the_store_is_asked_for_pages_is_handed_out(tmp_path: Path) -> None:
    database = Interrupted(f"sqlite:///{tmp_path / 'state.sqlite'}")
    try:
        seeds = [Seed(url=url, source="seeds.txt", line=1) for url in (NEWS, LETTERS)]
        database.run(import_seeds, seeds, ["seeds.txt"], datetime.now(UTC))
        found = asyncio.run(asyncio.wait_for(handed_out(database, frontier_of(database, tmp_path)), 30))
    finally:
        database.close()
    assert [type(target) for target in found] == [DueChannel, DueChannel, PendingPage]


async def most_at_once(database: Database, frontier: Frontier, many: str) -> tuple[list[str], int]:
    """Poll everything; in which order, and how many channels of one host were being polled at a time."""
    idle = asyncio.Event()
    idle.set()
    order: list[str] = []
    polling: list[DueChannel] = []
    busiest = 0

    async def answer(channel: DueChannel) -> None:
        await asyncio.sleep(0.01)
        polling.remove(channel)
        await poll(database, frontier, channel)

    async with asyncio.TaskGroup() as answers:
        async for target in frontier.targets(watch=False, idle=idle):
            assert isinstance(target, DueChannel)
            order.append(target.url)
            polling.append(target)
            busiest = max(busiest, sum(one.host == many for one in polling))
            answers.create_task(answer(target))
    return order, busiest


def test_channels_of_one_host_do_not_starve_the_others(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    try:
        many = [f"https://many.example/{number}" for number in range(20)]
        seeds = [Seed(url=url, source="seeds.txt", line=1) for url in (*many, NEWS)]
        database.run(import_seeds, seeds, ["seeds.txt"], datetime.now(UTC))
        order, busiest = asyncio.run(
            asyncio.wait_for(most_at_once(database, frontier_of(database, tmp_path), "many.example"), 30)
        )
    finally:
        database.close()
    assert sorted(order) == sorted([*many, NEWS])
    assert order.index(NEWS) == 2
    assert busiest == 2


async def asked(database: Database, frontier: Frontier) -> list[str]:
    """What is asked for where nothing is ever found; each while nothing else of the gap is under way."""
    idle = asyncio.Event()
    idle.set()
    found: list[str] = []
    async for target in frontier.targets(watch=False, idle=idle):
        assert isinstance(target, GapAsk)
        frontier.want("gaps")
        assert await frontier._grant(watch=False) == []
        found.append(target.ask.url)
        fetch = GapFetch(gap=target, url=target.ask.url, failed=Failed(failure=Failure.NOT_FOUND))
        now = datetime.now(UTC)
        await database.run_async(store_gap_fetch, fetch, rules=FillRules(), recorded=now, now=now)
        frontier.want("gaps")
        frontier.done(target)
    return found


def test_the_documents_of_an_open_gap_are_handed_out_one_after_another(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    frontier = frontier_of(database, tmp_path)
    try:
        seeds = [Seed(url=NEWS, source="seeds.txt", line=1)]
        database.run(import_seeds, seeds, ["seeds.txt"], datetime.now(UTC))
        # Without links there are no pages, and no lists to look at.
        for number in range(2):
            entries = (FeedEntry(id=f"{number}", title=f"Title {number}"),)
            feed = ParsedFeed(format="rss20", info=FeedInfo(), entries=entries)
            now, rules = datetime.now(UTC), PollRules(policy=PollPolicy(), pages_at_once=0)
            done = ChannelPoll(channel_id=1, url=NEWS, feed=feed)
            database.run(store_poll, done, rules=rules, recorded=now, now=now)
        found = asyncio.run(asyncio.wait_for(asked(database, frontier), 30))
    finally:
        database.close()
    assert found == [f"{NEWS}?paged=2", f"{NEWS}?page=1"]


def test_rechecks_that_have_used_up_their_share_are_waited_for_without_asking_all_the_time(
    tmp_path: Path,
) -> None:
    database = Counting(f"sqlite:///{tmp_path / 'state.sqlite'}")
    try:
        database.run(known_articles, count=30)
        rules = RecheckRules(policy=RecheckPolicy(), share=0.5)
        asyncio.run(watch_for(frontier_of(database, tmp_path, rechecks=rules), 1.0))
    finally:
        database.close()
    assert 1 <= database.asked <= 5


class Counting(Database):
    """A store that counts how often it is asked for rechecks, and grants none."""

    asked = 0

    async def run_async(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(getattr(function, "__self__", None), RecheckSource) and function.__name__ == "due":
            self.asked += 1
            return []
        return await super().run_async(function, *args, **kwargs)


def known_articles(connection: Connection, count: int) -> None:
    """Pages whose articles have long been due."""
    due = datetime(2026, 3, 2, tzinfo=UTC)
    rows = [
        {"key": str(one), "url": f"{NEWS}/{one}", "host": "news.example", "state": "settled", "next_try": due}
        for one in range(count)
    ]
    connection.execute(insert(pages), [row | {"recheck": due} for row in rows])


async def watch_for(frontier: Frontier, seconds: float) -> None:
    idle = asyncio.Event()
    idle.set()

    async def watch() -> None:
        async for target in frontier.targets(watch=True, idle=idle):
            raise AssertionError(target)

    with suppress(TimeoutError):
        await asyncio.wait_for(watch(), seconds)


async def polled_while_waiting(database: Database, frontier: Frontier, seconds: float) -> list[str]:
    """What is handed out until a channel is polled again, while one host never answers."""
    idle = asyncio.Event()
    idle.set()
    found: list[str] = []

    async def watch() -> None:
        async for target in frontier.targets(watch=True, idle=idle):
            assert isinstance(target, DueChannel)
            found.append(target.url)
            if target.url == NEWS:
                soon = datetime.now(UTC) + timedelta(seconds=0.5)
                again = update(channels).where(channels.c.id == target.id).values(next_poll=soon)
                await database.run_async(Connection.execute, again)
                frontier.stopping = found.count(NEWS) > 1
                frontier.done(target)

    with suppress(TimeoutError):
        await asyncio.wait_for(watch(), seconds)
    return found


def test_a_host_that_is_waited_for_does_not_keep_others_from_being_polled_when_they_are_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.running.frontier._LOOK_EVERY", 0.1)
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    seeds = [Seed(url=url, source="seeds.txt", line=1) for url in (NEWS, LETTERS)]
    database.run(import_seeds, seeds, ["seeds.txt"], datetime.now(UTC))
    found = asyncio.run(polled_while_waiting(database, frontier_of(database, tmp_path), 20))
    database.close()
    assert found.count(LETTERS) == 1
    assert found.count(NEWS) >= 2


async def sitemaps_while_waiting(frontier: Frontier, seconds: float) -> list[SitemapAsk]:
    """The sitemaps that are handed out while a channel never answers; the first is due after a moment."""
    idle = asyncio.Event()
    idle.set()
    found: list[SitemapAsk] = []

    async def watch() -> None:
        async for target in frontier.targets(watch=True, idle=idle):
            if isinstance(target, SitemapAsk):
                found.append(target)
                frontier.stopping = True

    with suppress(TimeoutError):
        await asyncio.wait_for(watch(), seconds)
    return found


def test_sitemaps_fall_due_also_in_a_crawl_that_is_never_at_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.running.frontier._LOOK_EVERY", 0.1)
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    seeds = [Seed(url=NEWS, source="seeds.txt", line=1)]
    database.run(import_seeds, seeds, ["seeds.txt"], datetime.now(UTC))
    site = {"host": "news.example", "origin": "https://news.example/", "watched": 50, "plan": SitemapPlan()}
    soon = datetime.now(UTC) + timedelta(seconds=0.3)
    database.run(Connection.execute, insert(sitemaps).values(**site, next_ask=soon))
    rules = RecheckRules(policy=RecheckPolicy(), share=0.5, sitemaps=10)
    frontier = frontier_of(database, tmp_path, rechecks=rules)
    (found,) = asyncio.run(sitemaps_while_waiting(frontier, 3))
    database.close()
    assert found.host == "news.example"
