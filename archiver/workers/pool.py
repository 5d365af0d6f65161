"""The pool of worker processes: each task has a deadline, and a worker that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.errors import ExtractionError
from archiver.workers.child import LENGTH
from archiver.workers.messages import FeedRead, PageRead, Reply

if TYPE_CHECKING:
    from archiver.workers.messages import ReadContent, ReadFeed, ReadPage

Result = TypeVar("Result")


class WorkerPool:
    """Runs tasks in processes, so many at a time as there are workers."""

    def __init__(self, workers: int, *, seconds: float, memory_mb: int) -> None:
        self._workers = [_Worker(seconds, memory_mb << 20) for _ in range(workers)]
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")

    async def read_feed(self, task: ReadFeed) -> FeedRead:
        return await self._run(task, FeedRead)

    async def read_page(self, task: ReadPage | ReadContent) -> PageRead:
        return await self._run(task, PageRead)

    async def _run(self, task: ReadFeed | ReadPage | ReadContent, kind: type[Result]) -> Result:
        worker = await self._free.get()
        try:
            job = self._threads.submit(worker.call, msgspec.json.encode(task))
            reply = await asyncio.wrap_future(job)
        finally:
            self._free.put_nowait(worker)
        if reply.error is not None:
            raise ExtractionError(reply.error)
        return msgspec.json.decode(reply.result, type=kind)

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()
        self._threads.shutdown()


class _Worker:
    """One worker process, started when it is first needed."""

    def __init__(self, seconds: float, memory_bytes: int) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, task: bytes) -> Reply:
        """Have a task done, or say why it was not."""
        process = self._process or self._start()
        try:
            process.stdin.write(LENGTH.pack(len(task)) + task)  # type: ignore[union-attr] # opened as pipes
            process.stdin.flush()  # type: ignore[union-attr]
            answer = self._receive(process)
        except (OSError, EOFError):
            code = self.stop()
            return Reply(error=f"the worker died ({_cause(code)})")
        except TimeoutError:
            self.stop()
            return Reply(error=f"took longer than {self._seconds:g} s")
        return msgspec.json.decode(answer, type=Reply)

    def _start(self) -> subprocess.Popen[bytes]:
        limits = [str(self._memory_bytes), str(int(self._seconds) + 5)]
        command = [sys.executable, "-m", "archiver.workers.child", *limits]
        # A session of its own: Ctrl-C is for the crawl, which then ends its workers in order.
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        return self._process

    def _receive(self, process: subprocess.Popen[bytes]) -> bytes:
        deadline = time.monotonic() + self._seconds
        source = process.stdout.fileno()  # type: ignore[union-attr] # opened as pipes
        (length,) = LENGTH.unpack(_read(source, LENGTH.size, deadline))
        return _read(source, length, deadline)

    def stop(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        code = process.wait()
        process.stdin.close()  # type: ignore[union-attr] # opened as pipes
        process.stdout.close()  # type: ignore[union-attr]
        return code


def _read(source: int, wanted: int, deadline: float) -> bytes:
    parts: list[bytes] = []
    while wanted:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            raise TimeoutError
        part = os.read(source, wanted)
        if not part:
            raise EOFError
        parts.append(part)
        wanted -= len(part)
    return b"".join(parts)


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"
