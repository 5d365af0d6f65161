"""Every test of the store runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from archiver.store.database import Database
from archiver.store.migrations import CURRENT_VERSION
from tests.objects.writers import object_writer
from tests.store.postgresql import NoServerError, server
from tests.store.samples import add_channel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A server for all tests; without one they are skipped, with the reason."""
    running = server()
    try:
        address = running.__enter__()
    except NoServerError as error:
        pytest.skip(f"PostgreSQL cannot be started here: {error}")
    yield address
    running.__exit__(None, None, None)


# PostgreSQL is for those who ask for it: make zoo has it.
@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.zoo)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'state.sqlite'}"
    address: str = request.getfixturevalue("postgresql")
    with psycopg.connect(f"{address} dbname=postgres", autocommit=True) as connection:
        empty(connection)
    folder = address.split(maxsplit=1)[0].removeprefix("host=")
    return f"postgresql+psycopg://postgres@/postgres?host={folder}"


def empty(connection: psycopg.Connection) -> None:
    """Take everything out; making all tables anew for each test would take most of the time."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    tables = {name for (name,) in connection.execute(query)}
    if "schema_version" in tables:
        connection.execute(f"UPDATE schema_version SET version = {CURRENT_VERSION}")  # type: ignore[call-overload] # a number
        others = ", ".join(sorted(tables - {"schema_version"}))
        connection.execute(f"TRUNCATE {others} RESTART IDENTITY")  # type: ignore[call-overload] # names of ours


@pytest.fixture
def open_store(store_url: str) -> Iterator[Callable[[], Database]]:
    """Opens the store, as often as a test likes; each is closed at the end."""
    opened: list[Database] = []

    def _open() -> Database:
        opened.append(Database(store_url))
        return opened[-1]

    yield _open
    for database in opened:
        database.close()


@pytest.fixture
def database(open_store: Callable[[], Database]) -> Database:
    return open_store()


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


@pytest.fixture
def objects(tmp_path: Path) -> Iterator[ObjectWriter]:
    writer = object_writer(tmp_path / "objects")
    yield writer
    writer.close()
