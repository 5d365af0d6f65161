"""An archive opened for those who look into it: it is read beside a run, and never written to."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from archiver.archive.cdxj.index import Index
from archiver.store.reading import reading
from archiver.store.withheld import load_withheld
from archiver.web.workers import PageWorkers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedArchive:
    """What one answer is made from: everything in it is of one moment, as far as a run lets it."""

    folder: Path
    state: Connection
    index: Index
    now: datetime
    withheld: Withheld
    # What draws pages anew, in a process of its own.
    workers: PageWorkers
    # The folder of field wrappers; None where fields are not read.
    wrappers: Path | None = None

    def is_hidden(self, url: str) -> bool:
        """Whether what is at this address is not to be shown."""
        return self.withheld.hides(url)

    @property
    def warc(self) -> Path:
        return self.folder / "warc"

    @property
    def objects(self) -> Path:
        return self.folder / "objects"


class ArchiveReader:
    """Opens the archive for each answer anew, which takes a millisecond; the index stays mapped."""

    def __init__(self, folder: Path, state_url: str, clock: Clock, wrappers: Path | None = None) -> None:
        self.folder = folder
        self.wrappers = wrappers
        self._state_url = state_url
        self._clock = clock
        self._index = Index(folder / "index")
        self._lock = Lock()
        self.workers = PageWorkers(folder, state_url)

    @contextmanager
    def opened(self) -> Iterator[OpenedArchive]:
        with self._lock:
            self._index.refresh()
        with reading(self._state_url) as state:
            withheld = load_withheld(state, self.folder)
            yield OpenedArchive(
                folder=self.folder,
                state=state,
                index=self._index.hiding(withheld.hides),
                now=self._clock.now(),
                withheld=withheld,
                workers=self.workers,
                wrappers=self.wrappers,
            )
