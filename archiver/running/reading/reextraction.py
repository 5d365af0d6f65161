"""The archive's captures read anew by a better extractor, scope by scope, in all processors."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import read_part
from archiver.articles.objects.model import making_of
from archiver.articles.versions.model import Change  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.batches import Batcher
from archiver.clock import machine_now
from archiver.documents.parts import part_of_key
from archiver.errors import ArchiverError, ReadingFault, RecordError
from archiver.running.reading.findings import lessons_of, record_to_read
from archiver.running.reading.grouping import ALONE, cut
from archiver.running.reading.reader import GroupReader, ReadingRules
from archiver.running.reading.shelf import WrapperShelf
from archiver.running.report import RunReport
from archiver.store.content.rereading import (
    Reread,
    RereadSelection,
    count_by_scope,
    old_versions,
    settle_rereads,
)
from archiver.store.content.wrappers import memory_of
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime
    from pathlib import Path

    from archiver.articles.model import Wrapper
    from archiver.running.archive import ArchiveConfig
    from archiver.running.objects import ObjectStores
    from archiver.running.workers.page_tasks import PageRead, PageToRead
    from archiver.store.content.rereading import OldVersion, Place
    from archiver.store.content.wrappers import Lessons


logger = logging.getLogger(__name__)

# Groups of a scope that are read beside each other, by the same memory.
_GROUPS_AT_ONCE = 8
# Seconds for which groups gather, so that one transaction and one flush to disk serve many.
_GATHER = 0.1


@dataclass(slots=True, kw_only=True)
class ReextractionReport:
    """What came of it."""

    total: int = 0
    reread: int = 0
    reworded: int = 0  # with other words than before
    without_article: int = 0
    unreadable: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.reread + self.without_article + len(self.unreadable) + len(self.lost)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    rereads: list[Reread]
    lessons: Lessons


class Reextraction:
    """Reads the captures of an archive. However it ends, the next one goes on where it was."""

    def __init__(self, config: ArchiveConfig, stores: ObjectStores, show: Callable[[int, int], None]) -> None:
        self._config = config
        self._show = show
        self.report = ReextractionReport()
        self._database, self._objects = stores.database, stores.objects
        self._ahead = stores.workers.ahead
        self.told = RunReport(started=machine_now())
        self._wrappers = WrapperShelf(config.field_wrappers, stores.database, self.told)
        self._reader = GroupReader(
            stores.workers,
            ReadingRules(folder=config.warc_folder, method=config.method),
            self._wrappers.killed,
        )
        self._rules = config.groups if self._reader.sees_siblings else ALONE
        self._settle: Batcher[Sequence[_Group], None] = Batcher(self._write, linger=_GATHER, most=50)

    async def run(self, *, since: datetime, scopes: Collection[int] | None) -> None:
        """Read whatever another extractor made; of these scopes, or of all."""
        selection = RereadSelection(extractor=self._reader.extractor, since=since)
        counts = await self._database.run_async(count_by_scope, selection, scopes)
        self.report.total = sum(counts.values())
        # Enough scopes to keep every worker busy.
        places = asyncio.Semaphore(self._ahead)

        async def in_turn(scope: int) -> None:
            async with places:
                await self._scope(selection, scope)

        async with asyncio.TaskGroup() as tasks:
            for scope in counts:
                tasks.create_task(in_turn(scope))
        self.report.files = list(self._objects.files)

    async def _scope(self, selection: RereadSelection, scope: int) -> None:
        after: Place | None = None
        limit = _GROUPS_AT_ONCE * max(self._rules.pages, _GROUPS_AT_ONCE)
        while found := await self._database.run_async(
            old_versions, selection, scope, after=after, limit=limit
        ):
            after = found[-1].place
            groups = cut(found, self._rules, whole=True)
            if self._reader.sees_siblings and not await self._memory(scope):
                # The first one teaches what the others are read by.
                await self._groups(scope, [groups.pop(0)], ())
            await self._groups(scope, groups, await self._memory(scope))

    async def _memory(self, scope: int) -> tuple[Wrapper, ...]:
        if not self._reader.sees_siblings:
            return ()
        known = await self._database.run_async(memory_of, [scope], self._reader.extractor)
        return known.get(scope, ())

    async def _groups(
        self, scope: int, groups: Sequence[Sequence[OldVersion]], memory: tuple[Wrapper, ...]
    ) -> None:
        """Have groups read, and settle them in their order: what they teach must not depend on haste."""
        read = await asyncio.gather(*(self._group(scope, group, memory) for group in groups))
        if read:
            await self._settle.put(read)

    async def _group(self, scope: int, group: Sequence[OldVersion], memory: tuple[Wrapper, ...]) -> _Group:
        pages = [self._asked(old) for old in group]
        read = await self._reader.read(pages, memory)
        found = [
            reread
            for old, result in zip(group, read.results, strict=True)
            if (reread := self._found(old, result)) is not None
        ]
        self.report.reread += len(found)
        self._show(self.report.done, self.report.total)
        return _Group(rereads=found, lessons=lessons_of(scope, self._reader.extractor, read))

    def _asked(self, old: OldVersion) -> PageToRead:
        asked = record_to_read(old.capture, old.lead.announcement(), part_of_key(old.key), old.further)
        fields_by = self._wrappers.text_for(old.capture.url, [old.lead])
        return msgspec.structs.replace(asked, fields_by=fields_by)

    def _found(self, old: OldVersion, result: PageRead | ArchiverError) -> Reread | None:
        if isinstance(result, ArchiverError):
            told = f"{redact(old.capture.url)}: {result}"
            logger.warning("Could not read %s", told)
            lost = isinstance(result, RecordError | ReadingFault)
            (self.report.lost if lost else self.report.unreadable).append(told)
            return None
        if result.article is None or result.fingerprint is None:
            self.report.without_article += 1
            return None
        try:
            change = change_at(self._config.objects_folder, old.object_file, old.object_offset)
        except RecordError as error:
            self.report.lost.append(str(error))
            return None
        self.report.reworded += result.fingerprint.whole != old.digest
        return Reread(
            old=old,
            change=change,
            article=result.article,
            fingerprint=result.fingerprint,
            making=making_of(result.article, result.extractor),
            further=old.further.as_read(result.used, is_unjoined=result.is_unjoined),
        )

    async def _write(self, some: Sequence[Sequence[_Group]]) -> Sequence[None]:
        groups = [group for one in some for group in one]
        await self._database.run_async(
            settle_rereads,
            [one for group in groups for one in group.rereads],
            [group.lessons for group in groups],
            self._objects,
            machine_now(),
        )
        return [None] * len(some)


class _Line(msgspec.Struct):
    change: Change


def change_at(folder: Path, file: str, offset: int) -> Change:
    """What the object at this place says that had changed."""
    return read_part(folder, file, offset, _Line).change
