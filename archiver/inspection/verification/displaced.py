"""Lines of an objects file that are whole, but not where they were written: a lost one moves the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.digests import sha256_digest
from archiver.inspection.verification.references import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from archiver.store.lines import KnownLine


class _Name(msgspec.Struct):
    id: str
    version: int


def displaced(path: Path, lines: Iterable[KnownLine]) -> set[int]:
    """The places of those of these lines that stand elsewhere in the file."""
    there = _keys(path)
    return {line.offset for line in lines if _key(line.id, line.version, line.digest or "") in there}


def moved_in_words(count: int) -> str:
    if count == 1:
        return "the line that was written here is whole, but at another place"
    return f"{count} lines that were written from here on are whole, but at other places"


def _keys(path: Path) -> set[bytes]:
    found: set[bytes] = set()
    decoder = msgspec.json.Decoder(_Name)
    try:
        with path.open("rb") as file:
            for line in file:
                try:
                    name = decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    continue  # told where its file was checked
                # The state store may know its digest, or only whose it is.
                found |= {_key(name.id, name.version, digest) for digest in ("", sha256_digest(line))}
    except OSError:
        return found  # likewise
    return found


def _key(object_id: str, version: int, digest: str) -> bytes:
    return key_of(object_id, str(version), digest)
