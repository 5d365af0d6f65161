"""A run that is told to end does so soon, however patient its hosts made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from archiver.errors import RunEnding
from archiver.handlers.internals import is_closing

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_SECONDS = 0.5


class StoppingExtension:
    """Lets go of the requests that wait for their host's delay once the run is ending.

    Scrapy would send them all, one delay after the other, before it ends. Nothing is lost: what was asked for
    is pending in the state store.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._loop = create_looping_call(self._look)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StoppingExtension:
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        self._loop.start(_SECONDS, now=False)

    def spider_closed(self) -> None:
        self._loop.stop()

    def _look(self) -> None:
        if not is_closing(self._crawler):
            return
        for slot in self._crawler.engine.downloader.slots.values():
            while slot.queue:
                _, waiting = slot.queue.popleft()
                waiting.errback(RunEnding("The run ended before this was asked for"))
