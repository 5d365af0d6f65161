"""SQLite's index asked: which rows hold, in which order, how many there are. Nothing here reads an object."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, NamedTuple

from archiver.search.expression import expression
from archiver.search.index import from_ticks
from archiver.search.settled import bytes_behind
from archiver.search.sieve import (
    CONTRIBUTIONS,
    DEAD,
    MOST_COUNTED,
    MOST_LOOKED_AT,
    MOST_RANKED,
    NEWEST,
    Match,
    Paper,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping

    from archiver.search.sieve import Sieve

# Articles that were picked by the state store, up to which each is looked up by itself.
_FEW_PICKED = 3_000
# A word of a title counts as much as so many of a text; names and tags do not count.
_SCORE = "bm25(words, 8.0, 1.0, 1.0, 0.0, 0.0, 0.0)"
_COLUMNS = "d.id, f.name, d.place, d.article, d.version, d.channel, d.state"


class _Part(NamedTuple):
    """A part of a statement, and the values in it."""

    sql: str
    values: tuple[object, ...] = ()


class SqliteIndex:
    """`search.sqlite`, to be asked."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._picked: tuple[int, ...] | None = None  # what the table of that name has

    def newest(self, sieve: Sieve, before: int | None, limit: int) -> list[Match]:
        where = _where(sieve, _Part(f"{_row_of(sieve)} < ?", (before,)) if before is not None else None)
        query = (
            f"SELECT {_COLUMNS} FROM {self._tables(sieve)} JOIN files f ON f.id = d.file"  # noqa: S608 - our words
            f" WHERE {where.sql} ORDER BY {_row_of(sieve)} DESC LIMIT ?"
        )
        return [Match(*row) for row in self._connection.execute(query, (*where.values, limit))]

    def best(
        self, sieve: Sieve, after: tuple[float, int] | None, limit: int
    ) -> tuple[list[Match], int | None]:
        floor = self._floor(sieve, MOST_RANKED)
        where = _where(sieve, None if floor is None else _Part("words.rowid >= ?", (floor,)))
        behind = _Part("score > ? OR (score = ? AND id < ?)", (after[0], *after)) if after else _Part("1")
        query = (
            f"SELECT * FROM (SELECT {_COLUMNS}, {_SCORE} AS score FROM {self._tables(sieve)}"  # noqa: S608 - our words
            f" JOIN files f ON f.id = d.file WHERE {where.sql})"
            f" WHERE {behind.sql} ORDER BY score, id DESC LIMIT ?"
        )
        rows = self._connection.execute(query, (*where.values, *behind.values, limit))
        return [Match(*row) for row in rows], None if floor is None else MOST_RANKED

    def count(self, sieve: Sieve) -> tuple[int, bool]:
        if sieve.has_words and sieve.has_row_filters:
            return self._count_newest(sieve)
        where = _where(sieve)
        query = f"SELECT 1 FROM {self._tables(sieve)} WHERE {where.sql} LIMIT {MOST_COUNTED + 1}"  # noqa: S608 - our words
        number = sum(1 for _ in self._connection.execute(query, where.values))
        return min(number, MOST_COUNTED), number <= MOST_COUNTED

    def _count_newest(self, sieve: Sieve) -> tuple[int, bool]:
        """Count among so many of the newest that have the words: other filters are looked up row by row."""
        floor = self._floor(sieve, MOST_LOOKED_AT)
        where = _where(sieve, None if floor is None else _Part("words.rowid >= ?", (floor,)))
        query = f"SELECT 1 FROM {self._tables(sieve)} WHERE {where.sql} LIMIT {MOST_COUNTED + 1}"  # noqa: S608 - our words
        number = sum(1 for _ in self._connection.execute(query, where.values))
        return min(number, MOST_COUNTED), floor is None and number <= MOST_COUNTED

    def papers(self, numbers: Collection[int]) -> dict[int, Paper]:
        query = (
            "SELECT id, url, title, captured, text FROM papers WHERE id IN (SELECT value FROM json_each(?))"
        )
        rows = self._connection.execute(query, (json.dumps(sorted(numbers)),)) if numbers else ()
        return {
            number: Paper(url, title, from_ticks(captured), zlib.decompress(text).decode())
            for number, url, title, captured, text in rows
        }

    def fed_bytes(self) -> int:
        query = "SELECT coalesce(sum(length), 0) FROM files"
        return int(self._connection.execute(query).fetchone()[0])

    def behind(self, lengths: Mapping[str, int]) -> int:
        known = dict(self._connection.execute("SELECT name, length FROM files"))
        return bytes_behind(known, lengths)

    def _floor(self, sieve: Sieve, most: int) -> int | None:
        """The last of so many rows with the words, where there are more."""
        parts = [_words(sieve), *_span(sieve)]
        query = (
            f"SELECT rowid FROM words WHERE {' AND '.join(part.sql for part in parts)}"  # noqa: S608 - our words
            f" ORDER BY rowid DESC LIMIT 1 OFFSET {most}"
        )
        values = tuple(value for part in parts for value in part.values)
        row = self._connection.execute(query, values).fetchone()
        return int(row[0]) + 1 if row else None

    def _tables(self, sieve: Sieve) -> str:
        """CROSS JOIN is how SQLite is told the order."""
        by_words = "words CROSS JOIN documents d ON d.id = words.rowid" if sieve.has_words else "documents d"
        if sieve.articles is None:
            return by_words
        self._pick(sieve.articles)
        if len(sieve.articles) > _FEW_PICKED:
            return f"{by_words} JOIN picked p ON p.article = d.article"
        words = " CROSS JOIN words ON words.rowid = d.id" if sieve.has_words else ""
        return f"picked p CROSS JOIN documents d ON d.article = p.article{words}"

    def _pick(self, articles: tuple[int, ...]) -> None:
        if articles is self._picked:
            return
        self._picked = articles
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS picked (article INTEGER PRIMARY KEY)")
        self._connection.execute("DELETE FROM picked")
        query = "INSERT INTO picked SELECT value FROM json_each(?)"
        self._connection.execute(query, (json.dumps(articles),))


def _where(sieve: Sieve, further: _Part | None = None) -> _Part:
    state = f"d.state <> {DEAD}" if sieve.all_versions else f"d.state = {NEWEST}"
    parts = [_Part(state), *_span(sieve)]
    if sieve.has_words:
        parts.append(_words(sieve))
    if not sieve.contributions:
        parts.append(_Part("d.article >= ?", (CONTRIBUTIONS,)))
    if sieve.confidence:
        parts.append(_Part("d.confidence >= ?", (sieve.confidence,)))
    if sieve.channels is not None:
        channels = json.dumps(sieve.channels)
        parts.append(_Part("d.channel IN (SELECT value FROM json_each(?))", (channels,)))
    if further:
        parts.append(further)
    return _Part(
        " AND ".join(part.sql for part in parts), tuple(value for part in parts for value in part.values)
    )


def _words(sieve: Sieve) -> _Part:
    asked = expression(sieve.query, sieve.tags, author=sieve.author, category=sieve.category)
    return _Part("words MATCH ?", (asked,))


def _span(sieve: Sieve) -> list[_Part]:
    row = _row_of(sieve)
    lowest = [] if sieve.lowest is None else [_Part(f"{row} >= ?", (sieve.lowest,))]
    return lowest if sieve.highest is None else [*lowest, _Part(f"{row} <= ?", (sieve.highest,))]


def _row_of(sieve: Sieve) -> str:
    """By FTS5's number where there are words: it then reads only this part of its postings, in order."""
    return "words.rowid" if sieve.has_words else "d.id"
