"""Which payloads the archive holds already, as the run notes it; lookup.py asks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select

from archiver.store.schema import payloads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture
    from archiver.store.database import Database

_SECONDS = 2.0

_FIND = select(payloads.c.capture).where(payloads.c.digest == bindparam("digest"))


def find_payload(connection: Connection, digest: str) -> Capture | None:
    found: Capture | None = connection.execute(_FIND, {"digest": digest}).scalar()
    return found


class PayloadNotes:
    """Notes new payloads in the state store. One that is forgotten in a crash is only kept once more."""

    def __init__(self, database: Database, *, at_once: int = 200) -> None:
        self._database = database
        self._at_once = at_once
        self._new: list[Capture] = []
        self._noted = time.monotonic()

    def add(self, captures: Sequence[Capture]) -> None:
        """Note what is on disk."""
        self._new += captures
        # Seldom and many: for its own transaction, one payload would cost more than the record itself.
        if len(self._new) >= self._at_once or time.monotonic() - self._noted > _SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._new:
            self._database.later(_add, self._new)
            self._new = []
        self._noted = time.monotonic()


def _add(connection: Connection, captures: Sequence[Capture]) -> None:
    keys = [capture.payload_key for capture in captures]
    new = {key: {"digest": key, "capture": one} for key, one in zip(keys, captures, strict=True)}
    known = connection.execute(select(payloads.c.digest).where(payloads.c.digest.in_(new)))
    # The payload that was noted first may have been lost with its file: the newest counts.
    connection.execute(delete(payloads).where(payloads.c.digest.in_(known.scalars().all())))
    connection.execute(insert(payloads), list(new.values()))
