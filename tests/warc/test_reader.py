"""Reading back: the page as a browser would have it, and a plain word where there is none."""

from __future__ import annotations

import gzip
import random
import threading
import time
import zlib
from typing import TYPE_CHECKING

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from archiver.archive.warc.reader import read_response
from archiver.documents.codings import decode_content
from archiver.errors import RecordError
from tests.warc.samples import RECEIVED, check_files, exchange, writer

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.warc.records import Capture

PAGE = b"<html><p>" + b"Many words. " * 200


def zipped(data: bytes) -> bytes:
    """Without a time in it: names of tests must not differ from one worker to the next."""
    return gzip.compress(data, mtime=0)


def raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush()


def kept(folder: Path, received: bytes, *, close: bool = True) -> Capture:
    keeper = writer(folder)
    keeper.write([exchange(RECEIVED)])
    (capture,) = keeper.write([exchange(received)])
    assert capture is not None
    if close:
        keeper.close()
    else:
        keeper._file.close()  # type: ignore[union-attr] # as a crash would
    return capture


@pytest.mark.parametrize("close", [True, False])
def test_a_page_is_read_from_open_and_from_closed_files(tmp_path: Path, close: bool) -> None:
    head = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=x\r\n\r\n"
    capture = kept(tmp_path, head + PAGE, close=close)
    stored = read_response(tmp_path, capture.file, capture.offset)
    assert stored.url == "http://example.org/a"
    assert stored.status == 404
    assert stored.content_type == "text/html; charset=x"
    assert stored.content == PAGE


def test_chunks_and_compression_are_undone(tmp_path: Path) -> None:
    body = gzip.compress(PAGE)
    chunks = b"%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n" % (5, body[:5], len(body) - 5, body[5:])
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    capture = kept(tmp_path, head + chunks)
    assert read_response(tmp_path, capture.file, capture.offset).content == PAGE


@pytest.mark.parametrize(
    ("codings", "content"),
    [
        ([], PAGE),
        ([""], PAGE),
        (["identity"], PAGE),
        (["x-unknown"], PAGE),
        (["gzip"], zipped(PAGE)),
        (["x-gzip"], zipped(PAGE)),
        (["deflate"], zlib.compress(PAGE)),
        (["deflate"], raw_deflate(PAGE)),
        (["br"], brotli.compress(PAGE)),
        (["zstd"], zstandard.compress(PAGE)),
        (["gzip", "br"], brotli.compress(zipped(PAGE))),
        (["gzip"], zipped(PAGE) + b"\0" * 50),
        (["gzip"], zipped(PAGE) + b"trailing nonsense"),
        (["gzip"], zipped(PAGE)[:-8] + b"\0" * 8),  # a wrong checksum
        (["gzip"], PAGE),  # labelled, but plain
        (["deflate"], PAGE),
        (["br"], PAGE),
        (["zstd"], PAGE),
    ],
)
def test_content_is_decoded_as_browsers_do(codings: list[str], content: bytes) -> None:
    assert decode_content(content, codings) == PAGE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_no_content_stays_none(coding: str) -> None:
    assert decode_content(b"", [coding]) == b""


@given(st.binary(max_size=300), st.lists(st.sampled_from(["gzip", "deflate", "br", "zstd", "x"]), max_size=3))
def test_decoding_takes_any_bytes(content: bytes, codings: list[str]) -> None:
    assert isinstance(decode_content(content, codings), bytes)


MEMBERS = zipped(PAGE) + zipped(b"") + zipped(b"<p>The second member.")
FRAMES = zstandard.compress(PAGE) + zstandard.compress(b"<p>The second frame.")


def test_all_gzip_members_are_one_content() -> None:
    assert decode_content(MEMBERS, ["gzip"]) == PAGE + b"<p>The second member."
    assert decode_content(MEMBERS + b"\0\0 padding", ["gzip"]) == PAGE + b"<p>The second member."
    assert decode_content(MEMBERS + b"\x1f\x8bnonsense", ["gzip"]) == PAGE + b"<p>The second member."
    assert decode_content(MEMBERS, ["gzip"], most=len(PAGE) + 3) == PAGE + b"<p>"


def test_all_zstd_frames_are_one_content() -> None:
    assert decode_content(FRAMES, ["zstd"]) == PAGE + b"<p>The second frame."
    assert decode_content(FRAMES[:-3], ["zstd"]).startswith(PAGE)
    assert decode_content(FRAMES, ["zstd"], most=len(PAGE) + 3) == PAGE + b"<p>"


