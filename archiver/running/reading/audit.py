"""An objects file held against the lines that the state store knows to be in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.storage import open_archived
from archiver.articles.objects.model import ArchivedObject
from archiver.digests import sha256_digest

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

    @property
    def is_whole(self) -> bool:
        """Whether every line is where it should be, and nothing else."""
        is_in_place = all(piece.line is None or piece.line.offset == piece.offset for piece in self.sound)
        return is_in_place and not self.lost and not self.damaged


def audit_file(path: Path, known: Sequence[KnownLine]) -> FileAudit:
    """Find every known line at its place, and whole lines between them; a missing file has none."""
    audit = FileAudit()
    if not path.exists():
        audit.lost = list(known)
        return audit
    with open_archived(path) as file:
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
    lost = {(line.id, line.version): line for line in audit.lost}
    # What can still be read where a line should be is that line, changed.
    changed = {line.offset for line in audit.lost}
    places = sorted(mine, reverse=True)
    offset = file.seek(0)
    while data := file.readline():
        end = offset + len(data)
        while places and places[-1] < offset:
            places.pop()
        if offset in mine:
            audit.sound.append(mine[offset])
        elif (found := decoded(data)) is not None and (line := _moved(data, found, lost)) is not None:
            audit.sound.append(Piece(offset=offset, length=len(data), line=line))
        elif found is not None and offset not in changed:
            audit.sound.append(Piece(offset=offset, length=len(data)))
        else:
            end = places[-1] if places and places[-1] < end else end
            audit.damaged += end - offset
        offset = file.seek(end)
    audit.lost = list(lost.values())


def _moved(data: bytes, found: ArchivedObject, lost: dict[tuple[str, int], KnownLine]) -> KnownLine | None:
    """The lost line that stands here, at another place than its own: bytes before it came or went."""
    line = lost.get((found.id, found.version))
    return lost.pop((found.id, found.version)) if line is not None and is_line_of(data, line) else None
