"""An export of objects: a folder for each kind, and in it files by the day of the capture."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.archive.objects.kinds import SUFFIX
from archiver.archive.storage import open_archived
from archiver.errors import ArchiveError
from archiver.files import write_text
from archiver.inspection.exporting.lines import ChosenLines, files_of, places_in
from archiver.inspection.exporting.parts import DayFiles, JsonLines, ParquetRows
from archiver.inspection.rdf.hiding import hidden_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.objects.kinds import ObjectKind
    from archiver.archive.withheld import Withheld

_UNFINISHED = ".unfinished"
PARQUET, JSON_LINES = "parquet", "jsonl"


class _Seen(msgspec.Struct):
    """What decides whether a line is exported, and where to."""

    captured: str
    url: str | None = None
    page_url: str | None = None


@dataclass(slots=True, kw_only=True)
class ExportReport:
    """What was written."""

    objects: dict[str, int] = field(default_factory=dict)  # by kind
    files: int = 0
    withheld: int = 0
    unreadable: list[str] = field(default_factory=list)


class ObjectExport:
    """Reads objects files from their beginning to their end; one line is held at a time, and few rows."""

    def __init__(self, state: Connection, objects: Path, withheld: Withheld) -> None:
        self._state = state
        self._objects = objects
        self._hides = hidden_by(withheld)
        self._decoder = msgspec.json.Decoder(_Seen)
        self.report = ExportReport()

    def write(
        self,
        folder: Path,
        form: str,
        chosen: list[tuple[ObjectKind[Any], ChosenLines]],
        show: Callable[[int, int], None],
    ) -> None:
        """Write all kinds that were chosen; the folder is there when it is whole."""
        unfinished = folder.with_name(folder.name + _UNFINISHED)
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for kind, lines in chosen:
            self._write_kind(unfinished / kind.name, form, kind, lines, show)
        if folder.exists():
            folder.rmdir()  # an empty one: others are refused
        unfinished.rename(folder)

    def _write_kind(
        self,
        folder: Path,
        form: str,
        kind: ObjectKind[Any],
        chosen: ChosenLines,
        show: Callable[[int, int], None],
    ) -> None:
        parts = self._parts(folder, form, kind)
        folder.mkdir()
        write_text(
            folder / "_schema.json", msgspec.json.format(msgspec.json.encode(kind.json_schema())).decode()
        )
        count = 0
        try:
            for day, place, line in self._lines(chosen, show):
                try:
                    parts.add(day, line)
                    count += 1
                except msgspec.ValidationError as error:
                    self.report.unreadable.append(f"{place} ({error})")
        finally:
            parts.close()
        self.report.objects[kind.name] = count
        self.report.files += parts.files

    def _parts(self, folder: Path, form: str, kind: ObjectKind[Any]) -> DayFiles:
        if form == JSON_LINES:
            return DayFiles(folder, SUFFIX, JsonLines)
        from archiver.inspection.exporting.columns import schema_of  # noqa: PLC0415 - needs an extra

        return DayFiles(folder, ".parquet", partial(ParquetRows, model=kind.model, schema=schema_of(kind)))

    def _lines(
        self, chosen: ChosenLines, show: Callable[[int, int], None]
    ) -> Iterator[tuple[str, str, bytes]]:
        """Each line with the day of its capture and its place."""
        files = files_of(self._state, self._objects, chosen.kind)
        total, before = sum(files.values()), 0
        for name, length in files.items():
            with open_archived(self._objects / name) as source:
                for place in places_in(self._state, name, chosen):
                    source.seek(place)
                    yield from self._taken(name, place, source.readline())
                    show(before + place, total)
            before += length

    def _taken(self, file: str, place: int, line: bytes) -> Iterator[tuple[str, str, bytes]]:
        try:
            seen = self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.report.unreadable.append(f"{file}:{place}")
            return
        if self._hides is not None and any(self._hides(one) for one in (seen.url, seen.page_url) if one):
            self.report.withheld += 1
            return
        yield seen.captured[:10], f"{file}:{place}", line


def check_target(folder: Path) -> None:
    """Refuse a folder that has something in it: nothing is written over."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ArchiveError(f"{folder} exists and is not an empty folder: name another one")
