"""What came of lists of a site that are looked at again, in a store of an older archiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.store.migrations.columns import add_column, drop_column

if TYPE_CHECKING:
    from sqlalchemy import Connection


def lists_are_looked_at_again(connection: Connection) -> None:
    for name in ("fresh", "covered", "idle"):
        add_column(connection, "labels", name, "INTEGER DEFAULT '0' NOT NULL")
    # Which pages lead to what is told by where these were first seen.
    drop_column(connection, "visits", "found")
