"""Posts, and what is asked of APIs, in a store of an older archiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def apis_are_asked(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    for statement in (
        """CREATE TABLE IF NOT EXISTS posts (
            id VARCHAR(24) NOT NULL,
            version INTEGER NOT NULL,
            name TEXT NOT NULL,
            thread VARCHAR(24),
            author TEXT,
            digests TEXT NOT NULL,
            first_seen BIGINT NOT NULL,
            captured BIGINT NOT NULL,
            last_seen BIGINT NOT NULL,
            gone BIGINT,
            object_file TEXT NOT NULL,
            object_offset BIGINT NOT NULL,
            object_digest VARCHAR(64) NOT NULL,
            PRIMARY KEY (id, version)
        )""",
        f"""CREATE TABLE IF NOT EXISTS api_sources (
            id {own_number},
            campaign VARCHAR(60) NOT NULL,
            key TEXT NOT NULL,
            query TEXT NOT NULL,
            host TEXT NOT NULL,
            cursor TEXT NOT NULL,
            next_ask BIGINT,
            tries INTEGER DEFAULT '0' NOT NULL,
            outcome VARCHAR(16) DEFAULT '' NOT NULL,
            why TEXT,
            asks INTEGER DEFAULT '0' NOT NULL,
            posts INTEGER DEFAULT '0' NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (campaign, key)
        )""",
        f"""CREATE TABLE IF NOT EXISTS api_posts (
            source_id {number} NOT NULL REFERENCES api_sources (id),
            post_id VARCHAR(24) NOT NULL,
            PRIMARY KEY (source_id, post_id)
        )""",
        "CREATE INDEX IF NOT EXISTS posts_thread ON posts (thread)",
        "CREATE INDEX IF NOT EXISTS posts_object ON posts (object_file, object_offset)",
        "CREATE INDEX IF NOT EXISTS api_sources_due ON api_sources (next_ask)",
    ):
        connection.exec_driver_sql(statement)
