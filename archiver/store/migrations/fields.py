"""The step to version 9: how field wrappers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def to_version_9(connection: Connection) -> None:
    _fields_are_watched(connection)


def _fields_are_watched(connection: Connection) -> None:
    """What wrappers of fields gave on each day, on which pages, and which of them no longer work."""
    number = "INTEGER" if connection.dialect.name == "sqlite" else "BIGINT"
    for statement in (
        """CREATE TABLE IF NOT EXISTS field_wrappers (
            wrapper VARCHAR(80) NOT NULL,
            digest VARCHAR(16) NOT NULL,
            first_used BIGINT NOT NULL,
            last_used BIGINT NOT NULL,
            pages INTEGER DEFAULT '0' NOT NULL,
            stops INTEGER DEFAULT '0' NOT NULL,
            suspended BIGINT,
            why TEXT,
            PRIMARY KEY (wrapper, digest)
        )""",
        """CREATE TABLE IF NOT EXISTS field_days (
            wrapper VARCHAR(80) NOT NULL,
            digest VARCHAR(16) NOT NULL,
            field VARCHAR(80) NOT NULL,
            day INTEGER NOT NULL,
            pages INTEGER NOT NULL,
            filled INTEGER NOT NULL,
            mistyped INTEGER NOT NULL,
            PRIMARY KEY (wrapper, digest, field, day)
        )""",
        """CREATE TABLE IF NOT EXISTS field_watches (
            wrapper VARCHAR(80) NOT NULL,
            field VARCHAR(80) NOT NULL,
            digest VARCHAR(16) NOT NULL,
            watch TEXT NOT NULL,
            failing BIGINT,
            PRIMARY KEY (wrapper, field)
        )""",
        f"""CREATE TABLE IF NOT EXISTS field_pages (
            wrapper VARCHAR(80) NOT NULL,
            page_id {number} NOT NULL,
            url TEXT NOT NULL,
            capture TEXT NOT NULL,
            seen BIGINT NOT NULL,
            missing TEXT NOT NULL,
            PRIMARY KEY (wrapper, page_id)
        )""",
        "CREATE INDEX IF NOT EXISTS field_days_day ON field_days (wrapper, day)",
        "CREATE INDEX IF NOT EXISTS field_pages_seen ON field_pages (wrapper, seen)",
    ):
        connection.exec_driver_sql(statement)
