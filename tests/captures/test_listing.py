"""The captures of a URL, page by page, and what is told of each."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.files import write_lines
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.lines import line_for
from archiver.archive.cdxj.submitted import SubmittedQuery
from archiver.archive.cdxj.update import write_index
from archiver.inspection.captures.details import capture_details
from archiver.inspection.captures.listing import capture_named, list_captures
from tests.warc.cdxj_samples import START, record, some_line

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.inspection.captures.model import CaptureList

URL = "http://example.org/page"
RESPONSE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Name: caf\xe9\r\nX-Long: one\r\n two\r\n\r\n<p>Hello"
)
REQUEST = (
    b"GET /page?token=hunter2 HTTP/1.1\r\nHost: example.org\r\n"
    b"Authorization: Basic aHVudGVyMg==\r\nCookie: a=b\r\n\r\n"
)


def listed(index: Index, folder: Path, limit: int, before: str | None = None) -> CaptureList:
    return list_captures(index, folder, URL, limit=limit, before=before)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Captures in three index files, some of them in one second, among those of other addresses."""
    for number in range(3):
        lines = [
            some_line(URL, seconds=10 * number + second // 2, warc=f"{number}.warc.gz", offset=second)
            for second in range(10)
        ]
        lines += [some_line(f"{URL}{letter}", warc=f"{number}.warc.gz") for letter in "sx"]
        write_lines(tmp_path / "index", f"{number}.warc.gz", lines)
    return Index(tmp_path / "index")


@pytest.mark.parametrize("limit", [1, 3, 7, 100])
def test_pages_of_a_list_are_the_list(index: Index, tmp_path: Path, limit: int) -> None:
    places, before = [], None
    for _ in range(100):
        found = listed(index, tmp_path, limit, before)
        places += [(one.place.file, one.place.offset) for one in found.captures]
        before = found.next
        if before is None:
            break
    expected = [(line.filename, line.offset) for line in reversed(index.captures(URL))]
    assert places == expected
    assert len(places) == 30


def test_each_is_found_by_its_name(index: Index, tmp_path: Path) -> None:
    for one in listed(index, tmp_path, 100).captures:
        line = capture_named(index, URL, one.name)
        assert line is not None
        assert (line.filename, line.offset) == (one.place.file, one.place.offset)
    assert capture_named(index, URL, "20260302070509-nonesuch") is None


def test_what_was_sent_to_the_address_is_listed_with_its_method(tmp_path: Path) -> None:
    sent = SubmittedQuery(method="POST", query="q=ferry")
    post = line_for(
        url=URL, date=START + timedelta(seconds=5), length=1, offset=1, filename="a.warc.gz", submitted=sent
    )
    lines = [some_line(URL), some_line(URL, seconds=9), post]
    write_lines(tmp_path / "index", "a.warc.gz", lines)
    found = listed(Index(tmp_path / "index"), tmp_path, 10)
    assert [one.method for one in found.captures] == ["GET", "POST", "GET"]


def test_a_record_that_is_not_there_is_told(index: Index, tmp_path: Path) -> None:
    (one, *_) = listed(index, tmp_path, 1).captures
    assert one.problem is not None
    assert "2.warc.gz is not in" in one.problem


def warc_of(folder: Path) -> Index:
    """A response with its request, and two revisits: one of it, one of what is not there."""
    first = "<urn:uuid:1>"
    about = {"WARC_Concurrent_To": first}
    revisit = {
        "WARC_Profile": "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
        "WARC_Refers_To_Target_URI": URL,
        "WARC_Payload_Digest": "sha1:A",
    }
    later, last = "2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z"
    data = [
        record("warcinfo", None, b"software: archiver/1\r\n", WARC_Record_ID="<urn:uuid:0>"),
        record("response", URL, RESPONSE, WARC_Record_ID=first),
        record("request", URL, REQUEST, WARC_Record_ID="<urn:uuid:2>", **about),
        record(
            "metadata", URL, b"fetchTimeMs: 7\r\n", WARC_Record_ID="<urn:uuid:3>", **about,
            Content_Type="application/warc-fields",
        ),
        record(
            "revisit", URL, b"", WARC_Record_ID="<urn:uuid:4>", WARC_Refers_To=first, WARC_Date=later,
            WARC_Refers_To_Date=START.isoformat(), **revisit,
        ),
        record(
            "revisit", URL, b"", WARC_Record_ID="<urn:uuid:5>", WARC_Refers_To="<urn:uuid:9>", WARC_Date=last,
            WARC_Refers_To_Date="2025-01-01T00:00:00Z", **revisit,
        ),
    ]  # fmt: skip
    (folder / "a.warc.gz").write_bytes(b"".join(data))
    write_index(folder / "a.warc.gz", folder / "index")
    return Index(folder / "index")


def test_a_revisit_is_told_with_what_it_refers_to_and_whether_that_is_there(tmp_path: Path) -> None:
    last, later, first = listed(warc_of(tmp_path), tmp_path, 10).captures
    assert (first.kind, first.record, first.original) == ("response", "<urn:uuid:1>", None)
    assert (later.kind, later.revisit) == ("revisit", "not_modified")
    assert later.original is not None
    assert (later.original.record, later.original.time, later.original.is_there) == (
        "<urn:uuid:1>",
        START,
        True,
    )
    assert later.original.place is not None
    assert later.original.place.offset == first.place.offset
    assert last.original is not None
    assert (last.original.record, last.original.is_there) == ("<urn:uuid:9>", False)


def test_one_is_shown_with_its_headers_as_they_were_kept(tmp_path: Path) -> None:
    index = warc_of(tmp_path)
    (line,) = [one for one in index.captures(URL) if not one.is_revisit]
    found = capture_details(index, tmp_path, line, None)
    assert found.response is not None
    assert found.response.line == "HTTP/1.1 200 OK"
    assert [(one.name, one.value) for one in found.response.headers] == [
        ("Content-Type", "text/html"),
        ("X-Name", "caf\\xe9"),
        ("X-Long", "one two"),
    ]
    assert found.body_size == len(b"<p>Hello")
    assert found.request is not None
    assert found.request.line == "GET /page?token=*** HTTP/1.1"
    # Who may look into an archive need not know how the crawl logs in.
    assert [one.value for one in found.request.headers] == ["example.org", "***", "***"]
    assert [(one.name, one.value) for one in found.metadata] == [("fetchTimeMs", "7")]
    assert [(one.name, one.value) for one in found.warcinfo] == [("software", "archiver/1")]
    assert "WARC-Record-ID" in {one.name for one in found.warc_headers}


def test_what_is_withheld_is_not_named_by_those_who_share_its_payload(tmp_path: Path) -> None:
    warc_of(tmp_path)
    other = "http://example.org/copy"
    revisit = record(
        "revisit", other, b"HTTP/1.1 200 OK\r\n\r\n", WARC_Record_ID="<urn:uuid:6>",
        WARC_Refers_To="<urn:uuid:1>", WARC_Refers_To_Target_URI=URL, WARC_Refers_To_Date=START.isoformat(),
    )  # fmt: skip
    (tmp_path / "b.warc.gz").write_bytes(revisit)
    write_index(tmp_path / "b.warc.gz", tmp_path / "index")
    index = Index(tmp_path / "index", lambda url: url == URL)
    assert listed(index, tmp_path, 10).captures == ()
    (one,) = list_captures(index, tmp_path, other).captures
    assert one.original is not None
    assert (one.original.url, one.original.record, one.original.is_there) == ("", "", True)


def test_a_page_of_many_captures_is_read_quickly(tmp_path: Path) -> None:
    """Of 200,000 lines, of which 50,000 are of the address, fifty are read."""
    lines = [some_line(URL, seconds=second, warc="a.warc.gz", offset=second) for second in range(50_000)]
    lines += [some_line(f"http://example.org/{number:06d}", warc="a.warc.gz") for number in range(150_000)]
    write_lines(tmp_path / "index", "a.warc.gz", lines)
    index = Index(tmp_path / "index")
    started = time.thread_time()
    found = listed(index, tmp_path, 50)
    again = listed(index, tmp_path, 50, found.next)
    assert time.thread_time() - started < 0.2
    assert [one.place.offset for one in (*found.captures, *again.captures)] == list(range(49_999, 49_899, -1))
