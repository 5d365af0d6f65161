"""The index brought up to the objects files: from where it was, file by file, some lines in one transaction.

What is in the index and how far it reaches is committed together: a crash leaves it behind and never ahead.
What the state store no longer says of a file, the index forgets.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from archiver.archive.storage import open_archived, stored_digests
from archiver.search.contributed import IndexedContribution, PageChannels
from archiver.search.lines import IndexedLine, LineReader, text_of
from archiver.search.settled import (
    bytes_behind,
    fed_up_to,
    holds_contributions,
    is_still_there,
    last_line,
    lines_between,
    mark_of,
)
from archiver.search.stores import IndexedFile, NewRow
from archiver.store.object_files import object_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.settled import SettledLine
    from archiver.search.stores import IndexStore

# Lines of one transaction: a reader never waits, and another writer not for long. Each makes a part of the
# index that is merged with others later: where all of it is built, fewer and larger ones take half the time.
AT_ONCE = 200
BUILT_AT_ONCE = 2000


class Feeder:
    """Feeds one index from one archive."""

    def __init__(self, store: IndexStore, state: Connection, objects: Path) -> None:
        self._store = store
        self._state = state
        self._objects = objects
        self._at_once = AT_ONCE
        self.fed = 0  # versions of articles
        self.contributed = 0  # versions of what readers wrote
        self.unreadable = 0
        self._channels = PageChannels(state)

    def feed(self, show: Callable[[int, int], object] = lambda _done, _total: None) -> None:
        """Take in all that is missing."""
        self.agree()
        for done, total in self.steps():
            show(done, total)

    def build(self, show: Callable[[int, int], object]) -> None:
        """Begin anew."""
        self._at_once = BUILT_AT_ONCE
        with self._store.transaction():
            self._store.empty()
        self.feed(show)
        self._store.tidy()

    def agree(self) -> None:
        """Forget files, or the ends of files, that are not as they were when they were fed."""
        lengths = object_lengths(self._state)
        with self._store.transaction():
            for file in self._store.files():
                settled = lengths.get(file.name, 0)
                if file.length > settled:
                    self._store.forget(file.name, settled)
                    self._note_last(file.name, settled)
                elif not is_still_there(self._state, file.name, file.last, file.mark):
                    self._store.forget(file.name, 0)

    def _note_last(self, name: str, settled: int) -> None:
        """Behind a cut another line is the last: by it a file that is written anew is noticed."""
        row = last_line(self._state, name, settled)
        if row is not None:
            self._store.note(IndexedFile(name, settled, row.object_offset, mark_of(row)))

    def steps(self) -> Iterator[tuple[int, int]]:
        """Feed some lines at a time; after each transaction, how many bytes of how many are done."""
        lengths = here(self._objects, object_lengths(self._state))
        total = sum(lengths.values())
        with self._store.transaction():
            known = {file.name: file.length for file in self._store.files()}
        done = total - bytes_behind(known, lengths)
        for name in sorted(lengths):
            if known.get(name, 0) >= lengths[name]:
                continue
            while (grown := self._step(name, lengths[name])) is not None:
                done += grown
                yield done, total

    def _step(self, name: str, settled: int) -> int | None:
        """Feed the next lines of a file; by how many bytes, None where nothing was left."""
        with self._store.transaction():
            # Asked again: another feeder may have been at it.
            file = self._file(name)
            if file.length >= settled:
                return None
            rows = lines_between(self._state, name, file.length, settled, self._at_once)
            self._take(name, rows)
            length = fed_up_to(rows, self._at_once, settled)
            last = (rows[-1].object_offset, mark_of(rows[-1])) if rows else (file.last, file.mark)
            self._store.note(IndexedFile(name, length, *last))
            return length - file.length

    def _file(self, name: str) -> IndexedFile:
        found = (file for file in self._store.files() if file.name == name)
        return next(found, IndexedFile(name, 0, None, ""))

    def _take(self, file: str, rows: Sequence[SettledLine]) -> None:
        with open_archived(self._objects / file) as source:
            reader: LineReader[IndexedLine] | LineReader[IndexedContribution]
            has_articles = not holds_contributions(file)
            reader = (
                LineReader(source, IndexedLine) if has_articles else LineReader(source, IndexedContribution)
            )
            for row in rows:
                line = reader.read(row.object_offset)
                if line is None or line.version != row.version:
                    self.unreadable += 1
                    continue
                channel = row.channel_id if isinstance(line, IndexedLine) else self._channels.of(line)
                place = NewRow(file, row.object_offset, row.article_id, row.version, channel)
                self._store.add(place, text_of(line, channel), is_past=row.is_past)
                self.fed += has_articles
                self.contributed += not has_articles


def here(objects: Path, lengths: Mapping[str, int]) -> dict[str, int]:
    """The files of this folder: others are lost, or of another folder with the same state store."""
    found = {entry.name for entry in os.scandir(objects)} if objects.is_dir() else set()
    found |= stored_digests(objects).keys()
    return {name: length for name, length in lengths.items() if name in found}
