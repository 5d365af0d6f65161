"""The state store for those who only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text, update

from archiver.errors import ArchiveError
from archiver.store.database import Database
from archiver.store.reading import reading
from archiver.store.schema import channels, schema_version

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection


def test_what_is_committed_is_seen_beside_a_writer(database: Database, store_url: str) -> None:
    with reading(store_url) as connection:
        assert connection.execute(select(channels)).all() == []
        assert connection.execution_options(yield_per=10).execute(select(channels)).all() == []
    database.run(lambda store: store.execute(select(channels)))


def test_a_missing_store_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with pytest.raises(ArchiveError, match="There is no state store at"), reading(f"sqlite:///{path}"):
        pass
    assert not path.exists()


def test_nothing_can_be_written(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a store #1.sqlite'}"
    Database(url).close()
    with pytest.raises(ArchiveError, match="readonly"), reading(url) as connection:
        connection.execute(text("DELETE FROM channels"))


def test_what_is_no_store_is_told(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    path.write_bytes(b"no database " * 100)
    with pytest.raises(ArchiveError, match="cannot be read"), reading(f"sqlite:///{path}"):
        pass


def test_a_store_of_another_version_is_left_as_it_is(database: Database, store_url: str) -> None:
    def make_newer(connection: Connection) -> None:
        connection.execute(update(schema_version).values(version=99))

    database.run(make_newer)
    with pytest.raises(ArchiveError, match="use a newer archiver"), reading(store_url):
        pass
