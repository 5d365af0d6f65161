"""Fetched requisites are settled, and styles asked what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import RequisiteFetch
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class RequisitePipeline:
    """Settles each requisite once it is in the archive."""

    def __init__(self, session: ArchiveExtension) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequisitePipeline:
        return cls(ArchiveExtension.of(crawler))

    async def process_item(self, item: object) -> object:
        if isinstance(item, RequisiteFetch):
            await self._session.requisite_fetched(item)
        return item
