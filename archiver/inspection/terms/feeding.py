"""The index of terms brought up to the objects files, some lines in one transaction, from where it was.

Only first versions count: an article is of the week in which it came. What is counted, and how far, is
committed together: a crash leaves the index behind and never ahead.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from archiver.inspection.terms.index import week_of
from archiver.inspection.terms.wording import packed, terms_of
from archiver.search.index import transaction
from archiver.search.lines import LineReader, moment_of
from archiver.store.object_files import object_lengths
from archiver.store.schema import versions
from archiver.urls import host_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Row, Select

    from archiver.search.lines import IndexedLine

# Lines of one transaction: nothing waits for long.
AT_ONCE = 500
_NEWEST = 3  # files, of some writers


class _Counted(NamedTuple):
    """A file as the index knows it."""

    id: int
    name: str
    length: int
    last: int | None
    mark: str


class TermCounter:
    """Feeds the index of terms of one archive."""

    def __init__(self, index: sqlite3.Connection, state: Connection, objects: Path) -> None:
        self._index = index
        self._state = state
        self._objects = objects
        self._sites: dict[str, int] = {}

    def catch_up(
        self,
        show: Callable[[int, int], object] = lambda _done, _total: None,
        *,
        seconds: float | None = None,
    ) -> None:
        """Take in what is missing; with `seconds`, what can be in that time: the rest comes another time."""
        until = None if seconds is None else time.monotonic() + seconds
        lengths = object_lengths(self._state)
        names = sorted(lengths)
        # In a hurry, only files that are still written to are looked at: others change when they are rebuilt.
        self._agree(lengths, frozenset(names if seconds is None else names[-_NEWEST:]))
        total = sum(lengths.values())
        done = total - behind(self._index, lengths)
        counted = _counted_lengths(self._index)
        for name in (one for one in names if counted.get(one, 0) < lengths[one]):
            while (grown := self._step(name, lengths[name])) is not None:
                done += grown
                show(done, total)
                if until is not None and time.monotonic() > until:
                    return

    def _agree(self, lengths: dict[str, int], names: frozenset[str]) -> None:
        """Forget files that are not as they were when they were counted; of these, by what is in them."""
        with transaction(self._index):
            for row in self._index.execute(_FILES).fetchall():
                file = _Counted._make(row)
                # A file has the articles of a day: to count them again takes seconds.
                is_changed = file.name in names and not self._is_the_same(file)
                if is_changed or file.length > lengths.get(file.name, 0):
                    self._forget(file)

    def _step(self, name: str, settled: int) -> int | None:
        """Count the next articles of a file; by how many bytes, None where nothing was left."""
        with transaction(self._index):
            file = self._file(name)
            if file.length >= settled:
                return None
            rows = self._rows(name, file.length, settled)
            self._take(file, rows)
            length = rows[-1].object_offset + 1 if len(rows) == AT_ONCE else settled
            last = (rows[-1].object_offset, _mark(rows[-1])) if rows else (file.last, file.mark)
            query = "UPDATE files SET length = ?, last = ?, mark = ? WHERE id = ?"
            self._index.execute(query, (length, *last, file.id))
            return length - file.length

    def _rows(self, name: str, start: int, end: int) -> Sequence[Row[Any]]:
        mine = (versions.c.object_file == name) & versions.c.object_offset.between(start, end - 1)
        query = _LINES.where(mine).order_by(versions.c.object_offset).limit(AT_ONCE)
        return self._state.execute(query).all()

    def _take(self, file: _Counted, rows: Sequence[Row[Any]]) -> None:
        path = self._objects / file.name
        if not path.is_file():
            return
        with path.open("rb") as source:
            reader = LineReader(source)
            made = [
                self._row(file, row, line)
                for row in rows
                if row.version == 1 and (line := reader.read(row.object_offset)) is not None
            ]
        self._index.executemany("INSERT OR REPLACE INTO articles VALUES (?, ?, ?, ?, ?, ?, ?)", made)
        self._index.executemany(
            "DELETE FROM weeks WHERE week = ?", [(week,) for week in {row[1] for row in made}]
        )

    def _row(self, file: _Counted, row: Row[Any], line: IndexedLine) -> tuple[object, ...]:
        week = week_of(moment_of(line))
        terms = packed(terms_of(line.title, line.text, line.language))
        site = self._site(host_of(line.url))
        return row.article_id, week, row.channel_id, site, file.id, row.object_offset, terms

    def _site(self, host: str) -> int:
        if host not in self._sites:
            self._index.execute("INSERT INTO sites (host) VALUES (?) ON CONFLICT DO NOTHING", (host,))
            (number,) = self._index.execute("SELECT id FROM sites WHERE host = ?", (host,)).fetchone()
            self._sites[host] = number
        return self._sites[host]

    def _file(self, name: str) -> _Counted:
        query = "INSERT INTO files (name, length, mark) VALUES (?, 0, '') ON CONFLICT DO NOTHING"
        self._index.execute(query, (name,))
        return _Counted._make(self._index.execute(f"{_FILES} WHERE name = ?", (name,)).fetchone())

    def _is_the_same(self, file: _Counted) -> bool:
        if file.last is None:
            return True
        here = (versions.c.object_file == file.name) & (versions.c.object_offset == file.last)
        row = self._state.execute(_LINES.where(here)).first()
        return row is not None and _mark(row) == file.mark

    def _forget(self, file: _Counted) -> None:
        for statement in _FORGET:
            self._index.execute(statement, (file.id,))


def _counted_lengths(index: sqlite3.Connection) -> dict[str, int]:
    return dict(index.execute("SELECT name, length FROM files").fetchall())


def behind(index: sqlite3.Connection, lengths: dict[str, int]) -> int:
    """How many bytes of objects files are not counted yet."""
    counted = _counted_lengths(index)
    return sum(max(length - counted.get(name, 0), 0) for name, length in lengths.items())


_FILES = "SELECT id, name, length, last, mark FROM files"
_FORGET = (
    "DELETE FROM weeks WHERE week IN (SELECT week FROM articles WHERE file = ?)",
    "DELETE FROM articles WHERE file = ?",
    "UPDATE files SET length = 0, last = NULL, mark = '' WHERE id = ?",
)
_LINES: Select[Any] = select(
    versions.c.article_id, versions.c.version, versions.c.channel_id, versions.c.object_offset,
    versions.c.object_digest,
)  # fmt: skip


def _mark(row: Row[Any]) -> str:
    """What tells a line from another one that is put at its place, in this store or in one made again."""
    return f"{row.object_digest} {row.article_id} {row.version} {row.channel_id}"
