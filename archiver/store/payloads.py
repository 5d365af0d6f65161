"""Which payloads the archive holds already: asked by the process that writes WARC, noted by the run."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from archiver.store.database import open_reader
from archiver.store.schema import payloads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.store.database import Database
    from archiver.warc.records import Capture

logger = logging.getLogger(__name__)

# Within one run the same payload tends to come again soon.
_REMEMBERED = 10_000
_SECONDS = 2.0

_FIND = select(payloads.c.capture).where(payloads.c.digest == bindparam("digest"))


class PayloadIndex:
    """Looks payloads up over a connection of its own, for the process that writes WARC."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._reader: Connection | None = None
        self._recent: OrderedDict[str, Capture] = OrderedDict()
        self._written: list[Capture] = []
        self._new: list[Capture] = []

    def find(self, digest: str) -> Capture | None:
        known = self._recent.get(digest)
        if known is not None:
            return known
        try:
            return self._look_up(digest)
        except SQLAlchemyError as error:
            # To keep the same bytes once more is better than not to keep them.
            logger.warning("Payloads could not be looked up: %s", getattr(error, "orig", None) or error)
            self.close()
            return None

    def _look_up(self, digest: str) -> Capture | None:
        if self._reader is None:
            self._reader = open_reader(self._url)
        found: Capture | None = self._reader.execute(_FIND, {"digest": digest}).scalar()
        return found

    def add(self, capture: Capture) -> None:
        """Remember a payload that was written."""
        self._recent[capture.digest] = capture
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
            self._recent.pop(capture.digest, None)
        self._written = []

    def take_new(self) -> list[Capture]:
        """The payloads that came to be on disk since this was last asked."""
        new, self._new = self._new, []
        return new

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader.engine.dispose()
            self._reader = None


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
    new = {capture.digest: {"digest": capture.digest, "capture": capture} for capture in captures}
    known = connection.execute(select(payloads.c.digest).where(payloads.c.digest.in_(new)))
    # The payload that was noted first may have been lost with its file: the newest counts.
    connection.execute(delete(payloads).where(payloads.c.digest.in_(known.scalars().all())))
    connection.execute(insert(payloads), list(new.values()))
