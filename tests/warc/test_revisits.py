"""Revisits: what was kept before is referred to, never lost and never guessed."""

from __future__ import annotations

import base64
import gzip
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from warcio.archiveiterator import ArchiveIterator

from archiver.archive.warc.reader import read_response
from archiver.clock import rfc3339
from archiver.digests import sha256_digest, warc_digest
from tests.warc.collision import colliding_pair
from tests.warc.samples import (
    STARTED,
    KnownPayloads,
    check_files,
    exchange,
    read_all,
    warcs,
    writer,
)

if TYPE_CHECKING:
    from archiver.archive.warc.records import Capture
    from tests.warc.samples import Found

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
FEED_URL = "http://example.org/feed"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: x\r\n\r\n"
PAGE = b"<p>" + b"The same words. " * 100
LATER = STARTED + timedelta(hours=1)
# Everything about it is to be kept.
HEAD_304 = b"HTTP/1.1 304  Not  Modified\r\neTAG:x\r\nX-Folded: a\r\n\tb\r\nX-Bytes: caf\xe9\r\n\r\n"


def written(folder: Path, *exchanges: object, payloads: KnownPayloads | None = None) -> list[Capture]:
    """Write to a file of its own; every exchange had an answer."""
    keeper = writer(folder, payloads)
    captures = keeper.write(exchanges)  # type: ignore[arg-type] # given by the tests
    keeper.close()
    found = [capture for capture in captures if capture is not None]
    assert len(found) == len(exchanges)
    return found


def records_of(folder: Path, kind: str) -> list[Found]:
    return [record for path in warcs(folder) for record in read_all(path) if record.type == kind]


def record_of(folder: Path, capture: Capture) -> Found:
    """The record that a capture says its payload is in."""
    (record,) = [one for one in read_all(folder / capture.file) if one.offset == capture.offset]
    return record


# ── Not modified ─────────────────────────────────────────────────────────────────────────────────────────


def test_not_modified_is_a_revisit_without_a_block(tmp_path: Path) -> None:
    (original,) = written(tmp_path, exchange(HEAD + PAGE, url=FEED_URL))
    asked_again = exchange(HEAD_304, url=FEED_URL, started=LATER, original=original)
    (capture,) = written(tmp_path, asked_again)
    (revisit,) = records_of(tmp_path, "revisit")
    assert revisit.block == b""
    assert revisit.headers["WARC-Profile"] == NOT_MODIFIED
    assert revisit.headers["WARC-Refers-To"] == original.record_id
    assert revisit.headers["WARC-Refers-To-Target-URI"] == FEED_URL
    assert revisit.headers["WARC-Refers-To-Date"] == rfc3339(STARTED)
    assert revisit.headers["WARC-Payload-Digest"] == original.digest == warc_digest(PAGE)
    assert revisit.headers["WARC-Target-URI"] == FEED_URL
    assert revisit.headers["WARC-Date"] == rfc3339(LATER)
    assert revisit.headers["Content-Length"] == "0"
    assert capture.capture_id == revisit.id
    assert capture.record_id == original.record_id
    assert capture.date == LATER
    check_files(tmp_path)


def test_the_head_of_a_304_is_kept_to_the_byte(tmp_path: Path) -> None:
    (original,) = written(tmp_path, exchange(HEAD + PAGE))
    (capture,) = written(tmp_path, exchange(HEAD_304, original=original))
    (_, metadata) = records_of(tmp_path, "metadata")
    (head,) = metadata.all("notModifiedHeadBase64")
    assert base64.b64decode(head) == HEAD_304
    assert metadata.headers["WARC-Concurrent-To"] == capture.capture_id
    (_, request) = records_of(tmp_path, "request")
    assert request.headers["WARC-Concurrent-To"] == capture.capture_id


def test_a_304_keeps_a_transfer_coding_that_it_only_names(tmp_path: Path) -> None:
    head = b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n"
    (original,) = written(tmp_path, exchange(HEAD + PAGE))
    written(tmp_path, exchange(head, original=original))
    assert base64.b64decode(records_of(tmp_path, "metadata")[-1].all("notModifiedHeadBase64")[0]) == head


def test_a_304_to_a_request_without_conditions_is_a_response(tmp_path: Path) -> None:
    (capture,) = written(tmp_path, exchange(HEAD_304))
    assert records_of(tmp_path, "revisit") == []
    assert record_of(tmp_path, capture).block == HEAD_304
    assert capture.revisit is None
    assert capture.capture_id == capture.record_id
    check_files(tmp_path)


