"""Pages drawn anew by a worker process: one that takes too long ends there, and nothing waits for it."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING

from archiver.errors import ArchiveError, BusyError
from archiver.running.workers.pool import carry_out
from archiver.running.workers.worker import Worker

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.withheld import Withheld
    from archiver.inspection.drawing import ArchiveTask, Drawn
    from archiver.inspection.marking.model import DraftPage, MarksTried

_SECONDS = 30.0
_MEMORY_MB = 1024
# A page is asked for twice at once: for what is told of it, and to be shown in a frame.
_REMEMBERED = 8
_REMEMBERED_SECONDS = 60.0
_MOST_WAITING = 8


class PageWorkers:
    """One process, started when it is first needed, that draws one page after another."""

    def __init__(self, folder: Path, state_url: str) -> None:
        self._folder = str(folder)
        self._state_url = state_url
        self._worker = Worker(_SECONDS, _MEMORY_MB << 20)
        self._drawn: OrderedDict[ArchiveTask, tuple[float, Withheld, Drawn]] = OrderedDict()
        self._lock = Lock()
        self._waiting = BoundedSemaphore(_MOST_WAITING)

    def rebuilt(self, channel: int, at: datetime, withheld: Withheld) -> Drawn:
        """A channel's page at a moment. Raises ArchiveError where it cannot be drawn."""
        from archiver.inspection.drawing import RebuildPage  # noqa: PLC0415 - few need it, and it loads much

        task = RebuildPage(folder=self._folder, state_url=self._state_url, channel=channel, at=at)
        return self._draw(task, withheld)

    def explained(self, url: str, at: datetime | None, withheld: Withheld) -> Drawn:
        """The extractor's decision on a page. Raises ArchiveError where it cannot be drawn."""
        from archiver.inspection.drawing import ExplainPage  # noqa: PLC0415 - likewise

        task = ExplainPage(folder=self._folder, state_url=self._state_url, url=url, at=at)
        return self._draw(task, withheld)

    def shown(self, url: str, stamp: str, name: str, withheld: Withheld) -> Drawn:
        """A captured page to look at, of any size. Raises ArchiveError where it cannot be drawn."""
        from archiver.inspection.drawing import ShowPage  # noqa: PLC0415 - likewise

        task = ShowPage(folder=self._folder, state_url=self._state_url, url=url, stamp=stamp, name=name)
        return self._draw(task, withheld)

    def markable(self, url: str, stamp: str, name: str, withheld: Withheld) -> Drawn:
        """The same to be marked: its elements have numbers, and its links lead nowhere."""
        from archiver.inspection.drawing import ShowPage  # noqa: PLC0415 - likewise

        task = ShowPage(
            folder=self._folder, state_url=self._state_url, url=url, stamp=stamp, name=name, is_markable=True
        )
        return self._draw(task, withheld)

    def tried(self, page: DraftPage, withheld: Withheld) -> MarksTried:
        """What marks lead to. Raises ArchiveError where they cannot be tried."""
        from archiver.inspection.marking.task import TryMarks  # noqa: PLC0415 - likewise

        task = TryMarks(folder=self._folder, state_url=self._state_url, draft=page)
        found = self._draw(task, withheld).marks
        assert found is not None  # noqa: S101 - that is what was tried
        return found

    def _draw(self, task: ArchiveTask, withheld: Withheld) -> Drawn:
        found = self._remembered(task, withheld)
        if found is None:
            # Each that waits has one of the threads that answer: some are left for all other pages.
            if not self._waiting.acquire(blocking=False):
                raise BusyError("Other pages are being drawn: try again in a minute")
            try:
                found = carry_out(self._worker, task)
            finally:
                self._waiting.release()
            self._remember(task, withheld, found)
        if found.problem is not None:
            raise ArchiveError(found.problem)
        return found

    def _remembered(self, task: ArchiveTask, withheld: Withheld) -> Drawn | None:
        """What was drawn a moment ago; not where something else was withheld then."""
        with self._lock:
            since, then, found = self._drawn.get(task, (0.0, withheld, None))
        is_fresh = time.monotonic() - since <= _REMEMBERED_SECONDS
        return found if is_fresh and then == withheld else None

    def _remember(self, task: ArchiveTask, withheld: Withheld, found: Drawn) -> None:
        with self._lock:
            self._drawn[task] = time.monotonic(), withheld, found
            while len(self._drawn) > _REMEMBERED:
                self._drawn.popitem(last=False)

    def close(self) -> None:
        self._worker.end()
        self._worker.stop()
