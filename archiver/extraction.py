"""From captured pages to settled entries, behind the crawl and in step with it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from archiver.batches import Batcher
from archiver.clock import machine_now
from archiver.errors import ArchiverError, ExtractionError, RecordError
from archiver.findings import announcement_of, bare_finding, extraction_fields, finding_of
from archiver.items import PageFetch
from archiver.outcomes import Failed, Failure
from archiver.pages import Ended, EntryOutcome, after_failure, may_be_html
from archiver.store import pages as page_store
from archiver.store.settlement import Finding, settle_findings
from archiver.urls import redact
from archiver.workers.messages import ReadContent, ReadPage

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from archiver.archive import Archive
    from archiver.store.pages import CapturedPage

logger = logging.getLogger(__name__)

# Seconds for which findings gather, so that one transaction and one flush to disk serve many.
_GATHER = 0.1


class Extraction:
    """Takes captured pages from the state store, has them read, and settles what they came to."""

    def __init__(
        self, archive: Archive, on_progress: Callable[[], None], on_fatal: Callable[[Exception], None]
    ) -> None:
        self._archive = archive
        self._on_progress = on_progress
        self._on_fatal = on_fatal
        # Enough to keep every worker busy while the store is asked for more.
        self._at_once = 32 * archive.config.workers
        self._busy: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._work = asyncio.Event()
        self._settle: Batcher[Finding, EntryOutcome] = Batcher(self._settle_batch, linger=_GATHER)
        self._captured: Batcher[PageFetch, None] = Batcher(self._mark_captured, linger=_GATHER / 2)
        self._stopping = asyncio.Event()
        self._broken: Exception | None = None
        # Set while no captured page is left to extract.
        self.idle = asyncio.Event()
        if not archive.config.extraction:
            self.idle.set()

    async def fetched(self, fetch: PageFetch) -> None:
        """Note what a fetch came to: once this returns, nothing of it can be lost."""
        if fetch.failed is not None:
            await self._failed(fetch, fetch.failed)
        elif fetch.capture is not None and may_be_html(fetch.content_type):
            await self._captured.put(fetch)
            if self._archive.config.extraction:
                self.idle.clear()
                self._work.set()
        else:
            finding = await self._finding_without_article(
                fetch.page_id, fetch.url, EntryOutcome.NOT_HTML, fetch.content_type or "no content"
            )
            await self._settle_finding(finding)

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
            # Taken by the half load: asking the store for each page would cost as much as reading it.
            room = self._at_once - len(self._busy) if len(self._busy) <= self._at_once // 2 else 0
            found = await self._take(room) if room else []
            if self._stopping.is_set():  # begun now, it would outlive the archive; it waits in the store
                return
            for page in found:
                self._start(page)
            # A page that was captured during the look into the store has set `_work` again.
            if room and not found and not self._busy and not self._work.is_set():
                self.idle.set()
                self._on_progress()
            await self._work.wait()

    async def stop(self) -> None:
        """Finish what is being read; the rest waits in the store for the next run."""
        self._stopping.set()
        self._work.set()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _take(self, room: int) -> list[CapturedPage]:
        return await self._archive.database.run_async(
            page_store.captured_pages, limit=room, busy=frozenset(self._busy)
        )

    def _start(self, page: CapturedPage) -> None:
        self._busy.add(page.id)
        task = asyncio.create_task(self._guarded(page.id, self._extract(page)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, page_id: int, work: Coroutine[None, None, None]) -> None:
        """A bug or a broken store ends the run, with everything unsettled still waiting."""
        try:
            await work
        except ArchiverError as error:
            self._on_fatal(error)
        except Exception as error:
            logger.exception("Extraction failed")
            self._on_fatal(error)
        finally:
            self._busy.discard(page_id)
            self._work.set()
            self._on_progress()

    async def _extract(self, page: CapturedPage) -> None:
        try:
            finding = await self._find(page)
        except RecordError as error:
            await self._lost(page, error)
            return
        except ExtractionError as error:
            self._unreadable(page, error)
            finding = bare_finding(page, EntryOutcome.NOT_ARTICLE, str(error))
        except (ArchiverError, OSError):
            raise
        except Exception as error:
            # A mistake of ours that one page brings to light must not stop the others, now and in every run.
            logger.exception("Extraction failed for %s", redact(page.url))
            self._archive.report.error(f"An error of ours kept {page.url} from being read: {error!r}")
            finding = bare_finding(page, EntryOutcome.NOT_ARTICLE, repr(error))
        await self._settle_finding(finding)

    async def _find(self, page: CapturedPage) -> Finding:
        if not page.waiting:  # settled by another way since it was captured
            return bare_finding(page, EntryOutcome.UNCHANGED)
        config = self._archive.config
        task = ReadPage(
            url=page.capture.url,
            folder=str(config.warc_folder),
            file=page.capture.file,
            offset=page.capture.offset,
            method=config.method,
            announcement=announcement_of(page.waiting[0], page.other_summaries),
            requisites=config.requisites.scope,
            most_requisites=config.requisites.most_per_page,
            outlinks=config.outlinks,
        )
        return finding_of(page, await self._archive.workers.read_page(task))

    async def _lost(self, page: CapturedPage, error: RecordError) -> None:
        """The record was on disk when the page was marked as captured; the disk lost it: fetch it again."""
        logger.error("%s: %s is fetched again", error, redact(page.url))
        self._archive.report.error(f"{error}: {page.url} is fetched again")
        failed = Failed(failure=Failure.INTERNAL, detail=str(error))
        await self._failed(PageFetch(page_id=page.id, url=page.url), failed)

    def _unreadable(self, page: CapturedPage, error: ExtractionError) -> None:
        logger.warning("Could not read %s: %s", redact(page.capture.url), error)
        self._archive.report.note(f"Could not read {page.capture.url}: {error}")

    async def _failed(self, fetch: PageFetch, failed: Failed) -> None:
        self._archive.report.page_failures[failed.failure] += 1
        database, now = self._archive.database, self._archive.clock.now()
        tries = await database.run_async(page_store.tries_of, fetch.page_id) + 1
        verdict = after_failure(fetch.url, failed, tries, self._archive.config.pages)
        if not isinstance(verdict, Ended):
            await database.run_async(page_store.try_again, fetch.page_id, failed.failure, verdict.wait, now)
            return
        detail = f"{failed.failure}: {failed.detail}".rstrip(": ")
        finding = await self._finding_without_article(fetch.page_id, fetch.url, verdict.outcome, detail)
        await self._settle_finding(await self._from_feed(finding))

    async def _finding_without_article(
        self, page_id: int, url: str, outcome: EntryOutcome, detail: str
    ) -> Finding:
        waiting = await self._archive.database.run_async(page_store.waiting_entries, [page_id])
        return Finding(
            page_id=page_id,
            url=url,
            waiting=waiting.get(page_id, ()),
            known_at=machine_now(),
            outcome=outcome,
            detail=detail,
        )

    async def _from_feed(self, finding: Finding) -> Finding:
        """Where the page cannot be had and the feed carried the full content, that is the article."""
        entry = next((one for one in finding.waiting if one.entry.content and one.feed_capture), None)
        if entry is None:
            return finding
        try:
            read = await self._archive.workers.read_page(
                ReadContent(url=finding.url, announcement=announcement_of(entry, ()))
            )
        except ExtractionError as error:
            logger.warning("Could not read the feed's content for %s: %s", redact(finding.url), error)
            return finding
        if read.article is None:
            return finding
        return Finding(
            page_id=finding.page_id,
            url=finding.url,
            waiting=(entry,),
            known_at=finding.known_at,
            capture=entry.feed_capture,
            article=read.article,
            fingerprint=read.fingerprint,
            detail=finding.detail,
        )

    async def _settle_finding(self, finding: Finding) -> None:
        outcome = await self._settle.put(finding)
        self._archive.report.outcomes[outcome] += 1
        if (
            finding.article is not None
            and finding.capture is not None
            and self._archive.config.replayed is None
        ):
            await self._archive.writer.write_metadata(
                finding.capture.url, finding.capture.capture_id, extraction_fields(finding, outcome)
            )

    async def _settle_batch(self, findings: Sequence[Finding]) -> Sequence[EntryOutcome]:
        # After a failure the objects file may hold lines that were not settled. Start-up cuts them off; with
        # a line behind them they would count as settled, and be written a second time.
        if self._broken is not None:
            raise self._broken
        try:
            return await self._archive.database.run_async(
                settle_findings,
                findings,
                self._archive.objects,
                recorded=machine_now(),
                now=self._archive.clock.now(),
                requisites_max_age=self._archive.config.requisites.max_age,
            )
        except Exception as error:
            self._broken = error
            raise

    async def _mark_captured(self, fetches: Sequence[PageFetch]) -> Sequence[None]:
        captures = [(fetch.page_id, fetch.capture) for fetch in fetches if fetch.capture is not None]
        await self._archive.database.run_async(page_store.mark_captured, captures)
        return [None] * len(fetches)
