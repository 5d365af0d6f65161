"""Pages drawn anew by a worker process: one that takes too long ends there, and nothing waits for it."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from archiver.errors import ArchiveError
from archiver.running.workers.pool import carry_out
from archiver.running.workers.worker import Worker

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from archiver.inspection.drawing import ArchiveTask, Drawn

_SECONDS = 30.0
_MEMORY_MB = 1024
# A page is asked for twice at once: for what is told of it, and to be shown in a frame.
_REMEMBERED = 8
_REMEMBERED_SECONDS = 60.0


class PageWorkers:
    """One process, started when it is first needed, that draws one page after another."""

    def __init__(self, folder: Path, state_url: str) -> None:
        self._folder = str(folder)
        self._state_url = state_url
        self._worker = Worker(_SECONDS, _MEMORY_MB << 20)
        self._drawn: OrderedDict[ArchiveTask, tuple[float, Drawn]] = OrderedDict()
        self._lock = Lock()

    def rebuilt(self, channel: int, at: datetime) -> Drawn:
        """A channel's page at a moment. Raises ArchiveError where it cannot be drawn."""
        from archiver.inspection.drawing import RebuildPage  # noqa: PLC0415 - few need it, and it loads much

        return self._draw(RebuildPage(folder=self._folder, state_url=self._state_url, channel=channel, at=at))

    def explained(self, url: str, at: datetime | None) -> Drawn:
        """The extractor's decision on a page. Raises ArchiveError where it cannot be drawn."""
        from archiver.inspection.drawing import ExplainPage  # noqa: PLC0415 - likewise

        return self._draw(ExplainPage(folder=self._folder, state_url=self._state_url, url=url, at=at))

    def _draw(self, task: ArchiveTask) -> Drawn:
        with self._lock:
            since, found = self._drawn.get(task, (0.0, None))
        if found is None or time.monotonic() - since > _REMEMBERED_SECONDS:
            found = carry_out(self._worker, task)
            self._remember(task, found)
        if found.problem is not None:
            raise ArchiveError(found.problem)
        return found

    def _remember(self, task: ArchiveTask, found: Drawn) -> None:
        with self._lock:
            self._drawn[task] = time.monotonic(), found
            while len(self._drawn) > _REMEMBERED:
                self._drawn.popitem(last=False)

    def close(self) -> None:
        self._worker.end()
        self._worker.stop()
