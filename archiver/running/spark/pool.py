"""Tasks done by Spark: some in each job, some jobs at a time."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from archiver.errors import WorkersBroken
from archiver.running.spark.carrying import CarryingRules, carried_out, decoded
from archiver.running.workers.pool import result_of, work_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.running.workers import Task
    from archiver.running.workers.messages import Reply
    from archiver.running.workers.worker import Work

R = TypeVar("R")
# Jobs at a time: while the last tasks of one are done, the next ones keep the other processors busy.
_JOBS = 3
# Tasks of a job for each processor: a job costs Java and Python as much as a page or two.
_TASKS = 4
# Seconds for which tasks gather before a job begins.
_GATHER = 0.2


class SparkPool:
    """Runs tasks on a Spark context, so many at a time as it has processors."""

    def __init__(self, context: Any, rules: CarryingRules) -> None:  # noqa: ANN401 - Spark's types are not there where it is not
        self._context = context
        self._rules = context.broadcast(rules)
        self._tasks_of_job = _TASKS * context.defaultParallelism
        self.ahead = _JOBS * self._tasks_of_job
        self._waiting: list[tuple[Work, asyncio.Future[Reply]]] = []
        self._jobs: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(_JOBS, thread_name_prefix="spark")

    async def run(self, task: Task[R]) -> R:
        """Have a task done; raises what kept it from being done, or WorkersBroken where none can be."""
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((work_of(task), reply))
        if len(self._jobs) < _JOBS:
            job = asyncio.create_task(self._work_off())
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)
        return result_of(task, await reply)

    async def _work_off(self) -> None:
        """Job after job, until nothing waits."""
        await asyncio.sleep(_GATHER)
        while some := self._taken():
            try:
                work = [one for one, _ in some]
                replies = await asyncio.get_running_loop().run_in_executor(self._threads, self._job, work)
            except Exception as error:  # noqa: BLE001 - handed to all who wait for this job
                _fail([reply for _, reply in some], error)
                continue
            for (_, reply), found in zip(some, replies, strict=True):
                if not reply.done():
                    reply.set_result(found)

    def _taken(self) -> list[tuple[Work, asyncio.Future[Reply]]]:
        """What the next job does, of what waits."""
        some = self._waiting[: self._tasks_of_job]
        del self._waiting[: len(some)]
        return some

    def _job(self, work: Sequence[Work]) -> list[Reply]:
        rules = self._rules
        tasks = self._context.parallelize(work, len(work)).map(lambda one: carried_out(rules.value, one))
        return [decoded(reply) for reply in tasks.collect()]

    def close(self) -> None:
        self._context.cancelAllJobs()
        self._context.stop()
        self._threads.shutdown()


def _fail(waiting: Sequence[asyncio.Future[Reply]], error: Exception) -> None:
    told = WorkersBroken(f"Spark could not do a task: {in_words(error)}")
    for reply in waiting:
        if not reply.done():
            reply.set_exception(told)


def in_words(error: Exception) -> str:
    """The line of Python's or of Java's account that says what happened."""
    lines = [line.strip() for line in str(error).splitlines()]
    named = [line for line in lines if "Error: " in line or "WorkersBroken: " in line]
    return next(iter(named or lines), "") or type(error).__name__
