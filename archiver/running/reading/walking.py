"""Articles on several pages, from one page to the next: each is fetched, then read with those before it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.pages import EntryOutcome, may_be_html
from archiver.acquisition.walks import FurtherPage, Walk
from archiver.running.reading.findings import finding_of
from archiver.store.looks.walks import ask_further, kept_validators, save_walk, walk_on, walk_without
from archiver.store.quotas import count_other

if TYPE_CHECKING:
    from archiver.acquisition.findings import Finding
    from archiver.acquisition.items import PageFetch
    from archiver.running.archive import Archive
    from archiver.running.workers.page_tasks import PageRead
    from archiver.store.content.pages import CapturedPage


class Walking:
    """Decides whether an article goes on, and notes each of its pages as it comes."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._most = archive.config.article_pages

    @property
    def is_on(self) -> bool:
        return self._most > 1

    async def finding(self, page: CapturedPage, read: PageRead) -> Finding | None:
        """What was found on the pages of an article; None where the next one is fetched first."""
        before = page.walk or Walk()
        first = (page.url, page.capture.url)
        walk = before.step(read.used, read.onward, first=first, most=self._most)
        if read.is_unjoined:
            walk = before.unjoined()
        database = self._archive.database
        if walk.asked is not None:
            await database.run_async(ask_further, page.id, walk, self._archive.clock.now())
            return None
        if walk != before:
            await database.run_async(save_walk, page.id, walk)
        return replace(finding_of(page, read), further=walk.further)

    async def left_alone(self, page: CapturedPage) -> bool:
        """Where pages cannot be read together, the first one is read by itself: it stays captured."""
        if page.walk is None or not page.walk.pages:
            return False
        await self._archive.database.run_async(save_walk, page.id, page.walk.alone())
        return True

    async def fetched(self, fetch: PageFetch) -> None:
        """Note what the fetch of a further page came to: it is read with the others, or without it."""
        database, now = self._archive.database, self._archive.clock.now()
        if fetch.failed is None and fetch.capture is not None and may_be_html(fetch.content_type):
            found = FurtherPage(url=fetch.further, capture=fetch.capture, validators=fetch.validators)
            await database.run_async(walk_on, fetch.page_id, found, size=fetch.size, now=now)
            return
        if fetch.size:
            await database.run_async(count_other, fetch.page_id, fetch.size, now)
        failure = fetch.failed.failure if fetch.failed else EntryOutcome.NOT_HTML
        if fetch.failed is not None:
            self._archive.report.page_failures[failure] += 1
        await database.run_async(walk_without, fetch.page_id, fetch.further, failure)

    async def as_captured(self, fetch: PageFetch) -> PageFetch | None:
        """A 304 to the first of several pages: it is read as it was, so that the others are looked at."""
        if not self.is_on or fetch.capture is None:
            return None
        kept = await self._archive.database.run_async(kept_validators, fetch.page_id)
        return None if kept is None else replace(fetch, validators=fetch.validators or kept)
