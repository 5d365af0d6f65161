"""What Scrapy would write for every page is only put together when somebody reads it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.logformatter import LogFormatter

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure


class ThriftyLogFormatter(LogFormatter):
    """Says nothing of pages crawled and items scraped, unless the level asks for it."""

    def __init__(self, *, is_read: bool) -> None:
        self._is_read = is_read

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ThriftyLogFormatter:
        level = logging.getLevelNamesMapping().get(str(crawler.settings["LOG_LEVEL"]).upper(), 0)
        return cls(is_read=level <= logging.DEBUG)

    # Scrapy takes None for "no line", though its types do not say so.
    def crawled(self, request: Request, response: Response, spider: Spider) -> LogFormatterResult | None:  # type: ignore[override]
        return super().crawled(request, response, spider) if self._is_read else None

    def scraped(  # type: ignore[override]
        self, item: object, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult | None:
        return super().scraped(item, response, spider) if self._is_read else None
