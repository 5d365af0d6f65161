"""One run, without Scrapy: what is due goes out, and what comes back is stored and read."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.clock import machine_now
from archiver.errors import ArchiveError
from archiver.running.adapting import SiteAdapting
from archiver.running.ending import tell_end, tell_replay
from archiver.running.frontier import Frontier
from archiver.running.holding import Holding
from archiver.running.indexing import Indexing
from archiver.running.leasing import Leasing
from archiver.running.papers import Papers
from archiver.running.reading.extraction import Extraction
from archiver.running.rendering import Renderings
from archiver.running.replay.frontier import ReplayFrontier
from archiver.running.replay.tape import Tape
from archiver.running.site_run import site_orders_of
from archiver.store.polling.due import failing_share
from archiver.store.whole_sites.orders import SiteAction
from archiver.store.whole_sites.sites import find_site
from archiver.store.works import need_works

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from archiver.acquisition.items import Answer
    from archiver.acquisition.targets import Target
    from archiver.archive.inbox import InboxRequest
    from archiver.archive.warc.records import Capture
    from archiver.running.archive import Archive
    from archiver.running.campaign_run import CampaignRun
    from archiver.running.form_ending import FormRun
    from archiver.running.site_run import SiteRun
    from archiver.running.sources import Source
    from archiver.store.polling.apis import PostTaker

logger = logging.getLogger(__name__)

# Registered domains that a worker holds at a time, for each request that it makes at a time: enough for all
# requests to be busy, and the others are for other workers.
_DOMAINS = 8
# Between two looks for what readers have left: readers heed it at once in any case.
_INBOX_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """How much is handed out at a time."""

    requests: int = 16  # that are made at a time
    per_host: int = 64  # targets of a host that are under way, in all


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run is measured by."""

    # Captured pages that wait to be read: with more of them, none is fetched.
    backlog: int = 5000
    # A larger share of failing channels makes the run fail.
    failing_share: float = 0.5
    host_time: str = ""  # the setting, in the operator's words


