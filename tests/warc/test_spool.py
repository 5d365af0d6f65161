"""Large responses, handed over in parts: written as if they had come whole, and never all in memory."""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import signal
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc import spool
from archiver.errors import ArchiveFull
from tests.warc.samples import check_files, exchange, only_file, read_all, writer
from tests.warc.writing import limit_files, open_writer, pid_of, running, stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.warc.samples import Found

NOISE = random.Random(1).randbytes(300_000)
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunks(body: bytes, size: int = 7001) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x \n%b\r\n" % (len(part), part) for part in [*parts, b""])


RECEIVED = {
    "plain": PLAIN + NOISE,
    "gzip": PLAIN.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n") + gzip.compress(NOISE, mtime=0),
    "interim": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + PLAIN + NOISE,
    "chunked": CHUNKED + chunks(NOISE),
    "many-chunks": CHUNKED + chunks(NOISE[:40_000], 3),
    "chunked-and-cut": CHUNKED + chunks(NOISE)[:-5000],
    "chunked-with-trailers": CHUNKED + chunks(NOISE)[:-2] + b"X: y\r\n\r\nand more",
    "not-chunked": CHUNKED + NOISE,
    "chunks-and-nonsense": CHUNKED + chunks(NOISE)[:-4] + b"xyz\r\n" + NOISE,
    "not-http": NOISE.replace(b"\n", b""),
}


def kept(folder: Path, received: bytes, *, streamed: bool, exact_wire: bool) -> list[Found]:
    keeper = writer(folder, exact_wire=exact_wire)
    if streamed:
        for start in range(0, len(received), 65_537):
            keeper.add(7, received[start : start + 65_537])
        keeper.write([exchange(b"", stream=7)])
    else:
        keeper.write([exchange(received)])
    keeper.close()
    check_files(folder)
    return read_all(only_file(folder))


@pytest.mark.parametrize("exact_wire", [False, True])
@pytest.mark.parametrize("name", RECEIVED)
def test_a_response_in_parts_is_kept_as_one_that_came_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, exact_wire: bool
) -> None:
    monkeypatch.setattr(spool, "_PIECE", 10_007)  # so that pieces end within chunks, and lines within pieces
    whole = kept(tmp_path / "whole", RECEIVED[name], streamed=False, exact_wire=exact_wire)
    parts = kept(tmp_path / "parts", RECEIVED[name], streamed=True, exact_wire=exact_wire)
    assert [one.block for one in parts[1:]] == [one.block for one in whole[1:]]
    changing = {"WARC-Record-ID", "WARC-Concurrent-To", "WARC-Warcinfo-ID"}
    for one, other in zip(parts[1:], whole[1:], strict=True):
        assert {k: v for k, v in one.headers.items() if k not in changing} == {
            k: v for k, v in other.headers.items() if k not in changing
        }


def test_nothing_is_left_of_what_waited(tmp_path: Path) -> None:
    """Not even of a response whose exchange never comes, nor after a crash: the files have no names."""
    files: list[int] = []

    async def work() -> None:
        async with open_writer(tmp_path) as keeper:
            keeper.hand_over(1, PLAIN + NOISE)
            keeper.hand_over(2, PLAIN + NOISE)
            keeper.drop(2)
            await keeper.write([exchange(b"the rest", stream=1)])
            files.append(len(await asyncio.to_thread(lambda: list(tmp_path.iterdir()))))

    running(work())
    assert files == [1]
    assert len(list(tmp_path.iterdir())) == 2  # the file and the manifest
    assert read_all(only_file(tmp_path))[1].block == PLAIN + NOISE + b"the rest"


def test_parts_wait_for_a_process_that_is_slow_and_those_who_have_more_are_told(tmp_path: Path) -> None:
    told: list[bool] = []

    async def work() -> None:
        async with open_writer(tmp_path) as keeper:
            keeper.when_room(lambda: told.append(keeper.has_room))
            pid = await stop(keeper)
            handed = 0
            while keeper.has_room:
                keeper.hand_over(1, PLAIN if not handed else NOISE)
                handed += 1
            assert handed * len(NOISE) < 20 << 20
            assert told == []
            os.kill(pid, signal.SIGCONT)
            (capture,) = await keeper.write([exchange(b"", stream=1)])
            assert capture is not None
            assert told == [True]
        assert len(read_all(only_file(tmp_path))[4].block) == len(PLAIN) + (handed - 1) * len(NOISE)

    running(work())
    check_files(tmp_path)


def test_a_disk_that_is_full_is_told_to_the_exchange_that_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as keeper:
            await keeper.write([exchange()])
            limit_files(pid_of(keeper), 100_000)
            keeper.hand_over(1, PLAIN + NOISE)
            with pytest.raises(ArchiveFull, match="Free some space and run again"):
                await keeper.write([exchange(b"", stream=1)])
            assert await keeper.write([exchange()])

    running(work())
    check_files(tmp_path)


@pytest.mark.zoo
def test_while_a_large_response_is_written_others_go_on_coming_in(tmp_path: Path) -> None:
    large = os.urandom(1 << 20)

    async def work() -> None:
        async with open_writer(tmp_path) as keeper:
            for _ in range(24):
                keeper.hand_over(1, large)
            writing = asyncio.ensure_future(keeper.write([exchange(b"", stream=1)]))
            sizes = []
            while not writing.done():
                if keeper.has_room:
                    keeper.hand_over(2, large)
                    sizes.append(len(large))
                await asyncio.sleep(0.001)
            # More than the pipe and its queue would hold.
            assert sum(sizes) > 12 << 20
            await keeper.write([exchange(b"", stream=2)])

    running(work())
