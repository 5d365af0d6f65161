"""The index of terms brought up to the objects files, some lines in one transaction, from where it was.

Only first versions count: an article is of the week in which it came. What is counted, and how far, is
committed together: a crash leaves the index behind and never ahead.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from archiver.archive.storage import open_archived
from archiver.inspection.terms.index import week_of
from archiver.inspection.terms.wording import packed, terms_of
from archiver.search.index import transaction
from archiver.search.lines import IndexedLine, LineReader, moment_of
from archiver.search.settled import (
    bytes_behind,
    fed_up_to,
    holds_contributions,
    is_still_there,
    lines_between,
    mark_of,
)
from archiver.store.object_files import object_lengths
from archiver.urls import host_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.settled import SettledLine


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
        lengths = lengths_of_articles(self._state)
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
                is_changed = file.name in names and not is_still_there(
                    self._state, file.name, file.last, file.mark
                )
                if is_changed or file.length > lengths.get(file.name, 0):
                    self._forget(file)

    def _step(self, name: str, settled: int) -> int | None:
        """Count the next articles of a file; by how many bytes, None where nothing was left."""
        with transaction(self._index):
            file = self._file(name)
            if file.length >= settled:
                return None
            rows = lines_between(self._state, name, file.length, settled, AT_ONCE)
            self._take(file, rows)
            length = fed_up_to(rows, AT_ONCE, settled)
            last = (rows[-1].object_offset, mark_of(rows[-1])) if rows else (file.last, file.mark)
            query = "UPDATE files SET length = ?, last = ?, mark = ? WHERE id = ?"
            self._index.execute(query, (length, *last, file.id))
            return length - file.length

    def _take(self, file: _Counted, rows: Sequence[SettledLine]) -> None:
        path = self._objects / file.name
        if not path.is_file():
            return
        with open_archived(path) as source:
            reader = LineReader(source, IndexedLine)
            made = [
                self._row(file, row, line)
                for row in rows
                if row.version == 1 and (line := reader.read(row.object_offset)) is not None
            ]
        self._index.executemany("INSERT OR REPLACE INTO articles VALUES (?, ?, ?, ?, ?, ?, ?)", made)
        self._index.executemany(
            "DELETE FROM weeks WHERE week = ?", [(week,) for week in {row[1] for row in made}]
        )

    def _row(self, file: _Counted, row: SettledLine, line: IndexedLine) -> tuple[object, ...]:
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

    def _forget(self, file: _Counted) -> None:
        for statement in _FORGET:
            self._index.execute(statement, (file.id,))


def _counted_lengths(index: sqlite3.Connection) -> dict[str, int]:
    return dict(index.execute("SELECT name, length FROM files").fetchall())


def lengths_of_articles(state: Connection) -> dict[str, int]:
    """How far each file with articles is settled: what readers write about them is not counted."""
    return {file: size for file, size in object_lengths(state).items() if not holds_contributions(file)}


def behind(index: sqlite3.Connection, lengths: dict[str, int]) -> int:
    """How many bytes of objects files are not counted yet."""
    return bytes_behind(_counted_lengths(index), lengths)


_FILES = "SELECT id, name, length, last, mark FROM files"
_FORGET = (
    "DELETE FROM weeks WHERE week IN (SELECT week FROM articles WHERE file = ?)",
    "DELETE FROM articles WHERE file = ?",
    "UPDATE files SET length = 0, last = NULL, mark = '' WHERE id = ?",
)
