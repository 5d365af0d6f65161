"""A run that is told to end does so soon, however patient its hosts made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from archiver.errors import RunEnding

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
        engine = self._crawler.engine
        # No signal tells that the end has begun, only that it is over.
        if engine is None or engine._slot is None or engine._slot.closing is None:  # noqa: SLF001 - Scrapy is pinned
            return
        for slot in engine.downloader.slots.values():
            while slot.queue:
                _, waiting = slot.queue.popleft()
                waiting.errback(RunEnding("The run ended before this was asked for"))
