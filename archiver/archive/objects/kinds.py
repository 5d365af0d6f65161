"""Kinds of objects: each has files of its own, a schema, and what it takes to read and verify its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from archiver.archive.storage import open_archived, stored_digests
from archiver.errors import RecordError
from archiver.files import is_outside

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from pathlib import Path

SUFFIX = ".jsonl"
# In the names of files with versions that were read anew.
REEXTRACTED = ".reextracted"
# KIND-DATE-WRITER, and what tells files of the same day apart; older archives have no writer there.
_FILE = re.compile(
    r"(?P<kind>[a-z][a-z0-9_]*)-(?P<day>\d{4}-\d{2}-\d{2})(?:-[A-Za-z0-9-]+)?(\.[^/]+)?\.jsonl"
)


class Archived(Protocol):
    """What every object has."""

    @property
    def schema(self) -> str: ...


T = TypeVar("T", bound=Archived)
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcPointer:
    """Where the bytes are that this object was made from."""

    file: str
    offset: int
    record_id: str  # the record that holds the payload
    capture_id: str  # this capture's own record: another one only where the payload was de-duplicated


class ObjectKind(Generic[T]):
    """One kind of object. The setting OBJECT_KINDS names those of packages of your own."""

    # Its files are NAME-DATE-WRITER.jsonl: small letters, digits and underscores.
    name: ClassVar[str]
    title: ClassVar[str]  # what a line is, in words
    # What a line says of itself, and what lines of older archivers say that are valid, too.
    schema: ClassVar[str]
    earlier_schemas: ClassVar[tuple[str, ...]] = ()
    # What a line is read into, by msgspec: a dataclass or a Struct. What is staged has this type.
    model: type[T]

    def json_schema(self) -> dict[str, Any]:
        """What every line is valid against."""
        head = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"{self.title} ({self.schema})",
        }
        schema = head | msgspec.json.schema(self.model)
        schema["$defs"][self.model.__name__]["properties"]["schema"] = {
            "enum": [*self.earlier_schemas, self.schema]
        }
        # Defaults come as Python's tuples: JSON has lists.
        return msgspec.json.decode(msgspec.json.encode(schema), type=dict[str, Any])

    def identity(self, one: T) -> tuple[str, int] | None:  # noqa: ARG002 - for others
        """Which object and which version it is, where the state store knows where each of them stands."""
        return None

    def pointers(self, one: T) -> Sequence[WarcPointer]:  # noqa: ARG002 - for others
        """Where in WARC the records are that it was made from: they are looked for."""
        return ()

    def flaw(self, one: T) -> str | None:
        """What is wrong with an object that could be read, in words."""
        if one.schema in {self.schema, *self.earlier_schemas}:
            return None
        return f"this object says schema {one.schema!r}, and not {self.schema!r}"


class _AnyLine(msgspec.Struct):
    schema: str


class UnknownKind(ObjectKind[_AnyLine]):
    """Objects of a package that is not installed here: lines of JSON with a schema."""

    name = schema = title = "unknown"
    model = _AnyLine

    def flaw(self, one: _AnyLine) -> str | None:  # noqa: ARG002 - any schema will do
        return None


def kind_of(file: str) -> str | None:
    """The kind of objects in a file with this name; None where it is not an objects file."""
    found = _FILE.fullmatch(file)
    return found["kind"] if found else None


def object_files(folder: Path, kinds: Iterable[str], also: Container[str] = ()) -> list[Path]:
    """The files of these kinds and others that are known, wherever they are kept, in the order of writing."""
    wanted = set(kinds)
    names = {path.name for path in folder.glob(f"*{SUFFIX}")} | stored_digests(folder).keys()
    paths = (folder / name for name in names if kind_of(name) in wanted or name in also)
    return sorted(paths, key=_order)


def day_of(file: str) -> str:
    """The day of an objects file, as YYYY-MM-DD; empty where it has none."""
    found = _FILE.fullmatch(file)
    return found["day"] if found else ""


def _order(path: Path) -> tuple[str, bool, str]:
    """By day; what was read anew comes behind the rest of its day, for all writers."""
    return day_of(path.name), REEXTRACTED in path.name, path.name


def read_part(folder: Path, file: str, offset: int, part: type[Part]) -> Part:
    """The fields of the object at this place that `part` has; RecordError where there is no object."""
    path = folder / file
    if is_outside(file):
        raise RecordError(f"{file} is not the name of an objects file: run `scrapy verify`")
    try:
        with open_archived(path) as source:
            source.seek(offset)
            return msgspec.json.decode(source.readline(), type=part)
    except (OSError, msgspec.DecodeError) as error:
        raise RecordError(f"{path}:{offset} is not an object ({error}): run `scrapy verify`") from error
