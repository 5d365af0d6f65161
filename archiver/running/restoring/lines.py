"""The lines of all objects files, by the capture that each was read from."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import msgspec

from archiver.archive.objects.kinds import SUFFIX, kind_of, object_files
from archiver.archive.objects.writer import LinePlace
from archiver.archive.storage import open_archived
from archiver.articles.objects.model import ArchivedObject
from archiver.articles.objects.schema import ArticleKind
from archiver.digests import sha256_digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

_TABLES = """
CREATE TABLE lines (
    id TEXT, version INTEGER, capture TEXT, file TEXT, offset INTEGER, PRIMARY KEY (id, version)
);
CREATE INDEX lines_capture ON lines (capture);
CREATE TABLE further (capture TEXT PRIMARY KEY);
CREATE TABLE keys (id TEXT PRIMARY KEY, key TEXT);
"""
_ADD = "INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptObject:
    """An object, and where it is."""

    object: ArchivedObject
    place: LinePlace


class _Pointer(msgspec.Struct, frozen=True):
    capture_id: str


class _Page(msgspec.Struct, frozen=True):
    warc: _Pointer


class _Line(msgspec.Struct, frozen=True):
    """What a line is looked up by."""

    id: str
    version: int
    warc: _Pointer
    pages: tuple[_Page, ...] = ()


class ObjectLines:
    """Looks lines up. They are listed in a file without a name: an archive may have millions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._listed = sqlite3.connect("")
        self._listed.executescript(_TABLES)
        self._decoder = msgspec.json.Decoder(_Line)
        self.lengths: dict[str, int] = {}
        self.unreadable = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._listed.close()

    def read(self) -> None:
        """List the lines of articles, the last of each version, and how long every file is."""
        with self._listed:
            kinds = {kind for path in self._folder.glob(f"*{SUFFIX}") if (kind := kind_of(path.name))}
            for path in object_files(self._folder, kinds):
                self.lengths[path.name] = 0
                for offset, line in whole_lines(path):
                    self.lengths[path.name] = offset + len(line)
                    if kind_of(path.name) == ArticleKind.name:
                        self._list(path.name, offset, line)

    def _list(self, file: str, offset: int, line: bytes) -> None:
        try:
            found = self._decoder.decode(line)
        except msgspec.DecodeError:
            self.unreadable += 1
            return
        self._listed.execute(_ADD, (found.id, found.version, found.warc.capture_id, file, offset))
        further = [(page.warc.capture_id,) for page in found.pages[1:]]
        self._listed.executemany("INSERT OR IGNORE INTO further VALUES (?)", further)

    def count(self) -> int:
        return int(self._listed.execute("SELECT count(*) FROM lines").fetchone()[0])

    def of(self, capture_id: str) -> list[KeptObject]:
        """The objects that were read from a capture."""
        query = "SELECT file, offset FROM lines WHERE capture = ? ORDER BY version, id"
        rows = self._listed.execute(query, (capture_id,)).fetchall()
        return [kept for row in rows if (kept := self._object(*row)) is not None]

    def is_further(self, capture_id: str) -> bool:
        """Whether a capture is of a page after the first of its article."""
        query = "SELECT 1 FROM further WHERE capture = ?"
        return self._listed.execute(query, (capture_id,)).fetchone() is not None

    def know(self, article_id: str, key: str) -> None:
        """Note the key that an article's id was made from."""
        self._listed.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (article_id, key))

    def key_of(self, article_id: str) -> str | None:
        found = self._listed.execute("SELECT key FROM keys WHERE id = ?", (article_id,)).fetchone()
        return found[0] if found else None

    def _object(self, file: str, offset: int) -> KeptObject | None:
        """The object at this place; None where a line is JSON and yet not an object."""
        with open_archived(self._folder / file) as source:
            source.seek(offset)
            line = source.readline()
        place = LinePlace(file=file, offset=offset, digest=sha256_digest(line))
        try:
            return KeptObject(object=msgspec.json.decode(line, type=ArchivedObject), place=place)
        except msgspec.DecodeError:
            return None  # counted with those that nothing leads to


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every whole line, and where it begins."""
    offset = 0
    with closing(open_archived(path)) as file:
        for line in file:
            if line.endswith(b"\n"):
                yield offset, line
            offset += len(line)
