"""The yardstick: Scrapy with nothing added, fetching a list of URLs and dropping every page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import scrapy
from scrapy.crawler import CrawlerProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.http import Response

SETTINGS = {
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "RETRY_ENABLED": False,
    "COOKIES_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_ENABLED": False,
}

URLS = Path(sys.argv[1]).read_text().split()


class BareSpider(scrapy.Spider):
    name = "bare"

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in URLS:
            yield scrapy.Request(url)

    def parse(self, response: Response) -> None:
        """Drop the page: only fetching is measured."""


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    process.crawl(BareSpider)
    process.start()
