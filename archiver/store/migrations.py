"""How a state store of an older archiver becomes one of this: plain SQL, which never changes again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sqlalchemy import inspect, text

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
    _channels_have_wishes(connection)
    _hubs_are_subscribed_to(connection)
    _add_gaps(connection)
    _channels_have_hints_and_rhythms(connection)


def _hubs_are_subscribed_to(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    number = "INTEGER" if is_sqlite else "BIGINT"
    connection.exec_driver_sql(f"""CREATE TABLE subscriptions (
        channel_id {number} NOT NULL PRIMARY KEY REFERENCES channels (id),
        hub TEXT NOT NULL,
        topic TEXT NOT NULL,
        path VARCHAR(64) NOT NULL UNIQUE,
        secret VARCHAR(64) NOT NULL,
        state VARCHAR(10) NOT NULL,
        next_step BIGINT NOT NULL,
        expires BIGINT,
        tries INTEGER DEFAULT '0' NOT NULL,
        pinged BIGINT,
        trusted BOOLEAN DEFAULT {"0" if is_sqlite else "false"} NOT NULL
    )""")
    connection.exec_driver_sql("CREATE INDEX subscriptions_step ON subscriptions (next_step)")


def _channels_have_wishes(connection: Connection) -> None:
    """Channels know what their publishers wish, since when they fail, and which of them are one."""
    is_sqlite = connection.dialect.name == "sqlite"
    number = "INTEGER" if is_sqlite else "BIGINT"
    for statement in (
        "ALTER TABLE channels ADD COLUMN host TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE channels ADD COLUMN failing_since BIGINT",
        "ALTER TABLE channels ADD COLUMN wishes TEXT",
        "ALTER TABLE channels ADD COLUMN identity VARCHAR(24)",
        "ALTER TABLE channels ADD COLUMN shown TEXT",
        f"ALTER TABLE channels ADD COLUMN merged_into {number} REFERENCES channels (id)",
        f"ALTER TABLE channels ADD COLUMN apart BOOLEAN DEFAULT {'0' if is_sqlite else 'false'} NOT NULL",
        # The nearest that is known of when it began to fail.
        "UPDATE channels SET failing_since = coalesce(last_success, added) WHERE failures > 0",
        "DROP INDEX channels_due",
        "CREATE INDEX channels_due ON channels (status, next_poll, id, host, site_id)",
        "CREATE INDEX channels_identity ON channels (identity)",
        "CREATE INDEX channels_merged ON channels (merged_into)",
        f"""CREATE TABLE addresses (
            url TEXT NOT NULL PRIMARY KEY,
            channel_id {number} NOT NULL REFERENCES channels (id)
        )""",
    ):
        connection.exec_driver_sql(statement)
    _name_hosts_and_addresses(connection)


def _name_hosts_and_addresses(connection: Connection) -> None:
    found = connection.exec_driver_sql("SELECT id, url, seed_url FROM channels ORDER BY id DESC").all()
    if not found:
        return
    hosts = [{"number": row.id, "host": (urlsplit(row.url).hostname or "").lower()} for row in found]
    connection.execute(text("UPDATE channels SET host = :host WHERE id = :number"), hosts)
    # What no index takes cannot be looked up. Of two channels at one address, the older is meant.
    moved = {row.url: row.id for row in found if row.url != row.seed_url and len(row.url.encode()) <= 2000}
    if moved:
        rows = [{"url": url, "number": number} for url, number in moved.items()]
        connection.execute(text("INSERT INTO addresses (url, channel_id) VALUES (:url, :number)"), rows)


def _add_gaps(connection: Connection) -> None:
    """Gaps between two documents of a feed are noted and filled."""
    number = "INTEGER" if connection.dialect.name == "sqlite" else "BIGINT"
    own_number = "INTEGER NOT NULL" if connection.dialect.name == "sqlite" else "BIGSERIAL NOT NULL"
    for statement in (
        "ALTER TABLE channels ADD COLUMN last_gap BIGINT",
        "ALTER TABLE entries ADD COLUMN found_by VARCHAR(10)",
        f"""CREATE TABLE gaps (
            id {own_number},
            channel_id {number} NOT NULL REFERENCES channels (id),
            seen BIGINT NOT NULL,
            after_entry BIGINT NOT NULL,
            after_key TEXT NOT NULL,
            after BIGINT,
            floor BIGINT,
            before_key TEXT NOT NULL,
            before BIGINT,
            state VARCHAR(10) NOT NULL,
            how TEXT NOT NULL,
            filled INTEGER DEFAULT '0' NOT NULL,
            documents INTEGER DEFAULT '0' NOT NULL,
            plan TEXT NOT NULL,
            tries INTEGER DEFAULT '0' NOT NULL,
            next_try BIGINT NOT NULL,
            ended BIGINT,
            PRIMARY KEY (id)
        )""",
        "CREATE INDEX gaps_channel ON gaps (channel_id, id)",
        "CREATE INDEX gaps_open ON gaps (next_try) WHERE state = 'open'",
    ):
        connection.exec_driver_sql(statement)


def _channels_have_hints_and_rhythms(connection: Connection) -> None:
    """Channels keep what their last document hinted at, and how they publish."""
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in (
        "ALTER TABLE channels ADD COLUMN hints TEXT",
        f"ALTER TABLE channels ADD COLUMN rhythm {'BLOB' if is_sqlite else 'BYTEA'}",
        "ALTER TABLE channels ADD COLUMN overdue FLOAT DEFAULT '0' NOT NULL",
        """CREATE TABLE poll_prices (
            id INTEGER NOT NULL PRIMARY KEY,
            budget FLOAT NOT NULL,
            price FLOAT NOT NULL,
            since BIGINT NOT NULL,
            polls INTEGER NOT NULL,
            before FLOAT NOT NULL,
            days FLOAT NOT NULL
        )""",
    ):
        connection.exec_driver_sql(statement)


def _to_version_4(connection: Connection) -> None:
    """Articles are watched: what changed in each version, when entries were listed, when articles went."""
    is_sqlite = connection.dialect.name == "sqlite"
    number = "INTEGER" if is_sqlite else "BIGINT"
    own_number = "INTEGER NOT NULL" if is_sqlite else "BIGSERIAL NOT NULL"
    blob = "BLOB" if is_sqlite else "BYTEA"
    for statement in (
        *_COLUMNS_OF_VERSION_4,
        f"ALTER TABLE channels ADD COLUMN curve {blob}",
        f"""CREATE TABLE absences (
            article_id {number} NOT NULL REFERENCES articles (id),
            gone BIGINT NOT NULL,
            after BIGINT NOT NULL,
            how VARCHAR(12) NOT NULL,
            noted BIGINT NOT NULL,
            back_after BIGINT,
            back BIGINT,
            PRIMARY KEY (article_id, gone)
        )""",
        "CREATE INDEX absences_noted ON absences (noted)",
        "CREATE INDEX absences_back ON absences (back) WHERE back IS NOT NULL",
        f"""CREATE TABLE sketches (
            band INTEGER NOT NULL,
            value BIGINT NOT NULL,
            article_id {number} NOT NULL REFERENCES articles (id),
            PRIMARY KEY (band, value, article_id)
        )""",
        "CREATE INDEX sketches_article ON sketches (article_id)",
        f"""CREATE TABLE twins (
            article_id {number} NOT NULL REFERENCES articles (id),
            other_id {number} NOT NULL REFERENCES articles (id),
            how VARCHAR(12) NOT NULL,
            similarity FLOAT NOT NULL,
            found BIGINT NOT NULL,
            PRIMARY KEY (article_id, other_id)
        )""",
        "CREATE INDEX twins_other ON twins (other_id)",
        f"""CREATE TABLE sightings (
            id {own_number},
            entry_id {number} NOT NULL REFERENCES entries (id),
            channel_id {number} NOT NULL REFERENCES channels (id),
            place INTEGER NOT NULL,
            not_before BIGINT,
            seen BIGINT NOT NULL,
            left_after BIGINT,
            "left" BIGINT,
            PRIMARY KEY (id)
        )""",
        "CREATE INDEX sightings_entry ON sightings (entry_id)",
        'CREATE INDEX sightings_channel ON sightings (channel_id, "left", seen)',
        "CREATE INDEX sightings_seen ON sightings (channel_id, seen)",
        f"""CREATE TABLE recheck_prices (
            id INTEGER NOT NULL PRIMARY KEY,
            share FLOAT NOT NULL,
            price FLOAT NOT NULL,
            since BIGINT NOT NULL,
            rechecks INTEGER NOT NULL,
            others INTEGER NOT NULL,
            rechecks_before FLOAT NOT NULL,
            others_before FLOAT NOT NULL,
            curve {blob}
        )""",
    ):
        connection.exec_driver_sql(statement)


_COLUMNS_OF_VERSION_4 = (
    "ALTER TABLE articles ADD COLUMN sketch TEXT",
    "ALTER TABLE articles ADD COLUMN canonical TEXT",
    "CREATE INDEX articles_canonical ON articles (canonical)",
    "ALTER TABLE versions ADD COLUMN links_digest TEXT",
    "ALTER TABLE versions ADD COLUMN images_digest TEXT",
    "ALTER TABLE versions ADD COLUMN title TEXT",
    "ALTER TABLE versions ADD COLUMN kinds VARCHAR(40)",
    "ALTER TABLE versions ADD COLUMN similarity FLOAT",
    "ALTER TABLE versions ADD COLUMN added INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE versions ADD COLUMN removed INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE versions ADD COLUMN unchanged_until BIGINT",
    "ALTER TABLE versions ADD COLUMN channel_id BIGINT DEFAULT '0' NOT NULL",
    "ALTER TABLE versions ADD COLUMN published BIGINT",
    "ALTER TABLE versions ADD COLUMN modified BIGINT",
    "UPDATE versions SET kinds = 'new' WHERE version = 1",
    """UPDATE versions SET channel_id = coalesce((
        SELECT min(entries.channel_id) FROM entries JOIN pages ON pages.id = entries.page_id
        WHERE pages.article_id = versions.article_id
    ), 0)""",
    "CREATE INDEX versions_changes ON versions (captured) WHERE version > 1",
    "CREATE INDEX versions_channel ON versions (channel_id, captured) WHERE version > 1",
    "ALTER TABLE entries ADD COLUMN dating TEXT",
    "ALTER TABLE pages ADD COLUMN validators TEXT",
    "ALTER TABLE pages ADD COLUMN born BIGINT",
    "ALTER TABLE pages ADD COLUMN first_look BIGINT",
    "ALTER TABLE pages ADD COLUMN looked BIGINT",
    "ALTER TABLE pages ADD COLUMN recheck BIGINT",
    "ALTER TABLE pages ADD COLUMN looks INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE pages ADD COLUMN edits INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE pages ADD COLUMN why TEXT",
    "ALTER TABLE pages ADD COLUMN missing TEXT",
    "CREATE INDEX pages_recheck ON pages (recheck) WHERE state = 'settled' AND recheck IS NOT NULL",
    # Articles of the last thirty days are watched from now on.
    """UPDATE pages SET
        born = (SELECT first_seen FROM articles WHERE articles.id = pages.article_id),
        first_look = (SELECT first_seen FROM articles WHERE articles.id = pages.article_id),
        looked = (SELECT last_captured FROM articles WHERE articles.id = pages.article_id),
        recheck = (SELECT last_captured FROM articles WHERE articles.id = pages.article_id),
        why = 'not looked at since it was captured'
    WHERE state = 'settled' AND capture IS NOT NULL AND article_id IN (
        SELECT id FROM articles
        WHERE first_seen > (SELECT max(last_captured) FROM articles) - 2592000000000
    )""",
)


def _to_version_5(connection: Connection) -> None:
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


def _channels_know_requests_for_rest(connection: Connection) -> None:
    """Channels know until when their servers asked for rest; bad lines of seeds files are told once."""
    _add_column(connection, "channels", "not_before", "BIGINT")
    _add_column(connection, "channels", "cause", "VARCHAR(16)")
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
    _add_column(connection, "versions", "object_digest", "VARCHAR(64)")
    _add_column(connection, "versions", "siblings", "TEXT")
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
    _add_column(connection, "pages", "streak", "INTEGER DEFAULT '0' NOT NULL")
    _add_column(connection, "pages", "volatile", "TEXT")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS pages_restless ON pages (recheck) WHERE state = 'settled' AND streak >= 3"
    )


def _pages_have_parts(connection: Connection) -> None:
    """Parts of pages know the page that they are parts of."""
    _add_column(connection, "pages", "whole", "TEXT")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS pages_whole ON pages (whole) WHERE whole IS NOT NULL"
    )


def _sitemaps_are_asked_for(connection: Connection) -> None:
    """Hosts with many articles are asked for their sitemaps; pages know what these say of them."""
    _add_column(connection, "recheck_prices", "watched_counted", "BIGINT")
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
    _add_column(connection, "pages", "walk", "TEXT")
    _add_column(connection, "versions", "further", "TEXT")


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


def _add_column(connection: Connection, table: str, name: str, kind: str) -> None:
    if name not in {column["name"] for column in inspect(connection).get_columns(table)}:
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


# What brings a store from version N to N + 1 stands at index N - 1.
MIGRATIONS: list[Callable[[Connection], None]] = [_to_version_2, _to_version_3, _to_version_4, _to_version_5]
CURRENT_VERSION = len(MIGRATIONS) + 1
