"""How long a run waits for a host: what does not fit into RUN_HOST_TIME is left for the next run."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.httpobj import urlparse_cached

from archiver.acquisition.hosts import PER_SLOW_HOST, REMEMBERED_FROM, BusyHost, HostTimes
from archiver.clock import machine_now
from archiver.errors import ArchiveError, BudgetSpent, HostSlow, HostTimeUp, RunEnding, SiteRests
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.downloader import is_slow
from archiver.handlers.internals import process_queue, slot_of
from archiver.running.frontier import Frontier
from archiver.store.content.pages import count_waiting_pages
from archiver.store.quotas import note_rest, resting_hosts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.core.downloader import Downloader, Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from archiver.running.session import Session
    from archiver.running.site_run import SiteRun

_SECONDS = 0.5
# As long as a run that polls a few channels may take.
_LONGEST_START = 60.0


class PatienceMiddleware:
    """Looks at the downloader's slots, and tells the frontier which hosts are slow and whose time is up.

    Nothing is lost: what is let go is pending in the state store, and was not tried.
    """

    def __init__(self, crawler: Crawler, times: HostTimes, longest_start: float) -> None:
        self._crawler = crawler
        # So long is a host waited for that was asked by an earlier run not long ago.
        self._longest_start = longest_start
        self._rests: dict[str, tuple[float, float]] = {}  # since when, and how long they rest
        self._usual: dict[str, tuple[float, float]] = {}  # delay and jitter of those that still do
        self._times = times
        self._looked = time.monotonic()
        self._loop = create_looping_call(self._look)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PatienceMiddleware:
        if crawler.settings.getbool("REPLAY"):
            raise NotConfigured("A replay waits for no host")
        is_watching = getattr(crawler.spider, "watch", False)
        most = None if is_watching else crawler.settings.getfloat("RUN_HOST_TIME")
        middleware = cls(crawler, HostTimes(most), longest_start(most))
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    async def spider_opened(self) -> None:
        session = ArchiveExtension.of(self._crawler).session
        if isinstance(session.frontier, Frontier) and session.frontier.leasing is not None:
            session.frontier.leasing.delay_of = self._delay_of
        await self._leave_in_peace(session)
        self._loop.start(_SECONDS, now=False)

    async def _leave_in_peace(self, session: Session) -> None:
        """What an earlier run has asked not long ago waits until its delay is over, or for the next run."""
        archive = session.archive
        found = await archive.database.run_async(resting_hosts, machine_now())
        now = time.monotonic()
        self._rests = {host: (now + rest.left - rest.delay, rest.delay) for host, rest in found.items()}
        hosts = frozenset(host for host, rest in found.items() if rest.left > self._longest_start)
        self._times.up |= hosts
        session.frontier.leave_in_peace(hosts)
        # From the beginning: what waits for their robots.txt would have all places.
        session.frontier.pace(slow=frozenset(found), over=set())
        waiting = await archive.database.run_async(count_waiting_pages, archive.clock.now(), hosts=hosts)
        for host, pages in sorted(waiting.items()):
            told = f"it asks for {found[host].delay:,.0f} seconds between two requests, which are not over"
            archive.report.note(f"{host}: {pages} pages wait for a later run: {told}")

    def _delay_of(self, host: str) -> float:
        """Seconds after which another worker may ask a host that this one has asked just now."""
        slot = self._crawler.engine.downloader.slots.get(host)
        if slot is None:
            return self._crawler.settings.getfloat("DOWNLOAD_DELAY")
        return float(slot.delay * (1 + slot.jitter))

    def spider_closed(self) -> None:
        self._loop.stop()

    def process_request(self, request: Request) -> None:
        host = urlparse_cached(request).hostname or ""
        session = ArchiveExtension.of(self._crawler).session
        self._check_worker(session)
        crawl = session.sites
        if crawl is not None and crawl.rests(request.cb_kwargs.get("target")):
            raise SiteRests("The crawl of this site rests")
        if host in self._times.up:
            raise HostTimeUp("The time of this host in this run is used up")
        if host in self._rests:
            self._go_on_resting(request, host)

    def _check_worker(self, session: Session) -> None:
        """Ask for nothing where other workers may have taken over: this one may have slept for long."""
        if session.archive.heartbeat is not None:
            try:
                session.archive.heartbeat.check()
            except ArchiveError as error:
                session.fatal(error)
                raise

    def _go_on_resting(self, request: Request, host: str) -> None:
        """Have the first request wait as if the last one had been of this run."""
        asked, delay = self._rests.pop(host)
        slot = slot_of(self._crawler.engine.downloader, request)
        # From its answer on, what robots.txt says now counts, not what it said then.
        self._usual[host] = slot.delay, slot.jitter
        _rest_on(slot, asked, delay)

    def process_response(self, request: Request, response: Response) -> Response:
        self._note(request)
        return response

    def _note(self, request: Request) -> None:
        """A host was asked just now; if it wants to be left in peace for long, the next run has to know."""
        host = urlparse_cached(request).hostname or ""
        slot = self._crawler.engine.downloader.slots.get(host)
        if slot is not None and host in self._usual:
            slot.delay, slot.jitter = self._usual.pop(host)
            _wait_no_longer(self._crawler.engine.downloader, slot)
        if slot is not None and slot.delay >= REMEMBERED_FROM:
            remember(self._crawler, host, slot.delay)

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, HostTimeUp | HostSlow):
            # A budget may have something again in this run, for the next day or by an edit.
            is_over = isinstance(exception, HostTimeUp) and not isinstance(exception, BudgetSpent)
            target = request.cb_kwargs.get("target")
            if target is not None:
                ArchiveExtension.of(self._crawler).session.frontier.let_go(target, is_over=is_over)
        elif not isinstance(exception, IgnoreRequest | RunEnding):
            self._note(request)

    def _look(self) -> None:
        now = time.monotonic()
        slots = self._crawler.engine.downloader.slots
        over = self._times.add(_busy(slots, now), now - self._looked)
        self._looked = now
        slow = {host: slot for host, slot in slots.items() if is_slow(slot)}
        frontier = ArchiveExtension.of(self._crawler).session.frontier
        frontier.pace(slow=frozenset(slow) | self._rests.keys(), over=over)
        for slot in slow.values():
            _feeds_first(slot)
            _hand_back(slot)
        for host in self._times.up & slots.keys():
            _let_go(slots[host])
        crawl = ArchiveExtension.of(self._crawler).session.sites
        if crawl is not None and crawl.resting:
            for slot in slots.values():
                _let_rest(slot, crawl)


def _rest_on(slot: Slot, asked: float, delay: float) -> None:
    """Have a slot wait as if its host had been asked at that moment, which may be before the machine started.

    Then the moment is below zero, and zero is what Scrapy has for a slot that was never used.
    """
    slot.delay, slot.jitter = delay, 0.0
    slot.lastseen = max(slot.lastseen, asked) if slot.lastseen else asked


def _wait_no_longer(downloader: Downloader, slot: Slot) -> None:
    """Scrapy has begun to wait for the whole delay when it sent the request that this one was for."""
    if slot.latercall is not None:
        slot.latercall.cancel()
        slot.latercall = None
        # It would have gone on with what waits.
        process_queue(downloader, slot)


def remember(crawler: Crawler, host: str, delay: float) -> None:
    """A host has just answered, and wants so many seconds until it is asked again, also by other runs."""
    archive = ArchiveExtension.of(crawler).session.archive
    if delay >= REMEMBERED_FROM and archive.config.replayed is None:
        archive.database.later(note_rest, host, delay, machine_now())


def longest_start(host_time: float | None) -> float:
    """How long a run waits for a host's first request: well within the time that it has for the host."""
    return math.inf if host_time is None else min(_LONGEST_START, host_time / 2)


