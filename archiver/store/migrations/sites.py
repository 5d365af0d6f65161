"""The step to version 8: whole sites, their visits, and what readers contribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def to_version_8(connection: Connection) -> None:
    _sites_are_visited(connection)
    _pages_have_contributions(connection)
    _sites_are_watched(connection)
    _sites_teach_actions(connection)


def _sites_are_visited(connection: Connection) -> None:
    """Sites are crawled as a whole: what is known of each, and the documents that are visited."""
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    binary, false = ("BLOB", "0") if is_sqlite else ("BYTEA", "false")
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS sites (
            id {own_number},
            url TEXT NOT NULL UNIQUE,
            scope TEXT NOT NULL,
            strategy VARCHAR(12) NOT NULL,
            way VARCHAR(12) DEFAULT '' NOT NULL,
            type VARCHAR(80) DEFAULT '' NOT NULL,
            software VARCHAR(80) DEFAULT '' NOT NULL,
            state VARCHAR(10) NOT NULL,
            why TEXT,
            plan TEXT,
            added BIGINT NOT NULL,
            ended BIGINT,
            again BIGINT,
            requests INTEGER DEFAULT '0' NOT NULL,
            failures INTEGER DEFAULT '0' NOT NULL,
            rest_until BIGINT,
            request_limit INTEGER,
            seed INTEGER DEFAULT '0' NOT NULL,
            pairs INTEGER DEFAULT '0' NOT NULL,
            grain INTEGER DEFAULT '1' NOT NULL,
            text {binary},
            curve TEXT,
            contributions INTEGER DEFAULT '0' NOT NULL,
            PRIMARY KEY (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS families (
            id {own_number},
            site_id {number} NOT NULL REFERENCES sites (id),
            kind VARCHAR(10) NOT NULL,
            name TEXT NOT NULL,
            kin TEXT DEFAULT '' NOT NULL,
            parameters TEXT DEFAULT '' NOT NULL,
            state VARCHAR(10) NOT NULL,
            fresh INTEGER DEFAULT '0' NOT NULL,
            listed INTEGER DEFAULT '0' NOT NULL,
            barren INTEGER DEFAULT '0' NOT NULL,
            run INTEGER DEFAULT '0' NOT NULL,
            same INTEGER DEFAULT '0' NOT NULL,
            differ INTEGER DEFAULT '0' NOT NULL,
            last TEXT DEFAULT '' NOT NULL,
            again INTEGER DEFAULT '0' NOT NULL,
            again_at INTEGER DEFAULT '64' NOT NULL,
            skipped INTEGER DEFAULT '0' NOT NULL,
            examples TEXT,
            PRIMARY KEY (id),
            UNIQUE (site_id, kind, name)
        )""",
        f"""CREATE TABLE IF NOT EXISTS marks (
            site_id {number} NOT NULL REFERENCES sites (id),
            mark BIGINT NOT NULL,
            PRIMARY KEY (site_id, mark)
        )""",
        f"""CREATE TABLE IF NOT EXISTS labels (
            id {own_number},
            site_id {number} NOT NULL REFERENCES sites (id),
            path TEXT NOT NULL,
            shape TEXT NOT NULL,
            example TEXT NOT NULL,
            source_id {number},
            is_poor BOOLEAN NOT NULL,
            is_last BOOLEAN NOT NULL,
            series INTEGER DEFAULT '0' NOT NULL,
            others INTEGER DEFAULT '0' NOT NULL,
            waiting INTEGER DEFAULT '0' NOT NULL,
            fetched INTEGER DEFAULT '0' NOT NULL,
            gained FLOAT DEFAULT '0' NOT NULL,
            paid INTEGER DEFAULT '0' NOT NULL,
            found INTEGER DEFAULT '0' NOT NULL,
            gains TEXT,
            leads TEXT,
            checked INTEGER DEFAULT '0' NOT NULL,
            held INTEGER DEFAULT '0' NOT NULL,
            again INTEGER DEFAULT '0' NOT NULL,
            again_at INTEGER DEFAULT '64' NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (site_id, path, shape)
        )""",
        f"""CREATE TABLE IF NOT EXISTS pairs (
            site_id {number} NOT NULL REFERENCES sites (id),
            pair BIGINT NOT NULL,
            PRIMARY KEY (site_id, pair)
        )""",
        f"""CREATE TABLE IF NOT EXISTS visits (
            id {own_number},
            site_id {number} NOT NULL REFERENCES sites (id),
            key TEXT NOT NULL,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            via TEXT NOT NULL,
            action VARCHAR(80) NOT NULL,
            reading VARCHAR(10) NOT NULL,
            level VARCHAR(80) NOT NULL,
            whole TEXT,
            sought TEXT,
            is_further BOOLEAN NOT NULL,
            depth INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            state VARCHAR(10) NOT NULL,
            next_try BIGINT NOT NULL,
            tries INTEGER DEFAULT '0' NOT NULL,
            outcome VARCHAR(16),
            is_content BOOLEAN DEFAULT {false} NOT NULL,
            visited BIGINT,
            capture TEXT,
            validators TEXT,
            family_id {number} REFERENCES families (id),
            stale INTEGER DEFAULT '0' NOT NULL,
            digest VARCHAR(24),
            empty TEXT,
            earlier TEXT,
            label_id {number} REFERENCES labels (id),
            teaser TEXT,
            found INTEGER DEFAULT '0' NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (site_id, key)
        )""",
        "CREATE INDEX IF NOT EXISTS visits_pending ON visits (site_id, rank, id) WHERE state = 'pending'",
        "CREATE INDEX IF NOT EXISTS visits_outcome ON visits (site_id, state, outcome, level, is_content)",
        "CREATE INDEX IF NOT EXISTS visits_visited ON visits (site_id, visited)",
        "CREATE INDEX IF NOT EXISTS visits_family ON visits (family_id, state)",
        "CREATE INDEX IF NOT EXISTS visits_deferred ON visits (site_id, family_id) WHERE state = 'deferred'",
        "CREATE INDEX IF NOT EXISTS visits_digest ON visits (site_id, digest)",
        "CREATE INDEX IF NOT EXISTS visits_ranked ON visits (label_id, id) WHERE state = 'ranked'",
    ):
        connection.exec_driver_sql(statement)


