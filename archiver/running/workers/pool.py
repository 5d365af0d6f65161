"""The pool of worker processes: each task has a deadline, and a worker that dies is replaced."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from archiver.articles.methods.registry import facts_of
from archiver.errors import ExtractionError, ReadingFault, RecordError, WorkersBroken
from archiver.running.workers.messages import Trouble, order_of
from archiver.running.workers.tasks import ImportModules, ProveYourself
from archiver.running.workers.worker import Work, Worker

if TYPE_CHECKING:
    from archiver.running.workers import Task
    from archiver.running.workers.messages import Reply

R = TypeVar("R")
# Also a second time, by a worker that can read other documents: no word about this one.
_FAULTS = {Trouble.MACHINE, Trouble.KILLED, Trouble.WAITED}


class WorkerPool:
    """Runs tasks in processes, so many at a time as there are workers."""

    def __init__(self, workers: int, *, seconds: float, memory_mb: int) -> None:
        self.ahead = 2 * workers
        self._workers = [Worker(seconds, memory_mb << 20) for _ in range(workers)]
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")

    async def run(self, task: Task[R]) -> R:
        """Have a task done; raises what kept it from being done, or WorkersBroken where none can be."""
        work = work_of(task)
        worker = await self._free.get()
        try:
            reply = await asyncio.wrap_future(self._submit(worker, work))
        finally:
            self._free.put_nowait(worker)
        return result_of(task, reply)

    def _submit(self, worker: Worker, work: Work) -> Future[Reply]:
        try:
            return self._threads.submit(worker.call, work)
        except (RuntimeError, MemoryError) as error:  # the system gives no thread
            raise WorkersBroken(f"No worker process can be started: {error}") from error

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:
            worker.stop()


def carry_out(worker: Worker, task: Task[R]) -> R:
    """Have a task done by this worker, for threads that may wait; raises as `WorkerPool.run` does."""
    return result_of(task, worker.call(work_of(task)))


def result_of(task: Task[R], reply: Reply) -> R:
    """What a reply says; raises what kept the task from being done."""
    if reply.trouble is not None:
        raise _error_of(reply.trouble, reply.error)
    result: R = msgspec.json.decode(reply.result, type=task.result)
    return result


def work_of(task: Task[Any]) -> Work:
    """A task, with what a worker imports and proves before it."""
    method = task.extracts_with()
    modules = (type(task).__module__, *((facts_of(method).module,) if method else ()))
    return Work(
        order=order_of(task),
        times=task.patience(),
        # What a worker must be able to do before it may say that this task cannot be done.
        proof=order_of(ProveYourself(method=method)),
        modules=frozenset(modules),
        imports=order_of(ImportModules(modules=modules, path=tuple(sys.path))),
    )


def _error_of(trouble: Trouble, told: str) -> RecordError | ReadingFault | ExtractionError:
    if trouble is Trouble.RECORD:
        return RecordError(told)
    return ReadingFault(told) if trouble in _FAULTS else ExtractionError(told)
