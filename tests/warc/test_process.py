"""The process that writes WARC: in order, for all who wait, and never in the way of the event loop."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.reader import read_response
from archiver.errors import ArchiveError
from archiver.running.writing.messages import Close, Keep, Messages, framed
from tests.waiting import state_of, wait_until
from tests.warc.samples import RECEIVED, check, check_files, exchange, only_file, read_all, warcs
from tests.warc.writing import PAGE, begun, open_writer, pid_of, running, stop

if TYPE_CHECKING:
    from pathlib import Path


def test_it_writes_for_all_who_wait_and_in_their_order(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            asked = [writer.write([exchange(RECEIVED * number)]) for number in range(1, 101)]
            captures = [capture for (capture,) in await asyncio.gather(*asked) if capture]
        assert len(captures) == 100
        offsets = [capture.offset for capture in captures]
        assert offsets == sorted(offsets)
        assert writer.files == [only_file(tmp_path).name]
        assert writer.bytes_written == only_file(tmp_path).stat().st_size
        assert writer.cpu_seconds > 0
        for number, capture in enumerate(captures, 1):
            stored = read_response(tmp_path, capture.file, capture.offset)
            assert len(stored.content) == len((RECEIVED * number).partition(b"\r\n\r\n")[2])

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 301


def test_an_answer_means_that_it_is_on_its_way_to_disk(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange(), exchange(b"")])
            await writer.write_metadata("http://example.org/", "<urn:uuid:1>", (("wrapper", "w1"),))
            assert len(check(only_file(tmp_path).read_bytes())) == 7
            assert only_file(tmp_path).name.endswith(".open")

    running(work())
    check_files(tmp_path)


def test_what_was_never_used_leaves_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path / "warc"):
            pass
        async with open_writer(tmp_path / "warc") as started:
            started.start()

    running(work())
    assert not (tmp_path / "warc").exists()


def test_closing_writes_what_still_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            waiting = begun(writer, 50, os.urandom(100_000))
            await asyncio.sleep(0)
        assert all(task.done() and task.result()[0] for task in waiting)
        with pytest.raises(ArchiveError, match="has ended with its run"):
            await writer.write([exchange()])
        assert state_of(pid_of(writer)) == ""

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 151


def test_while_the_process_is_slow_the_event_loop_goes_on_and_memory_does_not_grow(tmp_path: Path) -> None:
    size = 200_000

    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            pid = await stop(writer)
            before = time.monotonic()
            waiting = begun(writer, 60, os.urandom(size))
            await asyncio.sleep(0.05)
            assert time.monotonic() - before < 5
            # Beyond what the pipe holds, one message is made; the others stay what they were.
            assert 0 < len(writer._leaving) <= size + 2000
            assert len(writer._waiting) >= 50
            assert not any(task.done() for task in waiting)
            os.kill(pid, signal.SIGCONT)
            captures = [capture for (capture,) in await asyncio.gather(*waiting) if capture]
            assert [capture.url for capture in captures] == [
                f"http://example.org/{number}" for number in range(60)
            ]
            offsets = [capture.offset for capture in captures]
            assert offsets == sorted(offsets)

    running(work())
    check_files(tmp_path)


def test_an_exchange_larger_than_the_pipe_arrives_whole(tmp_path: Path) -> None:
    body = os.urandom(5_000_000)

    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            (capture,) = await writer.write([exchange(PAGE + body)])
            assert capture is not None
            stored = read_response(tmp_path, capture.file, capture.offset)
            assert stored.content.endswith(body)

    running(work())


def test_half_a_character_becomes_a_question_mark(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            given = exchange(url="http://example.org/\ud800", context=(("via", "\udfff!"),))
            (capture,) = await writer.write([given])
            assert capture is not None
            assert capture.url == "http://example.org/?"
            assert capture.date == given.started

    running(work())
    metadata = read_all(only_file(tmp_path))[-1]
    assert metadata.all("via") == ["?!"]


def test_a_request_that_was_cancelled_is_written_all_the_same(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            hasty = asyncio.create_task(writer.write([exchange()]))
            await asyncio.sleep(0)
            hasty.cancel()
            with pytest.raises(asyncio.CancelledError):
                await hasty
            await writer.write([exchange()])

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 7


def test_an_old_file_is_closed_though_nothing_comes(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path, max_age=timedelta(seconds=0.3)) as writer:
            await writer.write([exchange()])
            final = tmp_path / writer.files[0]
            await asyncio.to_thread(wait_until, final.exists)
            assert (await writer.write([exchange()]))[0] is not None
            assert len(writer.files) == 2

    running(work())
    assert len(warcs(tmp_path)) == 2
    check_files(tmp_path)


def test_messages_come_back_however_the_bytes_are_cut() -> None:
    sent = [framed(message) for message in (Keep((exchange(),)), Close(), Keep(()))]
    data = b"".join(sent)
    for size in (1, 7, 8, 9, len(sent[0]), len(data)):
        incoming = Messages()
        found = [
            bytes(message)
            for start in range(0, len(data), size)
            for message in incoming.feed(data[start : start + size])
        ]
        assert found == [bytes(one[8:]) for one in sent]
