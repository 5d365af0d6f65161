"""A line that shows a person at a terminal how the crawl is going."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from typing import TYPE_CHECKING, TextIO, cast

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.log import get_scrapy_root_handler

from archiver.acquisition.sites.curve import TextSeen, together
from archiver.display.terminal import StatusLine, StreamAbove, window_width
from archiver.errors import ArchiveError
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.internals import is_closing
from archiver.running.frontier import Frontier
from archiver.running.progress import Progress, Rate, progress_line
from archiver.store.outstanding import Outstanding, outstanding
from archiver.store.whole_sites.tallies import count_waiting, seen_of
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

    from archiver.running.session import Session
    from archiver.running.site_run import SiteRun

_SECONDS = 0.5
# The store is asked what there is to do this often, or less often where that takes it long.
_COUNT_SECONDS = 0.4
_COUNT_SHARE = 0.02  # of the time of the store's one thread
_INTERRUPTED = "Stopping, Ctrl-C again stops at once"


class ProgressExtension:
    """Rewrites one line on standard error, and takes it away at the end."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._line = StatusLine(sys.stderr)
        self._loop = create_looping_call(self._show)
        self._streams = _Streams(self._line)
        self._rate = Rate()
        self._left = Outstanding()
        self._sites: tuple[int, TextSeen | None] = (0, None)  # what waits of them, and the text seen
        self._counted = (0, 0)  # pages and channels that were done when the store was asked
        self._counting: asyncio.Task[None] | None = None
        self._count_at = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ProgressExtension:
        if not crawler.settings.getbool("PROGRESS") or not sys.stderr.isatty():
            raise NotConfigured  # not at a terminal; a message would be logged as a warning
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        # Not when the spider is closed: writing what is left takes a while, too.
        crawler.signals.connect(extension.engine_stopped, signals.engine_stopped)
        return extension

    def spider_opened(self) -> None:
        self._streams.replace()
        self._loop.start(_SECONDS)

    def engine_stopped(self) -> None:
        if self._loop.running:
            self._loop.stop()
        self._line.clear()
        self._streams.restore()

    def _show(self) -> None:
        now = time.monotonic()
        is_closing = self._is_closing()
        if now >= self._count_at and self._counting is None and not is_closing:
            self._counting = asyncio.ensure_future(self._count())
        session = ArchiveExtension.of(self._crawler).session
        progress = self._progress(session, now, is_closing=is_closing)
        width = (window_width(sys.stderr) or 80) - 1
        self._line.show(progress_line(progress, session.archive.clock.now(), width))

    def _progress(self, session: Session, now: float, *, is_closing: bool) -> Progress:
        if session.sites is not None:
            return self._progress_of_sites(session, session.sites, now, is_closing=is_closing)
        report, left = session.archive.report, self._left
        pages, channels = report.pages_tried, report.channels_polled
        pages_before, channels_before = self._counted
        to_do = left.pages + session.frontier.count("rechecks")
        is_waiting = self._is_watching and not (to_do or left.channels or left.unread)
        campaigns = session.campaign_run
        return Progress(
            pages=pages,
            pages_known=max(pages, pages_before + left.pages, pages + session.frontier.count("rechecks")),
            channels=channels,
            channels_known=max(channels, channels_before + left.channels),
            pages_a_second=self._rate.note(now, pages),
            unread=left.unread,
            failing=left.failing,
            next_poll=left.next_poll if is_waiting else None,
            spent=campaigns.spent if campaigns else 0,
            budget=campaigns.budget if campaigns else 0,
            waits_for_others=_waits_for_others(session),
            ending=self._ending() if is_closing else "",
            hosts=self._hosts(),
        )

    def _progress_of_sites(
        self, session: Session, crawl: SiteRun, now: float, *, is_closing: bool
    ) -> Progress:
        pages, (waiting, seen) = crawl.requests, self._sites
        return Progress(
            pages=pages,
            pages_known=max(pages, self._counted[0] + waiting),
            channels=0,
            channels_known=0,
            pages_a_second=self._rate.note(now, pages),
            unread=self._left.unread,
            failing=sum(session.archive.report.visit_failures.values()),
            ending=self._ending() if is_closing else "",
            hosts=self._hosts(),
            limit=crawl.limit,
            seen=seen,
        )

    def _hosts(self) -> list[str]:
        """Whose answers are waited for."""
        engine = self._crawler.engine
        active = engine.downloader.active if engine is not None else ()
        return sorted({host_of(request.url) for request in active})

    async def _count(self) -> None:
        """Ask the store what there is to do."""
        session = ArchiveExtension.of(self._crawler).session
        report = session.archive.report
        crawl, database = session.sites, session.archive.database
        counted = (report.pages_tried if crawl is None else crawl.requests, report.channels_polled)
        try:
            self._left, seconds = await database.run_async(
                _timed_outstanding,
                session.archive.clock.now(),
                session.seeds,
                report.started,
                self._is_watching,
            )
            if crawl is not None:
                self._sites, more = await database.run_async(_timed_sites, crawl.ids)
                seconds += more
        except ArchiveError:
            return  # the crawl itself says so
        self._counted = counted
        self._count_at = time.monotonic() + max(_COUNT_SECONDS, seconds / _COUNT_SHARE)
        self._counting = None

    @property
    def _is_watching(self) -> bool:
        return bool(getattr(self._crawler.spider, "watch", False))

    def _is_closing(self) -> bool:
        return is_closing(self._crawler) is not False  # there may be no spider yet, or none any more

    def _ending(self) -> str:
        return "Finishing" if self._crawler.crawling else _INTERRUPTED


def _waits_for_others(session: Session) -> bool:
    """Whether other workers have all that is due, so that nothing is under way here."""
    leasing = session.frontier.leasing if isinstance(session.frontier, Frontier) else None
    return leasing is not None and bool(leasing.elsewhere) and not leasing.held


def _timed_outstanding(
    connection: Connection, now: datetime, sources: Sequence[str] | None, began: datetime, is_watching: bool
) -> tuple[Outstanding, float]:
    """What there is to do, and how long the store took to tell."""
    started = time.monotonic()
    left = outstanding(connection, now, sources, began=began, polls_again=is_watching)
    return left, time.monotonic() - started


def _timed_sites(connection: Connection, site_ids: Sequence[int]) -> tuple[tuple[int, TextSeen], float]:
    """What waits of the sites of a run and how much text was seen of them, and how long that took."""
    started = time.monotonic()
    found = count_waiting(connection, site_ids), together(seen_of(connection, site_ids))
    return found, time.monotonic() - started


class _Streams:
    """Standard output, standard error and the log, made to give way to the line."""

    def __init__(self, line: StatusLine) -> None:
        self._line = line
        self._before: tuple[TextIO, TextIO] | None = None

    def replace(self) -> None:
        self._before = (sys.stdout, sys.stderr)
        handler = get_scrapy_root_handler()
        logs_here = isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr
        if sys.stdout.isatty():
            sys.stdout = self._above(sys.stdout)
        sys.stderr = self._above(sys.stderr)
        if logs_here:
            cast("logging.StreamHandler[TextIO]", handler).setStream(sys.stderr)

    def restore(self) -> None:
        if self._before is None:
            return
        handler = get_scrapy_root_handler()
        if isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr:
            handler.setStream(self._before[1])
        sys.stdout, sys.stderr = self._before

    def _above(self, stream: TextIO) -> TextIO:
        return cast("TextIO", StreamAbove(stream, self._line))
