"""Forms and the records behind them, in a store of an older archiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def forms_are_asked(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    number, own_number = ("INTEGER", "INTEGER NOT NULL") if is_sqlite else ("BIGINT", "BIGSERIAL NOT NULL")
    for statement in (
        f"""CREATE TABLE IF NOT EXISTS forms (
            id {own_number},
            name VARCHAR(60) NOT NULL,
            page TEXT NOT NULL,
            definition TEXT NOT NULL,
            folder TEXT DEFAULT '' NOT NULL,
            state VARCHAR(16) NOT NULL,
            why TEXT DEFAULT '' NOT NULL,
            planned TEXT,
            behaviour TEXT,
            coverage TEXT,
            run INTEGER DEFAULT '1' NOT NULL,
            refusals INTEGER DEFAULT '0' NOT NULL,
            rest_until BIGINT,
            next_run BIGINT,
            PRIMARY KEY (id),
            UNIQUE (name)
        )""",
        f"""CREATE TABLE IF NOT EXISTS form_runs (
            form_id {number} NOT NULL,
            run INTEGER NOT NULL,
            started BIGINT NOT NULL,
            ended BIGINT,
            requests INTEGER DEFAULT '0' NOT NULL,
            added INTEGER DEFAULT '0' NOT NULL,
            changed INTEGER DEFAULT '0' NOT NULL,
            unchanged INTEGER DEFAULT '0' NOT NULL,
            why TEXT DEFAULT '' NOT NULL,
            PRIMARY KEY (form_id, run),
            FOREIGN KEY(form_id) REFERENCES forms (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS probes (
            id {own_number},
            form_id {number} NOT NULL,
            run INTEGER NOT NULL,
            key TEXT NOT NULL,
            probe TEXT NOT NULL,
            url TEXT NOT NULL,
            state VARCHAR(8) NOT NULL,
            kind VARCHAR(8) DEFAULT '' NOT NULL,
            records INTEGER DEFAULT '0' NOT NULL,
            fresh INTEGER DEFAULT '0' NOT NULL,
            total BIGINT,
            next_url TEXT DEFAULT '' NOT NULL,
            answered_by TEXT DEFAULT '' NOT NULL,
            capture TEXT,
            asked BIGINT NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (form_id, run, key),
            FOREIGN KEY(form_id) REFERENCES forms (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS record_wrappers (
            id {own_number},
            form_id {number} NOT NULL,
            wrapper TEXT NOT NULL,
            learned BIGINT NOT NULL,
            outdated BIGINT,
            PRIMARY KEY (id),
            FOREIGN KEY(form_id) REFERENCES forms (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS records (
            id {own_number},
            form_id {number} NOT NULL,
            key VARCHAR(64) NOT NULL,
            version INTEGER NOT NULL,
            digests TEXT NOT NULL,
            wrapper VARCHAR(24) NOT NULL,
            attributes TEXT NOT NULL,
            detail_url TEXT DEFAULT '' NOT NULL,
            first_seen BIGINT NOT NULL,
            last_seen BIGINT NOT NULL,
            run INTEGER NOT NULL,
            object_file TEXT NOT NULL,
            object_offset BIGINT NOT NULL,
            object_digest VARCHAR(64) NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (form_id, key),
            FOREIGN KEY(form_id) REFERENCES forms (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS record_sightings (
            probe_id {number} NOT NULL,
            place INTEGER NOT NULL,
            record_id {number} NOT NULL,
            PRIMARY KEY (probe_id, place),
            FOREIGN KEY(probe_id) REFERENCES probes (id),
            FOREIGN KEY(record_id) REFERENCES records (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS form_words (
            form_id {number} NOT NULL,
            word TEXT NOT NULL,
            source VARCHAR(16) NOT NULL,
            PRIMARY KEY (form_id, word),
            FOREIGN KEY(form_id) REFERENCES forms (id)
        )""",
        f"""CREATE TABLE IF NOT EXISTS form_mappings (
            form_id {number} NOT NULL,
            input TEXT NOT NULL,
            attribute TEXT NOT NULL,
            tried INTEGER NOT NULL,
            held FLOAT NOT NULL,
            control FLOAT NOT NULL,
            confidence FLOAT NOT NULL,
            how VARCHAR(16) NOT NULL,
            PRIMARY KEY (form_id, input, attribute),
            FOREIGN KEY(form_id) REFERENCES forms (id)
        )""",
        "CREATE INDEX IF NOT EXISTS probes_state ON probes (form_id, state)",
        "CREATE INDEX IF NOT EXISTS record_wrappers_form ON record_wrappers (form_id)",
        "CREATE INDEX IF NOT EXISTS records_object ON records (object_file, object_offset)",
        "CREATE INDEX IF NOT EXISTS record_sightings_record ON record_sightings (record_id)",
    ):
        connection.exec_driver_sql(statement)
