"""WARC files of others, in a store of an older archiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def files_are_imported(connection: Connection) -> None:
    connection.exec_driver_sql(
        """CREATE TABLE IF NOT EXISTS imports (
            file TEXT NOT NULL,
            source TEXT NOT NULL,
            added BIGINT NOT NULL,
            state VARCHAR(10) NOT NULL,
            pages INTEGER DEFAULT '0' NOT NULL,
            PRIMARY KEY (file)
        )"""
    )
