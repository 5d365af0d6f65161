"""Steps to versions 5 to 7: feeds, their pages, and what is withheld."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect

from archiver.store.migrations.columns import add_column

if TYPE_CHECKING:
    from sqlalchemy import Connection


def to_version_5(connection: Connection) -> None:
    _channels_know_requests_for_rest(connection)
    _lines_have_digests(connection)
    _runs_are_noted(connection)
    _days_are_counted(connection)
    _pages_may_be_restless(connection)
    _pages_have_parts(connection)
    _sitemaps_are_asked_for(connection)
    _hosts_have_rests(connection)
    _articles_have_pages(connection)
    _pages_have_leads(connection)
    add_column(connection, "pages", "submission", "TEXT")
    _wrappers_have_kinds(connection)


def to_version_6(connection: Connection) -> None:
    """Version 5 grew for a while: what a store of that time lacks is added."""
    to_version_5(connection)


def to_version_7(connection: Connection) -> None:
    _requisites_are_due_by_kind(connection)
    _pages_may_be_withheld(connection)
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS wrappers_times ON wrappers (scope_id, outdated, learned)"
    )


def _channels_know_requests_for_rest(connection: Connection) -> None:
    """Channels know until when their servers asked for rest; bad lines of seeds files are told once."""
    add_column(connection, "channels", "not_before", "BIGINT")
    add_column(connection, "channels", "cause", "VARCHAR(16)")
    for statement in (
        # The reason for a plan said so.
        "UPDATE channels SET not_before = next_poll WHERE why LIKE '%%the server asked for%%'",
        """CREATE TABLE IF NOT EXISTS told_lines (
            source TEXT NOT NULL,
            digest VARCHAR(32) NOT NULL,
            told BIGINT NOT NULL,
            PRIMARY KEY (source, digest)
        )""",
    ):
        connection.exec_driver_sql(statement)


def _lines_have_digests(connection: Connection) -> None:
    """Versions know the digest of their object's line, and are found by its place."""
    add_column(connection, "versions", "object_digest", "VARCHAR(64)")
    add_column(connection, "versions", "siblings", "TEXT")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS versions_object ON versions (object_file, object_offset)"
    )


def _runs_are_noted(connection: Connection) -> None:
    own_number = "INTEGER NOT NULL" if connection.dialect.name == "sqlite" else "BIGSERIAL NOT NULL"
    connection.exec_driver_sql(f"""CREATE TABLE IF NOT EXISTS runs (
        id {own_number},
        started BIGINT NOT NULL,
        ended BIGINT,
        doubted BIGINT,
        PRIMARY KEY (id)
    )""")


def _days_are_counted(connection: Connection) -> None:
    """What each host and channel gives on a day is counted."""
    connection.exec_driver_sql("""CREATE TABLE IF NOT EXISTS day_uses (
        day INTEGER NOT NULL,
        kind VARCHAR(8) NOT NULL,
        name TEXT NOT NULL,
        pages INTEGER NOT NULL,
        bytes BIGINT NOT NULL,
        PRIMARY KEY (day, kind, name)
    )""")


def _pages_may_be_restless(connection: Connection) -> None:
    """Pages know at how many looks in a row they had changed, and what of them changes by itself."""
    add_column(connection, "pages", "streak", "INTEGER DEFAULT '0' NOT NULL")
    add_column(connection, "pages", "volatile", "TEXT")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS pages_restless ON pages (recheck) WHERE state = 'settled' AND streak >= 3"
    )


def _pages_have_parts(connection: Connection) -> None:
    """Parts of pages know the page that they are parts of."""
    add_column(connection, "pages", "whole", "TEXT")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS pages_whole ON pages (whole) WHERE whole IS NOT NULL"
    )


