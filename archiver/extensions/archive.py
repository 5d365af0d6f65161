"""The session of a run, opened from the settings and shared by all components of the crawl."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from scrapy import signals

from archiver.archive.lock import hold_state
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.configuration import components, config_from
from archiver.extensions.logs import hide_secrets_in_logs
from archiver.handlers.bodies import BodyFlow
from archiver.handlers.internals import check_shapes, schedule
from archiver.rendering.process import check_browser
from archiver.running.archive import Archive
from archiver.running.session import Limits, Places, Session
from archiver.spiders.asking import Asking
from archiver.store.lost import sqlite_path

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.running.archive import ArchiveConfig
    from archiver.spiders.kinds import Kind


class ArchiveExtension:
    """Connects a session with Scrapy: its signals, and the kinds of things that it asks for."""

    def __init__(self, crawler: Crawler, config: ArchiveConfig) -> None:
        self._crawler = crawler
        settings = crawler.settings
        # What is asked for, in the order in which places are given to it.
        kinds: list[type[Kind[Any]]] = components(settings, "KINDS")
        self._state = ExitStack()
        if (path := sqlite_path(config.state_url)) is not None and path.parent != config.folder:
            self._state.enter_context(hold_state(path))
        archive = Archive(config)
        if config.replayed is None:  # a replay writes no WARC
            archive.writer.start()
        # One for all handlers: http and https share the budget.
        self.bodies = BodyFlow(archive.writer, settings.getint("BODIES_IN_FLIGHT_MB") << 20)
        self.session = Session(
            archive,
            [kind.source for kind in kinds],
            places=_places(settings),
            limits=_limits(settings),
            on_fatal=self._stop,
        )
        self.asking = Asking(self.session, {kind.source.name: kind(self.session) for kind in kinds})

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ArchiveExtension:
        check_shapes()
        config = config_from(crawler.settings)
        if config.render is not None:
            # Said before anything is asked for: pages would wait for a browser that never comes.
            check_browser(config.render)
        extension = cls(crawler, config)
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
        heartbeat = self.session.archive.heartbeat
        if heartbeat is not None:
            heartbeat.watches = bool(getattr(self._crawler.spider, "watch", False))
        self.session.begin()

    async def spider_closed(self, reason: str) -> None:
        was_watching = bool(getattr(self._crawler.spider, "watch", False))
        await self.session.close(reason, was_watching=was_watching)
        self._state.close()

    def _stop(self) -> None:
        schedule(self._crawler.engine.close_spider_async(reason="archive_error"))

    def spider_error(self, failure: TwistedFailure, response: Response | None, spider: Spider) -> None:  # noqa: ARG002 - Scrapy's interface
        """Report an error of ours in a callback; what it was about is tried again like after any failure."""
        if isinstance(failure.value, ArchiveError):  # no fault of what was asked for, which stays as it is
            self.session.fatal(failure.value)
            return
        self.session.archive.report.error(f"{type(failure.value).__name__}: {failure.value}")
        if response is None or response.request is None:
            return
        answer = self.asking.broken(response.request, response.url, failure.value)
        if answer is not None:
            schedule(self.session.store(answer))

    def item_error(self, failure: TwistedFailure) -> None:
        """End the run: the pipeline could not write, and the state store or the disk is at fault."""
        error = failure.value
        self.session.fatal(error if isinstance(error, Exception) else RuntimeError(str(error)))


def _places(settings: BaseSettings) -> Places:
    # What waits in Scrapy's queues is in memory: enough for every slot to be busy, no more. Of a host, some
    # are being downloaded while others wait for the disk and the store.
    return Places(
        requests=settings.getint("CONCURRENT_REQUESTS"),
        per_host=8 * settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
    )


def _limits(settings: BaseSettings) -> Limits:
    return Limits(
        backlog=settings.getint("EXTRACT_BACKLOG"),
        failing_share=settings.getfloat("FAILING_SHARE"),
        host_time=str(settings["RUN_HOST_TIME"]),
    )
