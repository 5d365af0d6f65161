"""For version 10: how far sources of labels, dates and validators can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def trust_is_counted(connection: Connection) -> None:
    """Tables of what was seen of each source, and of the last whole answer for each page."""
    number = "INTEGER" if connection.dialect.name == "sqlite" else "BIGINT"
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS source_reliability (
            source VARCHAR(12) NOT NULL,
            scope {number} NOT NULL,
            sound FLOAT NOT NULL,
            broken FLOAT NOT NULL,
            "right" FLOAT NOT NULL,
            wrong FLOAT NOT NULL,
            updated BIGINT NOT NULL,
            PRIMARY KEY (source, scope)
        )""",
        f"""CREATE TABLE IF NOT EXISTS date_verdicts (
            what VARCHAR(10) NOT NULL,
            source VARCHAR(12) NOT NULL,
            scope {number} NOT NULL,
            host TEXT NOT NULL,
            agreed INTEGER NOT NULL,
            contradicted INTEGER NOT NULL,
            moved INTEGER NOT NULL,
            stood INTEGER NOT NULL,
            PRIMARY KEY (what, source, scope, host)
        )""",
        """CREATE TABLE IF NOT EXISTS host_validators (
            host TEXT NOT NULL,
            validator VARCHAR(14) NOT NULL,
            agreed INTEGER NOT NULL,
            moved INTEGER NOT NULL,
            noise INTEGER NOT NULL,
            stood INTEGER NOT NULL,
            hid INTEGER NOT NULL,
            not_modified INTEGER NOT NULL,
            unchecked INTEGER NOT NULL,
            checks INTEGER NOT NULL,
            lies INTEGER NOT NULL,
            last_lie BIGINT,
            unsent_until BIGINT,
            PRIMARY KEY (host, validator)
        )""",
        """CREATE TABLE IF NOT EXISTS host_software (
            host TEXT NOT NULL PRIMARY KEY,
            server VARCHAR(40) NOT NULL,
            generator VARCHAR(40) NOT NULL
        )""",
        f"""CREATE TABLE IF NOT EXISTS page_looks (
            page_id {number} NOT NULL PRIMARY KEY,
            capture_id VARCHAR(45) NOT NULL,
            etag TEXT,
            last_modified TEXT,
            vouched INTEGER NOT NULL,
            dates TEXT NOT NULL
        )""",
    ):
        connection.exec_driver_sql(statement)
