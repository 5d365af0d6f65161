"""Which payloads the archive holds already, as the process that writes WARC asks."""

from __future__ import annotations

import logging
import sqlite3
from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

import msgspec

from archiver.archive.warc.records import Capture
from archiver.errors import ArchiveError
from archiver.store.sqlite import prepare

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

# Within one run the same payload tends to come again soon.
_REMEMBERED = 10_000
_SQLITE = "sqlite:///"
# What SQLAlchemy reads otherwise than it is written.
_ESCAPES = frozenset("?%")
_FIND = "SELECT capture FROM payloads WHERE digest = ?"


class Reader(Protocol):
    """One question, asked of the state store; an ArchiveError where it has no answer."""

    def find(self, digest: str) -> Capture | None: ...

    def close(self) -> None: ...


class PayloadIndex:
    """Looks payloads up over a connection of its own, for the process that writes WARC."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._reader: Reader | None = None
        self._recent: OrderedDict[str, Capture] = OrderedDict()
        self._written: list[Capture] = []
        self._new: list[Capture] = []

    def find(self, digest: str) -> Capture | None:
        known = self._recent.get(digest)
        if known is not None:
            return known
        try:
            return self._look_up(digest)
        except ArchiveError as error:
            # To keep the same bytes once more is better than not to keep them.
            logger.warning("Payloads could not be looked up: %s", error)
            self.close()
            return None

    def _look_up(self, digest: str) -> Capture | None:
        if self._reader is None:
            self._reader = _reader(self._url)
        return self._reader.find(digest)

    def add(self, capture: Capture) -> None:
        """Remember a payload that was written."""
        self._recent[capture.payload_key] = capture
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)
        self._written.append(capture)

    def flush(self) -> None:
        """What was written is on disk now."""
        self._new += self._written
        self._written = []

    def forget(self) -> None:
        """What was written may never come to be on disk."""
        for capture in self._written:
            self._recent.pop(capture.payload_key, None)
        self._written = []

    def take_new(self) -> list[Capture]:
        """The payloads that came to be on disk since this was last asked."""
        new, self._new = self._new, []
        return new

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _reader(url: str) -> Reader:
    # SQLAlchemy takes as long to load as all the rest of this process: for one question, the driver will do.
    if url.startswith(_SQLITE) and not _ESCAPES & set(url):
        return _SqliteReader(url.removeprefix(_SQLITE))
    return _AnyReader(url)


class _SqliteReader:
    def __init__(self, path: str) -> None:
        self._decoder = msgspec.json.Decoder(Capture)
        try:
            self._connection = sqlite3.connect(path)
            prepare(self._connection)
        except sqlite3.Error as error:
            raise ArchiveError(str(error)) from error

    def find(self, digest: str) -> Capture | None:
        try:
            row = self._connection.execute(_FIND, (digest,)).fetchone()
        except sqlite3.Error as error:
            raise ArchiveError(str(error)) from error
        return None if row is None else self._decoder.decode(row[0])

    def close(self) -> None:
        self._connection.close()


class _AnyReader:
    """Whatever SQLAlchemy can talk to."""

    def __init__(self, url: str) -> None:
        # See _reader: it is not always needed.
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

        from archiver.running.writing.payloads import find_payload  # noqa: PLC0415
        from archiver.store.database import open_reader  # noqa: PLC0415

        self._errors = SQLAlchemyError
        self._find = find_payload
        try:
            self._connection: Connection = open_reader(url)
        except SQLAlchemyError as error:
            raise ArchiveError(_told(error)) from error

    def find(self, digest: str) -> Capture | None:
        try:
            return self._find(self._connection, digest)
        except self._errors as error:
            raise ArchiveError(_told(error)) from error

    def close(self) -> None:
        self._connection.close()
        self._connection.engine.dispose()


def _told(error: Exception) -> str:
    """What the driver said, without the statement and the values in it."""
    return str(getattr(error, "orig", None) or error)
