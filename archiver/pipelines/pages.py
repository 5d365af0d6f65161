"""Fetched pages are noted at once and read behind the crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import PageFetch
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class PagePipeline:
    """Marks a page as captured and returns: waiting for its extraction here would stop the downloads."""

    def __init__(self, session: ArchiveExtension) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PagePipeline:
        return cls(ArchiveExtension.of(crawler))

    async def process_item(self, item: object) -> object:
        if isinstance(item, PageFetch):
            await self._session.fetched(item)
        return item