class Session:
    """Owns the archive, its sources and its frontier from the start of a run to its end."""

    def __init__(
        self,
        archive: Archive,
        sources: Sequence[type[Source[Target]]],
        *,
        places: Places,
        limits: Limits,
        on_fatal: Callable[[], None],
    ) -> None:
        self.archive = archive
        self.places = places
        self._limits = limits
        self._on_fatal = on_fatal
        self.tape = Tape(archive.config.warc_folder)
        self.renderings = Renderings(self)
        self.extraction = Extraction(
            archive, self._on_progress, self.fatal, lambda: self.frontier.want("pages"), self.renderings
        )
        self._sources = {source.name: source(self) for source in sources}
        self.frontier = self._make_frontier()
        self._extracting: asyncio.Task[None] | None = None
        self._indexing = self._make_indexing()
        self._inbox: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()
        self._papers: Papers | None = None
        self._reading_papers: asyncio.Task[None] | None = None
        # The files whose channels this run polls; None: all of them.
        self.seeds: list[str] | None = None
        # Where the robots.txt of each origin is that was asked for: it may name sitemaps.
        self.robots: dict[str, Capture] = {}
        # How often each origin was asked for it.
        self.robots_asked: Counter[str] = Counter()
        # The campaigns that this run fetches for.
        self.campaign_run: CampaignRun | None = None
        # The forms that this run asks.
        self.form_run: FormRun | None = None
        # The sites that this run crawls.
        self.sites: SiteRun | None = None
        # The campaigns that this run works for, by their names.
        self.campaigns: tuple[str, ...] = ()
        # Where links of posts go; None: they are kept with their posts alone.
        self.take_posts: PostTaker | None = None
        under_way = lambda: self.frontier.count("visits")  # noqa: E731 - the frontier is made below
        self.adapting = SiteAdapting(archive, under_way) if archive.config.site_adapt else None
        # What was ordered of sites before this run and is to begin with it; then, what is not heeded yet.
        begun = site_orders_of(archive.taken_up)
        self._orders = [order for order in begun if order.action is SiteAction.START]
        self._opened = self._last_page = time.monotonic()
        self.failed: Exception | None = None
        self.report_file: Path | None = None  # once it is written

    def _make_frontier(self) -> Frontier | ReplayFrontier:
        archive, sources = self.archive, list(self.sources)
        config = archive.config
        if config.replayed is not None:
            return ReplayFrontier(archive.database, sources, self.tape)
        frontier = Frontier(
            archive.database,
            archive.clock,
            sources,
            per_host=self.places.per_host,
            most_captured=self._limits.backlog if config.extraction else None,
        )
        frontier.on_fatal = self.fatal
        frontier.holding = Holding(archive.database, archive.clock, config.quotas, archive.report.note)
        if archive.heartbeat is not None:
            most = _DOMAINS * self.places.requests
            frontier.leasing = Leasing(archive.database, archive.heartbeat.worker, most=most)
        return frontier

    def _make_indexing(self) -> Indexing | None:
        config = self.archive.config
        if not config.search or config.replayed is not None:
            return None
        return Indexing(config.folder, config.state_url, self.archive.report.note)

    @property
    def sources(self) -> Collection[Source[Target]]:
        """In the order in which places are given to them."""
        return self._sources.values()

    def begin(self) -> None:
        """Read captured pages from here on."""
        self._extracting = asyncio.ensure_future(self.extraction.run())
        self.renderings.begin()
        if self._indexing is not None:
            self._indexing.begin()
            config = self.archive.config
            places = (config.folder, config.warc_folder, config.index_folder, config.state_url)
            self._papers = Papers(*places, self.archive.workers)
            self._reading_papers = asyncio.ensure_future(self._papers.run())
        self._inbox = asyncio.ensure_future(self._empty_inbox())

    async def _empty_inbox(self) -> None:
        """Take up what readers leave while the run goes on."""
        while not self._ending.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), _INBOX_SECONDS)
            try:
                taken = await asyncio.to_thread(self.archive.empty_inbox)
                await self._heed(taken)
            except (ArchiveError, OSError) as error:
                self.fatal(error)
                return

    async def _heed(self, taken: Sequence[InboxRequest]) -> None:
        """Begin, rest, go on with or end the crawl of sites, as readers want it."""
        self._orders += site_orders_of(taken)
        if self.sites is None or not self._orders:
            return
        orders, self._orders = self._orders, []
        for order in orders:
            site = await self.archive.database.run_async(find_site, order.url)
            if site is not None:
                self.sites.heed(site)
        self.frontier.take_back("visits")

    async def store(self, answer: Answer) -> None:
        """Make what came of a target part of the archive's state."""
        source = self._sources[answer.target.source]
        if source.is_read:
            self._last_page = time.monotonic()
        try:
            effects = await source.store(answer.found)
        except ArchiveError as error:
            self.fatal(error)
            return
        if effects.reads:
            self.extraction.look()
        self.frontier.want(*effects.wants)
        self.frontier.done(answer.target)

    def _on_progress(self) -> None:
        """Pages were read: there is room for others, and for what they need to be shown."""
        config = self.archive.config
        wanted = {"requisites": config.requisites.scope != "none", "comments": config.comments}
        self.frontier.want(*(name for name, is_wanted in wanted.items() if is_wanted))

    async def has_alone(self, *works: str) -> bool:
        """Have these works for this run alone; False, and the run ends, where another worker has one."""
        try:
            await self.archive.database.run_async(need_works, works)
        except ArchiveError as error:
            self.fatal(error)
        return self.failed is None

    def fatal(self, error: Exception) -> None:
        """End the run, with everything unsettled still waiting: the archive cannot be written."""
        if self.failed is None:
            self.failed = error
            logger.error("The crawl stops: %s", _in_words(error))
            self.archive.report.error(_in_words(error))
            self.frontier.stopping = True
            self.frontier.wake()
            self._on_fatal()

    async def close(self, reason: str, *, was_watching: bool) -> None:
        """Finish what is being read, close the archive and write the report."""
        self.frontier.stopping = True
        self._ending.set()
        await self._stop_reading()
        archive, share = self.archive, 0.0
        with self._reported():
            # Feeds that a campaign found are none of the operator's: a run may go well while they fail.
            seeds = [] if archive.report.crawled == "campaigns" else self.seeds
            share = await archive.database.run_async(failing_share, seeds, archive.report.started)
            await tell_end(self, reason, host_time=self._limits.host_time)
        with self._reported():
            await archive.writer.close()
        with self._reported():
            # Joining threads would stop the event loop that they answer to.
            await asyncio.get_running_loop().run_in_executor(None, self._close_archive)
        if archive.config.replayed is not None:
            tell_replay(archive, archive.config.replayed)
        self._finish(reason, share, was_watching=was_watching)

    async def _stop_reading(self) -> None:
        """Each by itself: where the store is gone, they all fail, and the run still ends in order."""
        for ended in (self._inbox, self.renderings.stop(), self.extraction.stop()):
            with self._reported():
                if ended is not None:
                    await ended
        if self._papers is not None and self._reading_papers is not None:
            self._papers.stop()
            await self._reading_papers
            if self._papers.trouble:
                logger.warning(self._papers.trouble)
                self.archive.report.note(self._papers.trouble)
        if self._extracting is not None:
            with self._reported():
                await self._extracting

    def _close_archive(self) -> None:
        if self._indexing is not None:
            self._indexing.end()
            self.archive.report.cpu_seconds["search"] = self._indexing.cpu_seconds
        self.archive.close()

    def _finish(self, reason: str, share: float, *, was_watching: bool) -> None:
        report = self.archive.report
        report.cpu_seconds["crawl"] = time.thread_time()
        report.seconds["download"] = self._last_page - self._opened
        report.finish(
            reason,
            machine_now(),
            failing_share=share,
            most_failing=self._limits.failing_share,
            was_watching=was_watching,
        )
        with self._reported():
            self.report_file = report.write(self.archive.config.folder / "runs")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Report a disk that is full at the very end, and hide nothing of what was before."""
        try:
            yield
        except (ArchiveError, OSError) as error:
            # The summary has it: at a terminal, the log would say it once more.
            logger.info("The run could not be ended in order: %s", _in_words(error))
            self.archive.report.error(_in_words(error))


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError):
        place = error.filename or "the archive"
        return f"Cannot write to {place}: {error.strerror}. Free some space and run again."
    return str(error)
