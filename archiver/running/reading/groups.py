"""Groups of sibling pages: taken from the state store, read, and settled with what they taught."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.items import PageFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import Ended, EntryOutcome, after_failure
from archiver.clock import machine_now
from archiver.errors import ArchiverError, ReadingFault, RecordError, WorkersBroken
from archiver.running.reading.findings import bare_finding, lessons_of, page_to_read, sibling_to_read
from archiver.running.reading.grouping import ALONE, Busy
from archiver.running.reading.judging import Judging
from archiver.running.reading.labelling import Labelling
from archiver.running.reading.reader import GroupReader, ReadingRules
from archiver.running.reading.taking import GroupRequest, Taken, take_groups
from archiver.store.content.articles import find_articles
from archiver.store.content.pages import forget_validators, note_fault
from archiver.store.looks.walks import save_walk
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from datetime import datetime

    from archiver.acquisition.findings import Finding
    from archiver.running.archive import Archive
    from archiver.running.reading.reader import GroupRead
    from archiver.running.reading.settling import Settling
    from archiver.running.reading.taking import PageGroup
    from archiver.running.reading.walking import Walking
    from archiver.running.rendering import Renderings
    from archiver.running.workers.page_tasks import PageRead, PageToRead
    from archiver.store.content.pages import CapturedPage
    from archiver.store.content.wrappers import Lessons

logger = logging.getLogger(__name__)

# From so many pages on that faults keep from being read, the machine is at fault and not the pages.
_MOST_ASIDE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake(Taken):
    """What a query of the store brought; without room there was none."""

    was_asked: bool = True


class Groups:
    """Knows which pages are being read, and reads others beside them as far as there is room."""

    def __init__(
        self,
        archive: Archive,
        settling: Settling,
        walking: Walking,
        renderings: Renderings,
        on_failed: Callable[[PageFetch, Failed], Awaitable[None]],
    ) -> None:
        config = archive.config
        self._archive = archive
        self._settling = settling
        self._walking = walking
        self._renderings = renderings
        self._on_failed = on_failed
        self._reader = GroupReader(
            archive.workers,
            ReadingRules(
                folder=config.warc_folder,
                method=config.method,
                requisites=config.requisites.scope,
                most_requisites=config.requisites.most_per_page,
                outlinks=config.outlinks,
                comments=config.comments,
            ),
            on_killed=archive.wrappers.killed,
        )
        self._labelling = Labelling(archive)
        # Enough to keep every worker busy while the store is asked for more.
        self._at_once = 32 * config.workers
        self._pages: set[int] = set()
        self._count: Counter[int] = Counter()
        self._size: Counter[int] = Counter()
        self._last = 0
        # Pages that a fault kept from being read, and when a run that lasts tries them again.
        self._aside: dict[int, datetime] = {}
        # Scopes of which a group was read: what there was to learn is known.
        self._taught: set[int] = set()

    async def take(self) -> Intake:
        """Groups to read now, or when to look again."""
        # Taken by the half load: asking the store for each page would cost as much as reading it.
        if len(self._pages) > self._at_once // 2:
            return Intake(was_asked=False)
        taken = await self._archive.database.run_async(take_groups, self._wish())
        for group in taken.groups:
            self._pages.update(page.id for page in group.pages)
            self._count[group.scope] += len(group.pages)
            self._size[group.scope] += sum(page.size for page in group.pages)
            self._last = group.scope
        return Intake(groups=taken.groups, again=taken.again, more=taken.more)

    def _wish(self) -> GroupRequest:
        learns, moment = self._reader.sees_siblings, machine_now()
        self._aside = {page_id: until for page_id, until in self._aside.items() if until > moment}
        return GroupRequest(
            rules=self._archive.config.groups if learns else ALONE,
            extractor=self._reader.extractor,
            room=self._at_once - len(self._pages),
            now=self._archive.clock.now(),
            moment=moment,
            after=self._last,
            busy={one: Busy(pages=count, size=self._size[one]) for one, count in self._count.items()},
            busy_pages=frozenset(self._pages),
            aside=frozenset(self._aside),
            taught=frozenset(self._taught) if learns else None,
        )

    def done(self, group: PageGroup) -> None:
        self._pages.difference_update(page.id for page in group.pages)
        self._count[group.scope] -= len(group.pages)
        self._size[group.scope] -= sum(page.size for page in group.pages)
        if not self._count[group.scope]:
            del self._count[group.scope], self._size[group.scope]
        self._taught.add(group.scope)

    async def settle(self, group: PageGroup) -> None:
        """Have a group read, and settle what came of it."""
        wanted = [page for page in group.pages if page.leads]
        # Settled by another way since they were captured.
        findings = [bare_finding(page, EntryOutcome.UNCHANGED) for page in group.pages if not page.leads]
        same = await self._same(wanted)
        findings += [replace(bare_finding(page, EntryOutcome.UNCHANGED), is_same=True) for page in same]
        wanted = [page for page in wanted if page not in same]
        if not wanted:
            await self._settling.settle(*findings)
            return
        try:
            found, lessons = await self._findings(group, wanted)
        except ReadingFault as fault:
            found, lessons = [one async for one in self._set_aside(wanted, fault)], None
        await self._settling.settle(*findings, *found, lessons=lessons)

    async def _findings(
        self, group: PageGroup, wanted: Sequence[CapturedPage]
    ) -> tuple[list[Finding], Lessons]:
        read = await self._read(group, wanted)
        found = [finding async for finding in self._found(wanted, read.results)]
        judging = Judging(self._archive.database, self._reader, self._archive.wrappers)
        found = await judging.judged(found, group, read.learned)
        return found, lessons_of(group.scope, self._reader.extractor, read, found)

    async def _same(self, pages: Sequence[CapturedPage]) -> list[CapturedPage]:
        """Pages that came with the very payload of their article's last version: nothing to read."""
        ids = [page.article_id for page in pages if page.article_id is not None]
        if not ids:
            return []
        known = (await self._archive.database.run_async(find_articles, (), ids)).by_id
        return [
            page
            for page in pages
            if page.article_id in known
            and self._renderings.shows_the_same(page.capture, known[page.article_id].capture)
            # Of several pages the others may have changed.
            and not (page.walk and page.walk.is_several)
        ]

    async def _read(self, group: PageGroup, wanted: Sequence[CapturedPage]) -> GroupRead:
        await self._labelling.load()
        siblings = [sibling_to_read(one) for one in group.siblings]
        pages = [self._asked(page) for page in wanted]
        return await self._reader.read(pages, group.memory, siblings)

    def _asked(self, page: CapturedPage) -> PageToRead:
        asked = page_to_read(page, is_followed=self._walking.is_on and not page.is_imported)
        fields_by = self._archive.wrappers.text_for(page.capture.url, page.leads)
        is_labelled = self._labelling.is_wanted(page)
        if not fields_by and not is_labelled:
            return asked
        return msgspec.structs.replace(asked, fields_by=fields_by, is_labelled=is_labelled)

    async def _found(
        self, pages: Sequence[CapturedPage], results: Sequence[PageRead | ArchiverError]
    ) -> AsyncIterator[Finding]:
        for page, result in zip(pages, results, strict=True):
            if isinstance(result, RecordError):
                await self._lost(page, result)
            elif isinstance(result, ReadingFault):
                async for finding in self._set_aside([page], result):
                    yield finding
            elif isinstance(result, ArchiverError):
                if not await self._walking.left_alone(page):
                    yield self._unreadable(page, result)
            elif self._renderings.wants(page, result):
                await self._renderings.ask(page)
            elif (found := await self._walking.finding(page, result)) is not None:
                if found.fields is not None:
                    self._archive.wrappers.read(found.fields, page.capture.url)
                yield found
            else:
                self._settling.on_asked()

    async def _set_aside(self, pages: Sequence[CapturedPage], fault: ReadingFault) -> AsyncIterator[Finding]:
        """Pages that a fault kept from being read stay captured: a later run reads them, within limits."""
        policy, report = self._archive.config.pages, self._archive.report
        for page in pages:
            tries = await self._archive.database.run_async(note_fault, page.id)
            verdict = after_failure(page.url, Failed(failure=Failure.INTERNAL), tries, policy)
            told = f"{page.capture.url} could not be read: {fault}"
            if isinstance(verdict, Ended) and await self._walking.left_alone(page):
                report.error(f"{told}. Its first page is read without the others")
            elif isinstance(verdict, Ended):
                report.error(f"{told}. It is given up after {tries} tries")
                yield bare_finding(page, EntryOutcome.NOT_ARTICLE, str(fault))
            else:
                report.error(f"{told}. It waits in the archive and is read again by the next run")
                self._aside[page.id] = machine_now() + verdict.wait
            logger.error("Could not read %s: %s", redact(page.capture.url), fault)
        if len(self._aside) >= _MOST_ASIDE:
            raise WorkersBroken(f"Too many pages cannot be read here, the last one because: {fault}")

    async def _lost(self, page: CapturedPage, error: RecordError) -> None:
        """The record was on disk when the page was marked as captured; the disk lost it: fetch it again."""
        if page.is_imported:
            self._archive.report.error(f"{error}: import the file again")
            await self._settling.settle(bare_finding(page, EntryOutcome.NOT_ARTICLE, str(error)))
            return
        logger.error("%s: %s is fetched again", error, redact(page.url))
        self._archive.report.error(f"{error}: {page.url} is fetched again")
        failed = Failed(failure=Failure.INTERNAL, detail=str(error))
        # What the archive has lost the server must send again.
        await self._archive.database.run_async(forget_validators, [page.id])
        await self._archive.database.run_async(save_walk, page.id, None)
        await self._on_failed(PageFetch(page_id=page.id, url=page.url), failed)

    def _unreadable(self, page: CapturedPage, error: ArchiverError) -> Finding:
        logger.warning("Could not read %s: %s", redact(page.capture.url), error)
        self._archive.report.note(f"Could not read {page.capture.url}: {error}")
        return bare_finding(page, EntryOutcome.NOT_ARTICLE, str(error))
