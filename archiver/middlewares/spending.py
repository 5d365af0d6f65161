"""What campaigns cost: budgets that are kept to the request, and the delay that their hosts are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.httpobj import urlparse_cached

from archiver.errors import BudgetSpent
from archiver.extensions.archive import ArchiveExtension
from archiver.middlewares.robots import slow_down

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class SpendingMiddleware:
    """Takes a request from the budget before it is sent; without any left, it is not sent.

    Where feeds are polled in the same run, the delay of campaigns holds for all requests to their hosts.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._delay = crawler.settings.getfloat("CAMPAIGN_PER_HOST_DELAY")
        self._slow: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SpendingMiddleware:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        name, host = request.meta.get("campaign"), urlparse_cached(request).hostname or ""
        session = ArchiveExtension.of(self._crawler).session
        if host in self._slow:
            request.meta["autothrottle_dont_adjust_delay"] = True
        if name is None or session.campaign_run is None:
            return
        running = session.campaign_run.named(name)
        if running is not None and not running.take(session.archive.clock.now()):
            raise BudgetSpent(f"The budget of {name} is spent")
        if self._delay and host not in self._slow:
            self._slow.add(host)
            slow_down(self._crawler, host, self._delay)
