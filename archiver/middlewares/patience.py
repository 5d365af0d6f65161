"""How long a run waits for a host: what does not fit into RUN_HOST_TIME is left for the next run."""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.httpobj import urlparse_cached

from archiver.errors import HostSlow, HostTimeUp
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.downloader import is_slow
from archiver.hosts import PER_SLOW_HOST, BusyHost, HostTimes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler

_SECONDS = 0.5


class PatienceMiddleware:
    """Looks at the downloader's slots, and tells the frontier which hosts are slow and whose time is up.

    Nothing is lost: what is let go is pending in the state store, and was not tried.
    """

    def __init__(self, crawler: Crawler, times: HostTimes) -> None:
        self._crawler = crawler
        self._times = times
        self._looked = time.monotonic()
        self._loop = create_looping_call(self._look)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PatienceMiddleware:
        if crawler.settings.getbool("REPLAY"):
            raise NotConfigured("A replay waits for no host")
        is_watching = getattr(crawler.spider, "watch", False)
        most = None if is_watching else crawler.settings.getfloat("RUN_HOST_TIME")
        middleware = cls(crawler, HostTimes(most))
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    def spider_opened(self) -> None:
        self._loop.start(_SECONDS, now=False)

    def spider_closed(self) -> None:
        self._loop.stop()

    def process_request(self, request: Request) -> None:
        if urlparse_cached(request).hostname in self._times.up:
            raise HostTimeUp("This host has had its time in this run")

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, HostTimeUp | HostSlow):
            is_over = isinstance(exception, HostTimeUp)
            ArchiveExtension.of(self._crawler).let_go(request.cb_kwargs, is_over=is_over)

    def _look(self) -> None:
        now = time.monotonic()
        slots = self._crawler.engine.downloader.slots
        over = self._times.add(_busy(slots, now), now - self._looked)
        self._looked = now
        slow = {host: slot for host, slot in slots.items() if is_slow(slot)}
        frontier = ArchiveExtension.of(self._crawler).frontier
        frontier.pace(slow=frozenset(slow), over=over)
        for slot in slow.values():
            _feeds_first(slot)
            _hand_back(slot)
        for host in self._times.up & slots.keys():
            _let_go(slots[host])


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
        kind = next(iter(request.cb_kwargs), "")
        seen[kind] += 1
        # robots.txt would not be asked for again, and a redirect would be asked for again at once.
        is_bound = not kind or "redirect_times" in request.meta
        if seen[kind] > PER_SLOW_HOST and not is_bound:
            waiting.errback(HostSlow("This host is slow: others come first"))
        else:
            kept.append((request, waiting))
    slot.queue = kept


def _let_go(slot: Slot) -> None:
    while slot.queue:
        _, waiting = slot.queue.popleft()
        waiting.errback(HostTimeUp("This host has had its time in this run"))
