"""A field wrapper on all captures in its scope: objects get its fields, and articles stay as they are."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import read_part
from archiver.articles.objects.model import SCHEMA, ArchivedObject, LeadPointer
from archiver.batches import Batcher
from archiver.clock import machine_now
from archiver.documents.parts import part_of_key
from archiver.errors import ArchiverError, ConfigurationError, ExtractionError, ReadingFault, RecordError
from archiver.fields.checks import unknown_wrapper
from archiver.fields.files import keep_in_history, load_wrapper, load_wrappers, wrapper_path, write_wrapper
from archiver.fields.naming import label_of
from archiver.fields.objects import object_fields
from archiver.fields.scopes import wrappers_for
from archiver.running.reading.findings import finding_of, page_to_read, record_to_read
from archiver.running.workers.page_tasks import ReadFields
from archiver.store.content.rereading import RereadSelection, count_by_scope, old_versions
from archiver.store.content.settlement import SettlementRules, settle_findings
from archiver.store.field_values.refilling import (
    Refilled,
    become_stored,
    pages_without_article,
    settle_refilled,
)
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.findings import Finding
    from archiver.articles.leads import Lead
    from archiver.fields.model import FieldWrapper
    from archiver.running.archive import ArchiveConfig
    from archiver.running.objects import ObjectStores
    from archiver.running.workers.page_tasks import PageRead, PageToRead
    from archiver.store.content.pages import CapturedPage
    from archiver.store.content.rereading import OldVersion, Place

# Pages of one task, and how many are looked at in one step at least.
_PAGES = 20
_STEP = 200
_GATHER = 0.1


@dataclass(slots=True, kw_only=True)
class RefillReport:
    """What came of it."""

    label: str
    total: int = 0  # versions and pages that were looked at, in its scope or not
    done: int = 0
    filled: int = 0  # versions
    known: int = 0  # that had its fields already
    new: int = 0  # objects of pages without an article
    values: Counter[str] = field(default_factory=Counter)  # by field
    problems: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def wrapper_named(folder: Path | None, name: str) -> FieldWrapper:
    """The wrapper of a name; ConfigurationError where there is none, or one that cannot be used."""
    if folder is None:
        raise ConfigurationError('FIELD_WRAPPERS is "": fields are not read')
    path = wrapper_path(folder, name)
    if not path.is_file():
        names = sorted(one.stem for one in folder.glob(f"*{path.suffix}")) if folder.is_dir() else []
        raise ConfigurationError(unknown_wrapper(name, names))
    return load_wrapper(path)


class Refilling:
    """Reads the captures of an archive. However it ends, the next one goes on where it was."""

    def __init__(
        self, config: ArchiveConfig, stores: ObjectStores, name: str, show: Callable[[int, int], None]
    ) -> None:
        self._config, self._stores, self._show = config, stores, show
        self._wrapper = wrapper_named(config.field_wrappers, name)
        self._folder = config.field_wrappers or config.folder
        self._all = load_wrappers(self._folder).wrappers
        self._text = write_wrapper(self._wrapper).decode()
        self.report = RefillReport(label=label_of(self._wrapper))
        self._step = max(_STEP, stores.workers.ahead * _PAGES)
        self._settle: Batcher[Sequence[Refilled], None] = Batcher(self._write, linger=_GATHER, most=50)

    async def run(self, *, since: datetime, scopes: Collection[int] | None) -> None:
        """Fill all versions, then make objects of pages that have none, where the wrapper says so."""
        keep_in_history(self._folder, self._wrapper)
        selection = RereadSelection(since=since)
        database = self._stores.database
        counts = await database.run_async(count_by_scope, selection, scopes)
        self.report.total = sum(counts.values())
        for scope in counts:
            await self._versions(selection, scope)
        if self._wrapper.objects:
            await self._pages(since, scopes)
        self.report.files = list(self._stores.objects.files)

    def _is_mine(self, url: str, lead: Lead) -> bool:
        """Whether this wrapper, and not one with a more specific scope, is for a page."""
        channels = frozenset({lead.via} if lead.announcer else ())
        found = wrappers_for(self._all, url, channels)
        return bool(found) and found[0].wrapper == self._wrapper.wrapper

    async def _versions(self, selection: RereadSelection, scope: int) -> None:
        after: Place | None = None
        while found := await self._stores.database.run_async(
            old_versions, selection, scope, after=after, limit=self._step
        ):
            after = found[-1].place
            mine = [
                one for one in found if not part_of_key(one.key) and self._is_mine(one.capture.url, one.lead)
            ]
            groups = [mine[start : start + _PAGES] for start in range(0, len(mine), _PAGES)]
            await asyncio.gather(*map(self._group, groups))
            self.report.done += len(found)
            self._show(self.report.done, self.report.total)

    async def _group(self, group: Sequence[OldVersion]) -> None:
        lines = [(old, line) for old in group if (line := self._line(old)) is not None]
        wanted = [(old, line) for old, line in lines if line.field_wrapper != self.report.label]
        self.report.known += len(lines) - len(wanted)
        asked = [record_to_read(old.capture, old.lead.announcement(), "", old.further) for old, _ in wanted]
        reads = await self._read(asked)
        filled = [
            self._refilled(old, line, read)
            for (old, line), read in zip(wanted, reads, strict=True)
            if read is not None
        ]
        if made := [one for one in filled if one is not None]:
            await self._settle.put(made)
            self.report.filled += len(made)

    def _line(self, old: OldVersion) -> ArchivedObject | None:
        try:
            folder = self._config.objects_folder
            return read_part(folder, old.object_file, old.object_offset, ArchivedObject)
        except RecordError as error:
            self.report.problems.append(str(error))
            return None

    def _refilled(self, old: OldVersion, line: ArchivedObject, read: PageRead) -> Refilled | None:
        if read.fields is None or not read.fields.readings:
            told = read.fields.trouble if read.fields else "the page cannot be read for fields"
            self.report.problems.append(f"{redact(old.capture.url)}: {told}")
            return None
        fields = object_fields(read.fields, self._wrapper)
        self.report.values.update(name for name, value in fields.items() if value)
        made = replace(
            line,
            schema=SCHEMA,
            lead=line.lead or LeadPointer(source=old.lead.source, via=redact(old.lead.via)),
            fields=fields,
            field_wrapper=self.report.label,
            reextracted=machine_now(),
        )
        return Refilled(old=old, made=made, read=read.fields)

    async def _read(self, pages: Sequence[PageToRead]) -> Sequence[PageRead | None]:
        """What the wrapper reads; pages that cannot be read together are read one by one."""
        if not pages:
            return ()
        asked = tuple(msgspec.structs.replace(page, fields_by=self._text) for page in pages)
        try:
            task = ReadFields(folder=str(self._config.warc_folder), pages=asked)
            return (await self._stores.workers.run(task)).pages
        except (ExtractionError, ReadingFault, RecordError) as error:
            if len(pages) == 1:
                self._problem(pages[0], error)
                return (None,)
        return [one for page in pages for one in await self._read([page])]

    def _problem(self, page: PageToRead, error: ArchiverError) -> None:
        self.report.problems.append(f"{redact(page.url)}: {error}")

    async def _write(self, groups: Sequence[Sequence[Refilled]]) -> Sequence[None]:
        filled = [one for group in groups for one in group]
        stores = self._stores
        await stores.database.run_async(settle_refilled, filled, stores.objects, machine_now())
        return [None] * len(groups)

    async def _pages(self, since: datetime, scopes: Collection[int] | None) -> None:
        database = self._stores.database
        after: int | None = 0
        while after is not None:
            found, after = await database.run_async(
                pages_without_article, since=since, scopes=scopes, after=after, limit=self._step
            )
            mine = [one for one in found if one.leads and self._is_mine(one.capture.url, one.leads[0])]
            for start in range(0, len(mine), _PAGES):
                await self._make(mine[start : start + _PAGES])

    async def _make(self, group: Sequence[CapturedPage]) -> None:
        """Make objects of pages without an article that have what the wrapper requires."""
        reads = await self._read([page_to_read(page) for page in group])
        found = [
            finding_of(page, read)
            for page, read in zip(group, reads, strict=True)
            if read is not None and read.instead is not None
        ]
        if found:
            await self._stores.database.run_async(self._settle_new, found)
            self.report.new += len(found)

    def _settle_new(self, connection: Connection, found: Sequence[Finding]) -> None:
        rules = SettlementRules(rechecks=self._config.rechecks)
        now = self._config.clock.now()
        objects = self._stores.objects
        settle_findings(connection, found, objects, rules, recorded=machine_now(), now=now)
        become_stored(connection, [one.page_id for one in found])
