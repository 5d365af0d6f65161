"""Objects files: appended to, flushed to disk, and cut back to what the state store knows."""

from __future__ import annotations

import logging
import os
import shutil
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from archiver.digests import sha256_digest
from archiver.errors import ArchiveFull
from archiver.files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO


logger = logging.getLogger(__name__)
SUFFIX = ".jsonl"
PATTERN = f"articles-*{SUFFIX}"
CUT_SUFFIX = ".cut"
# In the names of files that go on where a damaged one was left as it is.
LATER = ".later"
_ADVICE = (
    "restore it from a backup, or have `scrapy recover` rebuild what is missing."
    " Until then, new objects go to another file."
)
# In the names of files with versions that were read anew: sorted behind those of the same day.
REEXTRACTED = ".reextracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlace:
    """Where the line of an object is, and the SHA-256 that it has."""

    file: str
    offset: int
    digest: str


class ObjectWriter:
    """Appends objects to a file a day. One thread owns it, inside the transactions of the state store."""

    def __init__(self, folder: Path, kind: str = "") -> None:
        self._folder = folder
        self._kind = kind
        self._file: BinaryIO | None = None
        self._name = ""
        self._length = 0
        self._staged: list[bytes] = []
        # Files that lack lines: what follows them must not be taken for those.
        self._damaged: frozenset[str] = frozenset()
        self.files: list[str] = []

    def has_lines(self) -> bool:
        return any(path.stat().st_size for path in self._folder.glob(PATTERN))

    def recover(self, lengths: Mapping[str, int]) -> list[str]:
        """Cut every file back to its last settled line: what follows will be written again.

        It is set aside all the same: with another state store than its own, that may be the whole file.
        A file that is short or missing is left as it is: new objects go to another one until it is restored.
        """
        short = {}
        for path in sorted(self._folder.glob(PATTERN)):
            settled, size = lengths.get(path.name, 0), path.stat().st_size
            if size > settled:
                _cut(path, settled)
                logger.info("Cut %d unsettled bytes from %s", size - settled, path.name)
            elif size < settled:
                short[path.name] = f"{path} has {size} bytes where {settled} were settled"
        missing = set(lengths) - {path.name for path in self._folder.glob(PATTERN)}
        short |= {name: f"{self._folder / name} is missing" for name in missing if lengths[name]}
        self._damaged = frozenset(short)
        return [f"{short[name]}: {_ADVICE}" for name in sorted(short)]

    def stage(self, archived: object, moment: datetime) -> LinePlace:
        """Take an object for the next flush; where it will be."""
        self._open(f"articles-{moment:%Y-%m-%d}{self._kind}.jsonl")
        line = msgspec.json.encode(archived) + b"\n"
        offset = self._length
        self._staged.append(line)
        self._length += len(line)
        return LinePlace(file=self._name, offset=offset, digest=sha256_digest(line))

    def flush(self) -> dict[str, int]:
        """Bring what was staged to disk; the new length of each file that grew."""
        if self._file is None or not self._staged:
            return {}
        data, self._staged = memoryview(b"".join(self._staged)), []
        try:
            while data:
                data = data[self._file.write(data) or 0 :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ArchiveFull(
                f"Cannot write to {self._file.name}: {error.strerror}. Free some space and run again."
            ) from error
        return {self._name: self._length}

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _sound(self, name: str) -> str:
        """The name, or that of a file behind it where its own lacks lines."""
        if name not in self._damaged:
            return name
        others = (name.replace(SUFFIX, f"{LATER}-{number}{SUFFIX}") for number in count(1))
        return next(other for other in others if other not in self._damaged)

    def _open(self, name: str) -> None:
        name = self._sound(name)
        # A batch that was begun before midnight stays in its file.
        if self._staged or (self._file is not None and name == self._name):
            return
        self.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / name
        self._file = path.open("ab", buffering=0)
        self._name = name
        self._length = self._file.seek(0, os.SEEK_END)
        self.files.append(name)
        sync_folder(self._folder)


def _cut(path: Path, length: int) -> None:
    """Shorten a file, its end appended to what was cut from it before."""
    with path.open("r+b") as file, path.with_name(path.name + CUT_SUFFIX).open("ab") as tail:
        file.seek(length)
        shutil.copyfileobj(file, tail)
        tail.flush()
        os.fsync(tail.fileno())
        file.truncate(length)
        os.fsync(file.fileno())
