"""Whether everything that is referred to is there, in memory that does not grow with the archive.

Each record gives keys of 16 bytes, each reference one key that it wants. Both are spread over partitions on
disk by the first byte of the key; a partition at a time is then held in memory. An archive of 100 million
records takes about 2 GB in the folder for temporary files, and 250 MB of memory.
"""

from __future__ import annotations

import hashlib
import struct
from enum import IntEnum
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTITIONS = 64
_KEY = struct.Struct(">16s")
_WANTED = struct.Struct(">16sIBQ")
_IN_MEMORY = 1 << 16


class WantedReference(IntEnum):
    """What a reference wants."""

    RECORD = 1  # the target of a record's header
    POINTER = 2  # an object's record, at its place
    CAPTURE = 3  # an object's capture
    PAYLOAD = 4  # the payload that a revisit says its target has
    LINE = 5  # the object of a version


class MissingReference(NamedTuple):
    """A reference that leads nowhere: in which file and where, and what it wants."""

    key: bytes
    file_number: int
    wanted: WantedReference
    offset: int


def key_of(*parts: str) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).digest()


def pointer_key(file: str, offset: int, record_id: str) -> bytes:
    """The key of a sound response at its place."""
    return key_of(file, str(offset), record_id)


def payload_key(record_id: str, digest: str) -> bytes:
    """The key of a response with this payload."""
    return key_of("payload", record_id, digest)


def line_key(file: str, offset: int, object_id: str, version: int, digest: str = "") -> bytes:
    """The key of an object's line at its place, with its digest or without."""
    return key_of("line", file, str(offset), object_id, str(version), digest)


class Keys:
    """The keys of one file."""

    def __init__(self, file_number: int) -> None:
        self._file_number = file_number
        self.known = [bytearray() for _ in range(_PARTITIONS)]
        self.wanted = [bytearray() for _ in range(_PARTITIONS)]

    def add(self, key: bytes) -> None:
        self.known[key[0] % _PARTITIONS] += key

    def want(self, key: bytes, wanted: WantedReference, offset: int) -> None:
        self.wanted[key[0] % _PARTITIONS] += _WANTED.pack(key, self._file_number, wanted, offset)


class References:
    """The keys of all files."""

    def __init__(self) -> None:
        self._known = [_spool() for _ in range(_PARTITIONS)]
        self._wanted = [_spool() for _ in range(_PARTITIONS)]

    def add(self, keys: Keys) -> None:
        for spools, parts in ((self._known, keys.known), (self._wanted, keys.wanted)):
            for spool, part in zip(spools, parts, strict=True):
                spool.write(part)

    def missing(self) -> Iterator[MissingReference]:
        for known_spool, wanted_spool in zip(self._known, self._wanted, strict=True):
            wanted = _read(wanted_spool)
            known = {key for (key,) in _KEY.iter_unpack(_read(known_spool))} if wanted else set()
            for key, number, kind, offset in _WANTED.iter_unpack(wanted):
                if key not in known:
                    yield MissingReference(key, number, WantedReference(kind), offset)

    def close(self) -> None:
        for spool in (*self._known, *self._wanted):
            spool.close()


def _spool() -> SpooledTemporaryFile[bytes]:
    return SpooledTemporaryFile(max_size=_IN_MEMORY)


def _read(spool: SpooledTemporaryFile[bytes]) -> bytes:
    spool.seek(0)
    return spool.read()
