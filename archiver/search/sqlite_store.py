"""SQLite's index fed: rows are only ever added, and marked where they no longer hold."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from archiver.search.index import free_id, make, ticks, transaction
from archiver.search.sieve import DEAD, EARLIER, NEWEST
from archiver.search.stores import IndexedFile

if TYPE_CHECKING:
    import sqlite3
    from contextlib import AbstractContextManager

    from archiver.search.lines import IndexedText
    from archiver.search.stores import NewPaper, NewRow


class SqliteStore:
    """`search.sqlite`, to be fed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._run = connection.execute

    def transaction(self) -> AbstractContextManager[None]:
        return transaction(self._connection)

    def empty(self) -> None:
        make(self._connection)

    def files(self) -> list[IndexedFile]:
        rows = self._run("SELECT name, length, last, mark FROM files WHERE id <> 0")
        return [IndexedFile._make(row) for row in rows]

    def note(self, file: IndexedFile) -> None:
        self._run(
            "INSERT INTO files (name, length, last, mark) VALUES (?, ?, ?, ?) ON CONFLICT (name)"
            " DO UPDATE SET length = excluded.length, last = excluded.last, mark = excluded.mark",
            file,
        )

    def forget(self, file: str, length: int) -> None:
        here = {"file": self._number(file), "length": length}
        self._run(_FORGET, here)
        self._run(_NEWEST_AGAIN, here)
        self.note(IndexedFile(file, length, None, ""))

    def add(self, row: NewRow, text: IndexedText, *, is_past: bool = False) -> None:
        same = "UPDATE documents SET state = ? WHERE article = ? AND version = ?"
        self._run(same, (DEAD, row.article, row.version))
        is_newest = not is_past and self.newest_of(row.article) < row.version
        if is_newest:
            before = "UPDATE documents SET state = ? WHERE article = ? AND state = ?"
            self._run(before, (EARLIER, row.article, NEWEST))
        number = free_id(self._connection, text.moment)
        state = NEWEST if is_newest else EARLIER
        values = (number, self._number(row.file), *row[1:], text.confidence, state)
        self._run("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        self._run(_ADD_WORDS, (number, *text.columns))

    def newest_of(self, article: int) -> int:
        query = "SELECT coalesce(max(version), 0) FROM documents WHERE article = ? AND state = ?"
        return int(self._run(query, (article, NEWEST)).fetchone()[0])

    def warcs(self) -> set[str]:
        return {name for (name,) in self._run("SELECT name FROM warcs")}

    def looked_through(self, warcs: set[str]) -> None:
        for name in sorted(warcs):
            self._run("INSERT OR IGNORE INTO warcs VALUES (?)", (name,))

    def papers(self) -> set[tuple[str, int]]:
        return set(self._run("SELECT warc, place FROM papers"))

    def add_paper(self, paper: NewPaper) -> int:
        text = zlib.compress(paper.text.encode())
        values = (paper.url, paper.title, ticks(paper.captured), paper.warc, paper.place, text)
        query = "INSERT INTO papers (url, title, captured, warc, place, text) VALUES (?, ?, ?, ?, ?, ?)"
        return int(self._run(query, values).lastrowid or 0)

    def tidy(self) -> None:
        self._run("INSERT INTO words (words) VALUES ('optimize')")
        self._run("PRAGMA wal_checkpoint (TRUNCATE)")

    def _number(self, file: str) -> int:
        query = "INSERT INTO files (name, length, mark) VALUES (?, 0, '') ON CONFLICT DO NOTHING"
        self._run(query, (file,))
        return int(self._run("SELECT id FROM files WHERE name = ?", (file,)).fetchone()[0])


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
_ADD_WORDS = (
    "INSERT INTO words (rowid, title, text, grams, authors, categories, tags) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
