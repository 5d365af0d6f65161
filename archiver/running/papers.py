"""PDF documents that earlier runs captured, read by workers for the search index, one at a time."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import TYPE_CHECKING

from archiver.errors import ArchiverError, ExtractionError, ReadingFault, RecordError
from archiver.running.workers.tasks import ReadPdf
from archiver.search.opening import has_index, open_store
from archiver.search.papers import PaperText, add_paper, new_papers
from archiver.store.reading import reading
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from archiver.running.workers.pool import WorkerPool
    from archiver.search.papers import FoundPaper

logger = logging.getLogger(__name__)


class Papers:
    """Brings documents into an index that exists."""

    def __init__(self, archive: Path, warcs: Path, cdxj: Path, state_url: str, workers: WorkerPool) -> None:
        self._archive = archive
        self._warcs = warcs
        self._cdxj = cdxj
        self._state_url = state_url
        self._workers = workers
        self._is_stopped = False
        self.read = 0
        self.unreadable = 0
        self.trouble = ""  # what kept some of them from being read

    def stop(self) -> None:
        """End after the document that is being read; the next run goes on."""
        self._is_stopped = True

    async def run(self, show: Callable[[int, int], object] = lambda _done, _total: None) -> None:
        """Read all that are new. What goes wrong is `trouble`, and left to the next time."""
        try:
            await self._run(show)
        except (sqlite3.Error, OSError, ArchiverError) as error:
            self.trouble = f"Some PDF documents are not in the search index yet: {error}"
        except Exception as error:
            # A crawl does not fail with it; its report has it.
            logger.exception("Internal error while PDF documents were read for the search index")
            self.trouble = f"Internal error while PDF documents were read: {type(error).__name__}: {error}"

    async def _run(self, show: Callable[[int, int], object]) -> None:
        if not await asyncio.to_thread(has_index, self._archive, self._state_url):
            return
        found, looked = await asyncio.to_thread(self._new)
        for done, paper in enumerate(found):
            if self._is_stopped:
                return
            show(done, len(found))
            try:
                read = await self._read(paper)
            except ReadingFault as fault:
                # The machine's fault: this WARC file is looked through again.
                logger.warning("Could not read %s: %s", redact(paper.url), fault)
                looked.discard(paper.warc)
                continue
            await asyncio.to_thread(self._add, paper, read)
        await asyncio.to_thread(self._looked_through, looked)

    async def _read(self, paper: FoundPaper) -> PaperText | None:
        task = ReadPdf(url=paper.url, folder=str(self._warcs), file=paper.warc, offset=paper.place)
        try:
            answer = await self._workers.run(task)
        except (ExtractionError, RecordError) as error:
            logger.info("%s has no text that can be read: %s", redact(paper.url), error)
            self.unreadable += 1
            return None
        self.read += 1
        return PaperText(title=answer.title, text=answer.text)

    def _new(self) -> tuple[list[FoundPaper], set[str]]:
        with open_store(self._archive, self._state_url) as store:
            return new_papers(store, self._cdxj)

    def _add(self, paper: FoundPaper, read: PaperText | None) -> None:
        with reading(self._state_url) as state, open_store(self._archive, self._state_url) as store:
            add_paper(store, state, paper, read)

    def _looked_through(self, warcs: set[str]) -> None:
        with open_store(self._archive, self._state_url) as store, store.transaction():
            store.looked_through(warcs)
