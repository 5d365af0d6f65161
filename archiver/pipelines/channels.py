"""Polls become channel state and pending entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import ChannelPoll
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class ChannelPipeline:
    """Stores each poll in one transaction: from there on its entries are pending, whatever happens."""

    def __init__(self, session: ArchiveExtension) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ChannelPipeline:
        return cls(ArchiveExtension.of(crawler))

    async def process_item(self, item: object) -> object:
        if isinstance(item, ChannelPoll):
            await self._session.polled(item)
        return item
