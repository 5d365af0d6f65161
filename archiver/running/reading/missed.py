"""Pages that a run read while a field failed, read once more by the rules that it found."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.archive.objects.kinds import REEXTRACTED
from archiver.running.objects import ObjectStores
from archiver.running.reading.refilling import Refilling
from archiver.store.content.rereading import RereadSelection, count_by_scope

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.running.archive import Archive

# More would hold up the end of a run: `scrapy reextract --fields` is for them.
_MOST_VERSIONS = 1_000
# A page is read some time after its capture.
_READ_WITHIN = timedelta(hours=1)


async def fill_missed(archive: Archive, name: str, since: datetime) -> str:
    """Fill what is archived from a time on, by a wrapper as it is now; what came of it, in words."""
    captured = since - _READ_WITHIN
    counts = await archive.database.run_async(count_by_scope, RereadSelection(since=captured), None)
    if sum(counts.values()) > _MOST_VERSIONS:
        return f"`scrapy reextract --fields {name}` fills what was missed"
    with closing(archive.objects.marked(REEXTRACTED)) as objects:
        stores = ObjectStores(
            database=archive.database, objects=objects, problems=(), lengths={}, workers=archive.workers
        )
        work = Refilling(archive.config, stores, name, lambda _done, _total: None)
        await work.run(since=captured, scopes=None)
        archive.report.object_files += work.report.files
    return f"{work.report.filled + work.report.new} versions that were read meanwhile are filled"
