"""WARC files: named `.open` until whole, one gzip member a record, and captures that lead to their bytes."""

from __future__ import annotations

import errno
import gzip
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from datetime import timedelta
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from archiver.archive.warc.reader import read_response
from archiver.archive.warc.writer import gzip_member
from archiver.clock import machine_now
from archiver.errors import ArchiveFull
from tests.warc.samples import (
    ANSWERED,
    RECEIVED,
    UNANSWERED,
    check,
    check_files,
    exchange,
    member_ends,
    only_file,
    read_all,
    warcs,
    writer,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
    assert check(data) == ["warcinfo", *ANSWERED, *ANSWERED]
    assert keeper.bytes_written == len(data)
    assert keeper.records == 7
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
    assert check(only_file(tmp_path).read_bytes()) == ["warcinfo", *UNANSWERED]


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_bytes=1500)
    captures = [capture for capture in keeper.write([exchange() for _ in range(9)]) if capture]
    keeper.close()
    assert len(keeper.files) > 2
    assert [path.name for path in warcs(tmp_path)] == keeper.files
    assert {capture.file for capture in captures} == set(keeper.files)
    for name in keeper.files:
        data = (tmp_path / name).read_bytes()
        assert check(data)[0] == "warcinfo"
        first = next(iter(ArchiveIterator(BytesIO(data))))
        assert first.rec_headers["WARC-Filename"] == name


