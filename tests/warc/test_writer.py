"""WARC files: named `.open` until whole, one gzip member a record, and captures that lead to their bytes."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import resource
import signal
import subprocess
import sys
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from archiver.errors import ArchiveFull
from archiver.warc.thread import WriterThread
from archiver.warc.writer import gzip_member
from tests.warc.samples import RECEIVED, check, exchange, member_ends, writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.warc.records import Capture


@pytest.fixture
def small_disk() -> Iterator[int]:
    """No file of this process may grow beyond some bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield 4096
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, handler)


def limit_files(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_nothing_to_keep_makes_no_file(tmp_path: Path) -> None:
    empty = writer(tmp_path / "warc")
    empty.sync()
    empty.close()
    assert not (tmp_path / "warc").exists()


def test_a_file_is_open_until_it_is_closed(tmp_path: Path) -> None:
    keeper = writer(tmp_path / "warc")
    (capture,) = keeper.write([exchange()])
    assert capture is not None
    assert only_file(tmp_path / "warc").name == f"{capture.file}.open"
    keeper.close()
    keeper.close()
    assert only_file(tmp_path / "warc").name == capture.file
    assert keeper.files == [capture.file]


def test_what_was_written_is_on_its_way_to_disk_at_once(tmp_path: Path) -> None:
    """A SIGKILL right after the write must not lose anything."""
    keeper = writer(tmp_path)
    keeper.write([exchange(), exchange()])
    data = only_file(tmp_path).read_bytes()
    assert check(data) == ["warcinfo", "response", "request", "response", "request"]
    assert keeper.bytes_written == len(data)
    assert keeper.records == 5
    keeper.close()


def test_each_capture_leads_to_its_own_response(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    bodies = [b"<p>%d" % number * number for number in range(1, 20)]
    captures = keeper.write([exchange(b"HTTP/1.1 200 OK\r\n\r\n" + body) for body in bodies])
    keeper.close()
    data = only_file(tmp_path).read_bytes()
    for capture, body in zip(captures, bodies, strict=True):
        assert capture is not None
        record = next(iter(ArchiveIterator(BytesIO(data[capture.offset :]))))
        assert record.rec_headers["WARC-Record-ID"] == capture.record_id
        assert record.rec_headers["WARC-Payload-Digest"] == capture.digest
        assert record.content_stream().read() == body


def test_an_exchange_without_answer_is_kept_and_has_no_capture(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    assert keeper.write([exchange(b"")]) == [None]
    keeper.close()
    assert check(only_file(tmp_path).read_bytes()) == ["warcinfo", "request"]


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_bytes=1500)
    captures = [capture for capture in keeper.write([exchange() for _ in range(9)]) if capture]
    keeper.close()
    assert len(keeper.files) > 2
    assert sorted(path.name for path in tmp_path.iterdir()) == keeper.files
    assert {capture.file for capture in captures} == set(keeper.files)
    for name in keeper.files:
        data = (tmp_path / name).read_bytes()
        assert check(data)[0] == "warcinfo"
        first = next(iter(ArchiveIterator(BytesIO(data))))
        assert first.rec_headers["WARC-Filename"] == name


def test_names_tell_the_time_and_sort_by_it(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_bytes=1)
    keeper.write([exchange() for _ in range(3)])
    keeper.close()
    assert all(re.fullmatch(r"test-\d{17}-\d{5}-.+\.warc\.gz", name) for name in keeper.files)
    assert keeper.files == sorted(keeper.files)


def test_two_writers_never_share_a_file(tmp_path: Path) -> None:
    one, other = writer(tmp_path), writer(tmp_path)
    one.write([exchange()])
    # The names differ by the millisecond; in the same one, the second is refused rather than mixed in.
    try:
        other.write([exchange()])
    except FileExistsError:
        pass
    else:
        assert one.files != other.files
    one.close()
    other.close()


@given(st.binary(max_size=500), st.integers(0, 9))
def test_the_same_record_is_the_same_member(data: bytes, level: int) -> None:
    member = gzip_member(data, level)
    assert member == gzip_member(data, level)
    assert member_ends(member) == [len(member)]


def test_a_full_disk_leaves_whole_records_only(tmp_path: Path, small_disk: int) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange()])
    limit_files(small_disk)
    with pytest.raises(ArchiveFull, match="Free some space and run again"):
        keeper.write([exchange(RECEIVED + os.urandom(8000))])
    assert check(only_file(tmp_path).read_bytes()) == ["warcinfo", "response", "request"]
    # With space again, writing goes on where it stopped.
    limit_files(resource.RLIM_INFINITY)
    (capture,) = keeper.write([exchange()])
    keeper.close()
    data = only_file(tmp_path).read_bytes()
    assert check(data) == ["warcinfo", "response", "request", "response", "request"]
    assert capture is not None
    assert capture.offset in member_ends(data)


def test_the_thread_writes_for_all_who_wait(tmp_path: Path) -> None:
    thread = WriterThread(writer(tmp_path))

    async def write() -> list[list[Capture | None]]:
        return await asyncio.gather(*(thread.write([exchange(RECEIVED * n)]) for n in range(1, 101)))

    captures = [capture for (capture,) in asyncio.run(write())]
    thread.close()
    assert len({capture.offset for capture in captures if capture}) == 100
    assert len(check(only_file(tmp_path).read_bytes())) == 201
    assert thread.cpu_seconds > 0


def test_the_thread_tells_a_full_disk_to_who_waits_and_goes_on(tmp_path: Path, small_disk: int) -> None:
    thread = WriterThread(writer(tmp_path))

    async def write() -> None:
        await thread.write([exchange()])
        limit_files(small_disk)
        with pytest.raises(ArchiveFull):
            await thread.write([exchange(RECEIVED + os.urandom(8000))])
        limit_files(resource.RLIM_INFINITY)
        assert len(await thread.write([exchange()])) == 1

    asyncio.run(write())
    thread.close()
    assert len(check(only_file(tmp_path).read_bytes())) == 5


def test_an_exchange_that_cannot_be_written_does_not_silence_the_thread(tmp_path: Path) -> None:
    thread = WriterThread(writer(tmp_path))
    broken = exchange(url="http://example.org/\ud800")

    async def write() -> None:
        with pytest.raises(UnicodeEncodeError):
            await asyncio.wait_for(thread.write([broken]), 5)
        assert len(await asyncio.wait_for(thread.write([exchange()]), 5)) == 1

    asyncio.run(write())
    thread.close()
    check(only_file(tmp_path).read_bytes())


def test_a_request_that_was_cancelled_is_written_all_the_same(tmp_path: Path) -> None:
    thread = WriterThread(writer(tmp_path))

    async def write() -> None:
        hasty = asyncio.create_task(thread.write([exchange()]))
        await asyncio.sleep(0)
        hasty.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hasty
        await thread.write([exchange()])

    asyncio.run(write())
    thread.close()
    assert len(check(only_file(tmp_path).read_bytes())) == 5


def test_the_checks_of_other_tools_pass(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange(), exchange(b""), exchange(b"nonsense", truncated="disconnect")])
    keeper.close()
    path = only_file(tmp_path)
    assert subprocess.run(["gzip", "-t", path], check=False).returncode == 0
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", path]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0
    assert "fail" not in found.stdout
    assert found.stdout.count("digest pass") == 6
    command = [sys.executable, "-m", "fastwarc.cli", "check", path]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_the_limit_of_these_tests_is_real(tmp_path: Path, small_disk: int) -> None:
    limit_files(small_disk)
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        (tmp_path / "a").write_bytes(bytes(2 * small_disk))