def test_a_304_whose_original_is_missing_is_a_response(tmp_path: Path) -> None:
    (original,) = written(tmp_path, exchange(HEAD + PAGE))
    (tmp_path / original.file).unlink()
    (capture,) = written(tmp_path, exchange(HEAD_304, original=original))
    assert records_of(tmp_path, "revisit") == []
    assert record_of(tmp_path, capture).block == HEAD_304
    check_files(tmp_path)


@pytest.mark.parametrize(
    ("received", "truncated"),
    [
        (HEAD_304[:40], "disconnect"),
        (HEAD_304, "disconnect"),
        (HEAD_304 + b"a body where none may be", None),
    ],
)
def test_a_304_of_which_a_revisit_would_lose_something_is_a_response(
    tmp_path: Path, received: bytes, truncated: str | None
) -> None:
    (original,) = written(tmp_path, exchange(HEAD + PAGE))
    (capture,) = written(tmp_path, exchange(received, original=original, truncated=truncated))
    assert records_of(tmp_path, "revisit") == []
    assert record_of(tmp_path, capture).block == received
    check_files(tmp_path)


def test_an_original_that_changed_is_a_response(tmp_path: Path) -> None:
    (original,) = written(tmp_path, exchange(HEAD + PAGE))
    (capture,) = written(tmp_path, exchange(HEAD + b"new", original=original))
    assert records_of(tmp_path, "revisit") == []
    assert record_of(tmp_path, capture).block == HEAD + b"new"


