"""`search.sqlite`: which versions are in the index and where their objects are; the words themselves in FTS5.

The text is not in it: it stands in the objects file. A row is a version. Its number is the minute in which
the article was published, and a place in that minute: so the newest come first without being sorted, a span
of time is a span of numbers, and the next page begins at a number.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from archiver.errors import ArchiveError
from archiver.store.reading import read_only

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "search.sqlite"
VERSION = 2
BUILD = "run `scrapy search --build`"
_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PLACES = 256  # in each minute; what does not fit goes to the next ones
# Pages of the file that are held, in KiB: postings of a common word are some megabytes.
_CACHE = 32 * 1024
_SCHEMA = """
CREATE TABLE meta (version INTEGER NOT NULL);
CREATE TABLE files (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    length INTEGER NOT NULL, -- so far it is in the index
    last INTEGER, mark TEXT NOT NULL -- where its last line there is, and what the state store said of it
);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, place INTEGER NOT NULL,
    article INTEGER NOT NULL, version INTEGER NOT NULL, channel INTEGER NOT NULL,
    confidence INTEGER NOT NULL, -- in ten-thousandths
    state INTEGER NOT NULL
);
CREATE INDEX documents_article ON documents (article);
CREATE INDEX documents_place ON documents (file, place);
-- Documents whose text is in no object, and the WARC files that were looked through for them.
CREATE TABLE papers (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, captured INTEGER NOT NULL,
    warc TEXT NOT NULL, place INTEGER NOT NULL, text BLOB NOT NULL, UNIQUE (warc, place)
);
CREATE TABLE warcs (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO files (id, name, length, mark) VALUES (0, '', 0, '');
CREATE VIRTUAL TABLE words USING fts5 (
    title, text, grams, authors, categories, tags,
    content = '', tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
);
"""
_TABLES = ("meta", "files", "documents", "papers", "warcs", "words")


class NoIndex(ArchiveError):  # noqa: N818 - reads as what happened
    """There is no index yet, or none that can be read."""


def lowest_id(moment: datetime) -> int:
    """The first number of a minute."""
    return (moment - _BEGINNING) // timedelta(minutes=1) * PLACES


def highest_id(moment: datetime) -> int:
    return lowest_id(moment) + PLACES - 1


def ticks(moment: datetime) -> int:
    """Microseconds since 1970, as the state store has moments."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_ticks(count: int) -> datetime:
    return _EPOCH + timedelta(microseconds=count)


def free_id(connection: sqlite3.Connection, moment: datetime) -> int:
    """A number for a new row; those of dead rows stay theirs, since their words cannot be taken out."""
    first = lowest_id(moment)
    while True:
        query = "SELECT max(id) FROM documents WHERE id BETWEEN ? AND ?"
        (last,) = connection.execute(query, (first, first + PLACES - 1)).fetchone()
        if last is None or last < first + PLACES - 1:
            return first if last is None else int(last) + 1
        first += PLACES


@contextmanager
def open_to_read(folder: Path) -> Iterator[sqlite3.Connection]:
    """The index of an archive; raises NoIndex where there is none, or where it cannot be read."""
    path = folder / FILE
    if not path.is_file():
        raise NoIndex(f"This archive has no search index yet: {BUILD}")
    try:
        with closing(read_only(path)) as connection:
            connection.execute(f"PRAGMA cache_size = -{_CACHE}")
            _check(connection)
            yield connection
    except sqlite3.DatabaseError as error:
        raise NoIndex(f"The search index {path} cannot be read ({error}): {BUILD}") from error


def _check(connection: sqlite3.Connection) -> None:
    found = _version(connection)
    if found is None:
        raise NoIndex(f"This archive has no search index yet: {BUILD}")
    if found != VERSION:
        raise NoIndex(f"The search index is of another archiver (version {found}, not {VERSION}): {BUILD}")


def _version(connection: sqlite3.Connection) -> int | None:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
        return None
    row = connection.execute("SELECT version FROM meta").fetchone()
    return int(row[0]) if row else None


@contextmanager
def open_to_feed(folder: Path, *, seconds: float = 30.0) -> Iterator[sqlite3.Connection]:
    """The index of an archive, made where there is none. It waits so long for others that write to it."""
    with closing(sqlite3.connect(folder / FILE, timeout=seconds, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        # A power cut can undo the last commits, never damage the file; what was undone is fed again.
        connection.execute("PRAGMA synchronous = NORMAL")
        # Debian's SQLite would overwrite all that is taken out with zeros.
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        with transaction(connection):
            if _version(connection) != VERSION:
                make(connection)
        yield connection


def make(connection: sqlite3.Connection) -> None:
    """An index with nothing in it, in the place of what is there."""
    for table in _TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA.split(";\n"):
        connection.execute(statement)
    connection.execute("INSERT INTO meta (version) VALUES (?)", (VERSION,))


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def reset(folder: Path) -> None:
    """Take everything out of an index, where there is one: the next run feeds it."""
    if not (folder / FILE).is_file():
        return
    try:
        with open_to_feed(folder) as connection, transaction(connection):
            make(connection)
    except sqlite3.Error:
        remove(folder)


def remove(folder: Path) -> None:
    """Remove an index that cannot be used any more, with its log."""
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE}{suffix}").unlink(missing_ok=True)
