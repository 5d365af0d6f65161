"""Records: the bytes of the wire, with headers that other tools find right."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from archiver.archive.warc.records import (
    Connection,
    fetch_metadata,
    read_exchange,
    request_record,
    response_record,
    warcinfo,
)
from archiver.archive.warc.writer import gzip_member
from archiver.digests import sha256_digest, warc_digest
from archiver.urls import request_url
from tests.warc.samples import ANSWERED, SENT, STARTED, UNANSWERED, check, exchange

if TYPE_CHECKING:
    from archiver.archive.warc.records import Record

INFO_ID = "<urn:uuid:11111111-2222-3333-4444-555555555555>"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
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


def made_of(received: bytes, *, exact_wire: bool = False, **other: object) -> list[Record]:
    """The records of one exchange, as the writer makes them."""
    given = exchange(received, **other)  # type: ignore[arg-type] # given by name
    response = read_exchange(given, exact_wire=exact_wire)
    made = [response_record(given, response, INFO_ID)] if response else []
    concurrent = made[0].id if made else None
    made.append(request_record(given, INFO_ID, concurrent))
    made.append(fetch_metadata(given, response, INFO_ID, concurrent))
    return made


def answered(received: bytes, **other: object) -> tuple[Record, Record, Record]:
    response, request, metadata = made_of(received, **other)  # type: ignore[arg-type] # given by name
    return response, request, metadata


def test_the_response_is_kept_byte_for_byte() -> None:
    response, _, _ = answered(ODD_HEAD + b"\x00\xff\r\n\r\nbody")
    assert parsed(response)[1] == ODD_HEAD + b"\x00\xff\r\n\r\nbody"


def test_the_request_is_kept_byte_for_byte() -> None:
    sent = SENT.replace(b"\r\n\r\n", b"\r\nContent-Length: 3\r\n\r\na\r\n")
    _, request, _ = answered(b"HTTP/1.1 200 OK\r\n\r\n", sent=sent)
    assert parsed(request)[1] == sent


def test_chunks_are_joined_and_their_header_dropped() -> None:
    response, _, _ = answered(CHUNKED)
    headers, block = parsed(response)
    assert block == b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nabc"
    assert headers["WARC-Payload-Digest"] == warc_digest(b"abc")
    kept = read_exchange(exchange(CHUNKED), exact_wire=False)
    assert kept is not None
    assert kept.digest == warc_digest(b"abc")


def test_where_the_wire_is_asked_for_even_chunks_stay() -> None:
    response, request, metadata = answered(CHUNKED, exact_wire=True)
    headers, block = parsed(response)
    assert block == CHUNKED
    # As validators compute it; WARC itself would leave the transfer coding out.
    assert headers["WARC-Payload-Digest"] == warc_digest(b"3\r\nabc\r\n0\r\n\r\n")
    assert check(b"".join(gzip_member(one.data, 6) for one in (response, request, metadata))) == ANSWERED


def test_a_response_says_when_from_where_and_to_what_it_belongs() -> None:
    connection = Connection(ip="93.184.216.34")
    response, request, metadata = answered(b"HTTP/1.1 200 OK\r\n\r\nabc", connection=connection)
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
        "Archiver-Payload-Digest": sha256_digest(b"abc"),
        "Content-Length": str(len(block)),
    }
    for other in (request, metadata):
        assert parsed(other)[0]["WARC-Concurrent-To"] == response.id
        assert parsed(other)[0]["WARC-Warcinfo-ID"] == INFO_ID
        assert parsed(other)[0]["WARC-Target-URI"] == "http://example.org/a"
        assert parsed(other)[0]["WARC-Date"] == "2026-03-02T07:05:09.123456Z"


def test_request_and_response_say_what_they_went_over() -> None:
    connection = Connection(ip="::1", protocols=("http/1.1", "tls/1.3"), cipher="TLS_AES_128_GCM_SHA256")
    for record in answered(b"HTTP/1.1 200 OK\r\n\r\n", connection=connection)[:2]:
        head = record.data.partition(b"\r\n\r\n")[0]
        assert b"\r\nWARC-IP-Address: ::1\r\n" in head
        assert b"\r\nWARC-Protocol: http/1.1\r\nWARC-Protocol: tls/1.3\r\n" in head
        assert b"\r\nWARC-Cipher-Suite: TLS_AES_128_GCM_SHA256\r\n" in head


def test_records_begin_with_their_version_and_have_ids_of_their_own() -> None:
    records = [*answered(b"HTTP/1.1 200 OK\r\n\r\n"), *answered(b"HTTP/1.1 200 OK\r\n\r\n")]
    assert all(record.data.startswith(b"WARC/1.1\r\n") for record in records)
    assert len({record.id for record in records}) == 6
    assert all(re.fullmatch(r"<urn:uuid:[0-9a-f-]{36}>", record.id) for record in records)


@pytest.mark.parametrize("reason", ["disconnect", "time", "length"])
def test_a_response_that_is_not_whole_says_why(reason: str) -> None:
    received = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
    response, request, metadata = answered(received, truncated=reason)
    assert parsed(response)[0]["WARC-Truncated"] == reason
    assert "WARC-Truncated" not in parsed(request)[0]
    assert "WARC-Truncated" not in parsed(metadata)[0]


def test_a_request_without_answer_is_kept_without_one() -> None:
    request, metadata = made_of(b"", truncated="disconnect")
    assert "WARC-Concurrent-To" not in parsed(request)[0]
    assert "WARC-Concurrent-To" not in parsed(metadata)[0]
    assert parsed(request)[1] == SENT
    assert parsed(metadata)[1] == b"response: none\r\n"
    assert check(gzip_member(request.data, 6) + gzip_member(metadata.data, 6)) == UNANSWERED


def test_an_interim_response_that_nothing_followed_is_the_response() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    response, _, metadata = answered(b"HTTP/1.1 100 Continue\r\n\r\n" + hints, truncated="disconnect")
    assert parsed(response)[1] == hints
    assert parsed(metadata)[1].count(b"interimResponseBase64") == 1


def test_warcinfo_tells_the_file_and_who_wrote_it() -> None:
    fields = (("software", "x/1"), ("operator", "Jane Ö."))
    headers, block = parsed(warcinfo("a.warc.gz", STARTED, fields))
    assert headers["WARC-Filename"] == "a.warc.gz"
    assert headers["Content-Type"] == "application/warc-fields"
    assert "WARC-Target-URI" not in headers
    assert block == "software: x/1\r\noperator: Jane Ö.\r\n".encode()


@pytest.mark.parametrize(
    "received",
    [
        b"HTTP/1.1 200 OK\r\n\r\n<p>",
        b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot chunked",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef",
        b"HTTP/1.1 200 OK\nA: b\n\nbare line feeds",
        ODD_HEAD + b"\x1f\x8b\x08broken",
        b"HTTP/1.1 200 OK\r\nContent-Ty",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n \t\r\nA: b\r\n\r\nafter a line of blanks",
        b"HTTP/1.1 200 OK\r\n\xa0\r\nA: b\r\n\r\nafter a line that only looks blank",
        b"\r\nHTTP/1.1 200 OK\r\n\r\nafter an empty line",
        b"HTTP/1.1 200 OK\r\nNul: \0\r\n\r\n\0\0",
        b"no HTTP at all",
        b"\x00",
    ],
)
@pytest.mark.parametrize("exact_wire", [False, True])
def test_other_tools_find_nothing_wrong(received: bytes, exact_wire: bool) -> None:
    made = made_of(received, exact_wire=exact_wire)
    assert check(b"".join(gzip_member(record.data, 6) for record in made)) == ANSWERED


PIECES = (
    *(b"HTTP/1.1 200 OK", b"HTTP/1.1 103 x", b"HTTP/1.0 304", b"A: b", b":", b"x", b"\0", b"0"),
    *(b"\r\n", b"\r\n\r\n", b"\n", b"\r", b" ", b"\t", b"\x0b", b"\x1c", b"\x85", b"\xa0", b"\xc2\xa0"),
    *(b"Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n", b"Content-Encoding: gzip\r\n", b"\x1f\x8b\x08\0"),
)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map(b"".join), st.booleans())
def test_nor_do_they_in_anything_that_resembles_http(received: bytes, exact_wire: bool) -> None:
    made = made_of(received, exact_wire=exact_wire)
    assert check(b"".join(gzip_member(record.data, 1) for record in made)) == ANSWERED


@given(st.binary(min_size=1, max_size=200), st.text(max_size=30))
def test_any_bytes_and_any_address_make_whole_records(received: bytes, path: str) -> None:
    url = request_url(f"http://example.org/{path}")
    response, request, metadata = answered(received, url=url)
    headers, block = parsed(response)
    assert len(block) == int(headers["Content-Length"])
    assert headers["WARC-Block-Digest"] == warc_digest(block)
    assert headers["WARC-Target-URI"] == url
    assert response.data.endswith(b"\r\n\r\n")
    assert parsed(request)[1] == SENT
    assert parsed(metadata)[0]["WARC-Target-URI"] == url
