"""The index of an archive: `search.sqlite` in its folder, or tables in the PostgreSQL of its state store."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, make_url

from archiver.search.index import FILE, open_to_feed, open_to_read, reset
from archiver.search.matching import SqliteIndex
from archiver.search.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.sieve import SearchIndex
    from archiver.search.stores import IndexStore


@contextmanager
def open_index(folder: Path, state: Connection) -> Iterator[SearchIndex]:
    """The index to be asked, opened in a millisecond. Raises NoIndex where there is none yet."""
    if state.dialect.name == "sqlite":
        with open_to_read(folder) as connection:
            yield SqliteIndex(connection)
        return
    from archiver.search.postgresql import PostgresqlIndex, check  # noqa: PLC0415 - most have SQLite

    check(state)
    yield PostgresqlIndex(state)


@contextmanager
def open_store(folder: Path, state_url: str, *, seconds: float = 30.0) -> Iterator[IndexStore]:
    """The index to be fed, made where there is none. It waits so long for others that feed it."""
    if _is_sqlite(state_url):
        with open_to_feed(folder, seconds=seconds) as connection:
            yield SqliteStore(connection)
        return
    from archiver.search.postgresql import PostgresqlStore  # noqa: PLC0415 - most have SQLite

    engine = create_engine(state_url)
    try:
        with engine.connect() as connection:
            yield PostgresqlStore(connection)
    finally:
        engine.dispose()


def has_index(folder: Path, state_url: str) -> bool:
    """Whether it was ever made."""
    if _is_sqlite(state_url):
        return (folder / FILE).exists()
    from archiver.search.postgresql import found_version  # noqa: PLC0415 - most have SQLite

    engine = create_engine(state_url)
    try:
        with engine.connect() as connection:
            return found_version(connection) is not None
    finally:
        engine.dispose()


def forget_all(folder: Path, state_url: str) -> None:
    """Take everything out of an index, where there is one: the next run feeds it."""
    if _is_sqlite(state_url):
        reset(folder)
    elif has_index(folder, state_url):
        with open_store(folder, state_url) as store, store.transaction():
            store.empty()


def _is_sqlite(state_url: str) -> bool:
    return make_url(state_url).get_backend_name() == "sqlite"
