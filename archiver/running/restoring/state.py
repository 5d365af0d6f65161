"""A state store made again beside its place, which it takes when it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from archiver.archive.cdxj.update import update
from archiver.archive.lock import ArchiveLock
from archiver.archive.objects.writer import ObjectWriter
from archiver.archive.warc.manifest import complete_manifest
from archiver.archive.warc.repair import repair_folder
from archiver.archive.writers import find_writer
from archiver.errors import StateLost
from archiver.files import sync_folder
from archiver.running.objects import check_state
from archiver.running.restoring.lines import ObjectLines
from archiver.running.restoring.past import Past, RestoreReport
from archiver.search.opening import forget_all
from archiver.store.content.restoring import copy_store
from archiver.store.database import Database
from archiver.store.lost import refuse_lost_state
from archiver.store.object_files import object_lengths

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.running.archive import ArchiveConfig

_HALF_SUFFIX = ".restoring"
_LOST_SUFFIX = ".lost"


async def restore_if_lost(config: ArchiveConfig, show: Callable[[int, int], None]) -> RestoreReport | None:
    """Make the state store anew where it is lost; None where it is there. Holds the archive meanwhile."""
    with ArchiveLock(config.folder):
        if not _is_lost(config):
            return None
        writer = find_writer(config.folder, config.writer)
        repair_folder(config.warc_folder, writer)
        complete_manifest(config.warc_folder, writer=writer)
        update(config.warc_folder, config.index_folder, writer)
        return await _restore(config, show)


def _is_lost(config: ArchiveConfig) -> bool:
    """Whether an archive has objects or WARC files, and a state store that knows nothing of them."""
    try:
        refuse_lost_state(config.state_url, config.folder)
    except StateLost:
        return True
    database = Database(config.state_url)
    try:
        writer = find_writer(config.folder, config.writer)
        objects = ObjectWriter(config.objects_folder, config.object_kinds, writer)
        check_state(objects, database, config, database.run(object_lengths))
    except StateLost:
        return True
    finally:
        database.close()
    return False


async def _restore(config: ArchiveConfig, show: Callable[[int, int], None]) -> RestoreReport:
    """The new store takes its place when it is whole; until then there is none."""
    url = make_url(config.state_url)
    is_sqlite = url.get_backend_name() == "sqlite"
    final = Path(url.database or "") if is_sqlite else config.folder / "state.sqlite"
    half = final.with_name(final.name + _HALF_SUFFIX)
    half.unlink(missing_ok=True)
    with ObjectLines(config.objects_folder) as lines:
        lines.read()
        database = Database(f"sqlite:///{half}")
        try:
            report = await Past(config, database, lines).run(show)
            if not is_sqlite:
                _copy(database, config.state_url)
        finally:
            database.close()
    if is_sqlite:
        _set_log_aside(final)
        half.replace(final)
        sync_folder(final.parent)
    else:
        half.unlink()
    # Articles have other numbers now.
    forget_all(config.folder, config.state_url)
    return report


def _set_log_aside(state: Path) -> None:
    """SQLite would play the log of the lost store into the new one."""
    state.with_name(state.name + "-shm").unlink(missing_ok=True)
    log = state.with_name(state.name + "-wal")
    if log.exists():
        log.replace(log.with_name(log.name + _LOST_SUFFIX))


def _copy(source: Database, state_url: str) -> None:
    target = Database(state_url)
    try:
        source.run(lambda connection: target.run(lambda other: copy_store(connection, other)))
    finally:
        target.close()
