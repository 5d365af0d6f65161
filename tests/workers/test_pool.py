"""A real pool: every task has an end, a worker's death is nobody's loss, no worker outlives its parent."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.errors import ArchiveError, ExtractionError, RecordError
from archiver.extract.model import Announcement
from archiver.workers.messages import PageToRead, ReadContent, ReadFeed, ReadPages, Task
from archiver.workers.pool import WorkerPool
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from archiver.workers.messages import FeedRead

URL = "http://example.org/a"
FEED = b"<rss version='2.0'><channel><title>%s</title></channel></rss>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n"
# Generous: the machine may be busy with other things.
SOON = 20.0


def feed_task(folder: Path, title: str = "Feed", head: bytes = HEAD, body: bytes | None = None) -> ReadFeed:
    keeper = writer(folder)
    (capture,) = keeper.write([exchange(head + (body or FEED % title.encode()))])
    keeper.close()
    assert capture is not None
    return ReadFeed(url=URL, folder=str(folder), file=capture.file, offset=capture.offset)


def hanging_task(folder: Path) -> ReadFeed:
    """A file that nobody ever writes to: opening it takes for ever."""
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "hanging.warc.gz")
    return ReadFeed(url=URL, folder=str(folder), file="hanging.warc.gz", offset=0)


def title_of(read: FeedRead) -> str | None:
    return read.feed.info.title if read.feed else None


def running(work: Callable[[WorkerPool], Awaitable[None]], **limits: float) -> None:
    """Do something with a pool, and close it."""

    async def run() -> None:
        values = {"workers": 1, "seconds": SOON, "memory_mb": 1024} | limits
        pool = WorkerPool(
            int(values["workers"]), seconds=values["seconds"], memory_mb=int(values["memory_mb"])
        )
        try:
            await work(pool)
        finally:
            pool.close()
        assert [worker._process for worker in pool._workers] == [None] * len(pool._workers)

    asyncio.run(run())


def pid_of(pool: WorkerPool, number: int = 0) -> int:
    process = pool._workers[number]._process
    assert process is not None
    return process.pid


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_ready(pid: int) -> bool:
    """True once a worker has set its limits, which it does right before it takes a task."""
    limits = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return any(line.startswith("Max address space") and str(1 << 30) in line for line in limits)


async def ready_worker(pool: WorkerPool, *, other_than: int = 0) -> int:
    """The process number of the pool's only worker, as soon as it works."""

    def found() -> bool:
        process = pool._workers[0]._process
        return process is not None and process.pid != other_than and is_ready(process.pid)

    await asyncio.to_thread(wait_until, found)
    await asyncio.sleep(0.2)
    return pid_of(pool)