def test_the_original_may_be_in_the_file_that_is_still_open(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    (original,) = keeper.write([exchange(HEAD + PAGE)])
    keeper.write([exchange(HEAD_304, original=original)])
    keeper.close()
    assert len(records_of(tmp_path, "revisit")) == 1
    check_files(tmp_path)


# ── The same payload ─────────────────────────────────────────────────────────────────────────────────────


def test_the_same_payload_is_kept_once(tmp_path: Path) -> None:
    payloads = KnownPayloads()
    other_head = b"HTTP/1.1 200  Fine\r\nx-ODD: 1\r\nContent-Length: %d\r\n\r\n" % len(PAGE)
    (first,) = written(tmp_path, exchange(HEAD + PAGE, url="http://example.org/a"), payloads=payloads)
    second = exchange(other_head + PAGE, url="http://example.org/b", started=LATER)
    (capture,) = written(tmp_path, second, payloads=payloads)
    (revisit,) = records_of(tmp_path, "revisit")
    assert revisit.block == other_head
    assert revisit.headers["WARC-Profile"] == SAME_PAYLOAD
    assert revisit.headers["WARC-Refers-To"] == first.record_id
    assert revisit.headers["WARC-Refers-To-Target-URI"] == "http://example.org/a"
    assert revisit.headers["WARC-Refers-To-Date"] == rfc3339(STARTED)
    assert revisit.headers["WARC-Payload-Digest"] == warc_digest(PAGE)
    assert revisit.headers["WARC-Target-URI"] == "http://example.org/b"
    assert revisit.headers["WARC-Date"] == rfc3339(LATER)
    assert capture.capture_id == revisit.id
    assert capture.url == "http://example.org/b"
    assert capture.date == LATER
    assert read_response(tmp_path, capture.file, capture.offset).content == PAGE
    check_files(tmp_path)


def test_within_one_batch_the_same_payload_is_kept_once(tmp_path: Path) -> None:
    captures = written(tmp_path, *[exchange(HEAD + PAGE)] * 5, payloads=KnownPayloads())
    assert len({(capture.file, capture.offset, capture.record_id) for capture in captures}) == 1
    assert len({capture.capture_id for capture in captures}) == 5
    assert len(records_of(tmp_path, "response")) == 1
    assert len(records_of(tmp_path, "revisit")) == 4
    check_files(tmp_path)


def test_chunks_and_lengths_do_not_make_a_payload_another(tmp_path: Path) -> None:
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
    written(tmp_path, exchange(HEAD + PAGE), exchange(chunks % (len(PAGE), PAGE)), payloads=KnownPayloads())
    (revisit,) = records_of(tmp_path, "revisit")
    assert revisit.block == b"HTTP/1.1 200 OK\r\n\r\n"
    check_files(tmp_path)


def test_a_chain_of_revisits_refers_to_the_first_payload(tmp_path: Path) -> None:
    payloads = KnownPayloads()
    urls = [f"http://example.org/{name}" for name in "abc"]
    (first,) = written(tmp_path, exchange(HEAD + PAGE, url=urls[0]), payloads=payloads)
    (second,) = written(tmp_path, exchange(HEAD + PAGE, url=urls[1], started=LATER), payloads=payloads)
    # Asked again: what the 304 refers to was itself a revisit.
    third = exchange(HEAD_304, url=urls[1], started=LATER + timedelta(hours=1), original=second)
    (not_modified,) = written(tmp_path, third, payloads=payloads)
    fourth = exchange(HEAD_304, url=urls[1], started=LATER + timedelta(hours=2), original=not_modified)
    (again,) = written(tmp_path, fourth, payloads=payloads)
    revisits = records_of(tmp_path, "revisit")
    assert len(revisits) == 3
    for revisit in revisits:
        assert revisit.headers["WARC-Refers-To"] == first.record_id
        assert revisit.headers["WARC-Refers-To-Target-URI"] == urls[0]
        assert revisit.headers["WARC-Refers-To-Date"] == rfc3339(STARTED)
        assert revisit.headers["WARC-Payload-Digest"] == first.digest
        assert revisit.headers["WARC-Target-URI"] == urls[1]
    captures = (second, not_modified, again)
    assert [capture.capture_id for capture in captures] == [revisit.id for revisit in revisits]
    for capture in captures:
        assert (capture.file, capture.offset, capture.record_id) == (
            first.file,
            first.offset,
            first.record_id,
        )
        assert (capture.payload_url, capture.payload_date) == (urls[0], STARTED)
    check_files(tmp_path)


def test_every_original_is_where_its_revisit_says(tmp_path: Path) -> None:
    payloads = KnownPayloads()
    bodies = [PAGE + b"%d" % (number % 3) for number in range(9)]
    written(tmp_path, *(exchange(HEAD + body) for body in bodies), payloads=payloads)
    responses = {record.id: record for record in records_of(tmp_path, "response")}
    assert len(responses) == 3
    for revisit in records_of(tmp_path, "revisit"):
        original = responses[revisit.headers["WARC-Refers-To"]]
        for name in ("Target-URI", "Date"):
            assert original.headers[f"WARC-{name}"] == revisit.headers[f"WARC-Refers-To-{name}"]
        assert original.headers["WARC-Payload-Digest"] == revisit.headers["WARC-Payload-Digest"]


def test_a_payload_whose_file_is_missing_is_kept_again(tmp_path: Path) -> None:
    payloads = KnownPayloads()
    (first,) = written(tmp_path, exchange(HEAD + PAGE), payloads=payloads)
    (tmp_path / first.file).rename(tmp_path.parent / first.file)
    (second,) = written(tmp_path, exchange(HEAD + PAGE), payloads=payloads)
    assert second.revisit is None
    assert record_of(tmp_path, second).block == HEAD + PAGE
    # From now on, that is the original.
    (third,) = written(tmp_path, exchange(HEAD + PAGE), payloads=payloads)
    assert third.record_id == second.record_id
    assert third.file == second.file != first.file
    check_files(tmp_path)


@pytest.mark.parametrize(
    ("received", "truncated"),
    [
        pytest.param(HEAD + PAGE, "length", id="truncated"),
        pytest.param(HEAD, None, id="empty"),
        pytest.param(HEAD + PAGE[:1023], None, id="small"),
        pytest.param(b"HTTP/1.1 404 Not Found\r\n\r\n" + PAGE, None, id="404"),
        pytest.param(b"HTTP/1.1 206 Partial Content\r\n\r\n" + PAGE, None, id="206"),
        pytest.param(b"HTTP/1.1 304 Not Modified\r\n\r\n" + PAGE, None, id="304"),
        pytest.param(PAGE + b"\r\n\r\n" + PAGE, None, id="not HTTP"),
    ],
)
def test_what_is_not_whole_successful_and_large_is_never_shared(
    tmp_path: Path, received: bytes, truncated: str | None
) -> None:
    payloads = KnownPayloads()
    given = exchange(received, truncated=truncated)
    written(tmp_path, given, given, payloads=payloads)
    assert payloads.captures == {}
    assert [record.block for record in records_of(tmp_path, "response")] == [received] * 2
    check_files(tmp_path)


def test_nor_is_it_taken_for_what_is_known(tmp_path: Path) -> None:
    payloads = KnownPayloads()
    cut = exchange(HEAD + PAGE, truncated="disconnect")
    missing = exchange(b"HTTP/1.1 404 Not Found\r\n\r\n" + PAGE)
    written(tmp_path, exchange(HEAD + PAGE), cut, missing, payloads=payloads)
    assert len(records_of(tmp_path, "response")) == 3
    assert records_of(tmp_path, "revisit") == []


@pytest.mark.parametrize("size", [1024, 1025])
def test_from_a_kilobyte_payloads_are_shared(tmp_path: Path, size: int) -> None:
    given = exchange(HEAD + PAGE[:size])
    written(tmp_path, given, given, payloads=KnownPayloads())
    assert len(records_of(tmp_path, "revisit")) == 1


def test_what_was_written_is_known_only_once_it_is_on_disk(tmp_path: Path) -> None:
    payloads = KnownPayloads()
    keeper = writer(tmp_path, payloads)
    keeper.write([exchange(HEAD + PAGE)])
    assert payloads.flushed == 0
    keeper.sync()
    assert payloads.flushed == 1
    keeper.close()


def test_without_a_store_everything_is_kept(tmp_path: Path) -> None:
    written(tmp_path, exchange(HEAD + PAGE), exchange(HEAD + PAGE))
    assert len(records_of(tmp_path, "response")) == 2


# ── Other tools ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("exact_wire", [False, True])
def test_the_checks_of_other_tools_pass(tmp_path: Path, exact_wire: bool) -> None:
    keeper = writer(tmp_path, KnownPayloads(), exact_wire=exact_wire)
    zipped = gzip.compress(bytes(range(256)) * 30, mtime=0) * 9
    coded = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    coded += b"%x\r\n%s\r\n0\r\n\r\n" % (len(zipped), zipped)
    (original, *_) = keeper.write(
        [exchange(one, seconds=1) for one in (HEAD + PAGE, HEAD + PAGE, coded, coded)]
    )
    keeper.write([exchange(HEAD_304, original=original, seconds=1)])
    keeper.close()
    assert len(records_of(tmp_path, "revisit")) == 3
    check_files(tmp_path)
    (path,) = warcs(tmp_path)
    assert subprocess.run(["gzip", "-t", path], check=False).returncode == 0
    command = [Path(sys.executable).with_name("fastwarc"), "check", path]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", path]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0
    assert "fail" not in done.stdout
    # Not one is passed over: warcinfo, 2 responses, 5 requests, 5 metadata.
    assert done.stdout.count("digest pass") + done.stdout.count("not checked (revisit)") == 16


def test_a_revisit_reads_as_its_own_head(tmp_path: Path) -> None:
    written(tmp_path, exchange(HEAD + PAGE), exchange(HEAD + PAGE), payloads=KnownPayloads())
    (path,) = warcs(tmp_path)
    with path.open("rb") as file:
        (revisit,) = [record for record in ArchiveIterator(file) if record.rec_type == "revisit"]
    assert revisit.http_headers.get_statuscode() == "200"
    assert revisit.http_headers.get_header("ETag") == "x"


# ── One SHA-1, two payloads ──────────────────────────────────────────────────────────────────────────────


def test_payloads_with_one_sha1_are_both_kept(tmp_path: Path) -> None:
    pair = colliding_pair()
    captures = written(tmp_path, *(exchange(HEAD + one) for one in pair), payloads=KnownPayloads())
    assert captures[0].digest == captures[1].digest
    assert captures[0].sha256 != captures[1].sha256
    assert not captures[0].shares_payload(captures[1])
    assert [read_response(tmp_path, one.file, one.offset).content for one in captures] == list(pair)
    assert not records_of(tmp_path, "revisit")
    check_files(tmp_path)


def noted_before(folder: Path, body: bytes) -> KnownPayloads:
    """What an archive of before knows: a payload under its SHA-1 alone."""
    (capture,) = written(folder, exchange(HEAD + body))
    payloads = KnownPayloads()
    payloads.add(replace(capture, sha256=""))
    return payloads


def test_a_payload_that_was_noted_by_sha1_alone_is_compared_by_its_bytes(tmp_path: Path) -> None:
    one, other = colliding_pair()
    payloads = noted_before(tmp_path, one)
    captures = written(tmp_path, *(exchange(HEAD + body) for body in (other, one, one)), payloads=payloads)
    assert [capture.revisit is not None for capture in captures] == [False, True, True]
    assert read_response(tmp_path, captures[0].file, captures[0].offset).content == other
    # From the second time on it is known by its SHA-256.
    assert captures[1].sha256 in payloads.captures


def test_a_payload_whose_record_cannot_be_read_is_kept_once_more(tmp_path: Path) -> None:
    payloads = noted_before(tmp_path, PAGE)
    (path,) = warcs(tmp_path)
    path.write_bytes(path.read_bytes()[:100])
    (capture,) = written(tmp_path, exchange(HEAD + PAGE), payloads=payloads)
    assert capture.revisit is None


def test_responses_and_revisits_state_the_sha256_of_their_payload(tmp_path: Path) -> None:
    written(tmp_path, exchange(HEAD + PAGE), exchange(HEAD + PAGE), payloads=KnownPayloads())
    stated = [
        record.headers["Archiver-Payload-Digest"]
        for kind in ("response", "revisit")
        for record in records_of(tmp_path, kind)
    ]
    assert stated == [sha256_digest(PAGE)] * 2
