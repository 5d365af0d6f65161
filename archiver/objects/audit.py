"""An objects file held against the lines that the state store knows to be in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from archiver.digests import sha256_digest
from archiver.objects.model import ArchivedObject

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import BinaryIO

    from archiver.store.lines import KnownLine

_DECODER = msgspec.json.Decoder(ArchivedObject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A whole line of the file: of a version, or of an earlier reading that no version points to any more."""

    offset: int
    length: int
    line: KnownLine | None = None


@dataclass(slots=True, kw_only=True)
class FileAudit:
    """What is in a file, and what should be."""

    sound: list[Piece] = field(default_factory=list)  # in the order of their offsets
    lost: list[KnownLine] = field(default_factory=list)
    # Bytes that are not part of any whole line.
    damaged: int = 0


def audit_file(path: Path, known: Sequence[KnownLine]) -> FileAudit:
    """Find every known line at its place, and whole lines between them; a missing file has none."""
    audit = FileAudit()
    if not path.exists():
        audit.lost = list(known)
        return audit
    with path.open("rb") as file:
        mine = {}
        for line in known:
            piece = _at_its_place(file, line)
            if piece is None:
                audit.lost.append(line)
            else:
                mine[piece.offset] = piece
        _walk(file, mine, audit)
    return audit


def is_line_of(data: bytes, line: KnownLine) -> bool:
    """Whether these bytes are the object of that version."""
    if not data.endswith(b"\n"):
        return False
    if line.digest is not None:
        return sha256_digest(data) == line.digest
    found = decoded(data)
    return found is not None and (found.id, found.version, found.digest) == (
        line.id, line.version, line.words
    )  # fmt: skip


def decoded(data: bytes) -> ArchivedObject | None:
    """The object in a whole line."""
    if not data.endswith(b"\n"):
        return None
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _at_its_place(file: BinaryIO, line: KnownLine) -> Piece | None:
    # Also in the middle of what is no line: it may have been glued to a torn one.
    file.seek(line.offset)
    data = file.readline()
    return Piece(offset=line.offset, length=len(data), line=line) if is_line_of(data, line) else None


def _walk(file: BinaryIO, mine: dict[int, Piece], audit: FileAudit) -> None:
    """Take up all that is whole, from the first byte to the last."""
    places = sorted(mine, reverse=True)
    offset = file.seek(0)
    while data := file.readline():
        end = offset + len(data)
        while places and places[-1] < offset:
            places.pop()
        if offset in mine:
            audit.sound.append(mine[offset])
        elif decoded(data) is not None:
            audit.sound.append(Piece(offset=offset, length=len(data)))
        else:
            end = places[-1] if places and places[-1] < end else end
            audit.damaged += end - offset
        offset = file.seek(end)
