"""A state store copied into another one, of whatever kind."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.acquisition.seeds.model import Seed
from archiver.store.content.restoring import copy_store
from archiver.store.database import Database
from archiver.store.polling.listing import add_seed
from archiver.store.schema import metadata

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def add(connection: Connection, url: str) -> None:
    add_seed(connection, Seed(url=url, source="seeds.txt", line=1, labels=("a",)), NOW)


def rows(connection: Connection) -> dict[str, list[object]]:
    return {
        table.name: [tuple(row) for row in connection.execute(select(table))]
        for table in metadata.tables.values()
    }


def test_a_copy_has_all_rows_and_goes_on_with_numbers_of_its_own(store_url: str, tmp_path: Path) -> None:
    source, target = Database(f"sqlite:///{tmp_path / 'other.sqlite'}"), Database(store_url)
    try:
        for number in range(3):
            source.run(add, f"http://a.example/{number}.xml")
        before = source.run(rows)
        source.run(lambda connection: target.run(lambda other: copy_store(connection, other)))
        assert target.run(rows) == before
        target.run(add, "http://b.example/feed.xml")
        assert len(target.run(rows)["channels"]) == len(before["channels"]) + 1
    finally:
        source.close()
        target.close()
