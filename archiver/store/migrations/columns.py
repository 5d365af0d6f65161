"""Columns that a step adds, where a store does not have them yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect

if TYPE_CHECKING:
    from sqlalchemy import Connection


def add_column(connection: Connection, table: str, name: str, kind: str) -> None:
    if name not in {column["name"] for column in inspect(connection).get_columns(table)}:
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
