"""The connection to the state store: one thread, one connection, one transaction at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sqlalchemy import create_engine, event, insert, inspect, select, update
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from archiver.errors import ArchiveError, ConfigurationError
from archiver.store import sqlite
from archiver.store.migrations import CURRENT_VERSION, MIGRATIONS, OLDEST_VERSION
from archiver.store.schema import metadata, schema_version
from archiver.urls import redact

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from concurrent.futures import Future

    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

P = ParamSpec("P")
Result = TypeVar("Result")


class Database:
    """Runs functions on the store, each in a transaction of its own."""

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="state-store")
        try:
            self._connection = self._thread.submit(_open, self._engine).result()
        except (SQLAlchemyError, ArchiveError) as error:
            self._thread.shutdown()
            self._engine.dispose()
            if isinstance(error, ArchiveError):
                raise
            told = " ".join(str(getattr(error, "orig", None) or error).split())
            raise ArchiveError(f"Cannot open the state store {redact(url)}: {told}{_advice(told)}") from error

    def run(
        self, function: Callable[Concatenate[Connection, P], Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        """Call `function(connection, …)` in one transaction, and wait for it."""
        return self._thread.submit(
            self._transaction, lambda connection: function(connection, *args, **kwargs)
        ).result()

    async def run_async(
        self, function: Callable[Concatenate[Connection, P], Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        """The same, without making the event loop wait."""
        job = self._thread.submit(self._transaction, lambda connection: function(connection, *args, **kwargs))
        return await asyncio.wrap_future(job)

    def later(
        self, function: Callable[Concatenate[Connection, P], object], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """The same, without a caller that waits: a failure is only logged."""
        job = self._thread.submit(self._transaction, lambda connection: function(connection, *args, **kwargs))
        job.add_done_callback(_log_failure)

    def cpu_seconds(self) -> float:
        """Processor time that the store has used."""
        return self._thread.submit(time.thread_time).result()

    def close(self) -> None:
        self._thread.submit(self._connection.close).result()
        self._thread.shutdown()
        self._engine.dispose()

    def _transaction(self, function: Callable[[Connection], Result]) -> Result:
        try:
            with self._connection.begin():
                return function(self._connection)
        except SQLAlchemyError as error:
            # What the driver said, without the statement and the values in it.
            told = str(getattr(error, "orig", None) or error)
            raise ArchiveError(f"The state store failed: {told}{_disk_advice(told)}") from error


def open_reader(url: str) -> Connection:
    """A connection for another process: it sees what is committed, and never holds a lock."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine.connect()


def _log_failure(job: Future[object]) -> None:
    if error := job.exception():
        logger.warning("A note to the state store failed: %s", error)


def _engine(url: str) -> Engine:
    try:
        engine = create_engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise ConfigurationError(f"STATE_URL={redact(url)!r} cannot be used: {error}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    sqlite.prepare(connection)


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads first and writes later could not be upgraded while another writes.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _open(engine: Engine) -> Connection:
    _refuse_cut(engine)
    with contextlib.ExitStack() as on_error:
        connection = on_error.enter_context(engine.connect())
        with connection.begin():
            _migrate(connection)
        on_error.pop_all()
    return connection


def _refuse_cut(engine: Engine) -> None:
    """SQLite itself only notices where whole pages are missing."""
    path = Path(engine.url.database or "")
    if engine.dialect.name == "sqlite" and path.is_file() and sqlite.is_cut(path):
        raise ArchiveError(f"The state store {path} ends within a page: {_ADVICE['malformed']}")


def _advice(told: str) -> str:
    """What to do about what SQLite says."""
    for part, advice in _ADVICE.items():
        if part in told:
            return f": {advice}"
    return _disk_advice(told)


def _disk_advice(told: str) -> str:
    if "disk is full" in told or "No space left" in told:
        return ". Free some space and run again."
    if "disk I/O error" in told:
        # What SQLite says of a file that may not grow, and of a broken disk.
        return ". If the disk is full or files may not grow: Free some space and run again."
    return ""


_ADVICE = {
    "not a database": "it is damaged or of another program; bring it back from a backup, or check STATE_URL",
    "malformed": "it is damaged; bring it back from a backup, with the objects of the same time",
    "readonly": "give yourself the permission to write to it and to its folder",
    "unable to open": "check that the folder is there and may be written to",
    "no such column": "it is of another program; check STATE_URL and ARCHIVE_DIR",
}


def _refuse_others(connection: Connection) -> None:
    """Never make our tables among those of another program."""
    found = set(inspect(connection).get_table_names())
    # PostgreSQL's databases are shared by design: only a table of the same name is in the way there.
    foreign = found if connection.dialect.name == "sqlite" else found & set(metadata.tables)
    if foreign:
        names = ", ".join(sorted(foreign)[:3])
        raise ArchiveError(
            f"The state store has tables of another program ({names}): check STATE_URL and ARCHIVE_DIR"
        )


def _migrate(connection: Connection) -> None:
    if not inspect(connection).has_table("schema_version"):
        _refuse_others(connection)
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(id=1, version=CURRENT_VERSION))
        return
    found = connection.execute(select(schema_version.c.version)).scalar_one()
    if found > CURRENT_VERSION:
        raise ArchiveError(
            f"The state store has schema version {found} and this archiver knows {CURRENT_VERSION}:"
            " use a newer archiver."
        )
    if found < OLDEST_VERSION:
        raise ArchiveError(
            f"The state store has schema version {found}, which is older than any that was published:"
            f" an archiver of schema version {OLDEST_VERSION} has to open it once."
        )
    for migration in MIGRATIONS[found - OLDEST_VERSION :]:
        migration(connection)
    connection.execute(update(schema_version).values(version=CURRENT_VERSION))
