"""The state store for those who only read: nothing in it is changed, nor made where it is missing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote

from sqlalchemy import create_engine, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from archiver.errors import ArchiveError, ConfigurationError, StateLost
from archiver.store.migrations import CURRENT_VERSION, OLDEST_READABLE
from archiver.store.schema import schema_version
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine

_ADVICE = "check STATE_URL, or bring the state store back from a backup"
P = ParamSpec("P")
Result = TypeVar("Result")


@contextmanager
def reading(url: str) -> Iterator[Connection]:
    """A connection to a state store that exists. Works beside a run."""
    try:
        engine = _engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise ConfigurationError(f"STATE_URL={redact(url)!r} cannot be used: {error}") from error
    try:
        with engine.connect() as connection:
            _check_version(connection)
            yield connection
    except SQLAlchemyError as error:
        told = getattr(error, "orig", None) or error
        raise StateLost(f"The state store {redact(url)} cannot be read: {told}") from error
    finally:
        engine.dispose()


class ReadOnly:
    """Runs functions on the store as `Database` does, as far as they only read."""

    def __init__(self, url: str) -> None:
        self._reading = reading(url)
        self._connection = self._reading.__enter__()

    def run(
        self, function: Callable[Concatenate[Connection, P], Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        return function(self._connection, *args, **kwargs)

    def close(self) -> None:
        self._reading.__exit__(None, None, None)


def _engine(url: str) -> Engine:
    parts = make_url(url)
    if parts.get_backend_name() != "sqlite":
        # One state of things for all questions; and only in a transaction are long answers sent in pieces.
        return create_engine(url, isolation_level="REPEATABLE READ")
    path = Path(parts.database or "")
    if not path.is_file():
        raise StateLost(f"There is no state store at {path}: {_ADVICE}")
    return create_engine(
        "sqlite://",
        creator=lambda: read_only(path),
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
    )


def read_only(path: Path) -> sqlite3.Connection:
    """A SQLite file that exists, to read from it."""
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro{_for_good(path)}", uri=True)


def _for_good(path: Path) -> str:
    """Where nothing may be written, SQLite is told that nothing changes: it would note readers there.

    While a run is open there is a log beside it, and what stands in that is read as well.
    """
    is_open = path.with_name(f"{path.name}-wal").exists()
    return "" if is_open or os.access(path.parent, os.W_OK) else "&immutable=1"


def _check_version(connection: Connection) -> None:
    names = inspect(connection).get_table_names()
    if not names:
        raise StateLost(f"The state store is empty: {_ADVICE}")
    if "schema_version" not in names:
        raise ArchiveError("The state store is not of an archiver: check STATE_URL and ARCHIVE_DIR")
    found = connection.execute(select(schema_version.c.version)).scalar_one()
    # What the last step adds, readers can do without.
    if not OLDEST_READABLE <= found <= CURRENT_VERSION:
        advice = "use a newer archiver" if found > CURRENT_VERSION else "run `scrapy crawl feeds` once"
        raise ArchiveError(
            f"The state store has schema version {found} and this archiver knows {CURRENT_VERSION}: {advice}"
        )
