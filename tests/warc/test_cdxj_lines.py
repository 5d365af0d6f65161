"""The lines of WARCs, held against cdxj-indexer's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.lines import REVISIT, CdxLine, http_fields, line_for, parse_line
from archiver.archive.cdxj.records import index_lines
from archiver.archive.warc.wire import split_response, without_transfer_coding
from archiver.archive.warc.writer import gzip_member
from archiver.digests import warc_digest
from archiver.errors import ArchiveError, RecordError
from tests.warc.cdxj_samples import START, record, reference_lines, some_line, written_warc
from tests.warc.samples import RECEIVED, exchange, member_ends, writer

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.warc.records import Exchange

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
ODD_RESPONSES = [
    RECEIVED,
    HEAD,
    b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.0 404\r\n\r\nno reason",
    b"HTTP/1.1  200  OK\r\n\r\ntwo spaces",
    b"HTTP/1.1\t200\tOK\r\nA: b\r\n\r\ntabs",
    b"HTTP/2 200\r\ncontent-type:TEXT/Html;x\r\n\r\n",
    b"HTTP/1.1 200 OK\nContent-Type: text/plain\n\nbare line feeds",
    b"HTTP/1.1 200 OK\r\nContent-Type:\r\n\r\nempty type",
    b"HTTP/1.1 200 OK\r\nContent-Type: ;charset=x\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type : text/html\r\n\r\nspace before the colon",
    b"HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html\r\n\r\nfolded",
    b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n\r\nrepeated",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/h\xe9tml\r\n\r\nlatin-1",
    "HTTP/1.1 200 OK\r\nContent-Type: text/hétml\r\n\r\nutf-8".encode(),
    b"HTTP/1.1 200 OK\r\nno colon here\r\nContent-Type: text/html\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n \r\nContent-Type: text/html\r\n\r\na line of white space",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html",
    b"HTTP/1.1 200",
    b"\r\n\r\n",
    b"\r\n",
    b"<html>not HTTP at all</html>",
    b"no: status line\r\nContent-Type: text/html\r\n\r\n",
    b"\x00\xff\xfe",
    b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\nContent-Type: image/png\r\n\r\n",
]
PIECES = [
    b"HTTP/1.1",
    b"HTTP/1.1 200 OK",
    b" ",
    b"\t",
    b"\r\n",
    b"\r\n",
    b"\r\n",
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b":",
    b";",
    b",",
]
PIECES += [
    b"Content-Type: text/html",
    b"content-type:",
    b"a/b;c",
    b"\x00",
    b"\xe9",
    b"\xc3\xa9",
    b"\x0b",
    b"\x85",
    b"x" * 50,
]
ODD_URLS = [
    "http://example.org/a",
    "https://www.Example.org:8443/A?z=1&Y=2",
    "http://bücher.example/straße",
    "http://example.org/a b",
    "http://example.org:99999/",
    "http://127.0.0.1:8000/x",
]


def file_of(folder: Path, *records: bytes) -> Path:
    path = folder / "made-by-hand.warc.gz"
    path.write_bytes(b"".join(records))
    return path


def written(folder: Path, *exchanges: Exchange) -> Path:
    keeper = writer(folder)
    keeper.write(exchanges)
    keeper.close()
    return folder / keeper.files[0]


def test_lines_are_those_of_cdxj_indexer(tmp_path: Path) -> None:
    exchanges = [exchange(received, url=ODD_URLS[n % 6]) for n, received in enumerate(ODD_RESPONSES)]
    path = written(tmp_path, *exchanges, exchange(b""), exchange(RECEIVED, truncated="time"))
    lines = list(index_lines(path))
    assert lines == reference_lines(path)
    assert len(lines) == len(ODD_RESPONSES) + 1


def test_lines_of_any_bytes_are_those_of_cdxj_indexer(tmp_path: Path) -> None:
    random = Random(1)
    received = [b"".join(random.choices(PIECES, k=random.randint(1, 12))) for _ in range(1000)]
    path = written(tmp_path, *(exchange(data) for data in received))
    assert list(index_lines(path)) == reference_lines(path)


def test_lines_of_every_kind_of_record_are_those_of_cdxj_indexer(tmp_path: Path) -> None:
    url = "http://example.org/a"
    http, plain = "application/http; msgtype=response", "text/plain; charset=utf-8"
    path = file_of(
        tmp_path,
        record("warcinfo", None, b"software: x\r\n", Content_Type="application/warc-fields"),
        record("response", url, HEAD + b"body", Content_Type=http),
        record("response", url, b"", Content_Type=http, WARC_Payload_Digest=warc_digest(b"")),
        record("response", "dns:example.org", b"127.0.0.1", Content_Type="text/dns"),
        record("request", url, b"GET /a HTTP/1.1\r\n\r\n", Content_Type="application/http; msgtype=request"),
        record("revisit", url, b"", WARC_Profile=NOT_MODIFIED, WARC_Payload_Digest="sha1:AAAA"),
        record("revisit", url, b"", WARC_Profile=NOT_MODIFIED),
        record(
            "revisit", url, HEAD, Content_Type=http, WARC_Profile=IDENTICAL, WARC_Payload_Digest="sha1:BBBB"
        ),
        record("resource", "http://example.org/robots.txt", b"text", Content_Type=plain),
        record("resource", "urn:pageinfo:http://example.org/", b"{}", Content_Type="application/json"),
        record("resource", url, b"x: y\r\n", Content_Type="application/warc-fields"),
        record("resource", url, b"no type"),
        record("metadata", url, b"x: y\r\n", Content_Type="application/warc-fields"),
        record("metadata", url, b"<x/>", Content_Type="text/xml"),
        record("metadata", None, b"about no URL", Content_Type="text/plain"),
        record("conversion", url, b"text", Content_Type=plain),
    )
    lines = list(index_lines(path))
    assert lines == reference_lines(path)
    assert [parse_line(line.encode()).mime for line in lines if '"warc/revisit"' in line] == [REVISIT] * 3
    assert len(lines) == 11


def test_a_line_made_while_writing_is_the_line_read_back(tmp_path: Path) -> None:
    # Where heads end in several ways, no payload digest is written.
    received = [response for response in ODD_RESPONSES if split_response(response).is_plain]
    exchanges = [exchange(one, url=ODD_URLS[n % 6]) for n, one in enumerate(received)]
    keeper = writer(tmp_path)
    captures = keeper.write(exchanges)
    keeper.close()
    path = tmp_path / keeper.files[0]
    ends = member_ends(path.read_bytes())
    lines = []
    for sent, capture in zip(exchanges, captures, strict=True):
        assert capture is not None
        head = without_transfer_coding(split_response(sent.received)).head
        fields = http_fields(head)
        lines.append(
            line_for(
                url=capture.url,
                date=capture.date,
                digest=capture.digest,
                length=min(end for end in ends if end > capture.offset) - capture.offset,
                offset=capture.offset,
                filename=capture.file,
                status=fields.status,
                mime=fields.mime,
            )
        )
    assert lines == list(index_lines(path))


def test_a_line_is_read_as_it_was_made() -> None:
    line = some_line("http://example.org/É?b&a", seconds=1, warc="x.warc.gz", offset=7)
    assert parse_line(line.encode()) == CdxLine(
        key="org,example)/%c3%89?a&b",
        timestamp="20260302070510",
        url="http://example.org/É?b&a",
        mime="text/html",
        status="200",
        digest="sha1:A",
        length=100,
        offset=7,
        filename="x.warc.gz",
    )
    assert parse_line(line.encode()).date == START + timedelta(seconds=1)


def test_what_is_not_known_is_left_out() -> None:
    line = line_for(url="http://a.example/", date=START, length=1, offset=2, filename="f")
    fields = '{"url": "http://a.example/", "length": "1", "offset": "2", "filename": "f"}'
    assert line == f"example,a)/ 20260302070509 {fields}"
    parsed = parse_line(line.encode())
    assert (parsed.mime, parsed.status, parsed.digest) == (None, None, None)


def test_times_of_other_zones_are_written_in_utc() -> None:
    moment = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    line = line_for(url="http://a.example/", date=moment, length=1, offset=2, filename="f")
    assert parse_line(line.encode()).date == datetime(2025, 12, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    "line", [b"", b"key", b"key 2026", b"key 2026 {", b'key 2026 {"length": "x"}', b"\xff \xff {}"]
)
def test_what_is_no_line_is_refused(line: bytes) -> None:
    with pytest.raises(ArchiveError, match="Not a line of a CDXJ index"):
        parse_line(line)


def test_a_file_cut_anywhere_is_not_indexed(tmp_path: Path) -> None:
    path = written_warc(tmp_path, ["http://example.org/a"])
    data = path.read_bytes()
    whole = {0, *member_ends(data)}
    for length in range(0, len(data), 5):
        path.write_bytes(data[:length])
        if length not in whole:
            with pytest.raises(RecordError, match="cannot be indexed"):
                list(index_lines(path))


def test_damage_anywhere_is_noticed(tmp_path: Path) -> None:
    path = written_warc(tmp_path, ["http://example.org/a", "http://example.org/b"])
    data = path.read_bytes()
    lines = list(index_lines(path))
    for position in range(0, len(data), 7):
        path.write_bytes(data[:position] + bytes([data[position] ^ 0x55]) + data[position + 1 :])
        try:
            found = list(index_lines(path))
        except RecordError:
            continue
        assert found == lines  # a byte of a gzip header that means nothing


def test_two_records_in_one_gzip_member_are_refused(tmp_path: Path) -> None:
    one = b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    path = file_of(tmp_path, gzip_member(one + one, 6))
    with pytest.raises(RecordError, match="is not as long as it says"):
        list(index_lines(path))


@pytest.mark.parametrize("content", [b"WARC/1.1\r\n\r\n", b"\x00" * 100, b"text"])
def test_what_is_no_warc_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(RecordError, match="cannot be indexed"):
        list(index_lines(file_of(tmp_path, content)))


def test_a_warc_that_is_not_there_is_an_error_to_read(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        list(index_lines(tmp_path / "gone.warc.gz"))
