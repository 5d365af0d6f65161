"""`terms.sqlite`: the terms of each article, by its week; made from objects files, and made anew at will."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from archiver.errors import ArchiveError
from archiver.search.index import transaction
from archiver.store.reading import read_only

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "terms.sqlite"
VERSION = 1
_WEEK = 7
_SCHEMA = """
CREATE TABLE meta (version INTEGER NOT NULL);
CREATE TABLE files (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    length INTEGER NOT NULL, -- so far it is counted
    last INTEGER, mark TEXT NOT NULL -- where its last article is, and what the state store said of it
);
CREATE TABLE sites (id INTEGER PRIMARY KEY, host TEXT NOT NULL UNIQUE);
CREATE TABLE articles (
    article INTEGER PRIMARY KEY, week INTEGER NOT NULL, channel INTEGER NOT NULL, site INTEGER NOT NULL,
    file INTEGER NOT NULL, place INTEGER NOT NULL,
    terms BLOB NOT NULL -- numbers of four bytes, sorted
);
CREATE INDEX articles_week ON articles (week);
CREATE INDEX articles_channel ON articles (channel, week);
CREATE INDEX articles_site ON articles (site);
CREATE INDEX articles_file ON articles (file);
-- All articles of a week together; a week that got others since has no row.
CREATE TABLE weeks (
    week INTEGER PRIMARY KEY, articles INTEGER NOT NULL, terms BLOB NOT NULL, counts BLOB NOT NULL
)
"""
_TABLES = ("meta", "files", "sites", "articles", "weeks")


def week_of(moment: date) -> int:
    """The number of a week, which begins on a Monday."""
    day = moment.astimezone(UTC).date() if isinstance(moment, datetime) else moment
    return (day.toordinal() - 1) // _WEEK


def monday_of(week: int) -> date:
    return date.min + timedelta(days=week * _WEEK)


@contextmanager
def open_to_count(folder: Path, *, seconds: float = 30.0) -> Iterator[sqlite3.Connection]:
    """The index of an archive, made where there is none, and anew where it is of another version."""
    path = folder / FILE
    try:
        with closing(_opened(path, seconds)) as connection:
            yield connection
    except sqlite3.OperationalError as error:
        raise ArchiveError(f"{path} cannot be written: {error}") from error
    except sqlite3.DatabaseError as error:
        raise ArchiveError(f"{path} is damaged ({error}): remove it, and ask again") from error


@contextmanager
def open_counted(folder: Path) -> Iterator[sqlite3.Connection]:
    """The index as it is, where nothing may be written. Raises ArchiveError where there is none."""
    path = folder / FILE
    try:
        with closing(read_only(path)) as connection:
            if _version(connection) != VERSION:
                raise ArchiveError(f"{path} is of another archiver: run `scrapy terms`, which makes it anew")
            yield connection
    except sqlite3.DatabaseError as error:
        raise ArchiveError(f"{path} cannot be read ({error}): run `scrapy terms`, which makes it") from error


def _opened(path: Path, seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=seconds, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # A power cut can undo the last commits, never damage the file; what was undone is counted again.
        connection.execute("PRAGMA synchronous = NORMAL")
        with transaction(connection):
            if _version(connection) != VERSION:
                _make(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int | None:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
        return None
    row = connection.execute("SELECT version FROM meta").fetchone()
    return int(row[0]) if row else None


def _make(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA.split(";\n"):
        connection.execute(statement)
    connection.execute("INSERT INTO meta (version) VALUES (?)", (VERSION,))
