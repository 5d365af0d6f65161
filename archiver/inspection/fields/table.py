"""The table that a researcher wants: a row for each version of an article, with its fields and capture."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads it at run time
from typing import TYPE_CHECKING, Any, Self

import msgspec
from sqlalchemy import func, select

from archiver.archive.objects.kinds import WarcPointer  # noqa: TC001 - as above
from archiver.archive.storage import open_archived
from archiver.clock import rfc3339
from archiver.fields.model import ObjectField  # noqa: TC001 - as above
from archiver.store.object_files import object_lengths
from archiver.store.schema import articles, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from sqlalchemy import Connection, Select

    from archiver.archive.withheld import Withheld
    from archiver.fields.model import FieldWrapper

_AT_ONCE = 1000
_BEFORE = ("url", "title", "captured", "version")
_BEHIND = ("field_wrapper", "warc_file", "warc_offset", "warc_record")
# What programs of tables take for a formula; a plain number is none.
_FORMULA = re.compile(r"\s*[=+\-@\t\r\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}]")
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class FieldsLine(msgspec.Struct, frozen=True, kw_only=True):
    """Of an object, what the table has of it."""

    url: str
    title: str | None = None
    captured: datetime
    version: int
    fields: dict[str, ObjectField | None] = {}  # msgspec copies it
    field_wrapper: str | None = None
    warc: WarcPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAsked:
    """Which rows the table has."""

    since: datetime | None = None
    is_latest: bool = False


class FieldTable:
    """The rows of a wrapper; one line of one objects file is held at a time."""

    def __init__(
        self, state: Connection, objects: Path, withheld: Withheld, wrapper: FieldWrapper, asked: TableAsked
    ) -> None:
        self._state = state
        self._objects = objects
        self._withheld = withheld
        self._wrapper = wrapper
        self._asked = asked
        self.rows = 0
        self.unreadable = 0

    def lines(self, show: Callable[[int, int], object]) -> Iterator[FieldsLine]:
        """The objects that the wrapper filled, in the order in which they were written."""
        settled = object_lengths(self._state)
        total = self._state.scalar(_asked_for(select(func.count()), self._asked)) or 0
        query = _asked_for(select(versions.c.object_file, versions.c.object_offset), self._asked)
        query = query.order_by(versions.c.object_file, versions.c.object_offset)
        rows = self._state.execute(query.execution_options(yield_per=_AT_ONCE))
        with _OpenedObjects(self._objects) as opened:
            for done, row in enumerate(rows):
                show(done, total)
                if row.object_offset < settled.get(row.object_file, 0):
                    yield from self._line(opened.line(row.object_file, row.object_offset))

    def _line(self, content: bytes) -> Iterator[FieldsLine]:
        # Most objects of an archive are of no wrapper, or of another one.
        if content and b'"field_wrapper":"%s/' % self._wrapper.wrapper.encode() not in content:
            return
        try:
            line = msgspec.json.decode(content, type=FieldsLine)
        except msgspec.DecodeError:
            self.unreadable += 1
            return
        if not self._withheld.hides(line.url):
            self.rows += 1
            yield line

    @property
    def columns(self) -> list[str]:
        fields = (name for one in self._wrapper.fields for name in _columns_of(one.field, one.type))
        return [*_BEFORE, *fields, *_BEHIND]

    def write_csv(self, output: BinaryIO, show: Callable[[int, int], object]) -> None:
        """As CSV (RFC 4180) in UTF-8, in which no cell is a formula."""
        output.write(_csv_row(self.columns))
        for line in self.lines(show):
            cells = _cells(line, self._wrapper)
            output.write(_csv_row([harmless(cells.get(name, "")) for name in self.columns]))

    def write_jsonl(self, output: BinaryIO, show: Callable[[int, int], object]) -> None:
        """An object for each row; values as the archive has them."""
        names = [one.field for one in self._wrapper.fields]
        for line in self.lines(show):
            row = {
                "url": line.url,
                "title": line.title,
                "captured": line.captured,
                "version": line.version,
                "fields": {name: line.fields.get(name) for name in names},
                "field_wrapper": line.field_wrapper,
                "warc": line.warc,
            }
            output.write(msgspec.json.encode(row) + b"\n")


class _OpenedObjects:
    """The objects file that is being read; the rows are in the order of the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = ""
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def line(self, name: str, offset: int) -> bytes:
        """Empty where there is none: `scrapy verify` tells of it."""
        if name != self._name:
            self.__exit__()
            self._name, self._file = name, None
            try:
                self._file = open_archived(self._folder / name)
            except OSError:
                return b""
        if self._file is None:
            return b""
        self._file.seek(offset)
        return self._file.readline()


def _asked_for(query: Select[Any], asked: TableAsked) -> Select[Any]:
    query = query.select_from(versions)
    if asked.is_latest:
        is_last = (articles.c.id == versions.c.article_id) & (articles.c.version == versions.c.version)
        query = query.join(articles, is_last)
    return query if asked.since is None else query.where(versions.c.captured >= asked.since)


def _columns_of(name: str, kind: str) -> Sequence[str]:
    return (name, f"{name}_currency") if kind == "price" else (name,)


def _cells(line: FieldsLine, wrapper: FieldWrapper) -> dict[str, str]:
    cells = {
        "url": line.url,
        "title": line.title or "",
        "captured": rfc3339(line.captured),
        "version": str(line.version),
        "field_wrapper": line.field_wrapper or "",
        "warc_file": line.warc.file,
        "warc_offset": str(line.warc.offset),
        "warc_record": line.warc.record_id,
    }
    for one in wrapper.fields:
        field = line.fields.get(one.field)
        if field is not None:
            cells[one.field] = _joined(field.value)
            cells[f"{one.field}_currency"] = _joined(field.currency)
    return cells


def _joined(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "; ".join(value)


def harmless(cell: str) -> str:
    """A cell without control characters, which no program takes for a formula."""
    plain = _CONTROLS.sub(" ", cell)
    if _FORMULA.match(cell) and not _PLAIN_NUMBER.fullmatch(plain):
        return f"'{plain}"
    return plain


def _csv_row(cells: Sequence[str]) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerow(cells)
    return written.getvalue().encode("utf-8", "replace")
