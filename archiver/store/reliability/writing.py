"""Rows that are written whether or not they are there, in either database."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Insert, Table


def put(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], *, adds: bool = False) -> None:
    """Write rows over those with the same keys; `adds`: numbers are added to what is there."""
    if rows:
        connection.execute(_statement(table, is_sqlite=connection.dialect.name == "sqlite", adds=adds), rows)


@cache
def _statement(table: Table, *, is_sqlite: bool, adds: bool) -> Insert:
    # Not both at the top: what is known of PostgreSQL takes a twentieth of a second to load.
    dialect = import_module(f"sqlalchemy.dialects.{'sqlite' if is_sqlite else 'postgresql'}")
    new = dialect.insert(table)
    names = [column.name for column in table.columns if not column.primary_key]
    values = {name: table.c[name] + new.excluded[name] if adds else new.excluded[name] for name in names}
    keys = [column.name for column in table.primary_key]
    found: Insert = new.on_conflict_do_update(index_elements=keys, set_=values)
    return found
