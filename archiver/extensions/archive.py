"""The archive of a run, opened from the settings and shared by all components of the crawl."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.defer import _schedule_coro

from archiver.acquisition.items import (
    ChannelPoll,
    GapFetch,
    PageFetch,
    RequisiteFetch,
    SitemapFetch,
    failed_requisite,
)
from archiver.acquisition.outcomes import Failed, Failure
from archiver.clock import machine_now
from archiver.display.when import when
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.configuration import config_from
from archiver.extensions.redaction import hide_secrets_in_logs
from archiver.handlers.bodies import BodyFlow
from archiver.running.fetching import Requisites
from archiver.running.frontier import Frontier
from archiver.running.holding import Holding
from archiver.running.reading.extraction import Extraction
from archiver.running.replay.compare import compare_objects
from archiver.running.replay.frontier import ReplayFrontier
from archiver.running.replay.tape import Tape
from archiver.running.session import Archive
from archiver.store.due import next_up
from archiver.store.failing import failing_share
from archiver.store.filling import FillRules, store_gap_fetch
from archiver.store.gaps import count_open_gaps
from archiver.store.outstanding import outstanding
from archiver.store.pages import count_waiting_pages
from archiver.store.polls import store_poll
from archiver.store.sitemaps import store_sitemap_fetch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.running.session import ArchiveConfig, Replayed

logger = logging.getLogger(__name__)


class ArchiveExtension:
    """Owns the archive from the start of the crawl to its end."""

    def __init__(self, crawler: Crawler, config: ArchiveConfig) -> None:
        self._crawler = crawler
        self.archive = Archive(config)
        if config.replayed is None:  # a replay writes no WARC
            self.archive.writer.start()
        settings = crawler.settings
        # One for all handlers: http and https share the budget.
        self.bodies = BodyFlow(self.archive.writer, settings.getint("BODIES_IN_FLIGHT_MB") << 20)
        self.tape = Tape(config.warc_folder)
        self.frontier = self._make_frontier()
        self.extraction = Extraction(self.archive, self._on_progress, self.fatal, self.frontier.pages_wanted)
        self.requisites = Requisites(self.archive)
        self._extracting: asyncio.Task[None] | None = None
        self._most_failing = settings.getfloat("FAILING_SHARE")
        self._failing_share = 0.0
        # The files whose channels this run polls; None: all of them.
        self.sources: list[str] | None = None
        self._opened = self._last_fetch = time.monotonic()
        self.failed: Exception | None = None
        self.report_file: Path | None = None  # once it is written

    def _make_frontier(self) -> Frontier | ReplayFrontier:
        archive, settings = self.archive, self._crawler.settings
        if archive.config.replayed is not None:
            return ReplayFrontier(archive.database, self.tape)
        at_once = settings.getint("CONCURRENT_REQUESTS")
        frontier = Frontier(
            archive.database,
            archive.clock,
            # What waits in Scrapy's queues is in memory: enough for every slot to be busy, no more.
            most_channels=2 * at_once,
            most_pages=8 * at_once,
            # Twice over: some are being downloaded while others wait for the disk and the store.
            per_host=8 * settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
            # Hundreds of feeds of one host may fall due at once: the others go on beside them.
            channels_per_host=4 * settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
            most_captured=settings.getint("EXTRACT_BACKLOG") if archive.config.extraction else None,
            # Without extraction nobody could tell whether an article changed.
            rechecks=archive.config.rechecks if archive.config.extraction else None,
        )
        config = archive.config
        frontier.holding = Holding(archive.database, archive.clock, config.quotas, archive.report.note)
        return frontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ArchiveExtension:
        settings = crawler.settings
        extension = cls(crawler, config_from(settings))
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        crawler.signals.connect(extension.spider_error, signals.spider_error)
        crawler.signals.connect(extension.item_error, signals.item_error)
        return extension

    @classmethod
    def of(cls, crawler: Crawler) -> ArchiveExtension:
        extension = crawler.get_extension(cls)
        if extension is None:
            raise ConfigurationError("ArchiveExtension is missing from EXTENSIONS")
        return extension

    def spider_opened(self) -> None:
        hide_secrets_in_logs()
        self._extracting = asyncio.ensure_future(self.extraction.run())

    async def spider_closed(self, reason: str) -> None:
        self.frontier.stopping = True
        await self.extraction.stop()
        if self._extracting is not None:
            await self._extracting
        with self._told():
            self._failing_share = await self.archive.database.run_async(
                failing_share, self.sources, self.archive.report.started
            )
            await self._tell_what_is_next(reason)
            await self._note_waiting()
            self.archive.report.gaps_open = await self.archive.database.run_async(count_open_gaps)
            self.archive.report.left = await self._left()
        with self._told():
            await self.archive.writer.close()
        with self._told():
            # Joining threads would stop the event loop that they answer to.
            await asyncio.get_running_loop().run_in_executor(None, self.archive.close)
        self._finish(reason)

    async def _left(self) -> dict[str, int]:
        """What the next run has to do; none comes after a replay."""
        archive = self.archive
        if archive.config.replayed is not None:
            return {}
        left = await archive.database.run_async(outstanding, archive.clock.now(), self.sources)
        return {name: getattr(left, name) for name in ("pages", "retries", "unread", "channels")}

    async def _tell_what_is_next(self, reason: str) -> None:
        """Where nothing was due, an operator who waits for something wants to know when."""
        archive = self.archive
        if archive.report.polls or archive.config.replayed is not None or reason != "finished":
            return
        row = await archive.database.run_async(next_up, self.sources)
        if row is not None:
            soon = when(row.next_poll, archive.clock.now())
            archive.report.note(f"No channel was due; next: {row.url} {soon} ({row.why})")

    async def _note_waiting(self) -> None:
        """Say which hosts have had their time in this run, and what is left of them."""
        hosts, archive = self.frontier.hosts_left, self.archive
        waiting = await archive.database.run_async(count_waiting_pages, archive.clock.now(), hosts=hosts)
        for host in sorted(hosts, key=lambda host: -waiting.get(host, 0)):
            archive.report.note(
                f"{host}: {waiting.get(host, 0)} pages wait for the next run: it had its time in this one"
                f" (RUN_HOST_TIME = {self._crawler.settings['RUN_HOST_TIME']})"
            )

    def _finish(self, reason: str) -> None:
        report = self.archive.report
        if self.archive.config.replayed is not None:
            self._compare(self.archive.config.replayed)
        report.cpu_seconds["crawl"] = time.thread_time()
        report.seconds["download"] = self._last_fetch - self._opened
        report.finish(
            reason,
            machine_now(),
            failing_share=self._failing_share,
            most_failing=self._most_failing,
            was_watching=bool(getattr(self._crawler.spider, "watch", False)),
        )
        with self._told():
            self.report_file = report.write(self.archive.config.folder / "runs")

    def _compare(self, replayed: Replayed) -> None:
        """Say whether the replay made what the archive has."""
        report = self.archive.report
        found = compare_objects(replayed.objects_folder, self.archive.config.objects_folder)
        report.note(f"{found.same} objects came out as the archive has them")
        for told in found.reworded:
            report.note(f"{told} has other words now: extraction saw other evidence, or is another one")
        for told in found.missing:
            report.error(f"The archive has {told}, which its WARC does not give")
        for told in found.unexpected:
            report.error(f"The WARC gives {told}, which the archive does not have")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """A disk that is full at the very end is told, and hides nothing of what was before."""
        try:
            yield
        except (ArchiveError, OSError) as error:
            # The summary has it: at a terminal, the log would say it once more.
            logger.info("The run could not be ended in order: %s", _in_words(error))
            self.archive.report.error(_in_words(error))

    async def polled(self, poll: ChannelPoll) -> None:
        """Make a poll part of the archive's state."""
        archive = self.archive
        times = {"recorded": machine_now(), "now": archive.clock.now()}
        try:
            result = await archive.database.run_async(store_poll, poll, rules=archive.config.polls, **times)
        except ArchiveError as error:
            self.fatal(error)
            return
        archive.report.polled(result)
        if result.new:
            self.extraction.look()
        if result.gap is not None:
            self.frontier.gaps_wanted()
        if archive.config.polls.channel_pages:
            self.frontier.requisites_wanted()
        self.frontier.channel_done(poll.channel_id)

    def _on_progress(self) -> None:
        """Pages were read: room for others, and for what they need to be shown."""
        if self.archive.config.requisites.scope == "none":
            self.frontier.wake()
        else:
            self.frontier.requisites_wanted()

    async def fetched(self, fetch: PageFetch) -> None:
        """Make a page's fetch part of the archive's state."""
        self.archive.report.pages_fetched += fetch.capture is not None
        self._last_fetch = time.monotonic()
        try:
            await self.extraction.fetched(fetch)
        except ArchiveError as error:
            self.fatal(error)
            return
        self.archive.report.pages_tried += 1
        self.frontier.page_done(fetch.page_id)

    async def gap_fetched(self, fetch: GapFetch) -> None:
        """Make what was found in a gap part of the archive's state."""
        archive = self.archive
        polls = archive.config.polls
        rules = FillRules(documents=polls.gap_pages, pages_at_once=polls.pages_at_once)
        times = {"recorded": machine_now(), "now": archive.clock.now()}
        try:
            result = await archive.database.run_async(store_gap_fetch, fetch, rules=rules, **times)
        except ArchiveError as error:
            self.fatal(error)
            return
        archive.report.filled(result)
        self.extraction.look()
        self.frontier.gap_done(fetch.gap.id)

    async def sitemap_fetched(self, fetch: SitemapFetch) -> None:
        """Make what a sitemap says part of the archive's state."""
        archive = self.archive
        most, now = archive.config.rechecks.sitemaps, archive.clock.now()
        try:
            result = await archive.database.run_async(store_sitemap_fetch, fetch, most=most, now=now)
        except ArchiveError as error:
            self.fatal(error)
            return
        archive.report.sitemap(result)
        self.frontier.sitemap_done(fetch.ask.id)

    async def requisite_fetched(self, fetch: RequisiteFetch) -> None:
        """Make a requisite's fetch part of the archive's state."""
        await self.requisites.fetched(fetch)
        self.frontier.requisite_done(fetch.requisite_id)
        if fetch.kind == "style":
            self.frontier.requisites_wanted()

    def fatal(self, error: Exception) -> None:
        """The archive cannot be written: end the run, with everything unsettled still waiting."""
        if self.failed is None:
            self.failed = error
            logger.error("The crawl stops: %s", _in_words(error))
            self.archive.report.error(_in_words(error))
            self.frontier.stopping = True
            self.frontier.wake()
            _schedule_coro(self._crawler.engine.close_spider_async(reason="archive_error"))

    def spider_error(self, failure: TwistedFailure, response: Response | None, spider: Spider) -> None:  # noqa: ARG002 - Scrapy's interface
        """An error of ours in a callback: told to the operator, and tried again like any failure."""
        if isinstance(failure.value, ArchiveError):  # no fault of what was asked for, which stays as it is
            self.fatal(failure.value)
            return
        self.archive.report.error(f"{type(failure.value).__name__}: {failure.value}")
        if response is None or response.request is None:
            return
        failed = Failed(failure=Failure.INTERNAL, detail=str(failure.value))
        kwargs = response.request.cb_kwargs
        if "channel_id" in kwargs:
            poll = ChannelPoll(channel_id=kwargs["channel_id"], url=response.url, failed=failed)
            _schedule_coro(self.polled(poll))
        elif "page_id" in kwargs:
            _schedule_coro(self.fetched(PageFetch(url=response.url, failed=failed, **kwargs)))
        elif "gap" in kwargs:
            _schedule_coro(self.gap_fetched(GapFetch(gap=kwargs["gap"], url=response.url, failed=failed)))
        elif "sitemap" in kwargs:
            _schedule_coro(self.sitemap_fetched(SitemapFetch(ask=kwargs["sitemap"], failed=failed)))
        elif "requisite" in kwargs:
            _schedule_coro(self.requisite_fetched(failed_requisite(kwargs["requisite"], failed)))

    def let_go(self, kwargs: dict[str, Any], *, is_over: bool) -> None:
        """Hand out again what was asked for, when it fits; in the next run, if its host's time is over."""
        if "channel_id" in kwargs:
            self.frontier.let_go("channels", kwargs["channel_id"], is_over=is_over)
        elif "page_id" in kwargs:
            self.frontier.let_go("pages", kwargs["page_id"], is_over=is_over)
        elif "gap" in kwargs:
            self.frontier.let_go("gaps", kwargs["gap"].id, is_over=is_over)
        elif "sitemap" in kwargs:
            self.frontier.let_go("sitemaps", kwargs["sitemap"].id, is_over=is_over)
        elif "requisite" in kwargs:
            self.frontier.let_go("requisites", kwargs["requisite"].id, is_over=is_over)

    def item_error(self, failure: TwistedFailure) -> None:
        """A pipeline could not write: the state store or the disk is at fault."""
        error = failure.value
        self.fatal(error if isinstance(error, Exception) else RuntimeError(str(error)))


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError):
        place = error.filename or "the archive"
        return f"Cannot write to {place}: {error.strerror}. Free some space and run again."
    return str(error)
