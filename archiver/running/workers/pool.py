"""The pool of worker processes: each task has a deadline, and a worker that dies is replaced."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.acquisition.rechecks.sitemaps import SitemapRead
from archiver.documents.lists.model import ArchivePage
from archiver.errors import ExtractionError, ReadingFault, RecordError, WorkersBroken
from archiver.running.workers.messages import (
    FeedRead,
    JudgePages,
    PageRead,
    PagesJudged,
    PagesRead,
    ProveYourself,
    ReadPages,
    StyleRead,
    Trouble,
    patience,
)
from archiver.running.workers.worker import Worker

if TYPE_CHECKING:
    from archiver.running.workers.messages import (
        ReadArchivePage,
        ReadContent,
        ReadFeed,
        ReadSitemap,
        ReadStyle,
        Reply,
        Task,
    )

Result = TypeVar("Result")
# Also a second time, by a worker that can read other documents: no word about this one.
_FAULTS = {Trouble.MACHINE, Trouble.KILLED, Trouble.WAITED}


class WorkerPool:
    """Runs tasks in processes, so many at a time as there are workers."""

    def __init__(self, workers: int, *, seconds: float, memory_mb: int) -> None:
        self._workers = [Worker(seconds, memory_mb << 20) for _ in range(workers)]
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
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

    async def read_sitemap(self, task: ReadSitemap) -> SitemapRead:
        return await self._run(task, SitemapRead)

    async def _run(self, task: Task, kind: type[Result]) -> Result:
        words = (msgspec.json.encode(task), patience(task), msgspec.json.encode(_proof_of(task)))
        worker = await self._free.get()
        try:
            reply = await asyncio.wrap_future(self._submit(worker, *words))
        finally:
            self._free.put_nowait(worker)
        if reply.trouble is not None:
            raise _error_of(reply.trouble, reply.error)
        return msgspec.json.decode(reply.result, type=kind)

    def _submit(self, worker: Worker, task: bytes, times: float, proof: bytes) -> Future[Reply]:
        try:
            return self._threads.submit(worker.call, task, times, proof)
        except (RuntimeError, MemoryError) as error:  # the system gives no thread
            raise WorkersBroken(f"No worker process can be started: {error}") from error

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:
            worker.stop()


def _proof_of(task: Task) -> ProveYourself:
    """What a worker must be able to do before it may say that this task cannot be done."""
    return ProveYourself(method=task.method if isinstance(task, ReadPages | JudgePages) else None)


def _error_of(trouble: Trouble, told: str) -> RecordError | ReadingFault | ExtractionError:
    if trouble is Trouble.RECORD:
        return RecordError(told)
    return ReadingFault(told) if trouble in _FAULTS else ExtractionError(told)
