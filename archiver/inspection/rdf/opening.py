"""The folder `rdf` of an archive: the store and its ledger, fed by one process, and by none while asked."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyoxigraph import Store

from archiver.errors import ArchiveError, ArchiveLocked, advice_on
from archiver.inspection.rdf.ledger import open_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.inspection.rdf.ledger import Ledger

FOLDER = "rdf"
STORE = "store"
BUILD = "run `scrapy sparql --build`"
# How the store says that it is damaged.
BROKEN = (OSError, RuntimeError)
_LOCK = "lock"
_PAUSE = 0.05  # seconds


@contextmanager
def open_to_feed(archive: Path, *, seconds: float = 30.0) -> Iterator[tuple[Store, Ledger]]:
    """The store, made where there is none, and anew where it is damaged or of another archiver."""
    folder = archive / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        with _locked(folder, fcntl.LOCK_EX, seconds):
            _make_ready(folder)
            with open_ledger(folder) as ledger:
                yield Store(str(folder / STORE)), ledger
    except sqlite3.DatabaseError as error:
        raise ArchiveError(f"{folder} cannot be written ({error}): remove it, and {BUILD}") from error
    except OSError as error:
        told = f"{folder} cannot be written: {error.strerror or error}{advice_on(error)}"
        raise ArchiveError(told) from error


def _make_ready(folder: Path) -> None:
    """Leave a store that may be fed: what is not one, or another archiver's, goes."""
    if _is_sound(folder):
        return
    shutil.rmtree(folder / STORE, ignore_errors=True)
    for path in folder.glob("fed.sqlite*"):
        path.unlink()
    Store(str(folder / STORE)).flush()
    with open_ledger(folder, to_make=True) as ledger:
        ledger.begin()


def _is_sound(folder: Path) -> bool:
    try:
        with open_ledger(folder) as ledger:
            if not ledger.is_current():
                return False
        Store.read_only(str(folder / STORE))
    except (sqlite3.DatabaseError, *BROKEN):
        return False
    return True


@contextmanager
def open_to_ask(archive: Path, *, seconds: float = 30.0) -> Iterator[Ledger]:
    """The ledger, while nothing feeds the store; ArchiveError where there is no store that can be asked."""
    folder = archive / FOLDER
    if not (folder / STORE).is_dir():
        raise ArchiveError(f"This archive has no RDF store yet: {BUILD}")
    try:
        with _locked(folder, fcntl.LOCK_SH, seconds), open_ledger(folder) as ledger:
            if not ledger.is_current():
                raise ArchiveError(f"The RDF store {folder} is of another archiver: {BUILD}")
            yield ledger
    except (sqlite3.DatabaseError, OSError) as error:
        raise ArchiveError(f"The RDF store {folder} cannot be read ({error}): {BUILD}") from error


@contextmanager
def _locked(folder: Path, how: int, seconds: float) -> Iterator[None]:
    flags = os.O_RDWR | os.O_CREAT if how == fcntl.LOCK_EX else os.O_RDONLY
    handle = os.open(folder / _LOCK, flags, 0o666)
    try:
        until = time.monotonic() + seconds
        while not _taken(handle, how):
            if time.monotonic() > until:
                raise ArchiveLocked(f"Another process is using {folder}: try again when it is done")
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(handle)


def _taken(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
