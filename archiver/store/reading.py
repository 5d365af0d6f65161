"""The state store for those who only read: nothing in it is changed, nor made where it is missing."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import create_engine, make_url, select
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from archiver.errors import ArchiveError, ConfigurationError, StateLost
from archiver.store.migrations import CURRENT_VERSION
from archiver.store.schema import schema_version
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine


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


def _engine(url: str) -> Engine:
    parts = make_url(url)
    if parts.get_backend_name() != "sqlite":
        # One state of things for all questions; and only in a transaction are long answers sent in pieces.
        return create_engine(url, isolation_level="REPEATABLE READ")
    path = Path(parts.database or "")
    if not path.is_file():
        raise StateLost(f"There is no state store at {path}: check STATE_URL, or bring it back")
    return create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True),
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
    )


def _check_version(connection: Connection) -> None:
    found = connection.execute(select(schema_version.c.version)).scalar_one()
    if found != CURRENT_VERSION:
        advice = "use a newer archiver" if found > CURRENT_VERSION else "run `scrapy crawl feeds` once"
        raise ArchiveError(
            f"The state store has schema version {found} and this archiver knows {CURRENT_VERSION}: {advice}"
        )
