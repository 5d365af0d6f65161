"""While a site is crawled: actions that fail there are learned anew, and pages read by what was learned."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.model import digest_of
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.model import VisitReading
from archiver.clock import machine_now
from archiver.errors import ExtractionError, ReadingFault, RecordError
from archiver.running.template_holding import TemplateHolding
from archiver.running.workers.adapting import AdaptLevel, PageRecords, RecordOfPage
from archiver.running.workers.visits import ReadVisit
from archiver.store.whole_sites.learned_actions import (
    VisitedPage,
    count_of_crawl,
    learned_of,
    note_applied,
    note_learned,
    note_unapplied,
    sample_of,
    to_read_again,
    unapplied,
)
from archiver.store.whole_sites.sites import site_by_id
from archiver.store.whole_sites.visits_again import store_again
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from archiver.acquisition.sites.adaptation.model import Adapted, LearnedAction
    from archiver.acquisition.sites.model import Site, VisitFetch, VisitRead
    from archiver.archive.warc.records import Capture
    from archiver.running.archive import Archive
    from archiver.store.whole_sites.visited import VisitResult

logger = logging.getLogger(__name__)

# After so many pages of a level it is looked at for the first time, then after so many times as many.
_FIRST_LOOK, _NEXT_LOOK = 8, 4
# With fewer, nothing can be learned and tried.
_FEWEST_PAGES = 6
# Pages that are looked at: an action may have something to find on few of them.
_SAMPLE = 48
_BATCH = 100
# Actions without which a page is read as that of any site: its text would be that of another template.
_ARTICLE = frozenset({"title", "body"})


class SiteAdapting:
    """Knows what was learned on each site, and when to look again."""

    def __init__(self, archive: Archive, under_way: Callable[[], int]) -> None:
        """`under_way`: how many documents are asked for, or wait to be stored."""
        self._archive = archive
        self._holding = TemplateHolding(under_way, self._look_at_held)
        # One look at a time: what it learns is for the next one.
        self._looking = asyncio.Lock()
        self._learned: dict[int, tuple[LearnedAction, ...]] = {}
        # Pages of each level that were read since its crawl began, and at how many it is looked at next.
        self._counts: dict[int, dict[str, int]] = {}
        self._next: dict[tuple[int, str], int] = {}
        self._looked: dict[tuple[int, str], int] = {}  # at how many it was looked at last

    @cached_property
    def _digest(self) -> str:
        return load_knowledge(self._archive.config.knowledge).digest

    async def learned_of(self, site: Site) -> tuple[LearnedAction, ...]:
        """What is in use on a site; first, pages are read by it that a killed run left unread."""
        if site.id not in self._learned:
            learned = await self._archive.database.run_async(learned_of, site.id)
            counts = await self._archive.database.run_async(count_of_crawl, site)
            if site.id not in self._learned:  # by another one meanwhile
                self._learned[site.id], self._counts[site.id] = learned, counts
                self._next |= {(site.id, level): _look_after(count) for level, count in counts.items()}
                await self._read_left(site)
        return self._learned[site.id]

    async def _read_left(self, site: Site) -> None:
        left = await self._archive.database.run_async(unapplied, site.id)
        for level in sorted({level for level, _ in left}):
            await self._read_again(site, level, {action for one, action in left if one == level})

    async def begin(self, sites: Sequence[Site]) -> None:
        """Read what a run that was killed left unread."""
        for one in sites:
            site = await self._archive.database.run_async(site_by_id, one.id)
            if site.type:
                await self.learned_of(site)

    async def readied(self, answer: VisitFetch) -> VisitFetch:
        """An answer, read by what is in use; of a page that seems to have another template, learned first."""
        site, read = answer.visit.site, answer.read
        if read is None or not read.level or not site.type or answer.capture is None:
            return answer
        if _seems_changed(answer):
            await self._holding.wait(answer, (site.id, read.level))
        if read.learned == digest_of(await self.learned_of(site)):
            return answer
        # It was asked for before something was learned.
        try:
            again = await self._read(site, read.level, answer.url, answer.capture)
        except ReadingFault:
            await self._archive.database.run_async(note_unapplied, site.id, read.level)
            return answer
        return answer if again is None else replace(answer, read=again)

    async def visited(self, answer: VisitFetch, result: VisitResult) -> int:
        """Look at a level when it is time to; how many documents were found that nothing led to before."""
        site, read = result.site, answer.read
        if answer.visit.reading is not VisitReading.PAGE or read is None or not site.type:
            return await self._look_at_all(site) if result.is_done and site.type else 0
        await self.learned_of(site)
        found = 0
        if read.level:
            counts = self._counts[site.id]
            counts[read.level] = counts.get(read.level, 0) + 1
            if counts[read.level] >= self._next.setdefault((site.id, read.level), _FIRST_LOOK):
                found += await self._look(site, read.level)
        return found + (await self._look_at_all(site) if result.is_done else 0)

    async def _look_at_all(self, site: Site) -> int:
        """Look once more at what was read since the last look, when all was visited."""
        await self.learned_of(site)
        found = 0
        for level, count in list(self._counts[site.id].items()):
            if count >= _FEWEST_PAGES and count != self._looked.get((site.id, level)):
                found += await self._look(site, level)
        return found

    async def _look(self, site: Site, level: str) -> int:
        """Look at pages of a level from all over the site."""
        count = self._counts[site.id][level]
        self._next[site.id, level], self._looked[site.id, level] = _look_after(count), count
        site = await self._archive.database.run_async(site_by_id, site.id)
        async with self._looking:
            pages = await self._archive.database.run_async(sample_of, site, level, _SAMPLE)
            return await self._look_at(site, level, pages)

    async def _look_at_held(self, answers: Sequence[VisitFetch]) -> bool:
        """Look at pages that wait to be stored; whether these were enough to tell."""
        site, read = answers[0].visit.site, answers[0].read
        if len(answers) < _FEWEST_PAGES or read is None:
            return False
        await self.learned_of(site)
        async with self._looking:
            await self._look_at(site, read.level, [page for page in map(_held_page, answers) if page])
        return True

    async def _look_at(self, site: Site, level: str, pages: Sequence[VisitedPage]) -> int:
        if not any(2 * sum(name in page.empty for page in pages) >= len(pages) for name in _names(pages)):
            return 0
        adapted = await self._adapted(site, level, pages)
        if adapted is None or not (adapted.learned or adapted.failed):
            return 0
        return await self._take(site, level, adapted)

    async def _adapted(self, site: Site, level: str, pages: Sequence[VisitedPage]) -> Adapted | None:
        config = self._archive.config
        task = AdaptLevel(
            folder=str(config.warc_folder),
            scope=site.scope,
            type=site.type,
            level=level,
            pages=tuple(map(_records, pages)),
            learned=self._learned[site.id],
            knowledge=config.knowledge,
            digest=self._digest,
        )
        try:
            return await self._archive.workers.run(task)
        except (ExtractionError, RecordError, ReadingFault) as error:
            logger.warning("Could not learn from pages of %s: %s", redact(site.url), error)
            return None

    async def _take(self, site: Site, level: str, adapted: Adapted) -> int:
        """Put into use what was learned, and read by it what was read without."""
        archive = self._archive
        change = (site, level, adapted.learned, adapted.failed, machine_now())
        await archive.database.run_async(note_learned, *change)
        self._learned[site.id] = await archive.database.run_async(learned_of, site.id)
        actions = {one.action for one in adapted.learned}
        archive.report.note_once(_told(site, level, adapted))
        return await self._read_again(site, level, actions) if actions else 0

    async def _read_again(self, site: Site, level: str, actions: Collection[str]) -> int:
        """Read pages of a level from the archive, on which one of these actions had found nothing."""
        found, after = 0, 0
        database, now = self._archive.database, self._archive.clock.now()
        try:
            while pages := await database.run_async(to_read_again, site, level, actions, after, _BATCH):
                after = pages[-1].id
                for page in pages:
                    found += await self._read_page(site, level, page) if page.empty else 0
        except ReadingFault as fault:
            logger.warning("The next run goes on with reading pages of %s: %s", redact(site.url), fault)
            return found
        await database.run_async(note_applied, site.id, level, machine_now(), now)
        return found

    async def _read_page(self, site: Site, level: str, page: VisitedPage) -> int:
        read = await self._read(site, level, page.url, page.capture)
        if read is None:
            return 0
        times = {"recorded": machine_now(), "now": self._archive.clock.now()}
        return await self._archive.write(store_again, page.id, read, **times)

    async def _read(self, site: Site, level: str, url: str, capture: Capture) -> VisitRead | None:
        """Have a page read by what is in use; None where that cannot be done."""
        config = self._archive.config
        task = ReadVisit(
            url=url,
            folder=str(config.warc_folder),
            file=capture.file,
            offset=capture.offset,
            reading=VisitReading.PAGE,
            scope=site.scope,
            way=site.way or site.strategy,
            type=site.type,
            level=level,
            is_again=site.again is not None,
            knowledge=config.knowledge,
            digest=self._digest,
            learned=self._learned[site.id],
        )
        try:
            return await self._archive.workers.run(task)
        except (ExtractionError, RecordError) as error:
            logger.warning("Could not read %s once more: %s", redact(url), error)
            return None


def _seems_changed(answer: VisitFetch) -> bool:
    """Whether a page that was read before misses what makes its article."""
    empty = answer.read.empty if answer.read is not None else ()
    return answer.visit.capture is not None and not _ARTICLE.isdisjoint(empty)


def _held_page(answer: VisitFetch) -> VisitedPage | None:
    if answer.capture is None or answer.read is None:
        return None
    return VisitedPage(
        id=answer.visit.id,
        url=answer.url,
        capture=answer.capture,
        earlier=answer.visit.capture,
        is_further=answer.visit.whole is not None,
        empty=answer.read.empty,
    )


def _look_after(count: int) -> int:
    """At how many pages a level is looked at next."""
    look = _FIRST_LOOK
    while look <= count:
        look *= _NEXT_LOOK
    return look


def _names(pages: Sequence[VisitedPage]) -> set[str]:
    return {name for page in pages for name in page.empty}


def _records(page: VisitedPage) -> PageRecords:
    before = _place(page.earlier) if page.earlier is not None else None
    return PageRecords(url=page.url, now=_place(page.capture), before=before, is_further=page.is_further)


def _place(capture: Capture) -> RecordOfPage:
    return RecordOfPage(file=capture.file, offset=capture.offset)


def _told(site: Site, level: str, adapted: Adapted) -> str:
    pages = {page for one in adapted.learned for page in one.pages}
    learned = f"{len(adapted.learned)} of {len(adapted.failed)} actions were learned anew"
    from_pages = f" from {len(pages)} pages" if pages else ""
    return f"{redact(site.url)}: pages of the level {level} have another template: {learned}{from_pages}"
