"""Metadata records: what is true of an exchange and stands nowhere else, a line for each."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.archive.warc.records import Connection, fetch_metadata, later_metadata, read_exchange, warcinfo
from archiver.archive.warc.writer import gzip_member
from tests.warc.samples import RECEIVED, STARTED, check, check_files, exchange, only_file, read_all, writer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.warc.samples import Found

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
HINTS = b"HTTP/1.1 103 Early  Hints\r\nlink:</caf\xe9.css>\r\nX-Folded: a\r\n b\r\n\r\n"
INFO_ID = "<urn:uuid:11111111-2222-3333-4444-555555555555>"


def metadata_of(folder: Path, received: bytes = RECEIVED, **other: object) -> Found:
    keeper = writer(folder)
    keeper.write([exchange(received, **other)])  # type: ignore[arg-type] # given by name
    keeper.close()
    check_files(folder)
    (found,) = [record for record in read_all(only_file(folder)) if record.type == "metadata"]
    # Any other type would be indexed as if it were a page.
    assert found.headers["Content-Type"] == "application/warc-fields"
    return found


@pytest.mark.parametrize(("seconds", "told"), [(0.0, "0"), (0.0126, "13"), (61.5, "61500")])
def test_it_tells_how_long_the_fetch_took(tmp_path: Path, seconds: float, told: str) -> None:
    assert metadata_of(tmp_path, seconds=seconds).all("fetchTimeMs") == [told]


def test_what_is_not_known_is_not_told(tmp_path: Path) -> None:
    assert metadata_of(tmp_path).block == b""


def test_it_tells_what_led_to_the_fetch(tmp_path: Path) -> None:
    context = (("via", "http://example.org/feed"), ("entry", "tag:x,2026:Ö"), ("entry", "another"))
    found = metadata_of(tmp_path, context=context, seconds=1.0)
    assert found.block.decode() == (
        "fetchTimeMs: 1000\r\nvia: http://example.org/feed\r\nentry: tag:x,2026:Ö\r\nentry: another\r\n"
    )


def test_it_tells_what_is_wrong_with_a_certificate(tmp_path: Path) -> None:
    connection = Connection(certificate_problem="expired, not valid for example.org")
    found = metadata_of(tmp_path, connection=connection)
    assert found.all("certificateProblem") == ["expired, not valid for example.org"]


def test_it_tells_that_there_was_no_answer(tmp_path: Path) -> None:
    found = metadata_of(tmp_path, b"", seconds=None)
    assert found.all("response") == ["none"]
    assert "WARC-Concurrent-To" not in found.headers


def test_it_belongs_to_its_response(tmp_path: Path) -> None:
    found = metadata_of(tmp_path, seconds=1.0)
    info, response, *_ = read_all(only_file(tmp_path))
    assert found.headers["WARC-Concurrent-To"] == response.id
    assert found.headers["WARC-Warcinfo-ID"] == info.id
    assert found.headers["WARC-Target-URI"] == response.headers["WARC-Target-URI"]
    assert found.headers["WARC-Date"] == response.headers["WARC-Date"]


def test_interim_responses_are_kept_to_the_byte_and_in_order(tmp_path: Path) -> None:
    found = metadata_of(tmp_path, CONTINUE + HINTS + RECEIVED)
    told = found.all("interimResponseBase64")
    assert [base64.b64decode(one) for one in told] == [CONTINUE, HINTS]
    (response,) = [record for record in read_all(only_file(tmp_path)) if record.type == "response"]
    assert response.block == RECEIVED


HEADERS = st.lists(st.binary(max_size=20).filter(lambda line: not set(line) & set(b"\r\n")), max_size=3)


@settings(max_examples=50)
@given(st.lists(HEADERS, max_size=3))
def test_interim_responses_come_back_whatever_is_in_them(heads: list[list[bytes]]) -> None:
    interim = [
        b"\r\n".join([b"HTTP/1.1 103 x", *(b"A:" + line for line in lines), b"", b""]) for lines in heads
    ]
    given = exchange(b"".join(interim) + RECEIVED)
    response = read_exchange(given, exact_wire=False)
    block = fetch_metadata(given, response, INFO_ID, None).data.split(b"\r\n\r\n", 1)[1]
    told = [line.partition(b": ")[2] for line in block.splitlines() if line.startswith(b"interim")]
    assert [base64.b64decode(one) for one in told] == interim
    assert response is not None
    assert response.wire.head + response.wire.body == RECEIVED


# Every way in which a line may end for somebody.
BREAKS = ["\r\n", "\n", "\r", "\n\n", "\r\n\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("end", BREAKS)
def test_no_value_breaks_out_of_its_line(tmp_path: Path, end: str) -> None:
    evil = f"a{end}WARC-Type: response{end}response: none{end}{end}WARC/1.1{end}"
    found = metadata_of(
        tmp_path,
        context=(("title", evil), ("after", "x")),
        connection=Connection(ip=evil, protocols=(evil,), cipher=evil, certificate_problem=evil),
    )
    told = "a WARC-Type: response response: none WARC/1.1"
    assert found.block.decode() == f"title: {told}\r\nafter: x\r\ncertificateProblem: {told}\r\n"
    records = read_all(only_file(tmp_path))
    assert [record.type for record in records] == ["warcinfo", "response", "request", "metadata"]
    assert records[1].headers["WARC-IP-Address"] == told
    assert records[1].block == RECEIVED


@settings(max_examples=60)
@given(st.text(), st.text())
def test_any_text_makes_a_whole_record(one: str, other: str) -> None:
    # Half of a surrogate pair comes out of broken JSON.
    fields = (("one", one), ("other", other + "\ud800"), ("last", "x"))
    for record in (
        fetch_metadata(exchange(context=fields), None, INFO_ID, None),
        later_metadata("http://example.org/\ud800", STARTED, INFO_ID, fields, INFO_ID),
        warcinfo("a.warc.gz", STARTED, fields),
    ):
        assert len(check(gzip_member(record.data, 1))) == 1
        block = record.data.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n\r\n")
        lines = block.decode().split("\r\n")
        assert [line.partition(":")[0] for line in lines if line][:3] == ["one", "other", "last"]


def test_what_becomes_known_later_refers_to_its_record(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    (capture,) = keeper.write([exchange()])
    assert capture is not None
    keeper.write_metadata(capture.url, capture.record_id, (("outlink", "http://example.org/b L a/@href"),))
    keeper.close()
    *_, found = read_all(only_file(tmp_path))
    assert found.type == "metadata"
    assert found.headers["WARC-Refers-To"] == capture.record_id
    assert found.headers["WARC-Target-URI"] == capture.url
    assert found.block == b"outlink: http://example.org/b L a/@href\r\n"
    check_files(tmp_path)


def test_later_metadata_opens_a_file_where_none_is_open(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write_metadata("http://example.org/", INFO_ID, (("wrapper", "w1"),))
    keeper.close()
    assert check(only_file(tmp_path).read_bytes()) == ["warcinfo", "metadata"]
