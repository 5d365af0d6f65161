"""Pages wait for a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def pages_are_rendered(connection: Connection) -> None:
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS pages_rendering ON pages (next_try) WHERE state = 'rendering'"
    )
