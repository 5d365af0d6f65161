"""A pool of workers in the hands of a test, and tasks for it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from archiver.documents.pages.model import Announcement
from archiver.running.workers.page_tasks import ReadContent
from archiver.running.workers.pool import WorkerPool
from archiver.running.workers.tasks import ReadFeed
from tests.waiting import SOON, state_of
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from archiver.running.workers.tasks import FeedRead

URL = "http://example.org/a"
FEED = b"<rss version='2.0'><channel><title>%s</title></channel></rss>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n"


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


def long_task() -> ReadContent:
    """Seconds of work."""
    words = " ".join(f"word{number}" for number in range(1_000_000))
    return ReadContent(url=URL, announcement=Announcement(content=f"<p>{words}</p>"))


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
        assert [worker.process for worker in pool._workers] == [None] * len(pool._workers)

    asyncio.run(run())


def pid_of(pool: WorkerPool, number: int = 0) -> int:
    process = pool._workers[number].process
    assert process is not None
    return process.pid


def is_running(pid: int) -> bool:
    return state_of(pid) not in {"", "Z"}
