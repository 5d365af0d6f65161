"""From captured pages to settled entries, behind the crawl and in step with it."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.findings import Finding
from archiver.acquisition.pages import REFUSALS, Ended, EntryOutcome, TryAgain, after_failure, may_be_html
from archiver.acquisition.rechecks.absence import RecheckAnswer, absence_of
from archiver.articles.methods.registry import FEED
from archiver.batches import Batcher
from archiver.clock import machine_now
from archiver.documents.parts import part_url
from archiver.errors import ArchiverError, ExtractionError, ReadingFault
from archiver.running.reading.groups import Groups
from archiver.running.reading.repairing import FieldRepairs
from archiver.running.reading.settling import Settling
from archiver.running.reading.walking import Walking
from archiver.running.workers.page_tasks import ReadContent
from archiver.store.content import pages as page_store
from archiver.store.content.articles import find_articles
from archiver.store.content.leads import waiting_leads
from archiver.store.content.pages import FreshCapture
from archiver.store.content.parts import part_of_page, same_parts, waiting_parts
from archiver.store.looks.rechecks import look_later
from archiver.store.quotas import count_other
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.items import PageFetch
    from archiver.acquisition.outcomes import Failed
    from archiver.running.archive import Archive
    from archiver.running.reading.taking import PageGroup
    from archiver.running.rendering import Renderings
    from archiver.store.content.parts import OtherRow

logger = logging.getLogger(__name__)

# Seconds for which captured pages gather, so that one transaction serves many.
_GATHER = 0.01
# After a look into the store that brought nothing, so many times as long as it took.
_PAUSES = 5
_LONGEST_PAUSE = 0.5


class Extraction:
    """Takes captured pages from the state store, has them read, and settles what they came to."""

    def __init__(
        self,
        archive: Archive,
        on_progress: Callable[[], None],
        on_fatal: Callable[[Exception], None],
        on_asked: Callable[[], None],
        renderings: Renderings,
    ) -> None:
        self._archive = archive
        self.renderings = renderings
        self._on_progress = on_progress
        self._on_fatal = on_fatal
        self._repairs = FieldRepairs(archive)
        self._settling = Settling(archive, on_asked, self._repairs)
        self._walking = Walking(archive)
        self._groups = Groups(archive, self._settling, self._walking, renderings, self._failed)
        self._tasks: set[asyncio.Task[None]] = set()
        self._work = asyncio.Event()
        self._captured: Batcher[PageFetch, None] = Batcher(self._mark_captured, linger=_GATHER)
        self._stopping = asyncio.Event()
        # Set while no captured page is left to extract.
        self.idle = asyncio.Event()
        if not archive.config.extraction:
            self.idle.set()

    async def fetched(self, fetch: PageFetch) -> None:
        """Note what a fetch came to: once this returns, nothing of it can be lost."""
        if fetch.further:
            await self._walking.fetched(fetch)
            self.look()
            return
        if fetch.not_modified and await self.renderings.is_rendered(fetch.page_id):
            await self._captured.put(fetch)
            self.look()
            return
        if fetch.not_modified and (first := await self._walking.as_captured(fetch)) is not None:
            await self._captured.put(first)
            self.look()
            return
        is_read = fetch.failed is None and fetch.capture is not None and may_be_html(fetch.content_type)
        if fetch.size and not is_read:
            now = self._archive.clock.now()
            await self._archive.database.run_async(count_other, fetch.page_id, fetch.size, now)
        if fetch.failed is not None:
            self._archive.report.page_failures[fetch.failed.failure] += 1
            for part in await self._parts(fetch, waiting_parts):
                await self._settle_failed(part, fetch.failed)
        elif fetch.not_modified:
            parts = await self._parts(fetch, same_parts)
            found = [await self._finding_without_article(part, EntryOutcome.UNCHANGED) for part in parts]
            await self._settling.settle(*(replace(finding, is_same=True) for finding in found))
        elif is_read:
            await self._captured.put(fetch)
            if self._archive.config.extraction:
                self.idle.clear()
        else:
            what = fetch.content_type or "no content"
            parts = await self._parts(fetch, waiting_parts)
            found = [await self._finding_without_article(part, EntryOutcome.NOT_HTML, what) for part in parts]
            await self._settling.settle(*found)
        # Its siblings may have waited for it, whatever it came to.
        self._work.set()

    def look(self) -> None:
        """Parts of pages that are in the archive already may wait to be read."""
        if self._archive.config.extraction:
            self.idle.clear()
            self._work.set()

    async def _parts(
        self, fetch: PageFetch, others: Callable[[Connection, int], list[OtherRow]]
    ) -> list[PageFetch]:
        """The fetch, also for the other parts of its page that it says something of."""
        found = await self._archive.database.run_async(others, fetch.page_id)
        return [fetch, *(replace(fetch, page_id=one.id, is_recheck=one.is_recheck) for one in found)]

    async def run(self) -> None:
        """Extract until told to stop; a store that cannot be read ends the run."""
        if not self._archive.config.extraction:
            return
        try:
            await self._run()
        except ArchiverError as error:
            self._on_fatal(error)
        except Exception as error:
            logger.exception("Extraction stopped")
            self._on_fatal(error)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._work.clear()
            began = time.monotonic()
            taken = await self._groups.take()
            cost = time.monotonic() - began
            if self._stopping.is_set():  # begun now, it would outlive the archive; it waits in the store
                return
            for group in taken.groups:
                self._start(group)
            if taken.more:
                continue
            # A page that was captured during the look into the store has set `_work` again.
            is_read = taken.was_asked and taken.again is None and not self._tasks
            if is_read and self.renderings.idle.is_set() and not self._work.is_set():
                self.idle.set()
                self._on_progress()
            await self._wait(taken.again)
            if not taken.groups:
                # Each page that arrives is a reason to look, and looking must not be all that the store does.
                await asyncio.sleep(min(_PAUSES * cost, _LONGEST_PAUSE))

    async def _wait(self, until: datetime | None) -> None:
        """Until something happens, or pages have waited long enough for their siblings."""
        seconds = None if until is None else max(0.0, (until - machine_now()).total_seconds())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._work.wait(), seconds)

    async def stop(self) -> None:
        """Finish what is being read; the rest waits in the store for the next run."""
        self._stopping.set()
        self._work.set()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._repairs.finish()

    def _start(self, group: PageGroup) -> None:
        task = asyncio.create_task(self._guarded(group, self._groups.settle(group)))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._work.set()
        self._on_progress()

    async def _guarded(self, group: PageGroup, work: Coroutine[None, None, None]) -> None:
        """A bug or a broken store ends the run, with everything unsettled still waiting."""
        try:
            await work
        except ArchiverError as error:
            self._on_fatal(error)
        except Exception as error:
            logger.exception("Extraction failed")
            self._on_fatal(error)
        finally:
            self._groups.done(group)

    async def _failed(self, fetch: PageFetch, failed: Failed) -> None:
        self._archive.report.page_failures[failed.failure] += 1
        await self._settle_failed(fetch, failed)

    async def _settle_failed(self, fetch: PageFetch, failed: Failed) -> None:
        database, now = self._archive.database, self._archive.clock.now()
        tries = await database.run_async(page_store.tries_of, fetch.page_id) + 1
        verdict = after_failure(fetch.url, failed, tries, self._archive.config.pages)
        absence = absence_of(
            RecheckAnswer(original_url=fetch.url, final_url=fetch.url, failure=failed.failure)
        )
        if fetch.is_recheck and absence is None:
            await self._look_later(fetch, failed, verdict)
            return
        outcome = verdict.outcome if isinstance(verdict, Ended) else EntryOutcome.GONE
        detail = f"{failed.failure}: {failed.detail}".rstrip(": ")
        is_over = fetch.is_recheck or isinstance(verdict, Ended)
        if is_over or failed.failure in REFUSALS:
            finding = await self._finding_without_article(fetch, outcome, detail)
            try:
                finding = await self._from_feed(replace(finding, absence=absence))
            except ReadingFault as fault:
                self._archive.report.error(f"What a feed carried for {fetch.url} could not be read: {fault}")
                await self._ask_again(fetch, failed)
                return
            # What is refused for days need not wait for days where the feed has all of it.
            if is_over or finding.article is not None:
                await self._settling.settle(finding)
                return
        if isinstance(verdict, TryAgain):
            await database.run_async(page_store.try_again, fetch.page_id, failed.failure, verdict.wait, now)

    async def _ask_again(self, fetch: PageFetch, failed: Failed) -> None:
        """The page, and what the feed carried in its place, some time later."""
        wait = self._archive.config.pages.longest_wait
        if fetch.is_recheck:
            await self._look_later(fetch, failed, TryAgain(wait=wait))
            return
        now = self._archive.clock.now()
        await self._archive.database.run_async(page_store.try_again, fetch.page_id, failed.failure, wait, now)

    async def _look_later(self, fetch: PageFetch, failed: Failed, verdict: TryAgain | Ended) -> None:
        """A known article that could not be looked at: a refusal may pass as well."""
        config = self._archive.config
        wait = config.pages.longest_wait if isinstance(verdict, Ended) else verdict.wait
        times = (wait, config.rechecks.policy.until, self._archive.clock.now())
        await self._archive.database.run_async(look_later, fetch.page_id, failed.failure, *times)
        self._archive.report.rechecks["failed"] += 1

    async def _finding_without_article(
        self, fetch: PageFetch, outcome: EntryOutcome, detail: str | None = None
    ) -> Finding:
        database, page_id = self._archive.database, fetch.page_id
        led = await database.run_async(waiting_leads, [page_id])
        return Finding(
            page_id=page_id,
            url=fetch.url,
            leads=led.get(page_id, ()),
            known_at=fetch.capture.date if fetch.capture else machine_now(),
            capture=fetch.capture if fetch.not_modified else None,
            part=await database.run_async(part_of_page, page_id),
            article_id=await database.run_async(page_store.article_of, page_id),
            is_recheck=fetch.is_recheck,
            outcome=outcome,
            detail=detail,
        )

    async def _from_feed(self, finding: Finding) -> Finding:
        """Where the page cannot be fetched and the feed carried the full content, that is the article."""
        # A difference is not the page.
        announced = (one for one in finding.leads if not one.is_of_change)
        carried = (one for one in announced if one.entry and one.entry.content and one.capture)
        lead = next(carried, None)
        if finding.article_id is not None:
            known = await self._archive.database.run_async(find_articles, (), [finding.article_id])
            # An article that was read from its page did not change because the page cannot be fetched.
            if not known.by_id[finding.article_id].making.extractor.startswith(f"{FEED}/"):
                return finding
            finding = replace(finding, absence=None)
        if lead is None:
            return finding
        try:
            read = await self._archive.workers.run(
                ReadContent(url=finding.url, announcement=lead.announcement())
            )
        except ExtractionError as error:
            logger.warning("Could not read the feed's content for %s: %s", redact(finding.url), error)
            return finding
        if read.article is None:
            return finding
        return Finding(
            page_id=finding.page_id,
            url=part_url(finding.url, finding.part),
            part=finding.part,
            leads=(lead,),
            known_at=finding.known_at,
            capture=lead.capture,
            article=read.article,
            fingerprint=read.fingerprint,
            extractor=read.extractor,
            article_id=finding.article_id,
            detail=finding.detail,
        )

    async def _mark_captured(self, fetches: Sequence[PageFetch]) -> Sequence[None]:
        captures = [
            FreshCapture(
                page_id=fetch.page_id, capture=fetch.capture, size=fetch.size, validators=fetch.validators
            )
            for fetch in fetches
            if fetch.capture is not None
        ]
        now = self._archive.clock.now()
        await self._archive.database.run_async(page_store.mark_captured, captures, now)
        return [None] * len(fetches)
