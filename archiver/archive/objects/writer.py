"""Objects files: appended to, flushed to disk, and cut back to what the state store knows."""

from __future__ import annotations

import logging
import os
import shutil
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import SUFFIX, object_files
from archiver.archive.storage import open_archived, stored_digests
from archiver.archive.writers import ANYONE
from archiver.digests import sha256_digest
from archiver.errors import ArchiveFull
from archiver.files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import Any, BinaryIO

    from archiver.archive.objects.kinds import Archived, ObjectKind
    from archiver.archive.writers import Writer


logger = logging.getLogger(__name__)
CUT_SUFFIX = ".cut"
# In the names of files that go on where a damaged one was left as it is.
LATER = ".later"
_ADVICE = (
    "restore it from a backup, or have `scrapy recover` rebuild what is missing."
    " Until then, new objects go to another file."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlace:
    """Where the line of an object is, and the SHA-256 that it has."""

    file: str
    offset: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How a file grew: what was in it, and what is now."""

    file: str
    start: int
    length: int


@dataclass(slots=True, kw_only=True)
class _DayFile:
    """The file of a kind that is being appended to."""

    name: str
    file: BinaryIO
    length: int  # with what is staged
    staged: list[bytes] = field(default_factory=list)

    def flush(self) -> Growth:
        data, self.staged = memoryview(b"".join(self.staged)), []
        start = self.length - len(data)
        while data:
            data = data[self.file.write(data) or 0 :]
        os.fsync(self.file.fileno())
        return Growth(file=self.name, start=start, length=self.length)


class ObjectWriter:
    """Appends objects to a file a day for each kind. One thread owns it, inside the store's transactions."""

    def __init__(
        self, folder: Path, kinds: Iterable[ObjectKind[Any]], writer: Writer = ANYONE, mark: str = ""
    ) -> None:
        self._folder = folder
        self._kinds = {kind.model: kind for kind in kinds}
        self._writer = writer
        self._mark = writer.mark + mark
        self._open: dict[str, _DayFile] = {}  # by the names of kinds
        # Files that lack lines, or that are kept elsewhere: what follows must not be taken for theirs.
        self._damaged: frozenset[str] = frozenset()
        self.files: list[str] = []

    def marked(self, mark: str) -> ObjectWriter:
        """Another writer beside this one, to files with a mark in their names."""
        other = ObjectWriter(self._folder, self._kinds.values(), self._writer, mark)
        other._damaged = self._damaged
        return other

    def has_lines(self) -> bool:
        return bool(stored_digests(self._folder)) or any(path.stat().st_size for path in self._own({}))

    def _own(self, lengths: Mapping[str, int]) -> Iterator[Path]:
        """The writer's files here: of the kinds that are known, and those that the state store knows."""
        names = [kind.name for kind in self._kinds.values()]
        found = object_files(self._folder, names, lengths)
        return (path for path in found if self._writer.owns(path.name) and path.exists())

    def recover(self, lengths: Mapping[str, int]) -> list[str]:
        """Cut every file of the writer back to its last settled line: what follows will be written again.

        It is set aside all the same: with another state store than its own, that may be the whole file.
        A file that is short or missing is left as it is: new objects go to another one until it is restored.
        """
        short, found = {}, set()
        for path in self._own(lengths):
            found.add(path.name)
            settled, size = lengths.get(path.name, 0), path.stat().st_size
            if size > settled:
                _cut(path, settled)
                logger.info("Cut %d unsettled bytes from %s", size - settled, path.name)
            elif size < settled:
                short[path.name] = f"{path} has {size} bytes where {settled} were settled"
        elsewhere = stored_digests(self._folder).keys()
        missing = {name for name, length in lengths.items() if length and self._writer.owns(name)} - found
        short |= {name: f"{self._folder / name} is missing" for name in missing - elsewhere}
        # A clock that was set back may ask for the file of a day that is kept elsewhere.
        self._damaged = frozenset(short) | elsewhere
        return [f"{short[name]}: {_ADVICE}" for name in sorted(short)]

    def stage(self, archived: Archived, moment: datetime) -> LinePlace:
        """Take an object for the next flush, to the file of its kind; where it will be."""
        kind = self._kinds.get(type(archived))
        if kind is None or archived.schema != kind.schema:
            raise TypeError(f"{type(archived).__name__} is not what an object kind of OBJECT_KINDS writes")
        file = self._file_of(kind.name, moment)
        line = msgspec.json.encode(archived) + b"\n"
        offset = file.length
        file.staged.append(line)
        file.length += len(line)
        return LinePlace(file=file.name, offset=offset, digest=sha256_digest(line))

    def line_at(self, file: str, offset: int) -> bytes:
        """A line that was flushed before, maybe on a day whose files are kept elsewhere by now."""
        with open_archived(self._folder / file) as written:
            written.seek(offset)
            return written.readline()

    def flush(self) -> list[Growth]:
        """Bring what was staged to disk; how each file grew."""
        grown = []
        for file in self._open.values():
            try:
                grown += [file.flush()] if file.staged else []
            except OSError as error:
                raise ArchiveFull(
                    f"Cannot write to {file.file.name}: {error.strerror}. Free some space and run again."
                ) from error
        return grown

    def close(self) -> None:
        """Close all files; what was staged and not flushed is dropped."""
        for file in self._open.values():
            file.file.close()
        self._open.clear()

    def _file_of(self, kind: str, moment: datetime) -> _DayFile:
        known = self._open.get(kind)
        name = self._sound(f"{kind}-{moment:%Y-%m-%d}{self._mark}{SUFFIX}")
        # A batch that was begun before midnight stays in its file.
        if known is not None and (known.staged or known.name == name):
            return known
        if known is not None:
            known.file.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        file = (self._folder / name).open("ab", buffering=0)
        self._open[kind] = _DayFile(name=name, file=file, length=file.seek(0, os.SEEK_END))
        if name not in self.files:
            self.files.append(name)
        sync_folder(self._folder)
        return self._open[kind]

    def _sound(self, name: str) -> str:
        """The name, or that of a file behind it where its own lacks lines."""
        if name not in self._damaged:
            return name
        others = (name.replace(SUFFIX, f"{LATER}-{number}{SUFFIX}") for number in count(1))
        return next(other for other in others if other not in self._damaged)


def _cut(path: Path, length: int) -> None:
    """Shorten a file, its end appended to what was cut from it before."""
    with path.open("r+b") as file, path.with_name(path.name + CUT_SUFFIX).open("ab") as tail:
        file.seek(length)
        shutil.copyfileobj(file, tail)
        tail.flush()
        os.fsync(tail.fileno())
        file.truncate(length)
        os.fsync(file.fileno())
