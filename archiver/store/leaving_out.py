"""Values that a query leaves out: a single array where the database has arrays, however many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import ARRAY, Text, all_, bindparam

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Connection


def none_of(
    connection: Connection, column: ColumnElement[str], values: Collection[str]
) -> ColumnElement[bool]:
    """The rows whose column is none of these.

    Other workers may have thousands of hosts: a parameter for each would take longer than the query, and more
    than 65,535 of them PostgreSQL does not take at all.
    """
    if connection.dialect.name != "postgresql":
        return column.not_in(values)
    return column != all_(bindparam("left_out", list(values), type_=ARRAY(Text), unique=True))