def test_an_exchange_is_never_split_between_files(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_bytes=1500)
    keeper.write([exchange(url=f"http://example.org/{number}") for number in range(9)])
    keeper.close()
    for path in warcs(tmp_path):
        info, *records = read_all(path)
        assert [record.type for record in records] == ANSWERED * (len(records) // 3)
        assert {record.headers["WARC-Warcinfo-ID"] for record in records} == {info.id}
    check_files(tmp_path)


def test_an_old_file_is_followed_by_another(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_age=timedelta(seconds=0.2))
    keeper.write([exchange()])
    keeper.write([exchange()])
    assert len(keeper.files) == 1
    time.sleep(0.25)
    keeper.write([exchange()])
    assert len(keeper.files) == 2
    assert (tmp_path / keeper.files[0]).exists()
    keeper.close()
    assert [len(read_all(path)) for path in warcs(tmp_path)] == [7, 4]
    check_files(tmp_path)


def test_an_old_file_is_closed_though_nothing_comes(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_age=timedelta(seconds=0.2))
    assert keeper.seconds_left() is None
    (capture,) = keeper.write([exchange()])
    assert capture is not None
    left = keeper.seconds_left()
    assert left is not None
    assert 0 < left <= 0.2
    keeper.close_if_old()
    assert only_file(tmp_path).name.endswith(".open")
    time.sleep(left)
    keeper.close_if_old()
    assert only_file(tmp_path).name == capture.file
    assert keeper.seconds_left() is None


def test_without_an_age_a_file_waits_for_its_size(tmp_path: Path) -> None:
    keeper = writer(tmp_path, max_age=None)
    keeper.write([exchange()])
    assert keeper.seconds_left() is None
    keeper.close_if_old()
    assert only_file(tmp_path).name.endswith(".open")
    keeper.close()


IMAGE = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n"
ZIPPED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"


@pytest.mark.parametrize("head", [IMAGE, ZIPPED])
@pytest.mark.parametrize("size", [0, 100, 16_000, 17_000, 70_000, 1_000_000])
def test_what_comes_compressed_hardly_grows(tmp_path: Path, head: bytes, size: int) -> None:
    received = head + random.Random(size).randbytes(size)
    keeper = writer(tmp_path)
    (capture,) = keeper.write([exchange(received)])
    keeper.close()
    assert capture is not None
    data = only_file(tmp_path).read_bytes()
    end = min(end for end in member_ends(data) if end > capture.offset)
    record = gzip.decompress(data[capture.offset : end])
    # A gzip head and tail, and the lengths of the blocks.
    assert end - capture.offset <= len(record) + 18 + 5 * (1 + len(record) // 16_000)
    assert read_response_bytes(record) == received
    check(data)


def read_response_bytes(record: bytes) -> bytes:
    return record.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n\r\n")


def test_a_large_body_that_comes_compressed_is_stored_and_others_are_compressed(tmp_path: Path) -> None:
    body = b"as if it were compressed " * 4000
    sizes = {}
    for head in (IMAGE, ZIPPED, b"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\n\r\n", RECEIVED):
        keeper = writer(tmp_path)
        keeper.write([exchange(head + body)])
        keeper.close()
        sizes[head] = keeper.bytes_written
    stored, labelled, drawing, page = sizes.values()
    assert min(stored, labelled) > len(body)
    assert max(drawing, page) < len(body) // 10
    check_files(tmp_path)


@pytest.mark.parametrize("level", [0, 1, 9])
def test_the_level_of_compression_is_the_operators(tmp_path: Path, level: int) -> None:
    keeper = writer(tmp_path, level=level)
    keeper.write([exchange(RECEIVED + bytes(20_000))])
    keeper.close()
    assert (keeper.bytes_written > 20_000) is (level == 0)
    check_files(tmp_path)


def test_where_the_wire_is_asked_for_chunks_are_kept_and_still_read(tmp_path: Path) -> None:
    wire = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"4;note=x\r\n<p>W\r\n3\r\nord\r\n0\r\nX-Sum: 1\r\n\r\n"
    )
    keeper = writer(tmp_path, exact_wire=True)
    captures = keeper.write([exchange(wire), exchange(wire[:-14], truncated="disconnect")])
    keeper.close()
    blocks = [record.block for record in read_all(only_file(tmp_path)) if record.type == "response"]
    assert blocks == [wire, wire[:-14]]
    for capture in captures:
        assert capture is not None
        assert read_response(tmp_path, capture.file, capture.offset).content == b"<p>Word"
    check_files(tmp_path)


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
    assert check(only_file(tmp_path).read_bytes()) == ["warcinfo", *ANSWERED]
    # With space again, writing goes on where it stopped.
    limit_files(resource.RLIM_INFINITY)
    (capture,) = keeper.write([exchange()])
    keeper.close()
    data = only_file(tmp_path).read_bytes()
    assert check(data) == ["warcinfo", *ANSWERED, *ANSWERED]
    assert capture is not None
    assert capture.offset in member_ends(data)


def test_a_disk_that_is_full_from_the_start_leaves_nothing(tmp_path: Path, small_disk: int) -> None:
    assert small_disk
    keeper = writer(tmp_path)
    limit_files(1)
    with pytest.raises(ArchiveFull, match="Free some space and run again"):
        keeper.write([exchange()])
    limit_files(resource.RLIM_INFINITY)
    keeper.write([exchange()])
    keeper.close()
    assert [check(path.read_bytes()) for path in warcs(tmp_path)] == [["warcinfo", *ANSWERED]]


def test_the_checks_of_other_tools_pass(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    given = (RECEIVED, None), (b"", None), (b"nonsense", "disconnect")
    keeper.write([exchange(received, truncated=reason, seconds=0.1) for received, reason in given])
    keeper.close()
    path = only_file(tmp_path)
    assert subprocess.run(["gzip", "-t", path], check=False).returncode == 0
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", path]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0
    assert "fail" not in found.stdout
    assert found.stdout.count("digest pass") == 9
    command = [sys.executable, "-m", "fastwarc.cli", "check", path]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_the_limit_of_these_tests_is_real(tmp_path: Path, small_disk: int) -> None:
    limit_files(small_disk)
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        (tmp_path / "a").write_bytes(bytes(2 * small_disk))


def test_files_of_one_millisecond_have_names_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = machine_now()
    monkeypatch.setattr("archiver.archive.warc.writer.machine_now", lambda: now)
    for _ in range(2):
        keeper = writer(tmp_path)
        keeper.write([exchange()])
        keeper.close()
    assert len(list(tmp_path.glob("*.warc.gz"))) == 2
