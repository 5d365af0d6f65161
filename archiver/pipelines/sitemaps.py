"""What sitemaps say of known articles makes some of them due, and others less often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import SitemapFetch
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class SitemapPipeline:
    """Stores each answer in one transaction: a run that ends in between asks for it again."""

    def __init__(self, session: ArchiveExtension) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SitemapPipeline:
        return cls(ArchiveExtension.of(crawler))

    async def process_item(self, item: object) -> object:
        if isinstance(item, SitemapFetch):
            await self._session.sitemap_fetched(item)
        return item
