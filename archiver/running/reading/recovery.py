"""Damaged and missing objects files put together again: what is whole is copied, the rest made from WARC."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from archiver.archive.objects.kinds import SUFFIX, kind_of
from archiver.archive.objects.writer import LinePlace
from archiver.archive.storage import archived_size, is_archived, open_archived
from archiver.articles.objects.schema import ArticleKind
from archiver.clock import machine_now
from archiver.digests import sha256_digest
from archiver.files import sync_folder
from archiver.running.reading.audit import audit_file
from archiver.running.reading.remaking import RemadeLine, Remaking, RemakingRules
from archiver.running.reading.shelf import WrapperShelf
from archiver.running.report import RunReport
from archiver.store.lines import MovedLine, known_lines, lost_versions, move_lines
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.running.archive import ArchiveConfig
    from archiver.running.objects import ObjectStores
    from archiver.running.reading.audit import FileAudit, Piece
    from archiver.running.reading.remaking import Unmade
    from archiver.store.lines import KnownLine

logger = logging.getLogger(__name__)

# In the names of files that took the place of a damaged one, and at the end of the name that this one gets.
RECOVERED = ".recovered"
DAMAGED_SUFFIX = ".damaged"
_HALF_SUFFIX = ".recovering"


@dataclass(slots=True, kw_only=True)
class RecoveryReport:
    """What came of it."""

    files: int = 0  # that were looked at
    lines: int = 0
    lost: int = 0
    equal: int = 0  # made again byte for byte
    anew: int = 0  # made again, and not as they were
    damaged_bytes: int = 0
    # Each file that was put together again, with the one that took its place.
    replaced: list[tuple[str, str]] = field(default_factory=list)
    unmade: list[str] = field(default_factory=list)


class Recovery:
    """Mends the files of an archive one after the other: a file that is done stays done."""

    def __init__(self, config: ArchiveConfig, stores: ObjectStores, show: Callable[[int, int], None]) -> None:
        self._show = show
        self._folder = config.objects_folder
        self.report = RecoveryReport()
        self._database, self._lengths = stores.database, stores.lengths
        wrappers = WrapperShelf(
            config.field_wrappers, stores.database, RunReport(started=machine_now()), is_replay=True
        )
        rules = RemakingRules(
            warc_folder=config.warc_folder,
            method=config.method,
            groups=config.groups,
            fields_by=wrappers.text_for,
        )
        self._remaking = Remaking(stores.database, stores.workers, rules)

    async def run(self) -> None:
        """Look at every file that the state store knows, and mend those that lack something."""
        for name in sorted(self._lengths):
            if kind_of(name) not in {ArticleKind.name, None}:
                self._look_at(self._folder / name)
                continue
            known = await self._database.run_async(_lines_of, name)
            path = self._folder / name
            audit = audit_file(_source(path), known)
            self.report.files += 1
            self.report.lines += len(known)
            self.report.lost += len(audit.lost)
            # A file that was set aside before: only what could not be made again points to it.
            is_long = is_archived(path) and archived_size(path) >= self._lengths[name]
            if not (audit.is_whole and is_long):
                await self._mend(path, audit)

    def _look_at(self, path: Path) -> None:
        """Tell of a file of another kind: its lines cannot be made from WARC here."""
        self.report.files += 1
        size, settled = archived_size(path) if is_archived(path) else 0, self._lengths[path.name]
        if size < settled:
            self.report.unmade.append(f"{path.name} has {size} bytes where {settled} were settled")

    async def _mend(self, path: Path, audit: FileAudit) -> None:
        lost = await self._database.run_async(lost_versions, audit.lost)
        remade: dict[int, RemadeLine] = {}
        async for made in self._remaking.lines(lost, machine_now()):
            self._note(made)
            if isinstance(made, RemadeLine):
                remade[made.lost.line.offset] = made
            self._show(self.report.equal + self.report.anew + len(self.report.unmade), self.report.lost)
        self.report.damaged_bytes += audit.damaged
        target = self._free_name(path)
        moved, length = self._write(path, target, audit, remade)
        _set_aside(path)
        if length:
            target.with_name(target.name + _HALF_SUFFIX).rename(target)
            self.report.replaced.append((path.name, target.name))
        sync_folder(self._folder)
        lengths = {target.name: length} if length else {}
        await self._database.run_async(move_lines, path.name, moved, lengths)

    def _note(self, made: RemadeLine | Unmade) -> None:
        if not isinstance(made, RemadeLine):
            told = f"version {made.lost.line.version} of {redact(made.lost.url)}: {redact(made.reason)}"
            self.report.unmade.append(told)
        elif made.values is None:
            self.report.equal += 1
        else:
            self.report.anew += 1

    def _free_name(self, path: Path) -> Path:
        """A name for what takes the place of this file: sorted behind it, and before what was read anew."""
        stem = path.name.removesuffix(SUFFIX)
        if RECOVERED in stem:
            stem = stem[: stem.rindex(RECOVERED)]
        names = (f"{stem}{RECOVERED}-{number}{SUFFIX}" for number in count(1))
        taken = self._lengths.keys()
        return next(
            self._folder / name for name in names if name not in taken and not (self._folder / name).exists()
        )

    def _write(
        self, path: Path, target: Path, audit: FileAudit, remade: dict[int, RemadeLine]
    ) -> tuple[list[MovedLine], int]:
        """Write all lines in the order in which they were; where those of versions are now."""
        moved: list[MovedLine] = []
        length = 0
        pieces: list[Piece | RemadeLine] = [*audit.sound, *remade.values()]
        pieces.sort(key=_offset)
        copied = self._copied_before(path)
        self._folder.mkdir(parents=True, exist_ok=True)
        with target.with_name(target.name + _HALF_SUFFIX).open("wb") as file:
            for piece in pieces:
                data = piece.data if isinstance(piece, RemadeLine) else _read(_source(path), piece)
                digest = sha256_digest(data)
                line = piece.lost.line if isinstance(piece, RemadeLine) else piece.line
                if line is None and digest in copied:
                    continue
                if line is not None:
                    place = LinePlace(file=target.name, offset=length, digest=digest)
                    values = piece.values if isinstance(piece, RemadeLine) else None
                    moved.append(MovedLine(key=line.key, place=place, values=values))
                length += file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not length:
            target.with_name(target.name + _HALF_SUFFIX).unlink()
        return moved, length

    def _copied_before(self, path: Path) -> set[str]:
        """The lines that were copied when this file was set aside: they must not be copied twice."""
        if is_archived(path):
            return set()
        stem = path.name.removesuffix(SUFFIX)
        return {
            sha256_digest(line)
            for other in self._folder.glob(f"{stem}{RECOVERED}-*{SUFFIX}")
            for line in other.read_bytes().splitlines(keepends=True)
        }


def _lines_of(connection: Connection, file: str) -> list[KnownLine]:
    return list(known_lines(connection, file))


def _offset(piece: Piece | RemadeLine) -> int:
    return piece.lost.line.offset if isinstance(piece, RemadeLine) else piece.offset


def _read(path: Path, piece: Piece) -> bytes:
    with open_archived(path) as file:
        file.seek(piece.offset)
        return file.read(piece.length)


def _source(path: Path) -> Path:
    """The file, or, where a recovery that was cut short had set it aside, what it set aside."""
    return path if is_archived(path) else path.with_name(path.name + DAMAGED_SUFFIX)


def _set_aside(path: Path) -> None:
    """Keep a damaged file under another name; one that was set aside before is the same or an older one."""
    if path.exists():
        aside = path.with_name(path.name + DAMAGED_SUFFIX)
        others = (aside.with_name(f"{aside.name}-{number}") for number in count(2))
        if aside.exists():
            aside.rename(next(other for other in others if not other.exists()))
        path.rename(aside)
