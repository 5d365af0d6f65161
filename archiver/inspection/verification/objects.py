"""One objects file: each line an object of its kind, each object with a record behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.archive.storage import open_archived
from archiver.articles.objects.schema import ArticleKind
from archiver.digests import sha256_digest
from archiver.errors import RecordError
from archiver.inspection.verification.model import RESTORE, RESTORE_OBJECTS, Problem
from archiver.inspection.verification.references import Keys, WantedReference, key_of, line_key, pointer_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from archiver.archive.objects.kinds import ObjectKind, WarcPointer
    from archiver.store.lines import KnownLine


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectsTask:
    """A file to check."""

    path: Path
    number: int
    size: int  # what is written after this moment is left to the next time
    kind: ObjectKind[Any]
    # Whether the last line may be one that is just being written.
    is_growing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectsFindings:
    """What came of it."""

    problems: tuple[Problem, ...]
    objects: int
    keys: Keys


def advice_for(kind: ObjectKind[Any]) -> str:
    """What to do about lines that are missing or damaged."""
    return RESTORE_OBJECTS if kind.name == ArticleKind.name else RESTORE


def check_objects(task: ObjectsTask, done: Callable[[int], None]) -> ObjectsFindings:
    decoder = msgspec.json.Decoder(task.kind.model)
    keys = Keys(task.number)
    problems: list[Problem] = []
    count = 0
    try:
        for offset, line in _lines(task):
            count += 1
            if flaw := _take(task, line, offset, decoder, keys):
                text = f"{flaw}: {advice_for(task.kind)}"
                problems.append(Problem(file=str(task.path), offset=offset, text=text))
            done(len(line))
    except (OSError, RecordError) as error:
        told = f"it cannot be read ({error}): {advice_for(task.kind)}"
        problems.append(Problem(file=str(task.path), offset=0, text=told))
    return ObjectsFindings(problems=tuple(problems), objects=count, keys=keys)


def _lines(task: ObjectsTask) -> Iterator[tuple[int, bytes]]:
    offset = 0
    with open_archived(task.path) as file:
        while offset < task.size and (line := file.readline(task.size - offset)):
            if line.endswith(b"\n") or not task.is_growing:
                yield offset, line
            offset += len(line)


def _take(
    task: ObjectsTask, line: bytes, offset: int, decoder: msgspec.json.Decoder[Any], keys: Keys
) -> str | None:
    """Note whose object it is and what it wants; what is wrong with its line."""
    try:
        archived = decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"this line is not an object ({error})"
    identity = task.kind.identity(archived)
    # The state store may know its digest, or only whose it is.
    for digest in ("", sha256_digest(line)):
        if identity is not None:
            keys.add(line_key(task.path.name, offset, *identity, digest))
    for warc in task.kind.pointers(archived):
        keys.want(pointer_key(warc.file, warc.offset, warc.record_id), WantedReference.POINTER, offset)
        keys.want(key_of(warc.capture_id), WantedReference.CAPTURE, offset)
    flaw = task.kind.flaw(archived)
    return flaw or (None if line.endswith(b"\n") else "the file ends within this line")


def pointers_at(path: Path, offset: int, kind: ObjectKind[Any]) -> Sequence[WarcPointer]:
    """Where an object that was checked before says its records are."""
    with open_archived(path) as file:
        file.seek(offset)
        return kind.pointers(msgspec.json.decode(file.readline(), type=kind.model))


class _Name(msgspec.Struct):
    id: str
    version: int


def displaced(path: Path, lines: Iterable[KnownLine]) -> set[int]:
    """The places of those of these lines that stand elsewhere in the file."""
    there = _names(path)
    return {line.offset for line in lines if _name_key(line.id, line.version, line.digest or "") in there}


def moved_in_words(count: int) -> str:
    if count == 1:
        return "the line that was written here is whole, but at another place"
    return f"{count} lines that were written from here on are whole, but at other places"


def _names(path: Path) -> set[bytes]:
    found: set[bytes] = set()
    decoder = msgspec.json.Decoder(_Name)
    try:
        with open_archived(path) as file:
            for line in file:
                try:
                    name = decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    continue  # told where its file was checked
                # The state store may know its digest, or only whose it is.
                found |= {_name_key(name.id, name.version, digest) for digest in ("", sha256_digest(line))}
    except (OSError, RecordError):
        return found  # likewise
    return found


def _name_key(object_id: str, version: int, digest: str) -> bytes:
    return key_of(object_id, str(version), digest)
