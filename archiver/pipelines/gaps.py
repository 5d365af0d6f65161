"""What was fetched to fill a gap becomes entries, and the next thing to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import GapFetch
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class GapPipeline:
    """Stores each answer in one transaction: a run that ends in between asks for it again."""

    def __init__(self, session: ArchiveExtension) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> GapPipeline:
        return cls(ArchiveExtension.of(crawler))

    async def process_item(self, item: object) -> object:
        if isinstance(item, GapFetch):
            await self._session.gap_fetched(item)
        return item
