"""What the process that writes WARC is told, and what it answers."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta
from typing import Any

import msgspec

from archiver.archive.warc.records import Capture, Exchange, Fields  # noqa: TC001
from archiver.archive.warc.writer import WarcOptions  # noqa: TC001

# msgspec reads the annotations at run time.
from archiver.errors import ArchiveError, ArchiveFull

# What fits into the pipe, is taken from it at once, and is flushed to disk at once.
MOST_AT_ONCE = 1 << 20
# How long a message is stands before it.
_LENGTH = struct.Struct("!Q")
_ENCODER = msgspec.msgpack.Encoder()
_ERRORS = {kind.__name__: kind for kind in (ArchiveError, ArchiveFull)}


class Begin(msgspec.Struct, frozen=True, kw_only=True):
    """Said first: where to write, and where known payloads are looked up."""

    folder: str
    options: WarcOptions
    # Said here and not on the command line: it may hold a password.
    state_url: str | None = None


class Keep(msgspec.Struct, frozen=True, tag=True):
    exchanges: tuple[Exchange, ...]


class BodyPart(msgspec.Struct, frozen=True, tag=True):
    """A part of a response that is still coming in. Not answered: the exchange that names its stream is."""

    stream: int
    data: bytes


class Drop(msgspec.Struct, frozen=True, tag=True):
    """No exchange will name this stream: its parts are forgotten. Not answered."""

    stream: int


class KeepMetadata(msgspec.Struct, frozen=True, tag=True):
    url: str
    refers_to: str
    fields: Fields


class KeepRendered(msgspec.Struct, frozen=True, tag=True):
    """What a browser made of a capture; and what is known of how, for a metadata record beside it."""

    capture: Capture
    html: bytes
    browser: str
    fields: Fields


class Close(msgspec.Struct, frozen=True, tag=True):
    """Said last. A pipe that ends without it means that the run was killed."""


Task = Keep | KeepMetadata | KeepRendered | BodyPart | Drop | Close


class WritingFailed(msgspec.Struct, frozen=True, kw_only=True):
    """An error, so that it can be raised where it is waited for."""

    kind: str
    words: str
    errno: int | None = None
    filename: str | None = None

    @classmethod
    def of(cls, error: Exception) -> WritingFailed:
        if isinstance(error, OSError):
            name = None if error.filename is None else str(error.filename)
            return cls(kind="OSError", words=error.strerror or str(error), errno=error.errno, filename=name)
        kind = type(error).__name__
        return cls(kind=kind, words=str(error) if kind in _ERRORS else f"{kind}: {error}")

    def error(self) -> Exception:
        if self.kind == "OSError":
            return OSError(self.errno, self.words, self.filename)
        return _ERRORS.get(self.kind, RuntimeError)(self.words)


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """To so many tasks, in their order: all of it is on disk."""

    results: tuple[tuple[Capture | None, ...] | WritingFailed, ...]
    # Payloads that were kept for the first time.
    new_payloads: tuple[Capture, ...] = ()
    new_files: tuple[str, ...] = ()
    bytes_written: int = 0
    cpu_seconds: float = 0.0
    warnings: tuple[str, ...] = ()


class Messages:
    """Takes bytes as they come and gives back the messages that are whole."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[memoryview]:
        self._data += data
        found, end = [], 0
        while len(self._data) - end >= _LENGTH.size:
            start = end + _LENGTH.size
            (length,) = _LENGTH.unpack_from(self._data, end)
            if len(self._data) - start < length:
                break
            found.append((start, start + length))
            end = start + length
        if not found:
            return []
        # Handed out as it is: a message may be as large as the largest download, and is not copied.
        whole, self._data = self._data, self._data[end:]
        return [memoryview(whole)[start:end] for start, end in found]


def framed(message: Begin | Task | Written) -> bytearray:
    """The message with its length before it."""
    frame = bytearray(_LENGTH.size)
    try:
        _ENCODER.encode_into(message, frame, _LENGTH.size)
    except UnicodeEncodeError:  # half a character: pages and feeds may hold one
        plain = msgspec.to_builtins(message, builtin_types=(bytes, datetime, timedelta))
        _ENCODER.encode_into(_with_whole_characters(plain), frame, _LENGTH.size)
    _LENGTH.pack_into(frame, 0, len(frame) - _LENGTH.size)
    return frame


def _with_whole_characters(value: Any) -> Any:  # noqa: ANN401 - whatever a message is made of
    """Half a character becomes a question mark, as in any record."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {key: _with_whole_characters(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_with_whole_characters(one) for one in value]
    return value
