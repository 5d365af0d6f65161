"""One run of `scrapy import`: files are taken in, then their pages are read as those of a crawl are.

Each step can be cut off: what was copied is known by its name, and what was handed on by its record.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from archiver.acquisition.requisites import RequisiteRules
from archiver.archive.cdxj.update import update as update_index
from archiver.archive.imports.copying import remove_unfinished, take_in
from archiver.archive.warc.manifest import complete_manifest
from archiver.archive.writers import IMPORTED
from archiver.batches import batches
from archiver.clock import machine_now
from archiver.errors import ArchiveError, RecordError
from archiver.running.archive import Archive
from archiver.running.importing.pages import cut_to, listed_pages, page_at, rounds_of
from archiver.running.session import Limits, Places, Session
from archiver.store.content.imports import (
    ImportedFile,
    ImportedPage,
    add_import,
    have_read,
    imported_files,
    known_pages,
    note_read,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.imports.sources import SourceWarc
    from archiver.running.archive import ArchiveConfig
    from archiver.running.importing.pages import PageChoice

_SECONDS = 0.2


@dataclass(slots=True, kw_only=True)
class ImportReport:
    """What came of it."""

    files: list[str] = field(default_factory=list)  # that were taken in
    known: list[str] = field(default_factory=list)  # that were there before
    records: int = 0
    pages: int = 0  # that were handed on to be read
    repeated: int = 0
    others: int = 0  # documents that a WACZ file does not list as pages
    flaws: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    articles: int = 0  # versions that were written


def config_for(config: ArchiveConfig) -> ArchiveConfig:
    """The operator's settings, but that nothing is fetched for what was imported."""
    return replace(config, requisites=RequisiteRules(), render=None, article_pages=1, extraction=True)


class Importing:
    """Takes files in, and has their pages read."""

    def __init__(self, config: ArchiveConfig, *, links: bool = False) -> None:
        self._links = links
        self.report = ImportReport()
        self._archive = Archive(config_for(config))
        self._archive.report.crawled = "import"
        self._archive.writer.start()
        self._failed = asyncio.Event()
        self._session = Session(
            self._archive, [], places=Places(), limits=Limits(), on_fatal=self._failed.set
        )
        self._named: dict[str, frozenset[str]] = {}

    async def run(
        self,
        sources: Sequence[SourceWarc],
        choice: PageChoice,
        *,
        copied: Callable[[int, int], None],
        read: Callable[[int, int], None],
    ) -> None:
        """Take all files in, then read their pages, the oldest file first."""
        self._session.begin()
        try:
            await asyncio.to_thread(self._take_in, sources, copied)
            await self._read_all(choice, read)
        finally:
            reason = "finished" if not self._failed.is_set() else "archive_error"
            await self._session.close(reason, was_watching=False)
        if self._session.failed is not None:
            raise ArchiveError(str(self._session.failed))
        told = self._archive.report
        self.report.articles = told.outcomes["stored"]
        self.report.problems += told.errors

    # ── Taking in ────────────────────────────────────────────────────────────────────────────────────────

    def _take_in(self, sources: Sequence[SourceWarc], show: Callable[[int, int], None]) -> None:
        config, database = self._archive.config, self._archive.database
        folder = config.warc_folder
        remove_unfinished(folder)
        complete_manifest(folder, writer=IMPORTED)
        total, done = sum(source.size for source in sources), 0

        def advance(size: int) -> None:
            nonlocal done
            done += size
            show(done, total)

        for source in sources:
            taken = take_in(source, folder, links=self._links, done=advance)
            self.report.flaws += taken.flaws
            if not taken.file:
                self.report.problems.append(f"{source.label} has no whole record: nothing of it is kept")
                continue
            (self.report.known if taken.is_known else self.report.files).append(taken.file)
            self.report.records += 0 if taken.is_known else taken.records
            self._named[taken.file] = source.pages
            database.run(add_import, taken.file, source.name, machine_now())
        update = update_index(folder, config.index_folder, IMPORTED)
        self.report.problems += update.problems

    # ── Reading ──────────────────────────────────────────────────────────────────────────────────────────

    async def _read_all(self, choice: PageChoice, show: Callable[[int, int], None]) -> None:
        known = await self._archive.database.run_async(imported_files)
        # Those that were named, and those that an earlier import was cut off in.
        wanted = [one for one in known.values() if self._is_wanted(one)]
        for one in sorted(wanted, key=_first_date):
            if not self._failed.is_set():
                await self._read_file(one, choice, show)

    def _is_wanted(self, one: ImportedFile) -> bool:
        return not one.is_read and (one.file in self._named or one.state == "unread")

    async def _read_file(
        self, one: ImportedFile, choice: PageChoice, show: Callable[[int, int], None]
    ) -> None:
        folder = self._archive.config.warc_folder
        named = self._named.get(one.file, frozenset())
        try:
            listed = await asyncio.to_thread(listed_pages, folder / one.file, choice, named)
        except RecordError as error:
            self.report.problems.append(str(error))
            return
        self.report.repeated += listed.repeated
        self.report.others += listed.others
        lines = cut_to(choice, listed.lines, self.report.pages)
        before = self.report.pages
        for some in rounds_of(lines):
            await self._read_round(one, some)
            show(self.report.pages - before, len(lines))
            if self._failed.is_set():
                return
        is_whole = choice.is_all and not listed.others
        count = self.report.pages - before
        await self._archive.database.run_async(note_read, one.file, count, is_whole=is_whole)

    async def _read_round(self, one: ImportedFile, lines: Sequence[CdxLine]) -> None:
        """Hand pages on, each of another address, and wait until they are read."""
        database = self._archive.database
        for some in batches(lines):
            pages = await asyncio.to_thread(self._pages_at, some)
            known = await database.run_async(known_pages, [page.key for page in pages])
            new = list({page.key: page for page in pages if page.key not in known}.values())
            await database.run_async(have_read, new, one.source, machine_now())
            self.report.pages += len(new)
            self._session.extraction.look()
        await self._idle()

    def _pages_at(self, lines: Sequence[CdxLine]) -> list[ImportedPage]:
        found = []
        for line in lines:
            try:
                page = page_at(self._archive.config.warc_folder, line)
            except RecordError as error:
                self.report.problems.append(str(error))
                continue
            if page is not None:
                found.append(page)
        return found

    async def _idle(self) -> None:
        idle = self._session.extraction.idle
        while not (idle.is_set() or self._failed.is_set()):
            with suppress(TimeoutError):
                await asyncio.wait_for(idle.wait(), _SECONDS)


def _first_date(one: ImportedFile) -> str:
    """When its first record was made, which its name has."""
    return one.file.rsplit("-", 3)[1]
