"""The search index fed while a run goes on, by a thread of its own: the crawl never waits for it."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from archiver.errors import ArchiverError
from archiver.search.feeding import Feeder
from archiver.search.index import BUILD
from archiver.search.opening import has_index, open_store
from archiver.store.object_files import object_lengths
from archiver.store.reading import reading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

logger = logging.getLogger(__name__)

# Seconds between two looks at what was settled, and for which a look waits for another program that writes.
_EVERY = 5.0
_PATIENCE = 5.0
# Seconds that the end of a run may take: what is left then is fed by the next one.
_AT_THE_END = 30.0


class Indexing:
    """Begun with a run, after its objects files were cut back, and ended with it."""

    def __init__(self, folder: Path, state_url: str, note: Callable[[str], None]) -> None:
        self._folder = folder
        self._state_url = state_url
        self._note = note
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble = ""  # of the last look
        self._fed: dict[str, int] | None = None  # the lengths of files at the last look
        self.cpu_seconds = 0.0

    def begin(self) -> None:
        """Begin to feed the index; an archive that has articles and no index has to be asked for one."""
        try:
            if self._is_old():
                self._note(f"This archive has no search index yet: {BUILD}")
                return
            # Before anything is settled: a run that is killed leaves an index that is behind.
            with open_store(self._folder, self._state_url, seconds=_PATIENCE) as store, store.transaction():
                pass
        except (ArchiverError, OSError, sqlite3.Error, SQLAlchemyError) as error:
            self._note(f"The search index is not fed: {error}")
            return
        self._thread = threading.Thread(target=self._run, name="search-index", daemon=True)
        self._thread.start()

    def _is_old(self) -> bool:
        """Whether it has articles that were settled before there was an index."""
        if has_index(self._folder, self._state_url):
            return False
        with reading(self._state_url) as state:
            return any(object_lengths(state).values())

    def end(self) -> None:
        """Feed what was settled last, and wait for that."""
        self._ending.set()
        if self._thread is None:
            return
        self._thread.join()
        if self._trouble:
            told = f"The search index is not up to date: {self._trouble}"
            logger.warning(told)
            self._note(told)

    def _run(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._ending.wait(_EVERY)
            try:
                self._feed(time.monotonic() + _AT_THE_END if is_last else None)
                self._trouble = ""
            except (sqlite3.OperationalError, ArchiverError) as error:
                # Locked, a disk that is full, a database that is away: the next look may do better.
                self._trouble = f"{error}. The next run goes on with it"
            except sqlite3.DatabaseError as error:
                self._trouble = f"{error}: {BUILD}"
                break
            except Exception as error:
                logger.exception("The search index could not be fed")
                self._trouble = f"{type(error).__name__}: {error}"
                break
        self.cpu_seconds = time.thread_time()

    def _feed(self, until: float | None) -> None:
        """Feed all that was settled; at the end only until this time, before only until the end comes."""
        with reading(self._state_url) as state:
            lengths = object_lengths(state)
            if lengths == self._fed:
                return
            with open_store(self._folder, self._state_url, seconds=_PATIENCE) as store:
                feeder = Feeder(store, state, self._folder / "objects")
                if self._fed is None:
                    feeder.agree()
                for _ in feeder.steps():
                    if time.monotonic() > until if until else self._ending.is_set():
                        return
            self._fed = lengths
