"""Records: the bytes of the wire, with headers that other tools find right."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from archiver.digests import warc_digest
from archiver.urls import request_url
from archiver.warc.records import exchange_records, warcinfo
from archiver.warc.writer import gzip_member
from tests.warc.samples import SENT, STARTED, check, exchange

if TYPE_CHECKING:
    from archiver.warc.records import Record

INFO_ID = "<urn:uuid:11111111-2222-3333-4444-555555555555>"
# Everything that other tools like to tidy up.
ODD_HEAD = (
    b"HTTP/1.1 200   Quite  OK\r\n"
    b"server:nospace\r\n"
    b"X-Folded: one\r\n\ttwo\r\n"
    b"X-Bytes: caf\xe9 \xc3\x85\r\n"
    b"nonsense without colon\r\n"
    b"Set-Cookie: a=1\r\nset-cookie: b=2\r\n"
    b"Content-Encoding: gzip\r\n"
    b"X-Space : before colon \r\n"
    b"\r\n"
)


def parsed(record: Record) -> tuple[dict[str, str], bytes]:
    found = next(iter(ArchiveIterator(BytesIO(record.data), no_record_parse=True)))
    return dict(found.rec_headers.headers), found.raw_stream.read()


def both(received: bytes, **other: object) -> tuple[Record, Record]:
    response, request = exchange_records(exchange(received, **other), INFO_ID)
    assert response is not None
    return response, request


def test_the_response_is_kept_byte_for_byte() -> None:
    response, _ = both(ODD_HEAD + b"\x00\xff\r\n\r\nbody")
    assert parsed(response)[1] == ODD_HEAD + b"\x00\xff\r\n\r\nbody"


def test_the_request_is_kept_byte_for_byte() -> None:
    sent = SENT.replace(b"\r\n\r\n", b"\r\nContent-Length: 3\r\n\r\na\r\n")
    _, request = both(b"HTTP/1.1 200 OK\r\n\r\n", sent=sent)
    assert parsed(request)[1] == sent


def test_chunks_are_joined_and_their_header_dropped() -> None:
    response, _ = both(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    headers, block = parsed(response)
    assert block == b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nabc"
    assert headers["WARC-Payload-Digest"] == warc_digest(b"abc") == response.payload_digest


def test_a_response_says_when_from_where_and_to_what_it_belongs() -> None:
    response, request = both(b"HTTP/1.1 200 OK\r\n\r\nabc", ip="93.184.216.34")
    headers, block = parsed(response)
    assert headers == {
        "WARC-Type": "response",
        "WARC-Record-ID": response.id,
        "WARC-Date": "2026-03-02T07:05:09.123456Z",
        "WARC-Target-URI": "http://example.org/a",
        "Content-Type": "application/http; msgtype=response",
        "WARC-Warcinfo-ID": INFO_ID,
        "WARC-IP-Address": "93.184.216.34",
        "WARC-Block-Digest": warc_digest(block),
        "WARC-Payload-Digest": warc_digest(b"abc"),
        "Content-Length": str(len(block)),
    }
    assert parsed(request)[0]["WARC-Concurrent-To"] == response.id


def test_records_begin_with_their_version_and_have_ids_of_their_own() -> None:
    records = [*both(b"HTTP/1.1 200 OK\r\n\r\n"), *both(b"HTTP/1.1 200 OK\r\n\r\n")]
    assert all(record.data.startswith(b"WARC/1.1\r\n") for record in records)
    assert len({record.id for record in records}) == 4
    assert all(re.fullmatch(r"<urn:uuid:[0-9a-f-]{36}>", record.id) for record in records)


def test_a_response_that_is_not_whole_says_why() -> None:
    response, request = both(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", truncated="disconnect")
    assert parsed(response)[0]["WARC-Truncated"] == "disconnect"
    assert "WARC-Truncated" not in parsed(request)[0]


def test_a_request_without_answer_is_kept_alone() -> None:
    response, request = exchange_records(exchange(b""), INFO_ID)
    assert response is None
    assert "WARC-Concurrent-To" not in parsed(request)[0]
    assert parsed(request)[1] == SENT


def test_warcinfo_tells_the_file_and_who_wrote_it() -> None:
    headers, block = parsed(warcinfo("a.warc.gz", STARTED, {"software": "x/1", "operator": "Jane Ö."}))
    assert headers["WARC-Filename"] == "a.warc.gz"
    assert headers["Content-Type"] == "application/warc-fields"
    assert "WARC-Target-URI" not in headers
    assert block == "software: x/1\r\noperator: Jane Ö.\r\n".encode()


@pytest.mark.parametrize(
    "received",
    [
        b"HTTP/1.1 200 OK\r\n\r\n<p>",
        b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot chunked",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef",
        b"HTTP/1.1 200 OK\nA: b\n\nbare line feeds",
        ODD_HEAD + b"\x1f\x8b\x08broken",
        b"HTTP/1.1 200 OK\r\nContent-Ty",
        b"no HTTP at all",
        b"\x00",
    ],
)
def test_other_tools_find_nothing_wrong(received: bytes) -> None:
    data = b"".join(gzip_member(record.data, 6) for record in both(received))
    assert check(data) == ["response", "request"]


@given(st.binary(min_size=1, max_size=200), st.text(max_size=30))
def test_any_bytes_and_any_address_make_whole_records(received: bytes, path: str) -> None:
    url = request_url(f"http://example.org/{path}")
    response, request = both(received, url=url)
    headers, block = parsed(response)
    assert len(block) == int(headers["Content-Length"])
    assert headers["WARC-Block-Digest"] == warc_digest(block)
    assert headers["WARC-Target-URI"] == url
    assert response.data.endswith(b"\r\n\r\n")
    assert parsed(request)[1] == SENT
