"""How a state store of an older archiver becomes one of this: plain SQL, which never changes again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection


def _to_version_2(connection: Connection) -> None:
    """Wrappers are remembered; captured pages know the channel that they are read with."""
    number = "INTEGER" if connection.dialect.name == "sqlite" else "BIGINT"
    true = "pending = 1" if connection.dialect.name == "sqlite" else "pending"
    for statement in (
        f"""CREATE TABLE wrappers (
            channel_id {number} NOT NULL REFERENCES channels (id),
            id TEXT NOT NULL,
            extractor VARCHAR(40) NOT NULL,
            wrapper TEXT NOT NULL,
            learned BIGINT NOT NULL,
            last_used BIGINT,
            pages INTEGER DEFAULT '0' NOT NULL,
            outdated BIGINT,
            PRIMARY KEY (channel_id, id)
        )""",
        "ALTER TABLE pages ADD COLUMN captured BIGINT",
        "ALTER TABLE pages ADD COLUMN size BIGINT DEFAULT '0' NOT NULL",
        "ALTER TABLE pages ADD COLUMN channel_id BIGINT DEFAULT '0' NOT NULL",
        f"""UPDATE pages SET channel_id = coalesce(
            (SELECT min(channel_id) FROM entries WHERE page_id = pages.id AND {true}), 0
        ) WHERE state = 'captured'""",  # noqa: S608 - no word of it comes from outside
        "CREATE INDEX pages_article ON pages (article_id)",
        "DROP INDEX pages_captured",
        "CREATE INDEX pages_captured ON pages (channel_id, id, captured, size) WHERE state = 'captured'",
        "CREATE INDEX entries_channel ON entries (channel_id, id)",
        f"CREATE INDEX entries_pending ON entries (channel_id) WHERE {true}",
        "ALTER TABLE versions ADD COLUMN extractor VARCHAR(40)",
        "ALTER TABLE versions ADD COLUMN wrapper TEXT",
        # There was one version of each method.
        "UPDATE versions SET extractor = method || '/1'",
    ):
        connection.exec_driver_sql(statement)


def _to_version_3(connection: Connection) -> None:
    """Channels keep what their last document hinted at."""
    connection.exec_driver_sql("ALTER TABLE channels ADD COLUMN hints TEXT")


# What brings a store from version N to N + 1 stands at index N - 1.
MIGRATIONS: list[Callable[[Connection], None]] = [_to_version_2, _to_version_3]
CURRENT_VERSION = len(MIGRATIONS) + 1
