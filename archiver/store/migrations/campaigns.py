"""The tables of campaigns, which came with version 10, and what version 11 adds to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.store.migrations.columns import add_column

if TYPE_CHECKING:
    from sqlalchemy import Connection


def campaigns_have_queues(connection: Connection) -> None:
    """Campaigns, the revisions of their definitions, their queues, and how relevant fetched pages are."""
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    binary = "BLOB" if is_sqlite else "BYTEA"
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS campaigns (
            id {own_number},
            name VARCHAR(60) NOT NULL,
            state VARCHAR(10) NOT NULL,
            file TEXT NOT NULL,
            revision INTEGER NOT NULL,
            began BIGINT NOT NULL,
            requests INTEGER DEFAULT '0' NOT NULL,
            bytes BIGINT DEFAULT '0' NOT NULL,
            requests_before INTEGER DEFAULT '0' NOT NULL,
            bytes_before BIGINT DEFAULT '0' NOT NULL,
            run_began BIGINT,
            curve TEXT,
            PRIMARY KEY (id),
            UNIQUE (name)
        )""",
        f"""CREATE TABLE IF NOT EXISTS definitions (
            campaign_id {number} NOT NULL,
            revision INTEGER NOT NULL,
            read BIGINT NOT NULL,
            text TEXT NOT NULL,
            digest VARCHAR(80) NOT NULL,
            seeds TEXT NOT NULL,
            narrower TEXT NOT NULL,
            PRIMARY KEY (campaign_id, revision),
            FOREIGN KEY (campaign_id) REFERENCES campaigns (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS candidates (
            id {own_number},
            campaign_id {number} NOT NULL,
            key TEXT NOT NULL,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            state VARCHAR(8) NOT NULL,
            rank INTEGER NOT NULL,
            band INTEGER NOT NULL,
            dice INTEGER NOT NULL,
            evidence {binary} NOT NULL,
            revision INTEGER NOT NULL,
            found BIGINT NOT NULL,
            found_by VARCHAR(10) NOT NULL,
            next_try BIGINT NOT NULL,
            tries INTEGER DEFAULT '0' NOT NULL,
            chosen_by VARCHAR(10),
            outcome VARCHAR(16),
            PRIMARY KEY (id),
            UNIQUE (campaign_id, key),
            FOREIGN KEY (campaign_id) REFERENCES campaigns (id)
        )""",
        """CREATE INDEX IF NOT EXISTS candidates_best
            ON candidates (campaign_id, rank, id) WHERE state = 'waiting'""",
        """CREATE INDEX IF NOT EXISTS candidates_dice
            ON candidates (campaign_id, band, dice) WHERE state = 'waiting'""",
        """CREATE INDEX IF NOT EXISTS candidates_host
            ON candidates (campaign_id, host, rank, id) WHERE state = 'waiting'""",
        "CREATE INDEX IF NOT EXISTS candidates_state ON candidates (campaign_id, state, revision)",
        f"""CREATE TABLE IF NOT EXISTS inlinks (
            candidate_id {number} NOT NULL,
            page_id {number} NOT NULL,
            place INTEGER NOT NULL,
            anchor TEXT NOT NULL,
            PRIMARY KEY (candidate_id, page_id)
        )""",
        "CREATE INDEX IF NOT EXISTS inlinks_page ON inlinks (page_id, place)",
        f"""CREATE TABLE IF NOT EXISTS relevances (
            candidate_id {number} NOT NULL,
            campaign_id {number} NOT NULL,
            url TEXT NOT NULL,
            title TEXT NOT NULL,
            score FLOAT NOT NULL,
            signals TEXT NOT NULL,
            capture TEXT NOT NULL,
            words {binary} NOT NULL,
            language VARCHAR(12),
            same_as {number},
            digest VARCHAR(24) NOT NULL,
            judged INTEGER,
            revision INTEGER NOT NULL,
            seen BIGINT NOT NULL,
            PRIMARY KEY (candidate_id),
            FOREIGN KEY (candidate_id) REFERENCES candidates (id)
        )""",
        "CREATE INDEX IF NOT EXISTS relevances_digest ON relevances (campaign_id, digest)",
        "CREATE INDEX IF NOT EXISTS relevances_score ON relevances (campaign_id, score)",
        "CREATE INDEX IF NOT EXISTS relevances_seen ON relevances (campaign_id, seen)",
        f"""CREATE TABLE IF NOT EXISTS host_yields (
            campaign_id {number} NOT NULL,
            host TEXT NOT NULL,
            head INTEGER NOT NULL,
            fetched INTEGER DEFAULT '0' NOT NULL,
            relevance FLOAT DEFAULT '0' NOT NULL,
            fresh INTEGER DEFAULT '0' NOT NULL,
            failed INTEGER DEFAULT '0' NOT NULL,
            quota INTEGER NOT NULL,
            PRIMARY KEY (campaign_id, host)
        )""",
        "CREATE INDEX IF NOT EXISTS host_yields_head ON host_yields (campaign_id, head)",
        f"""CREATE TABLE IF NOT EXISTS campaign_feeds (
            campaign_id {number} NOT NULL,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            title TEXT NOT NULL,
            found BIGINT NOT NULL,
            PRIMARY KEY (campaign_id, url)
        )""",
    ):
        connection.exec_driver_sql(statement)


def feeds_outlast_campaigns(connection: Connection) -> None:
    """A campaign has the moment of its end, after which its feeds may be polled for a while."""
    add_column(connection, "campaigns", "ended", "BIGINT")
