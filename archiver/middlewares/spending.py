"""The budget of a campaign is kept to the request: robots.txt, redirects and pages alike are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.errors import BudgetSpent
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class SpendingMiddleware:
    """Takes a request from the budget before it is sent; without any left, it is not sent."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SpendingMiddleware:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        name = request.meta.get("campaign")
        session = ArchiveExtension.of(self._crawler).session
        if name is None or session.campaign_run is None:
            return
        running = session.campaign_run.named(name)
        if running is not None and not running.take(session.archive.clock.now()):
            raise BudgetSpent(f"The budget of {name} is spent")
