"""The index made anew: in its file, unless that is damaged, so that a crawl beside it goes on feeding it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from archiver.archive.lock import ArchiveLock
from archiver.errors import ArchiveError
from archiver.search.feeding import Feeder
from archiver.search.index import FILE, remove
from archiver.search.opening import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection


def build(folder: Path, state: Connection, show: Callable[[int, int], object]) -> Feeder:
    """Raises ArchiveError where it cannot be written, ArchiveLocked where a crawl holds a damaged one."""
    try:
        return _build(folder, state, show)
    except sqlite3.OperationalError as error:
        raise ArchiveError(f"The search index {folder / FILE} cannot be written: {error}") from error
    except sqlite3.DatabaseError:
        # Damaged, or not a database at all. A crawl that has it open must not go on with what is not there.
        with ArchiveLock(folder):
            remove(folder)
        return _build(folder, state, show)


def _build(folder: Path, state: Connection, show: Callable[[int, int], object]) -> Feeder:
    url = state.engine.url.render_as_string(hide_password=False)
    with open_store(folder, url) as store:
        feeder = Feeder(store, state, folder / "objects")
        feeder.build(show)
        return feeder
