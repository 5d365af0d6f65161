"""The pool of worker processes: each task has a deadline, and a worker that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.errors import ArchiveError, ExtractionError, RecordError
from archiver.gaps.model import ArchivePage
from archiver.workers.messages import (
    LENGTH,
    READY,
    FeedRead,
    PageRead,
    PagesJudged,
    PagesRead,
    Reply,
    StyleRead,
    patience,
)

if TYPE_CHECKING:
    from archiver.workers.messages import (
        JudgePages,
        ReadArchivePage,
        ReadContent,
        ReadFeed,
        ReadPages,
        ReadStyle,
        Task,
    )

Result = TypeVar("Result")
# For an interpreter and its imports, on a machine that has much else to do.
_START_SECONDS = 120.0


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

    async def read_content(self, task: ReadContent) -> PageRead:
        return await self._run(task, PageRead)

    async def read_pages(self, task: ReadPages) -> PagesRead:
        return await self._run(task, PagesRead)

    async def judge_pages(self, task: JudgePages) -> PagesJudged:
        return await self._run(task, PagesJudged)

    async def read_style(self, task: ReadStyle) -> StyleRead:
        return await self._run(task, StyleRead)

    async def read_archive_page(self, task: ReadArchivePage) -> ArchivePage:
        return await self._run(task, ArchivePage)

    async def _run(self, task: Task, kind: type[Result]) -> Result:
        worker = await self._free.get()
        try:
            job = self._threads.submit(worker.call, msgspec.json.encode(task), patience(task))
            reply = await asyncio.wrap_future(job)
        finally:
            self._free.put_nowait(worker)
        if reply.error is not None:
            raise RecordError(reply.error) if reply.is_record_lost else ExtractionError(reply.error)
        return msgspec.json.decode(reply.result, type=kind)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:
            worker.stop()


class _Worker:
    """One worker process, started when it is first needed."""

    def __init__(self, seconds: float, memory_bytes: int) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._process: subprocess.Popen[bytes] | None = None
        # Whoever was cancelled while a task ran must not make the next one talk in between.
        self._talking = threading.Lock()
        self._ended = False

    def call(self, task: bytes, times: float) -> Reply:
        """Have a task done, or say why it was not. It may take so many times as long as one document."""
        cause, seconds = "", self._seconds * times
        with self._talking:
            # Anybody may kill a process, also while it has nothing to do: that says nothing of the task.
            for _ in range(2):
                process = self._process or self._start()
                try:
                    return msgspec.json.decode(self._exchange(process, task, seconds), type=Reply)
                except TimeoutError:
                    self.stop()
                    return Reply(error=f"took longer than {seconds:g} s")
                except (OSError, EOFError):
                    cause = _cause(self.stop())
        return Reply(error=f"the worker died twice ({cause})")

    def _start(self) -> subprocess.Popen[bytes]:
        if self._ended:
            raise ArchiveError("The workers have ended with their run")
        limits = [str(self._memory_bytes), str(int(self._seconds) + 5)]
        command = [sys.executable, "-m", "archiver.workers.child", *limits]
        try:
            # A session of its own: Ctrl-C is for the crawl, which then ends its workers in order.
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
            _read(self._source(self._process), len(READY), time.monotonic() + _START_SECONDS)
        except (OSError, EOFError) as error:
            # Not a matter of this task: as it is, all of them would fail.
            code = self.stop()
            raise ArchiveError(f"No worker process can be started: {str(error) or _cause(code)}") from error
        return self._process

    def _exchange(self, process: subprocess.Popen[bytes], task: bytes, seconds: float) -> bytes:
        left = memoryview(LENGTH.pack(len(task)) + task)
        while left:
            left = left[process.stdin.write(left) :]  # type: ignore[union-attr] # opened as pipes
        deadline = time.monotonic() + seconds
        source = self._source(process)
        (length,) = LENGTH.unpack(_read(source, LENGTH.size, deadline))
        return _read(source, length, deadline)

    @staticmethod
    def _source(process: subprocess.Popen[bytes]) -> int:
        return process.stdout.fileno()  # type: ignore[union-attr] # opened as pipes

    def end(self) -> None:
        """Kill the process, whatever it does, and start no other; `stop` tidies up."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

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