def _sitemaps_are_asked_for(connection: Connection) -> None:
    """Hosts with many articles are asked for their sitemaps; pages know what these say of them."""
    add_column(connection, "recheck_prices", "watched_counted", "BIGINT")
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS sitemaps (
            id {own_number},
            host TEXT NOT NULL UNIQUE,
            origin TEXT NOT NULL,
            watched INTEGER NOT NULL,
            next_ask BIGINT NOT NULL,
            begun BIGINT,
            plan TEXT NOT NULL,
            told_true INTEGER DEFAULT '0' NOT NULL,
            false_alarms INTEGER DEFAULT '0' NOT NULL,
            lie TEXT,
            PRIMARY KEY (id)
        )""",
        "CREATE INDEX IF NOT EXISTS sitemaps_due ON sitemaps (next_ask)",
        f"""CREATE TABLE IF NOT EXISTS lastmods (
            page_id {number} NOT NULL PRIMARY KEY REFERENCES pages (id),
            host TEXT NOT NULL,
            file VARCHAR(24) NOT NULL,
            lastmod BIGINT NOT NULL,
            told BIGINT NOT NULL,
            moved BIGINT,
            due_before BIGINT,
            untold BIGINT
        )""",
        "CREATE INDEX IF NOT EXISTS lastmods_file ON lastmods (file)",
        "CREATE INDEX IF NOT EXISTS lastmods_host ON lastmods (host)",
    ):
        connection.exec_driver_sql(statement)


def _hosts_have_rests(connection: Connection) -> None:
    """Hosts that ask for long delays are left in peace from one run to the next."""
    kind = "FLOAT" if connection.dialect.name == "sqlite" else "DOUBLE PRECISION"
    connection.exec_driver_sql(f"""CREATE TABLE IF NOT EXISTS host_rests (
        host TEXT NOT NULL,
        asked BIGINT NOT NULL,
        delay {kind} NOT NULL,
        PRIMARY KEY (host)
    )""")


def _articles_have_pages(connection: Connection) -> None:
    """Articles may go on on further pages, which a look goes through one by one."""
    add_column(connection, "pages", "walk", "TEXT")
    add_column(connection, "versions", "further", "TEXT")


def _pages_have_leads(connection: Connection) -> None:
    """Pages may be found by other sources than feeds; groups and wrappers go by scopes, as channels are."""
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    true = "pending = 1" if is_sqlite else "pending"
    if "scope_id" in {column["name"] for column in inspect(connection).get_columns("pages")}:
        return
    for statement in (
        "ALTER TABLE pages RENAME COLUMN channel_id TO scope_id",
        f"""CREATE TABLE scopes (
            id {number} NOT NULL PRIMARY KEY,
            source VARCHAR(24) NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (source, name)
        )""",
        f"""CREATE TABLE leads (
            id {own_number},
            page_id {number} NOT NULL REFERENCES pages (id),
            scope_id {number} NOT NULL REFERENCES scopes (id),
            source VARCHAR(24) NOT NULL,
            via TEXT NOT NULL,
            said TEXT NOT NULL,
            first_seen BIGINT NOT NULL,
            changed BIGINT,
            capture TEXT,
            pending BOOLEAN NOT NULL,
            outcome VARCHAR(12),
            settled BIGINT,
            PRIMARY KEY (id),
            UNIQUE (scope_id, page_id)
        )""",
        "CREATE INDEX leads_page ON leads (page_id)",
        f"CREATE INDEX leads_pending ON leads (scope_id) WHERE {true}",
        "ALTER TABLE wrappers RENAME TO channel_wrappers",
        f"""CREATE TABLE wrappers (
            scope_id {number} NOT NULL,
            id TEXT NOT NULL,
            extractor VARCHAR(40) NOT NULL,
            wrapper TEXT NOT NULL,
            learned BIGINT NOT NULL,
            last_used BIGINT,
            pages INTEGER DEFAULT '0' NOT NULL,
            outdated BIGINT,
            PRIMARY KEY (scope_id, id)
        )""",
        """INSERT INTO wrappers
            SELECT channel_id, id, extractor, wrapper, learned, last_used, pages, outdated
            FROM channel_wrappers""",
        "DROP TABLE channel_wrappers",
    ):
        connection.exec_driver_sql(statement)


def _wrappers_have_kinds(connection: Connection) -> None:
    connection.exec_driver_sql(
        """UPDATE wrappers SET wrapper = '{"kind":"learned",' || substr(wrapper, 2)
            WHERE substr(wrapper, 1, 7) <> '{"kind"'"""
    )


def _requisites_are_due_by_kind(connection: Connection) -> None:
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS requisites_due ON requisites (kind, next_try) WHERE state = 'pending'"
    )


def _pages_may_be_withheld(connection: Connection) -> None:
    """Orders to withhold are kept; so are the names of what readers asked for and was done."""
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS withheld (
            id {own_number},
            pattern TEXT NOT NULL,
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            since BIGINT NOT NULL,
            lifted BIGINT,
            lift_reason TEXT,
            article_id {number},
            PRIMARY KEY (id)
        )""",
        "CREATE INDEX IF NOT EXISTS withheld_name ON withheld (name)",
        """CREATE TABLE IF NOT EXISTS taken_requests (
            id VARCHAR(80) NOT NULL,
            kind VARCHAR(24) NOT NULL,
            taken BIGINT NOT NULL,
            PRIMARY KEY (id)
        )""",
    ):
        connection.exec_driver_sql(statement)
