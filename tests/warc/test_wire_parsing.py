"""HTTP as it was on the wire: split where HTTP splits it, joined where chunks end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.archive.warc.wire import dechunk, parse_headers, split_response, without_transfer_coding

CONTENTS = st.lists(st.binary(min_size=1, max_size=40), max_size=6)
LINE_ENDS = st.sampled_from([b"\r\n", b"\n"])
EXTENSIONS = st.sampled_from([b"", b" ", b";a=b", b' ; name="x"'])


def chunked(parts: list[bytes], end: bytes = b"\r\n", extension: bytes = b"") -> bytes:
    sizes = (b"%x%s%s%s%s" % (len(part), extension, end, part, end) for part in parts)
    return b"".join(sizes) + b"0" + end + end


def test_a_response_is_split_at_its_blank_line() -> None:
    wire = split_response(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n\r\nmore")
    assert wire.head == b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
    assert wire.body == b"body\r\n\r\nmore"
    assert wire.status == 200


def test_bare_line_feeds_split_as_well() -> None:
    wire = split_response(b"HTTP/1.0 404 Not Found\nA: b\n\nbody")
    assert (wire.head, wire.body, wire.status) == (b"HTTP/1.0 404 Not Found\nA: b\n\n", b"body", 404)


def test_interim_responses_stand_before_the_answer() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    wire = split_response(b"HTTP/1.1 100 Continue\r\n\r\n" + early + b"HTTP/1.1 200 OK\r\n\r\nbody")
    assert wire.interim == (b"HTTP/1.1 100 Continue\r\n\r\n", early)
    assert (wire.head, wire.body) == (b"HTTP/1.1 200 OK\r\n\r\n", b"body")


@pytest.mark.parametrize("code", [b"1000", b"1030", b"2000"])
def test_a_status_of_four_digits_is_none_and_no_interim_response(code: bytes) -> None:
    raw = b"HTTP/1.1 " + code + b" Odd\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
    wire = split_response(raw)
    assert (wire.status, wire.interim) == (None, ())
    assert wire.body == b"HTTP/1.1 200 OK\r\n\r\n"


def test_switching_protocols_ends_http() -> None:
    wire = split_response(b"HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    assert wire.status == 101
    assert not wire.interim


@pytest.mark.parametrize("raw", [b"", b"SSH-2.0-OpenSSH", b"HTTP/1.1 200 OK\r\nContent-Ty"])
def test_bytes_without_a_blank_line_are_all_head(raw: bytes) -> None:
    wire = split_response(raw)
    assert (wire.head, wire.body) == (raw, b"")


@given(st.binary(max_size=200))
def test_no_byte_is_lost_in_splitting(raw: bytes) -> None:
    wire = split_response(raw)
    assert b"".join(wire.interim) + wire.head + wire.body == raw


def test_headers_are_found_whatever_their_case() -> None:
    wire = split_response(b"HTTP/1.1 200 OK\r\ncontent-TYPE:  text/html \r\nX: 1\r\nx: 2\r\n\r\n")
    assert wire.header("Content-Type") == "text/html"
    assert wire.header("X") == "1"
    assert wire.header("Y") is None


def test_folded_headers_are_one_and_lines_without_colon_none() -> None:
    head = b"HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\n  d\r\nnonsense\r\nE:f\r\n\r\n"
    assert parse_headers(head) == [("A", "b c d"), ("E", "f")]


def test_a_letter_does_not_end_a_header() -> None:
    """The second byte of Å in UTF-8 is a line break in Latin-1's control characters."""
    head = "HTTP/1.1 200 OK\r\nX-Title: Århus: Åben\r\nA: b\r\n\r\n".encode()
    assert parse_headers(head) == [("X-Title", "Århus: Åben".encode().decode("latin-1")), ("A", "b")]


@given(CONTENTS, LINE_ENDS, EXTENSIONS)
def test_chunks_are_joined(parts: list[bytes], end: bytes, extension: bytes) -> None:
    assert dechunk(chunked(parts, end, extension)) == b"".join(parts)


@given(CONTENTS, st.data())
def test_a_body_that_was_cut_keeps_what_came(parts: list[bytes], data: st.DataObject) -> None:
    whole = chunked(parts)
    cut = data.draw(st.integers(0, len(whole)))
    found = dechunk(whole[:cut])
    content = b"".join(parts)
    if found is None:  # cut before the first size was told: kept as it is
        assert b"\n" not in whole[:cut]
        assert 0 < cut <= 3
    else:
        assert content.startswith(found)
        # All but the lines between the chunks.
        assert len(found) >= cut - sum(len(b"%x" % len(part)) + 4 for part in parts) - 5


def test_trailers_are_no_content() -> None:
    assert dechunk(b"3\r\nabc\r\n0\r\nX-Checksum: 1\r\n\r\n") == b"abc"


@pytest.mark.parametrize(
    "body",
    [
        b"<html>not chunked at all</html>",
        b"abc",
        b"3\r\nabcdef\r\n0\r\n\r\n",  # a chunk longer than it says
        b"3\r\nabc\r\n<p>an error page\r\n",
        b"3\r\nabc\r\nzz\r\nabc",
        b"fffffffffffffffff\r\nabc",
    ],
)
def test_what_does_not_look_like_chunks_is_left_alone(body: bytes) -> None:
    assert dechunk(body) is None


@given(st.binary(max_size=100))
def test_joining_takes_any_bytes(body: bytes) -> None:
    found = dechunk(body)
    assert found is None or len(found) <= len(body)


def test_only_the_transfer_coding_is_taken_off() -> None:
    head = b"HTTP/1.1 200  Fine\r\nserver:x\r\nTRANSFER-encoding : chunked\r\nA : b\r\n c\r\n\r\n"
    wire = without_transfer_coding(split_response(head + b"3\r\nabc\r\n0\r\n\r\n"))
    assert wire.head == b"HTTP/1.1 200  Fine\r\nserver:x\r\nA : b\r\n c\r\n\r\n"
    assert wire.body == b"abc"


@pytest.mark.parametrize(
    "header",
    [
        b"Transfer-Encoding:\r\n\tchunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: Chunked\r\n",
        b"transfer-encoding:chunked\n",
        b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: identity, chunked\r\n",
    ],
)
def test_the_header_goes_however_it_is_written(header: bytes) -> None:
    raw = b"HTTP/1.1 200 OK\r\nA: b\r\n" + header + b"\r\n3\r\nabc\r\n0\r\n\r\n"
    wire = without_transfer_coding(split_response(raw))
    assert wire.head == b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
    assert wire.body == b"abc"


@pytest.mark.parametrize("coding", [b"gzip, chunked", b"identity", b"chunkedly"])
def test_other_transfer_codings_stay(coding: bytes) -> None:
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + b"\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    wire = split_response(raw)
    assert without_transfer_coding(wire) == wire


def test_a_body_that_only_claims_to_be_chunked_stays_as_it_came() -> None:
    wire = split_response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>plain")
    assert without_transfer_coding(wire) == wire