def test_feeds_pages_and_contents_are_read(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        assert title_of(await pool.read_feed(feed)) == "Feed"
        words = "<p>" + "Several words that make an article of a page. " * 20
        page = feed_task(
            tmp_path, head=b"HTTP/1.1 200 OK\r\n\r\n", body=f"<html><body><article>{words}".encode()
        )
        announced = Announcement(title="Title", summary="Several words that make an article")
        wanted = PageToRead(
            id="<a>", url=page.url, file=page.file, offset=page.offset, announcement=announced
        )
        task = ReadPages(folder=page.folder, method="sigfeed", pages=(wanted,))
        (read,) = (await pool.read_pages(task)).pages
        assert read.extractor == "sigfeed/1"
        assert read.article is not None
        assert read.fingerprint is not None
        content = ReadContent(url="http://example.org/a", announcement=Announcement(content=words))
        read = await pool.read_content(content)
        assert read.article is not None
        assert read.article.method == "feed"

    running(work)


def test_many_tasks_get_their_own_answers(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        tasks = [feed_task(tmp_path, f"Feed {number}") for number in range(30)]
        reads = await asyncio.gather(*map(pool.read_feed, tasks))
        assert [title_of(read) for read in reads] == [f"Feed {number}" for number in range(30)]
        assert pid_of(pool, 0) != pid_of(pool, 1)

    running(work, workers=2)


def test_a_task_larger_than_a_pipe_arrives_whole() -> None:
    async def work(pool: WorkerPool) -> None:
        words = " ".join(f"word{number}" for number in range(200_000))
        content = ReadContent(
            url="http://example.org/a", announcement=Announcement(content=f"<p>{words}</p>")
        )
        read = await pool.read_content(content)
        assert read.article is not None
        assert read.article.text.endswith("word199999")

    running(work)


def test_a_task_that_takes_too_long_is_ended_and_the_next_one_works(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.read_feed(feed)
        first = pid_of(pool)
        with pytest.raises(ExtractionError, match="took longer than 1 s"):
            await pool.read_feed(hanging_task(tmp_path))
        assert not is_running(first)
        assert title_of(await pool.read_feed(feed)) == "Feed"

    running(work, seconds=1.0)


def test_the_start_of_a_worker_is_not_counted_as_time_of_its_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "python"
    slow.write_text(f'#!/bin/sh\nsleep 1.1\nexec {sys.executable} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(slow))

    async def work(pool: WorkerPool) -> None:
        assert title_of(await pool.read_feed(feed_task(tmp_path))) == "Feed"

    running(work, seconds=1.0)


def test_a_task_that_takes_too_much_memory_fails_and_the_next_one_works(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        bomb = gzip.compress(bytes(120 << 20))
        task = feed_task(tmp_path, head=b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", body=bomb)
        with pytest.raises(ExtractionError, match=r"MemoryError|died"):
            await pool.read_feed(task)
        assert title_of(await pool.read_feed(feed_task(tmp_path))) == "Feed"

    running(work, memory_mb=256)


def test_a_worker_that_is_killed_while_idle_is_replaced(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.read_feed(feed)
        os.kill(pid_of(pool), signal.SIGKILL)
        wait_until(lambda: not is_running(pid_of(pool)))
        assert title_of(await pool.read_feed(feed)) == "Feed"

    running(work)


def test_a_task_whose_worker_is_killed_is_done_by_another(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        real = feed_task(tmp_path)
        task = hanging_task(tmp_path)
        reading = asyncio.create_task(pool.read_feed(msgspec.structs.replace(task, offset=real.offset)))
        first = await ready_worker(pool)
        (tmp_path / real.file).rename(tmp_path / task.file)  # takes the place of the file that hangs
        os.kill(first, signal.SIGKILL)
        assert title_of(await reading) == "Feed"
        assert pid_of(pool) != first

    running(work)


def test_a_task_that_kills_two_workers_is_given_up(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        reading = asyncio.create_task(pool.read_feed(hanging_task(tmp_path)))
        first = await ready_worker(pool)
        os.kill(first, signal.SIGKILL)
        os.kill(await ready_worker(pool, other_than=first), signal.SIGKILL)
        with pytest.raises(ExtractionError, match=r"the worker died twice \(SIGKILL\)"):
            await reading

    running(work)


def test_a_service_manager_that_ends_all_processes_does_not_end_a_task(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.read_feed(feed)
        first = pid_of(pool)
        os.kill(first, signal.SIGTERM)
        assert title_of(await pool.read_feed(feed)) == "Feed"
        assert pid_of(pool) == first

    running(work)


def test_a_caller_that_gives_up_does_not_mix_up_the_answers(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        tasks = [feed_task(tmp_path, f"Feed {number}") for number in range(8)]
        await pool.read_feed(tasks[0])
        reading = [asyncio.create_task(pool.read_feed(task)) for task in tasks]
        await asyncio.sleep(0)
        for number in (0, 2, 4):
            await asyncio.sleep(0)
            reading[number].cancel()
        answers = await asyncio.gather(*reading, return_exceptions=True)
        for number, answer in enumerate(answers):
            if not isinstance(answer, asyncio.CancelledError):
                assert not isinstance(answer, BaseException)
                assert title_of(answer) == f"Feed {number}"

    running(work)


def test_a_record_that_is_not_there_is_the_archives_trouble_and_not_the_pages(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        with pytest.raises(RecordError, match=r"none\.warc\.gz is not in"):
            await pool.read_feed(ReadFeed(url=URL, folder=str(tmp_path), file="none.warc.gz", offset=0))
        feed = feed_task(tmp_path)
        with pytest.raises(RecordError, match="at"):
            await pool.read_feed(msgspec.structs.replace(feed, offset=feed.offset + 5))

    running(work)


@pytest.mark.parametrize(
    ("interpreter", "cause"), [("/bin/false", "exit code 1"), ("/nonexistent", "No such file")]
)
def test_workers_that_cannot_start_are_no_fault_of_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str, cause: str
) -> None:
    monkeypatch.setattr(sys, "executable", interpreter)

    async def work(pool: WorkerPool) -> None:
        with pytest.raises(ArchiveError, match=f"No worker process can be started: .*{cause}"):
            await pool.read_feed(feed_task(tmp_path))

    running(work)


def test_closing_ends_a_task_that_hangs(tmp_path: Path) -> None:
    async def run() -> None:
        pool = WorkerPool(1, seconds=SOON * 10, memory_mb=1024)
        reading = asyncio.create_task(pool.read_feed(hanging_task(tmp_path)))
        pid = await ready_worker(pool)
        await asyncio.to_thread(pool.close)
        assert not is_running(pid)
        with pytest.raises(ArchiveError):
            await reading

    asyncio.run(run())


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "archiver.workers.child", str(1 << 30), "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(4) == bytes(4)
        yield process
        process.kill()


def send(process: subprocess.Popen[bytes], task: Task) -> None:
    assert process.stdin is not None
    message = msgspec.json.encode(task)
    process.stdin.write(struct.pack("!I", len(message)) + message)
    process.stdin.flush()


def test_a_worker_whose_parent_is_gone_does_not_work_for_ever(
    child: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    send(child, hanging_task(tmp_path))
    assert child.wait(SOON) == -signal.SIGALRM


def test_a_worker_whose_pipe_is_closed_ends(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(SOON) == 0


PARENT = """
import asyncio, sys, time
from archiver.workers.messages import ReadContent
from archiver.extract.model import Announcement
from archiver.workers.pool import WorkerPool

async def main():
    pool = WorkerPool(2, seconds=60, memory_mb=1024)
    task = ReadContent(url="http://example.org/", announcement=Announcement(content="<p>Words</p>"))
    await asyncio.gather(pool.read_content(task), pool.read_content(task))
    print(*(worker._process.pid for worker in pool._workers), flush=True)
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
