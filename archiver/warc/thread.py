"""The thread that compresses and writes, so that the event loop never waits for a disk."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.warc.records import Capture, Exchange
    from archiver.warc.writer import WarcWriter

    Job = tuple[Sequence[Exchange], asyncio.Future[list[Capture | None]]]

# One fsync serves all exchanges that were waiting when it began.
_MOST_AT_ONCE = 64


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
        future: asyncio.Future[list[Capture | None]] = asyncio.get_running_loop().create_future()
        self._jobs.put((exchanges, future))
        return await future

    def close(self) -> None:
        """Write what is still waiting, then close the file."""
        self._jobs.put(None)
        self._thread.join()
        self.writer.close()

    def _run(self) -> None:
        ending = False
        while not ending:
            batch = [self._jobs.get()]
            while len(batch) < _MOST_AT_ONCE and not self._jobs.empty():
                batch.append(self._jobs.get())
            ending = None in batch
            self._write_batch([job for job in batch if job is not None])
            self.cpu_seconds = time.thread_time()

    def _write_batch(self, batch: list[Job]) -> None:
        results: list[list[Capture | None] | BaseException] = []
        for exchanges, _ in batch:
            try:
                results.append(self.writer.write(exchanges))
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
