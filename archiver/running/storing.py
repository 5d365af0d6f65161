"""Closed files go to the storage, where there is one: at the end of a run, or when they are told to."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.archive.objects.kinds import day_of, object_files
from archiver.archive.storage import move_closed, move_files
from archiver.archive.writers import is_imported
from archiver.clock import machine_now
from archiver.store.object_files import object_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from archiver.archive.storage import Moved
    from archiver.archive.writers import Writer
    from archiver.running.archive import ArchiveConfig
    from archiver.running.report import RunReport
    from archiver.store.database import Database

logger = logging.getLogger(__name__)


def store_closed(config: ArchiveConfig, writer: Writer, database: Database, report: RunReport) -> None:
    """Move what is closed to the storage; what could not be moved stays, and is told."""
    if not config.storage_url or config.replayed is not None:
        return
    lengths = database.run(object_lengths)
    for problem in (one.problem for one in moved_files(config, writer, lengths) if one.problem):
        logger.error(problem)
        report.error(problem)


def moved_files(config: ArchiveConfig, writer: Writer, lengths: Mapping[str, int]) -> Iterator[Moved]:
    """WARC files that are closed, and objects files of days that are over; what became of each."""
    url = config.storage_url
    yield from move_closed(config.warc_folder, url, is_mine(writer))
    closed = closed_objects(config.objects_folder, writer, lengths, f"{machine_now():%Y-%m-%d}")
    yield from move_files(config.objects_folder, url, {path.name: "" for path in closed})


def closed_objects(folder: Path, writer: Writer, lengths: Mapping[str, int], today: str) -> list[Path]:
    """The writer's objects files of days before today that are here and have all settled lines, no others."""
    found = object_files(folder, (), lengths)
    return [
        path
        for path in found
        if writer.owns(path.name)
        and "" < day_of(path.name) < today
        and path.exists()
        and path.stat().st_size == lengths[path.name]
    ]


def is_mine(writer: Writer) -> Callable[[str], bool]:
    """Which WARC files a folder moves to its storage: its own, and those that were imported into it."""
    return lambda name: writer.owns(name) or is_imported(name)