def test_many_small_members_take_no_longer_than_they_are_large() -> None:
    before = time.process_time()
    assert decode_content(zipped(b"") * 50_000 + zipped(b"the end"), ["gzip"]) == b"the end"
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (b"Content-Encoding: deflate\r\nContent-Encoding: gzip\r\n", zipped(zlib.compress(PAGE))),
        (b"Content-Encoding: identity\r\nContent-Encoding: gzip\r\n", zipped(PAGE)),
        (b"Content-Encoding: gzip\r\nTransfer-Encoding: identity\r\n", zipped(PAGE)),
        (b"Transfer-Encoding: gzip\r\n", zipped(PAGE)),
        (
            b"Transfer-Encoding: gzip, chunked\r\n",
            b"%x\r\n%b\r\n0\r\n\r\n" % (len(zipped(PAGE)), zipped(PAGE)),
        ),
        (b"Transfer-Encoding: identity, chunked\r\n", b' %x ;a="b;c"\n%b\n0\n\n' % (len(PAGE), PAGE)),
    ],
)
def test_codings_are_undone_however_they_are_told(tmp_path: Path, headers: bytes, body: bytes) -> None:
    capture = kept(tmp_path, b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n" + body)
    assert read_response(tmp_path, capture.file, capture.offset).content == PAGE
    check_files(tmp_path)


def test_what_comes_before_damage_can_be_read() -> None:
    page = random.Random(0).randbytes(200_000).hex().encode()
    whole = gzip.compress(page)
    damaged = bytearray(whole)
    damaged[len(whole) // 2 :] = bytes(len(whole) // 2 + 1)
    part = decode_content(bytes(damaged), ["gzip"])
    assert len(part) > len(page) * 0.4
    # The damage is noticed a little late.
    assert page.startswith(part[: int(len(page) * 0.45)])


@given(st.sampled_from(["gzip", "deflate", "br"]), st.integers(0, 99))
def test_what_came_of_a_page_that_was_cut_can_be_read(coding: str, percent: int) -> None:
    compress = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress}[coding]
    whole = compress(PAGE)
    part = decode_content(whole[: max(1, len(whole) * percent // 100)], [coding])
    assert PAGE.startswith(part)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_stops_at_the_limit(coding: str) -> None:
    compress = {
        "gzip": gzip.compress,
        "deflate": raw_deflate,
        "br": brotli.compress,
        "zstd": zstandard.compress,
    }
    # Brotli's limit is a request: it may pass it by its last buffer.
    assert len(decode_content(compress[coding](bytes(3_000_000)), [coding], most=100_000)) <= 300_000


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"a\.warc\.gz is not in .*: was the archive moved"):
        read_response(tmp_path, "a.warc.gz", 0)


@pytest.mark.parametrize("step", [*range(1, 12), 100_000])
def test_an_offset_without_record_is_named(tmp_path: Path, step: int) -> None:
    capture = kept(tmp_path, RECEIVED)
    with pytest.raises(
        RecordError, match=rf"{capture.file}:{capture.offset + step} cannot be read: .*; run `scrapy verify`"
    ):
        read_response(tmp_path, capture.file, capture.offset + step)


def test_a_record_that_is_no_response_is_refused(tmp_path: Path) -> None:
    capture = kept(tmp_path, RECEIVED)
    with pytest.raises(RecordError, match="No whole response at"):
        read_response(tmp_path, capture.file, 0)


def test_a_damaged_record_is_never_half_a_page(tmp_path: Path) -> None:
    capture = kept(tmp_path, RECEIVED + PAGE)
    path = tmp_path / capture.file
    whole = path.read_bytes()
    expected = read_response(tmp_path, capture.file, capture.offset).content
    for position in range(capture.offset, len(whole), 3):
        flipped = whole[:position] + bytes([whole[position] ^ 0xFF]) + whole[position + 1 :]
        for damaged in (whole[:position], flipped):
            path.write_bytes(damaged)
            try:
                assert read_response(tmp_path, capture.file, capture.offset).content == expected
            except RecordError:
                continue


def test_a_file_that_is_closed_while_it_is_looked_for_is_found(tmp_path: Path) -> None:
    capture = kept(tmp_path, RECEIVED)
    final = tmp_path / capture.file
    still_open = final.with_name(capture.file + ".open")
    for _ in range(100):
        final.rename(still_open)
        closing = threading.Thread(target=still_open.rename, args=[final])
        closing.start()
        assert read_response(tmp_path, capture.file, capture.offset).status == 200
        closing.join()
