"""The thread that compresses and writes, so that the event loop never waits for a disk."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.warc.records import Capture, Exchange, Fields
    from archiver.warc.writer import WarcWriter

    Job = tuple[Callable[[], list[Capture | None]], asyncio.Future[list[Capture | None]]]

logger = logging.getLogger(__name__)

# One fsync serves all exchanges that were waiting when it began.
_MOST_AT_ONCE = 64
# How often an idle thread looks whether its file has grown old.
_IDLE_SECONDS = 30.0


class WriterThread:
    """Takes exchanges from the event loop and answers when they are on disk."""

    def __init__(self, writer: WarcWriter) -> None:
        self.writer = writer
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="warc-writer", daemon=True)
        self._thread.start()
        self.cpu_seconds = 0.0

    async def write(self, exchanges: Sequence[Exchange]) -> list[Capture | None]:
        """Answer once all of them are on disk; raise when they are not."""
        return await self._ask(lambda: self.writer.write(exchanges))

    async def write_metadata(self, url: str, refers_to: str, fields: Fields) -> None:
        """Keep what became known of a record after it was written."""

        def job() -> list[Capture | None]:
            self.writer.write_metadata(url, refers_to, fields)
            return []

        await self._ask(job)

    async def _ask(self, job: Callable[[], list[Capture | None]]) -> list[Capture | None]:
        future: asyncio.Future[list[Capture | None]] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, future))
        return await future

    def close(self) -> None:
        """Write what is still waiting, then close the file."""
        self._jobs.put(None)
        self._thread.join()
        self.writer.close()

    def _run(self) -> None:
        ending = False
        while not ending:
            try:
                batch = [self._jobs.get(timeout=_IDLE_SECONDS)]
            except queue.Empty:
                self._close_if_old()
                continue
            while len(batch) < _MOST_AT_ONCE and not self._jobs.empty():
                batch.append(self._jobs.get())
            ending = None in batch
            self._write_batch([job for job in batch if job is not None])
            self.cpu_seconds = time.thread_time()

    def _close_if_old(self) -> None:
        try:
            self.writer.close_if_old()
        except OSError:
            logger.exception("Could not close a WARC file; it is tried again")

    def _write_batch(self, batch: list[Job]) -> None:
        results: list[list[Capture | None] | BaseException] = []
        for job, _ in batch:
            try:
                results.append(job())
            except Exception as error:  # noqa: BLE001 - handed to whoever waits; the thread must go on
                results.append(error)
        try:
            self.writer.sync()
        except OSError as error:
            results = [error] * len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            future.get_loop().call_soon_threadsafe(_settle, future, result)


def _settle(
    future: asyncio.Future[list[Capture | None]], result: list[Capture | None] | BaseException
) -> None:
    if future.done():  # the request was cancelled meanwhile
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)
