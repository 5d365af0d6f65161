"""A worker's death is nobody's loss, and no worker outlives its parent."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import subprocess
import sys
from pathlib import Path
from subprocess import Popen  # which conftest.py leaves as it is: a whole interpreter, to its end
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.errors import ArchiveError, ExtractionError, ReadingFault, WorkersBroken
from archiver.running.workers.messages import order_of
from archiver.running.workers.pool import WorkerPool
from tests.waiting import SOON, wait_until
from tests.workers.pooling import feed_task, hanging_task, is_running, pid_of, running, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from archiver.running.workers import Task


def is_ready(pid: int) -> bool:
    """True once a worker has set its limits, which it does right before it takes a task."""
    limits = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return any(line.startswith("Max address space") and str(1 << 30) in line for line in limits)


async def ready_worker(pool: WorkerPool, *, other_than: int = 0) -> int:
    """The process number of the pool's only worker, as soon as it works."""

    def found() -> bool:
        process = pool._workers[0].process
        return process is not None and process.pid != other_than and is_ready(process.pid)

    await asyncio.to_thread(wait_until, found)
    await asyncio.sleep(0.2)
    return pid_of(pool)


def test_a_worker_that_is_killed_while_idle_is_replaced(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.run(feed)
        os.kill(pid_of(pool), signal.SIGKILL)
        wait_until(lambda: not is_running(pid_of(pool)))
        assert title_of(await pool.run(feed)) == "Feed"

    running(work)


def test_a_task_whose_worker_is_killed_is_done_by_another(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        real = feed_task(tmp_path)
        task = hanging_task(tmp_path)
        reading = asyncio.create_task(pool.run(msgspec.structs.replace(task, offset=real.offset)))
        first = await ready_worker(pool)
        (tmp_path / real.file).rename(tmp_path / task.file)  # takes the place of the file that hangs
        os.kill(first, signal.SIGKILL)
        assert title_of(await reading) == "Feed"
        assert pid_of(pool) != first

    running(work)


@pytest.mark.parametrize(
    # A document can crash a worker. It cannot send SIGKILL: a machine that runs out of memory does.
    ("death", "error"),
    [(signal.SIGSEGV, ExtractionError), (signal.SIGKILL, ReadingFault)],
)
def test_a_task_that_kills_two_workers_is_given_up(
    tmp_path: Path, death: signal.Signals, error: type[Exception]
) -> None:
    async def work(pool: WorkerPool) -> None:
        reading = asyncio.create_task(pool.run(hanging_task(tmp_path)))
        first = await ready_worker(pool)
        os.kill(first, death)
        os.kill(await ready_worker(pool, other_than=first), death)
        with pytest.raises(error, match=rf"the worker died \({death.name}\)"):
            await reading

    running(work)


def test_a_service_manager_that_ends_all_processes_does_not_end_a_task(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.run(feed)
        first = pid_of(pool)
        os.kill(first, signal.SIGTERM)
        assert title_of(await pool.run(feed)) == "Feed"
        assert pid_of(pool) == first

    running(work)


@pytest.mark.parametrize(
    ("interpreter", "cause"), [("/bin/false", "exit code 1"), ("/nonexistent", "No such file")]
)
def test_workers_that_cannot_start_are_no_fault_of_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str, cause: str
) -> None:
    monkeypatch.setattr(sys, "executable", interpreter)

    async def work(pool: WorkerPool) -> None:
        with pytest.raises(WorkersBroken, match=f"No worker process can be started: .*{cause}"):
            await pool.run(feed_task(tmp_path))

    running(work)


def test_closing_ends_a_task_that_hangs(tmp_path: Path) -> None:
    async def run() -> None:
        pool = WorkerPool(1, seconds=SOON * 10, memory_mb=1024)
        reading = asyncio.create_task(pool.run(hanging_task(tmp_path)))
        pid = await ready_worker(pool)
        await asyncio.to_thread(pool.close)
        assert not is_running(pid)
        with pytest.raises(ArchiveError):
            await reading

    asyncio.run(run())


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "archiver.running.workers.child", str(1 << 30), "1"]
    with Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(4) == bytes(4)
        yield process
        process.kill()


def send(process: subprocess.Popen[bytes], task: Task[Any]) -> None:
    assert process.stdin is not None
    message = order_of(task)
    process.stdin.write(struct.pack("!I", len(message)) + message)
    process.stdin.flush()


def test_a_worker_whose_parent_is_gone_does_not_work_for_ever(
    child: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    send(child, hanging_task(tmp_path))
    assert child.wait(SOON) == -signal.SIGALRM


def test_a_worker_whose_parent_was_killed_says_nothing() -> None:
    """It would stand on the terminal, behind the prompt."""
    command = [sys.executable, "-m", "archiver.running.workers.child", str(1 << 30), "1"]
    pipe = subprocess.PIPE
    with Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SOON) == 0


def test_a_worker_whose_pipe_is_closed_ends(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(SOON) == 0


PARENT = """
import asyncio, sys, time
from archiver.running.workers.page_tasks import ReadContent
from archiver.articles.model import Announcement
from archiver.running.workers.pool import WorkerPool

async def main():
    pool = WorkerPool(2, seconds=60, memory_mb=1024)
    task = ReadContent(url="http://example.org/", announcement=Announcement(content="<p>Words</p>"))
    await asyncio.gather(pool.run(task), pool.run(task))
    print(*(worker.process.pid for worker in pool._workers), flush=True)
    time.sleep(60)

asyncio.run(main())
"""


def test_workers_end_when_their_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(is_running, pids))
        parent.kill()
        parent.wait()
        wait_until(lambda: not any(map(is_running, pids)))
