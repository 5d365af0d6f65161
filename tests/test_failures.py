"""Answers that cannot be used, whatever their status says."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError, IgnoreRequest
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from archiver.acquisition.outcomes import Failure
from archiver.acquisition.targets import PendingPage
from archiver.spiders.failures import RobotsRefused, failure_of_error, failure_of_response
from archiver.spiders.kinds.pages import page_fetch

URL = "https://example.org/a"
NOW = datetime(2026, 3, 2, tzinfo=UTC)
PAGE = PendingPage(id=1, url=URL, host="example.org")
KNOWN = replace(PAGE, is_recheck=True)


def response(
    status: int = 200, body: bytes = b"", asked: dict[str, str] | None = None, coding: str = ""
) -> Response:
    headers = {"Content-Encoding": coding} if coding else None
    return Response(URL, status=status, body=body, headers=headers, request=Request(URL, headers=asked))


def failure(answer: Response) -> Failure | None:
    failed = failure_of_response(answer, NOW)
    return failed.failure if failed else None


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            DownloadTimeoutError(f"Getting {URL} took longer than 60.0 seconds."),
            "no whole answer within 60 s",
        ),
        (IgnoreRequest("max redirections reached"), "too many redirects"),
        (RobotsRefused("robots.txt does not allow it"), ""),
    ],
    ids=["slow", "in circles", "robots.txt"],
)
def test_why_there_was_no_answer_is_said_once_and_in_our_words(error: Exception, words: str) -> None:
    assert failure_of_error(TwistedFailure(error), URL).detail == words


def test_a_304_that_was_not_asked_for_is_a_failure() -> None:
    assert failure(response(304)) is Failure.UNASKED
    assert failure(response(304, asked={"If-None-Match": '"1"'})) is None
    assert failure(response(304, asked={"If-Modified-Since": "Mon, 02 Mar 2026 07:30:00 GMT"})) is None


def test_a_304_that_was_asked_for_says_that_a_page_is_as_it_was() -> None:
    fetch = page_fetch(response(304, asked={"If-None-Match": '"1"'}), PAGE)
    assert (fetch.failed, fetch.not_modified) == (None, True)
    fetch = page_fetch(response(304), KNOWN)
    assert fetch.failed is not None
    assert not fetch.not_modified


@pytest.mark.parametrize(
    ("body", "coding"),
    [(b"", ""), (b" \r\n", ""), (gzip.compress(b""), "gzip"), (b"", "gzip"), (b"\xef\xbb\xbf\n", "")],
    ids=["nothing", "spaces", "compressed", "labelled", "marked"],
)
@pytest.mark.parametrize("status", [200, 204])
def test_a_page_without_content_is_a_failure(status: int, body: bytes, coding: str) -> None:
    fetch = page_fetch(response(status, body, coding=coding), PAGE)
    assert fetch.failed is not None
    assert fetch.failed.failure is Failure.EMPTY


@pytest.mark.parametrize("body", [b"a", b" " * 4000 + b"a", b"<p>"])
def test_a_page_with_little_content_is_not(body: bytes) -> None:
    assert page_fetch(response(200, body), PAGE).failed is None
