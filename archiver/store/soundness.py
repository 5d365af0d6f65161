"""Whether the state store is sound: its file, its pages, every row that it holds, and what these say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from archiver.store import sqlite
from archiver.store.migrations import CURRENT_VERSION
from archiver.store.schema import entries, metadata, pages, schema_version, versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Table

# Rows that are read at a time.
_AT_ONCE = 1000
# Of what the driver says: it shows the whole value.
_MOST_TOLD = 100
# What a garbled value is answered with: by the driver, by a type of ours, by a number beyond all dates.
_UNREADABLE = (SQLAlchemyError, ValueError, TypeError, OverflowError, msgspec.MsgspecError)


def flaws(connection: Connection) -> list[str]:
    """What is wrong with the store itself. SQLite has no digests: a letter for another is not noticed."""
    found = list(_sqlite_flaws(connection)) if connection.dialect.name == "sqlite" else []
    # Where pages are damaged, rows and counts would only say the same again.
    if not found:
        found = [told for table in _tables(connection) for told in _unreadable(connection, table)]
    if not found and (lost := count_lost_articles(connection)):
        found.append(f"{lost} entries count as stored, but no version of their articles is known")
    return found


def _tables(connection: Connection) -> list[Table]:
    """All tables; of a store that an older archiver wrote, those that it has."""
    is_older = connection.execute(select(schema_version.c.version)).scalar_one() < CURRENT_VERSION
    there = set(inspect(connection).get_table_names()) if is_older else {*metadata.tables}
    return [table for table in metadata.sorted_tables if table.name in there]


def count_lost_articles(connection: Connection) -> int:
    """How many entries count as stored although no version of their article is known."""
    has_version = select(versions.c.version).where(versions.c.article_id == pages.c.article_id).exists()
    query = select(func.count()).select_from(entries).outerjoin(pages, pages.c.id == entries.c.page_id)
    return connection.execute(query.where(entries.c.outcome == "stored", ~has_version)).scalar_one()


def _sqlite_flaws(connection: Connection) -> Iterator[str]:
    files = connection.exec_driver_sql("PRAGMA database_list").all()
    if any(name == "main" and path and sqlite.is_cut(Path(path)) for _, name, path in files):
        yield "it is damaged (the file ends within a page)"
    told = connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars().all()
    yield from (f"it is damaged ({one})" for one in told if one != "ok")
    loose = {(row[0], row[2]) for row in connection.exec_driver_sql("PRAGMA foreign_key_check")}
    yield from (f"it is damaged (rows of {one} refer to {other} that are not there)" for one, other in loose)


def _unreadable(connection: Connection, table: Table) -> Iterator[str]:
    """Read all rows as the archiver does, each value as what it should be."""
    query = select(table).execution_options(yield_per=_AT_ONCE)
    try:
        for _ in connection.execute(query).partitions():
            pass
    except _UNREADABLE as error:
        told = " ".join(str(getattr(error, "orig", None) or error).split())
        yield f"it is damaged (a row of {table.name} cannot be read: {told[:_MOST_TOLD]})"
