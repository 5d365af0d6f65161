"""Wrappers learned again, from pages that each of them served: later pages are read by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.clock import machine_now
from archiver.documents.parts import part_of_key
from archiver.running.reading.findings import lessons_of, record_to_read
from archiver.running.reading.reader import GroupReader, ReadingRules
from archiver.store.content.rereading import RereadSelection, old_versions
from archiver.store.content.restoring import wrappers_named
from archiver.store.content.wrappers import memory_of, remember

if TYPE_CHECKING:
    from archiver.running.archive import ArchiveConfig
    from archiver.running.workers import TaskRunner
    from archiver.store.database import Database

# Of one channel: one that has more has no templates.
_MOST_WRAPPERS = 20


async def learn_wrappers(config: ArchiveConfig, database: Database, workers: TaskRunner) -> None:
    reader = GroupReader(workers, ReadingRules(folder=config.warc_folder, method=config.method))
    if not reader.sees_siblings:
        return
    named = await database.run_async(wrappers_named, reader.extractor)
    for scope, names in named.items():
        for name in names[:_MOST_WRAPPERS]:
            memory = await database.run_async(memory_of, [scope], reader.extractor)
            if name in {one.id for one in memory.get(scope, ())}:
                continue
            served = RereadSelection(wrapper=name)
            most = config.groups.pages
            group = await database.run_async(old_versions, served, scope, after=None, limit=most)
            pages = [
                record_to_read(old.capture, old.lead.announcement(), part_of_key(old.key), old.further)
                for old in group
            ]
            lessons = lessons_of(scope, reader.extractor, await reader.read(pages))
            await database.run_async(remember, [lessons], machine_now())
