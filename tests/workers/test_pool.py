"""A real pool: every task is answered, and every task has an end."""

from __future__ import annotations

import asyncio
import gzip
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.documents.pages.model import Announcement
from archiver.errors import ExtractionError, ReadingFault, RecordError
from archiver.running.workers.page_tasks import PageToRead, ReadContent, ReadPages
from archiver.running.workers.tasks import ReadFeed
from tests.workers.pooling import (
    URL,
    feed_task,
    hanging_task,
    is_running,
    long_task,
    pid_of,
    running,
    title_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.running.workers.pool import WorkerPool


def test_feeds_pages_and_contents_are_read(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        assert title_of(await pool.run(feed)) == "Feed"
        words = "<p>" + "Several words that make an article of a page. " * 20
        page = feed_task(
            tmp_path, head=b"HTTP/1.1 200 OK\r\n\r\n", body=f"<html><body><article>{words}".encode()
        )
        announced = Announcement(title="Title", summary="Several words that make an article")
        wanted = PageToRead(
            id="<a>", url=page.url, file=page.file, offset=page.offset, announcement=announced
        )
        task = ReadPages(folder=page.folder, method="sigfeed", pages=(wanted,))
        (read,) = (await pool.run(task)).pages
        assert read.extractor == "sigfeed/1"
        assert read.article is not None
        assert read.fingerprint is not None
        content = ReadContent(url="http://example.org/a", announcement=Announcement(content=words))
        read = await pool.run(content)
        assert read.article is not None
        assert read.article.method == "feed"

    running(work)


def test_many_tasks_get_their_own_answers(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        tasks = [feed_task(tmp_path, f"Feed {number}") for number in range(30)]
        reads = await asyncio.gather(*map(pool.run, tasks))
        assert [title_of(read) for read in reads] == [f"Feed {number}" for number in range(30)]
        assert pid_of(pool, 0) != pid_of(pool, 1)

    running(work, workers=2)


def test_a_task_larger_than_a_pipe_arrives_whole() -> None:
    async def work(pool: WorkerPool) -> None:
        words = " ".join(f"word{number}" for number in range(200_000))
        content = ReadContent(
            url="http://example.org/a", announcement=Announcement(content=f"<p>{words}</p>")
        )
        read = await pool.run(content)
        assert read.article is not None
        assert read.article.text.endswith("word199999")

    running(work)


def test_a_task_that_takes_too_long_is_ended_and_the_next_one_works(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.run(feed)
        first = pid_of(pool)
        with pytest.raises(ExtractionError, match=r"took longer than 0\.5 s"):
            await pool.run(long_task())
        assert not is_running(first)
        assert title_of(await pool.run(feed)) == "Feed"

    running(work, seconds=0.5)


def test_a_task_that_waits_for_the_disk_is_not_the_documents_fault(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        await pool.run(feed)
        first = pid_of(pool)
        with pytest.raises(ReadingFault, match=r"too busy: 0\.0 s of processor time in 0\.5 s"):
            await pool.run(hanging_task(tmp_path))
        assert not is_running(first)
        assert title_of(await pool.run(feed)) == "Feed"

    running(work, seconds=0.5)


def test_the_start_of_a_worker_is_not_counted_as_time_of_its_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "python"
    slow.write_text(f'#!/bin/sh\nsleep 1.1\nexec {sys.executable} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(slow))

    async def work(pool: WorkerPool) -> None:
        assert title_of(await pool.run(feed_task(tmp_path))) == "Feed"

    running(work, seconds=1.0)


def test_a_task_that_takes_too_much_memory_fails_and_the_next_one_works(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        bomb = gzip.compress(bytes(280 << 20))
        task = feed_task(tmp_path, head=b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", body=bomb)
        with pytest.raises(ExtractionError, match=r"MemoryError|died"):
            await pool.run(task)
        assert title_of(await pool.run(feed_task(tmp_path))) == "Feed"

    running(work, memory_mb=400)


def test_a_caller_that_gives_up_does_not_mix_up_the_answers(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        tasks = [feed_task(tmp_path, f"Feed {number}") for number in range(8)]
        await pool.run(tasks[0])
        reading = [asyncio.create_task(pool.run(task)) for task in tasks]
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
            await pool.run(ReadFeed(url=URL, folder=str(tmp_path), file="none.warc.gz", offset=0))
        feed = feed_task(tmp_path)
        with pytest.raises(RecordError, match="at"):
            await pool.run(msgspec.structs.replace(feed, offset=feed.offset + 5))

    running(work)
