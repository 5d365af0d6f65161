"""The tables of crawl workers that share a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def workers_share_a_store(connection: Connection) -> None:
    """Leases of domains, signs of life, counts of each worker, and who captured a page."""
    is_sqlite = connection.dialect.name == "sqlite"
    number = "INTEGER" if is_sqlite else "BIGSERIAL"
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS workers (
            id {number} NOT NULL,
            name TEXT NOT NULL,
            host TEXT NOT NULL,
            process INTEGER NOT NULL,
            folder TEXT NOT NULL,
            started BIGINT NOT NULL,
            beat BIGINT NOT NULL,
            patience FLOAT NOT NULL,
            watches BOOLEAN DEFAULT {"0" if is_sqlite else "false"} NOT NULL,
            backend INTEGER NOT NULL,
            ended BIGINT,
            "end" VARCHAR(8),
            PRIMARY KEY (id),
            UNIQUE (name)
        )""",
        """CREATE TABLE IF NOT EXISTS leases (
            domain TEXT NOT NULL,
            worker_id BIGINT,
            held BOOLEAN NOT NULL,
            since BIGINT NOT NULL,
            turn BIGINT NOT NULL,
            free_at BIGINT NOT NULL,
            PRIMARY KEY (domain)
        )""",
        "CREATE INDEX IF NOT EXISTS leases_held ON leases (worker_id) WHERE held",
        "CREATE INDEX IF NOT EXISTS leases_free ON leases (free_at)",
        """CREATE TABLE IF NOT EXISTS worker_counts (
            worker_id BIGINT NOT NULL,
            name VARCHAR(12) NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (worker_id, name)
        )""",
        """CREATE TABLE IF NOT EXISTS worker_works (
            work TEXT NOT NULL,
            worker_id BIGINT NOT NULL,
            PRIMARY KEY (work)
        )""",
        f"""CREATE TABLE IF NOT EXISTS page_holders (
            page_id {"INTEGER" if is_sqlite else "BIGINT"} NOT NULL,
            writer TEXT NOT NULL,
            PRIMARY KEY (page_id)
        )""",
        "CREATE INDEX IF NOT EXISTS page_holders_writer ON page_holders (writer)",
        *([] if is_sqlite else ["CREATE SEQUENCE IF NOT EXISTS lease_turns"]),
    ):
        connection.exec_driver_sql(statement)
