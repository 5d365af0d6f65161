"""The objects files of an archive, opened to be written to: cut back to what the state store knows."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from archiver.archive.lock import ArchiveLock
from archiver.archive.objects.writer import ObjectWriter
from archiver.archive.storage import is_archived
from archiver.archive.writers import find_writer, keep_writer, writer_of
from archiver.errors import ArchiveError, StateLost
from archiver.running.workers.pool import WorkerPool
from archiver.store.database import Database
from archiver.store.lost import refuse_lost_state
from archiver.store.object_files import object_lengths
from archiver.store.polling.channels import was_ever_used

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from archiver.archive.writers import Writer
    from archiver.running.archive import ArchiveConfig
    from archiver.running.workers import TaskRunner


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectStores:
    """What it takes to write objects anew."""

    database: Database
    objects: ObjectWriter
    problems: Sequence[str]  # of objects files
    lengths: Mapping[str, int]  # of the writer's own
    workers: TaskRunner


def open_workers(config: ArchiveConfig) -> WorkerPool:
    return WorkerPool(config.workers, seconds=config.worker_seconds, memory_mb=config.worker_memory_mb)


@contextmanager
def open_stores(
    config: ArchiveConfig, mark: str = "", engine: Callable[[ArchiveConfig], TaskRunner] = open_workers
) -> Iterator[ObjectStores]:
    """Hold an archive whose objects are written anew: lines that were never settled are cut, as by a run."""
    with ExitStack() as opened:
        opened.enter_context(ArchiveLock(config.folder))
        refuse_lost_state(config.state_url, config.folder)
        database = Database(config.state_url)
        opened.callback(database.close)
        writer = find_writer(config.folder, config.writer)
        objects, problems = open_objects(config, writer, database, mark)
        opened.callback(objects.close)
        workers = engine(config)
        opened.callback(workers.close)
        lengths = {file: size for file, size in database.run(object_lengths).items() if writer.owns(file)}
        yield ObjectStores(
            database=database, objects=objects, problems=problems, lengths=lengths, workers=workers
        )


def open_objects(
    config: ArchiveConfig, writer: Writer, database: Database, mark: str = ""
) -> tuple[ObjectWriter, list[str]]:
    """Cut what was not settled off objects files, and go on with them; what is wrong with them."""
    objects = ObjectWriter(config.objects_folder, config.object_kinds, writer, mark)
    lengths = database.run(object_lengths)
    check_state(objects, database, config, lengths)
    _check_name(writer, config, lengths)
    keep_writer(config.warc_folder.parent, writer)
    database.before_retry = partial(_take_back, objects)
    return objects, objects.recover(lengths)


def _take_back(objects: ObjectWriter, connection: Connection) -> None:
    """Cut off what a transaction has written that met another worker: all of it was undone in the store."""
    objects.close()
    objects.recover(object_lengths(connection))


def _check_name(writer: Writer, config: ArchiveConfig, lengths: Mapping[str, int]) -> None:
    """Raise ArchiveError where a new folder would write under the name of another one with the same store."""
    taken = [file for file in lengths if writer_of(file) == writer.name]
    if writer.is_new and taken and not any(is_archived(config.objects_folder / file) for file in taken):
        raise ArchiveError(
            f"The state store knows objects of a writer {writer.name}, and none of them is in"
            f" {config.objects_folder}: set WRITER to another name for this folder, or, if it is its own,"
            " bring it back from a backup"
        )


def check_state(
    objects: ObjectWriter, database: Database, config: ArchiveConfig, lengths: Mapping[str, int]
) -> None:
    """Objects without any state behind them: they belong to another store, and would all be cut."""
    if objects.has_lines() and not lengths and not database.run(was_ever_used):
        raise StateLost(
            f"{config.objects_folder} has objects, but the state store is empty or new: check ARCHIVE_DIR and"
            " STATE_URL, bring the store back from a backup, or have `scrapy recover` make it again."
        )
