"""Columns that a step adds or drops, where a store does not have them yet, or has them still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect

if TYPE_CHECKING:
    from sqlalchemy import Connection


def add_column(connection: Connection, table: str, name: str, kind: str) -> None:
    if name not in _columns(connection, table):
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def drop_column(connection: Connection, table: str, name: str) -> None:
    if name in _columns(connection, table):
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {name}")


def _columns(connection: Connection, table: str) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns(table)}
