"""Sitemaps of hosts with many known articles: they may tell which of these to look at."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from archiver.acquisition.targets import SitemapAsk
from archiver.running.sources import Effects, Source
from archiver.store.looks.sitemaps import count_when_due, due_sitemaps, store_sitemap_fetch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.items import SitemapFetch
    from archiver.running.session import Session
    from archiver.running.sources import Room

# Seconds. Whether it is time to count the articles that each host has under watch is asked this often.
_COUNT_EVERY = 3600.0


class SitemapSource(Source[SitemapAsk]):
    name = "sitemaps"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._counted: float | None = None

    @property
    def is_on(self) -> bool:
        config = self.session.archive.config
        return config.extraction and config.rechecks.asks_for_sitemaps

    def due(self, connection: Connection, room: Room) -> Sequence[SitemapAsk]:
        if self._counted is None or time.monotonic() - self._counted > _COUNT_EVERY:
            self._counted = time.monotonic()
            count_when_due(connection, self.session.archive.config.rechecks.policy.until, room.now)
        return due_sitemaps(connection, room.now, limit=room.limit, busy=room.busy)

    async def store(self, answer: SitemapFetch) -> Effects:
        archive = self.session.archive
        most, now = archive.config.rechecks.sitemaps, archive.clock.now()
        result = await archive.database.run_async(store_sitemap_fetch, answer, most=most, now=now)
        archive.report.sitemap(result)
        # Articles that it told of are due, and the round may go on.
        return Effects(wants=("rechecks", "sitemaps"))
