"""The connection to the state store: one thread, one connection, one transaction at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import create_engine, event, insert, inspect, make_url, select, update
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from archiver.errors import ArchiveError, ConfigurationError
from archiver.store import sqlite
from archiver.store.migrations import CURRENT_VERSION, MIGRATIONS, OLDEST_VERSION
from archiver.store.schema import metadata, schema_version
from archiver.urls import redact

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

P = ParamSpec("P")
Result = TypeVar("Result")
# What PostgreSQL says of a transaction that met another worker's: it is run again, on what that one has left.
_MET_ANOTHER = frozenset({"40001", "40P01", "23505"})
_MOST_TRIES = 12
# Under this name workers' connections are known to the server.
APPLICATION = "archiver"
# Of advisory locks: one worker at a time makes the tables, or brings the seeds in.
_ALONE = 7_310_451


class Database:
    """Runs functions on the store, each in a transaction of its own."""

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="state-store")
        # Where several workers share the store: raises ArchiveError when this one may be taken for dead.
        self.check: Callable[[], None] | None = None
        # Takes back what a transaction did outside of the store, before it is tried again.
        self.before_retry: Callable[[Connection], None] | None = None
        self._lost: str | None = None
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

    async def run_alone(
        self, function: Callable[Concatenate[Connection, P], Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        """The same, while no other worker does so."""

        def alone() -> Result:
            with _alone(self._connection):
                return self._transaction(lambda connection: function(connection, *args, **kwargs))

        return await asyncio.wrap_future(self._thread.submit(alone))

    @property
    def is_shared(self) -> bool:
        """Whether several workers can share this store."""
        return self._engine.dialect.name == "postgresql"

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

    @property
    def is_lost(self) -> bool:
        """Whether the connection has broken: nothing can be stored any more in this run."""
        return self._lost is not None

    def _transaction(self, function: Callable[[Connection], Result]) -> Result:
        if self.check is not None:
            self.check()
        if self._lost is not None:
            raise ArchiveError(self._lost)
        try:
            return self._tried(function)
        except SQLAlchemyError as error:
            # What the driver said, without the statement and the values in it.
            told = " ".join(str(getattr(error, "orig", None) or error).split())
            if getattr(error, "connection_invalidated", False):
                self._note_lost(told)
            raise ArchiveError(self._lost or f"The state store failed: {told}{_disk_advice(told)}") from error

    def _note_lost(self, told: str) -> None:
        """From here on nothing is stored: another connection would not be that of this worker."""
        said = told.rstrip(".")
        self._lost = (
            f"The connection to the state store was lost: {said}. What was stored is kept; see that the"
            " database server is up, and run again"
        )
        if self.check is not None:
            self.check()  # others may have cut it off, and say so better

    def _tried(self, function: Callable[[Connection], Result], tries: int = 1) -> Result:
        try:
            with self._connection.begin():
                if tries > 1 and self.before_retry is not None:
                    self.before_retry(self._connection)
                return function(self._connection)
        except DBAPIError as error:
            met = getattr(error.orig, "sqlstate", None) in _MET_ANOTHER
            if not met or tries == _MOST_TRIES:
                raise
        # Not both at once again.
        time.sleep(random.uniform(0, 0.002 * 2 ** min(tries, 8)))  # noqa: S311 - no secret
        return self._tried(function, tries + 1)


@contextlib.contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Hold off other workers. Not within the transaction: it would not see what they have just done."""
    if connection.dialect.name != "postgresql":
        yield
        return
    with connection.begin():
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_ALONE})")
    try:
        yield
    finally:
        with connection.begin():
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_ALONE})")


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
        engine = create_engine(url, **_options(url))
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise ConfigurationError(f"STATE_URL={redact(url)!r} cannot be used: {error}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _options(url: str) -> dict[str, Any]:
    if make_url(url).get_backend_name() != "postgresql":
        return {}
    # A transaction never overwrites what another has changed since it began: it is run again.
    return {"isolation_level": "REPEATABLE READ", "connect_args": {"application_name": APPLICATION}}


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    sqlite.prepare(connection)


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads first and writes later could not be upgraded while another writes.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _open(engine: Engine) -> Connection:
    _refuse_cut(engine)
    with contextlib.ExitStack() as on_error:
        connection = on_error.enter_context(engine.connect())
        with _alone(connection), connection.begin():
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
    "Connection refused": "see that the database server is up, or check STATE_URL",
    "is the server running": "see that the database server is up, or check STATE_URL",
    "the database system is": "wait until the database server is up, and run again",
    "password authentication failed": "check the name and the password in STATE_URL",
    "could not translate host name": "check the host in STATE_URL",
    "failed to resolve host": "check the host in STATE_URL",
    'FATAL: database "': "make it with createdb, or check STATE_URL",
    'FATAL: role "': "make it with createuser, or check STATE_URL",
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
