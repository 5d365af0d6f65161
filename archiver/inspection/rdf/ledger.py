"""`rdf/fed.sqlite`: which lines of objects files the store has statements of, and how far it was fed.

A line is noted before its statements are written, and a file's length after: what a crash leaves in the
store is known here, and taken out again.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from archiver.digests import name_digest
from archiver.inspection.rdf.mapping import CONTRIBUTION_TYPES, NODES
from archiver.inspection.rdf.nodes import version_node
from archiver.lexicon.vocabularies import PREFIXES
from archiver.search.index import transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FILE = "fed.sqlite"
# A store whose statements were made by another table is made anew.
VERSION = "1 " + name_digest(f"{dict(NODES)}{dict(CONTRIBUTION_TYPES)}{dict(PREFIXES)}")
# What is in the store of a line: all of it; not what names a withheld address; nothing (withheld, or lost).
# Between two of these it is not known: whatever it is, it is said again.
WHOLE, TRIMMED, HIDDEN, UNSURE = range(4)
_SCHEMA = """
CREATE TABLE meta (version TEXT NOT NULL, orders TEXT NOT NULL);
CREATE TABLE files (
    name TEXT PRIMARY KEY, length INTEGER NOT NULL, -- so far it was fed
    last INTEGER, mark TEXT NOT NULL -- where its last line is, and what the state store said of it
);
CREATE TABLE lines (
    file TEXT NOT NULL, place INTEGER NOT NULL, owner TEXT NOT NULL, version INTEGER NOT NULL,
    state INTEGER NOT NULL, PRIMARY KEY (file, place)
) WITHOUT ROWID;
CREATE INDEX lines_owner ON lines (owner);
CREATE INDEX lines_state ON lines (state) WHERE state > 0
"""


class FedFile(NamedTuple):
    """A file as far as it was fed."""

    name: str
    length: int = 0
    last: int | None = None
    mark: str = ""


class FedLine(NamedTuple):
    """A line that is in the store: the article or contribution that it is a version of."""

    file: str
    place: int
    owner: str
    version: int
    state: int

    @property
    def node(self) -> str:
        return version_node(self.owner.rpartition(":")[2], self.version)


class Ledger:
    """What the store has."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def is_current(self) -> bool:
        """Whether the store was made by this archiver."""
        query = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
        if self._connection.execute(query).fetchone() is None:
            return False
        row = self._connection.execute("SELECT version FROM meta").fetchone()
        return row is not None and row[0] == VERSION

    def begin(self) -> None:
        """Note that nothing is in the store."""
        with transaction(self._connection):
            for statement in _SCHEMA.split(";\n"):
                self._connection.execute(statement)
            self._connection.execute("INSERT INTO meta VALUES (?, '')", (VERSION,))

    def orders(self) -> str:
        """The orders to withhold that the store heeds, as a digest."""
        (orders,) = self._connection.execute("SELECT orders FROM meta").fetchone()
        return str(orders)

    def note_orders(self, orders: str) -> None:
        self._connection.execute("UPDATE meta SET orders = ?", (orders,))

    def files(self) -> list[FedFile]:
        return [FedFile._make(row) for row in self._connection.execute("SELECT * FROM files")]

    def names(self) -> list[str]:
        """Of files with lines in the store."""
        return [name for (name,) in self._connection.execute("SELECT DISTINCT file FROM lines")]

    def file(self, name: str) -> FedFile:
        row = self._connection.execute("SELECT * FROM files WHERE name = ?", (name,)).fetchone()
        return FedFile._make(row) if row else FedFile(name)

    def note_file(self, file: FedFile) -> None:
        self._connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", file)

    def note_lines(self, lines: Iterable[FedLine]) -> None:
        with transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?, ?)", lines)

    def forget(self, name: str, start: int) -> None:
        """The lines of a file from here on."""
        self._connection.execute("DELETE FROM lines WHERE file = ? AND place >= ?", (name, start))

    def remove(self, lines: Iterable[FedLine]) -> None:
        places = [line[:2] for line in lines]
        self._connection.executemany("DELETE FROM lines WHERE file = ? AND place = ?", places)

    def owners_behind(self, name: str, start: int) -> set[str]:
        query = "SELECT DISTINCT owner FROM lines WHERE file = ? AND place >= ?"
        return {owner for (owner,) in self._connection.execute(query, (name, start))}

    def owners_left_out(self) -> set[str]:
        """Those of whom something is withheld."""
        query = "SELECT DISTINCT owner FROM lines WHERE state > 0"
        return {owner for (owner,) in self._connection.execute(query)}

    def owners_unsure(self) -> set[str]:
        """Those of whom a crash may have left something out."""
        query = "SELECT DISTINCT owner FROM lines WHERE state > 0 AND state = ?"
        return {owner for (owner,) in self._connection.execute(query, (UNSURE,))}

    def give_up_unsure(self) -> None:
        """Note that nothing is in the store of lines that could not be read again."""
        query = "UPDATE lines SET state = ? WHERE state > 0 AND state = ?"
        self._connection.execute(query, (HIDDEN, UNSURE))

    def lines_of(self, owner: str) -> list[FedLine]:
        query = "SELECT * FROM lines WHERE owner = ? ORDER BY version"
        return [FedLine._make(row) for row in self._connection.execute(query, (owner,))]

    def count(self) -> int:
        (number,) = self._connection.execute("SELECT count(*) FROM lines WHERE state < 2").fetchone()
        return int(number)


@contextmanager
def open_ledger(folder: Path, *, to_make: bool = False) -> Iterator[Ledger]:
    """The ledger that is there, or a new one."""
    path = folder / FILE
    # Written to wherever that is allowed: what a kill left half done is undone by the next that opens it.
    mode = "rwc" if to_make else "rw" if os.access(path, os.W_OK) else "ro"
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        yield Ledger(connection)
