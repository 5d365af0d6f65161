"""Requests that submit something: each body is a page of its own, in WARC and in the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.records import index_lines
from archiver.archive.cdxj.submitted import submitted_query
from archiver.archive.cdxj.update import update
from archiver.archive.warc.records import SUBMISSION
from archiver.submissions import Submission, request_key, submission_of
from archiver.urls import same_page_key
from tests.warc.cdxj_samples import record, reference_lines
from tests.warc.samples import KnownPayloads, exchange, only_file, read_all, writer

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://example.org/search"
BODIES = {
    "form": ("application/x-www-form-urlencoded", b"q=two+words&page=1&q=%C3%A9"),
    "form-with-charset": ("application/x-www-form-urlencoded; charset=UTF-8", b"a=1"),
    "not-utf-8": ("application/x-www-form-urlencoded", b"q=\xff\xfe"),
    "json": ("application/json", b'{"a": 1, "b": {"a": "x y"}, "c": [1, "z"]}'),
    "broken-json": ("application/json", b"{"),
    "text-of-json": ("text/plain;charset=UTF-8", b'{"q": "n"}'),
    "text": ("text/plain", b"words"),
    "binary": ("application/octet-stream", b"\x00\x01"),
    "no-type": ("", b"abc"),
    "empty": ("application/x-www-form-urlencoded", b""),
    "long": ("application/x-www-form-urlencoded", b"q=" + b"x" * 9000),
}


def sent(body: bytes, content_type: str = "application/x-www-form-urlencoded", method: str = "POST") -> bytes:
    told = f"Content-Type: {content_type}\r\n" if content_type else ""
    return f"{method} /search HTTP/1.1\r\nContent-Length: {len(body)}\r\n{told}\r\n".encode() + body


def test_the_index_has_the_lines_that_cdxj_indexer_has(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    for content_type, body in BODIES.values():
        warc.write(
            [
                exchange(url=URL, sent=sent(body, content_type)),
                exchange(url=URL + "?lang=en", sent=sent(body, content_type, "PUT")),
                exchange(url=URL),
            ]
        )
    warc.close()
    path = only_file(tmp_path)
    assert list(index_lines(path)) == reference_lines(path, "--post-append")


def test_a_request_before_its_response_counts_as_well(tmp_path: Path) -> None:
    path = tmp_path / "other.warc.gz"
    # cdxj-indexer's own digest would be that of nothing: it has read the block by then.
    http = {"Content_Type": "application/http", "WARC_Payload_Digest": "sha1:X"}
    path.write_bytes(
        record("request", URL, sent(b"q=1"), WARC_Record_ID="<urn:uuid:1>", **http)
        + record("response", URL, b"HTTP/1.1 200 OK\r\n\r\nx", WARC_Concurrent_To="<urn:uuid:1>", **http)
    )
    lines = list(index_lines(path))
    assert lines == reference_lines(path, "--post-append")
    assert lines[0].startswith("org,example)/search?__wb_method=post&q=1 ")


def test_an_answer_to_a_submission_is_not_found_by_its_address_alone(tmp_path: Path) -> None:
    warc = writer(tmp_path / "warc")
    warc.write([exchange(url=URL, sent=sent(b"q=1"))])
    warc.close()
    update(tmp_path / "warc", tmp_path / "index")
    index = Index(tmp_path / "index")
    assert index.captures(URL) == []
    (found,) = index.range("org,example)/search")
    assert found.submitted is not None
    assert (found.submitted.method, found.submitted.query) == ("POST", "q=1")


def test_the_capture_and_its_records_name_what_was_submitted(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    posted, got = warc.write([exchange(url=URL, sent=sent(b"q=1")), exchange(url=URL)])
    warc.close()
    identity = Submission(body=b"q=1").identity
    assert posted is not None
    assert got is not None
    assert (posted.submission, got.submission) == (identity, "")
    told = [one.headers.get(SUBMISSION) for one in read_all(only_file(tmp_path)) if one.type == "response"]
    assert told == [identity, None]
    assert (posted.page_key, got.page_key) == (request_key(URL, identity), same_page_key(URL))


def test_a_revisit_never_refers_to_the_answer_of_a_submission(tmp_path: Path) -> None:
    """Readers look for the original by its address, where they would find something else or nothing."""
    received = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5000
    warc = writer(tmp_path, payloads=KnownPayloads())
    posted, got, again = warc.write(
        [
            exchange(received, url=URL, sent=sent(b"q=1")),
            exchange(received, url=URL),
            exchange(received, url=URL, sent=sent(b"q=2")),
        ]
    )
    warc.close()
    assert [one is not None and one.revisit is None for one in (posted, got, again)] == [True, True, False]
    assert again is not None
    assert again.submission == Submission(body=b"q=2").identity


def test_keys_tell_method_and_body_apart() -> None:
    submissions = [Submission(body=b"q=1"), Submission(body=b"q=2"), Submission(method="PUT", body=b"q=1")]
    keys = {request_key(URL, one.identity) for one in submissions} | {request_key(URL)}
    assert len(keys) == 4
    assert request_key(URL + "?utm_source=x", submissions[0].identity) in keys


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_only_asks_submits_nothing(method: str) -> None:
    assert submission_of(sent(b"", method=method)) is None
    assert submitted_query(sent(b"", method=method)) is None


def test_a_body_nested_without_end_is_indexed_all_the_same() -> None:
    found = submitted_query(sent(b"[" * 100_000, "application/json"))
    assert found is not None
    assert found.query == ""