def _pages_have_contributions(connection: Connection) -> None:
    number = "INTEGER" if connection.dialect.name == "sqlite" else "BIGINT"
    for statement in (
        """CREATE TABLE IF NOT EXISTS contributions (
            id VARCHAR(24) NOT NULL,
            version INTEGER NOT NULL,
            article VARCHAR(24) NOT NULL,
            kind VARCHAR(10) NOT NULL,
            key TEXT NOT NULL,
            author TEXT,
            digests TEXT NOT NULL,
            first_seen BIGINT NOT NULL,
            captured BIGINT NOT NULL,
            last_seen BIGINT NOT NULL,
            shown_at TEXT NOT NULL,
            gone BIGINT,
            object_file TEXT NOT NULL,
            object_offset BIGINT NOT NULL,
            object_digest VARCHAR(64) NOT NULL,
            PRIMARY KEY (id, version)
        )""",
        f"""CREATE TABLE IF NOT EXISTS comment_feeds (
            page_id {number} NOT NULL PRIMARY KEY REFERENCES pages (id),
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            key TEXT NOT NULL,
            page_url TEXT NOT NULL,
            due BIGINT,
            validators TEXT,
            capture TEXT
        )""",
        "CREATE INDEX IF NOT EXISTS comment_feeds_due ON comment_feeds (due) WHERE due IS NOT NULL",
        "CREATE INDEX IF NOT EXISTS contributions_article ON contributions (article)",
        "CREATE INDEX IF NOT EXISTS contributions_object ON contributions (object_file, object_offset)",
    ):
        connection.exec_driver_sql(statement)


def _sites_are_watched(connection: Connection) -> None:
    """Which pages lead to what is not there, and what was expected on pages and not found."""
    number = "INTEGER" if connection.dialect.name == "sqlite" else "BIGINT"
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS referrers (
            visit_id {number} NOT NULL,
            via_id {number} NOT NULL,
            PRIMARY KEY (visit_id, via_id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS failed_actions (
            site_id {number} NOT NULL,
            level VARCHAR(80) NOT NULL,
            action VARCHAR(80) NOT NULL,
            pages INTEGER NOT NULL,
            example TEXT NOT NULL,
            seen BIGINT NOT NULL,
            PRIMARY KEY (site_id, level, action)
        )""",
    ):
        connection.exec_driver_sql(statement)


def _sites_teach_actions(connection: Connection) -> None:
    """What is learned on pages of a site, in place of actions of the knowledge base."""
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS learned_actions (
            id {own_number},
            site_id {number} NOT NULL REFERENCES sites (id),
            type VARCHAR(80) NOT NULL,
            level VARCHAR(80) NOT NULL,
            action VARCHAR(80) NOT NULL,
            path TEXT NOT NULL,
            learned_from VARCHAR(10) NOT NULL,
            cost FLOAT NOT NULL,
            pages TEXT NOT NULL,
            tried INTEGER NOT NULL,
            passed INTEGER NOT NULL,
            learned BIGINT NOT NULL,
            applied BIGINT,
            outdated BIGINT,
            PRIMARY KEY (id)
        )""",
        "CREATE INDEX IF NOT EXISTS learned_actions_site ON learned_actions (site_id, outdated)",
    ):
        connection.exec_driver_sql(statement)
