"""Answers become state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import Answer
from archiver.extensions.archive import ArchiveExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class StorePipeline:
    """Has each answer stored by its source, in one transaction: a run that ends before asks again."""

    def __init__(self, archive: ArchiveExtension) -> None:
        self._session = archive.session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StorePipeline:
        return cls(ArchiveExtension.of(crawler))

    async def process_item(self, item: object) -> object:
        if isinstance(item, Answer):
            await self._session.store(item)
        return item
