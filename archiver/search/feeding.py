"""The index brought up to the objects files: from where it was, file by file, some lines in one transaction.

What is in the index and how far it reaches is committed together: a crash leaves it behind and never ahead.
What the state store no longer says of a file, the index forgets.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from archiver.search.index import empty, free_id, transaction
from archiver.search.lines import LineReader, columns_of, moment_of
from archiver.search.matching import SqliteIndex
from archiver.search.sieve import DEAD, EARLIER, NEWEST
from archiver.store.object_files import object_lengths
from archiver.store.schema import versions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Row, Select

    from archiver.search.lines import IndexedLine

# Lines of one transaction: a reader never waits, and another writer not for long.
AT_ONCE = 200


class _File(NamedTuple):
    """A file as the index knows it."""

    id: int
    name: str
    length: int
    last: int | None
    mark: str


class Feeder:
    """Feeds one index from one archive."""

    def __init__(self, index: sqlite3.Connection, state: Connection, objects: Path) -> None:
        self._index = index
        self._state = state
        self._objects = objects
        self.fed = 0  # lines
        self.unreadable = 0

    def feed(self, show: Callable[[int, int], object] = lambda _done, _total: None) -> None:
        """Take in all that is missing."""
        self.agree()
        for done, total in self.steps():
            show(done, total)

    def build(self, show: Callable[[int, int], object]) -> None:
        """Begin anew."""
        empty(self._index)
        self.feed(show)
        self._index.execute("INSERT INTO words (words) VALUES ('optimize')")
        self._index.execute("PRAGMA wal_checkpoint (TRUNCATE)")

    def agree(self) -> None:
        """Forget files, or the ends of files, that are not as they were when they were fed."""
        lengths = object_lengths(self._state)
        with transaction(self._index):
            for file in self._files():
                settled = lengths.get(file.name, 0)
                if file.length > settled:
                    self._forget(file, settled)
                elif not self._is_the_same(file):
                    self._forget(file, 0)

    def steps(self) -> Iterator[tuple[int, int]]:
        """Feed some lines at a time; after each transaction, how many bytes of how many are done."""
        lengths = here(self._objects, object_lengths(self._state))
        total = sum(lengths.values())
        done = total - SqliteIndex(self._index).behind(lengths)
        for name in sorted(lengths):
            while (grown := self._step(name, lengths[name])) is not None:
                done += grown
                yield done, total

    def _step(self, name: str, settled: int) -> int | None:
        """Feed the next lines of a file; by how many bytes, None where nothing was left."""
        with transaction(self._index):
            file = self._file(name)
            if file.length >= settled:
                return None
            rows = self._rows(name, file.length, settled)
            self._take(file, rows)
            # The line behind the last one begins where the next one is asked for.
            length = rows[-1].object_offset + 1 if len(rows) == AT_ONCE else settled
            last = (rows[-1].object_offset, _mark(rows[-1])) if rows else (file.last, file.mark)
            query = "UPDATE files SET length = ?, last = ?, mark = ? WHERE id = ?"
            self._index.execute(query, (length, *last, file.id))
            return length - file.length

    def _rows(self, name: str, start: int, end: int) -> Sequence[Row[Any]]:
        mine = (versions.c.object_file == name) & versions.c.object_offset.between(start, end - 1)
        query = _LINES.where(mine).order_by(versions.c.object_offset).limit(AT_ONCE)
        return self._state.execute(query).all()

    def _take(self, file: _File, rows: Sequence[Row[Any]]) -> None:
        with (self._objects / file.name).open("rb") as source:
            reader = LineReader(source)
            for row in rows:
                line = reader.read(row.object_offset)
                if line is None or line.version != row.version:
                    self.unreadable += 1
                else:
                    self._add(file, row, line)

    def _add(self, file: _File, row: Row[Any], line: IndexedLine) -> None:
        """Add a version; it takes the place of itself at another place, and of the newest one before it."""
        known = "SELECT max(version) FROM documents WHERE article = ? AND state <> ?"
        same = "UPDATE documents SET state = ? WHERE article = ? AND version = ?"
        self._index.execute(same, (DEAD, row.article_id, row.version))
        (newest,) = self._index.execute(known, (row.article_id, DEAD)).fetchone()
        is_newest = newest is None or newest < row.version
        if is_newest and newest is not None:
            before = "UPDATE documents SET state = ? WHERE article = ? AND state = ?"
            self._index.execute(before, (EARLIER, row.article_id, NEWEST))
        number = free_id(self._index, moment_of(line))
        place = (number, file.id, row.object_offset, row.article_id, row.version, row.channel_id)
        confidence = round(10_000 * line.confidence)
        values = (*place, confidence, NEWEST if is_newest else EARLIER)
        self._index.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        words = (number, *columns_of(line, row.channel_id))
        self._index.execute(ADD_WORDS, words)
        self.fed += 1

    def _files(self) -> list[_File]:
        return [_File._make(row) for row in self._index.execute(_FILES)]

    def _file(self, name: str) -> _File:
        query = "INSERT INTO files (name, length, mark) VALUES (?, 0, '') ON CONFLICT DO NOTHING"
        self._index.execute(query, (name,))
        return _File._make(self._index.execute(f"{_FILES} WHERE name = ?", (name,)).fetchone())

    def _is_the_same(self, file: _File) -> bool:
        if file.last is None:
            return True
        here = (versions.c.object_file == file.name) & (versions.c.object_offset == file.last)
        row = self._state.execute(_LINES.where(here)).first()
        return row is not None and _mark(row) == file.mark

    def _forget(self, file: _File, length: int) -> None:
        """Forget what stands behind this length; versions before those that go are the newest again."""
        here = {"file": file.id, "length": length}
        self._index.execute(_FORGET, here)
        self._index.execute(_NEWEST_AGAIN, here)
        self._index.execute(
            "UPDATE files SET length = :length, last = NULL, mark = '' WHERE id = :file", here
        )


_FILES = "SELECT id, name, length, last, mark FROM files"
_FORGET = "UPDATE documents SET state = 0 WHERE file = :file AND place >= :length"
_NEWEST_AGAIN = """
UPDATE documents SET state = 2
WHERE state = 1
    AND article IN (SELECT article FROM documents WHERE file = :file AND place >= :length)
    AND version = (
        SELECT max(other.version) FROM documents AS other
        WHERE other.article = documents.article AND other.state <> 0
    )
"""
_LINES: Select[Any] = select(
    versions.c.article_id, versions.c.version, versions.c.channel_id, versions.c.object_offset,
    versions.c.object_digest,
)  # fmt: skip
ADD_WORDS = (
    "INSERT INTO words (rowid, title, text, grams, authors, categories, tags) VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def here(objects: Path, lengths: Mapping[str, int]) -> dict[str, int]:
    """The files that are in this folder: others are lost, or of another folder with the same state store."""
    found = {entry.name for entry in os.scandir(objects)} if objects.is_dir() else set()
    return {name: length for name, length in lengths.items() if name in found}


def _mark(row: Row[Any]) -> str:
    """What tells a line from another one that is put at its place, in this store or in one made again."""
    return f"{row.object_digest} {row.article_id} {row.version} {row.channel_id}"