def _busy(slots: dict[str, Slot], now: float) -> Iterator[BusyHost]:
    for host, slot in slots.items():
        if slot.active:
            wait = slot.lastseen + slot.delay - now if slot.queue else 0.0
            yield BusyHost(name=host, next_start=max(0.0, wait))


def _feeds_first(slot: Slot) -> None:
    """What a feed shows is gone sooner than the pages that it has announced."""
    if len(slot.queue) > 1:
        slot.queue = deque(sorted(slot.queue, key=lambda waiting: not waiting[0].meta.get("is_feed")))


def _hand_back(slot: Slot) -> None:
    """Keep few requests of each kind: it was not known how slow the host is when they were handed out."""
    kept: deque[Any] = deque()
    seen: Counter[str] = Counter()
    while slot.queue:
        request, waiting = slot.queue.popleft()
        target = request.cb_kwargs.get("target")
        kind = target.source if target is not None else ""
        seen[kind] += 1
        # robots.txt would not be asked for again, and a redirect would be asked for again at once.
        is_bound = not kind or "redirect_times" in request.meta
        if seen[kind] > PER_SLOW_HOST and not is_bound:
            waiting.errback(HostSlow("This host is slow: others come first"))
        else:
            kept.append((request, waiting))
    slot.queue = kept


def _let_rest(slot: Slot, crawl: SiteRun) -> None:
    """Hand back what waits of sites whose crawl was paused or stopped."""
    queue, slot.queue = slot.queue, deque()
    for request, waiting in queue:
        if crawl.rests(request.cb_kwargs.get("target")):
            waiting.errback(SiteRests("The crawl of this site rests"))
        else:
            slot.queue.append((request, waiting))


def _let_go(slot: Slot) -> None:
    while slot.queue:
        _, waiting = slot.queue.popleft()
        waiting.errback(HostTimeUp("The time of this host in this run is used up"))
