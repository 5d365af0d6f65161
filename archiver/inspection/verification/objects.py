"""One objects file: each line an object, each object with a record behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from archiver.articles.objects.model import EARLIER_SCHEMAS, SCHEMA, ArchivedObject
from archiver.digests import is_digest_of, sha256_digest
from archiver.inspection.verification.model import RESTORE_OBJECTS, Problem
from archiver.inspection.verification.references import Keys, WantedReference, key_of, line_key, pointer_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from archiver.articles.objects.model import WarcPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectsTask:
    """A file to check."""

    path: Path
    number: int
    size: int  # what is written after this moment is left to the next time
    # Whether the last line may be one that is just being written.
    is_growing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectsFindings:
    """What came of it."""

    problems: tuple[Problem, ...]
    objects: int
    keys: Keys


def check_objects(task: ObjectsTask, done: Callable[[int], None]) -> ObjectsFindings:
    decoder = msgspec.json.Decoder(ArchivedObject)
    keys = Keys(task.number)
    problems: list[Problem] = []
    count = 0
    try:
        for offset, line in _lines(task):
            count += 1
            if flaw := _take(task, line, offset, decoder, keys):
                text = f"{flaw}: {RESTORE_OBJECTS}"
                problems.append(Problem(file=str(task.path), offset=offset, text=text))
            done(len(line))
    except OSError as error:
        told = f"it cannot be read ({error}): {RESTORE_OBJECTS}"
        problems.append(Problem(file=str(task.path), offset=0, text=told))
    return ObjectsFindings(problems=tuple(problems), objects=count, keys=keys)


def _lines(task: ObjectsTask) -> Iterator[tuple[int, bytes]]:
    offset = 0
    with task.path.open("rb") as file:
        while offset < task.size and (line := file.readline(task.size - offset)):
            if line.endswith(b"\n") or not task.is_growing:
                yield offset, line
            offset += len(line)


def _take(
    task: ObjectsTask,
    line: bytes,
    offset: int,
    decoder: msgspec.json.Decoder[ArchivedObject],
    keys: Keys,
) -> str | None:
    """Note whose object it is and what it wants; what is wrong with its line."""
    try:
        archived = decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"this line is not an object ({error})"
    # The state store may know its digest, or only whose it is.
    for digest in ("", sha256_digest(line)):
        keys.add(line_key(task.path.name, offset, archived.id, archived.version, digest))
    for warc in _pointers(archived):
        keys.want(pointer_key(warc.file, warc.offset, warc.record_id), WantedReference.POINTER, offset)
        keys.want(key_of(warc.capture_id), WantedReference.CAPTURE, offset)
    if archived.schema not in {SCHEMA, *EARLIER_SCHEMAS}:
        return f"this object says schema {archived.schema!r}, and not {SCHEMA!r}"
    if not _has_digest(archived):
        return f"the title and text of this object do not have the digest {archived.digest}"
    return None if line.endswith(b"\n") else "the file ends within this line"


def _has_digest(archived: ArchivedObject) -> bool:
    # A title that the page does not have is the feed's, and not part of the digest.
    titles = (archived.title or "", "")
    found = [is_digest_of(archived.digest, f"{title}\n\n{archived.text}") for title in titles]
    # None: of another version, which cannot be made here.
    return any(one is not False for one in found)


def pointers_at(path: Path, offset: int) -> list[WarcPointer]:
    """Where an object that was checked before says its records are."""
    with path.open("rb") as file:
        file.seek(offset)
        return _pointers(msgspec.json.decode(file.readline(), type=ArchivedObject))


def _pointers(archived: ArchivedObject) -> list[WarcPointer]:
    """Of its page, and of the further ones that it was read from."""
    return [archived.warc, *(page.warc for page in archived.pages[1:])]
