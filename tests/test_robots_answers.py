"""What an answer to the request for robots.txt means, and for how long."""

from __future__ import annotations

import gzip
import time
import zlib

import pytest
from scrapy.http import Response

from archiver.documents.robots import MOST_BYTES
from archiver.middlewares.robots import _Rules, rules_of
from archiver.spiders.failures import RobotsRefused, RobotsUnavailable

URL = "https://example.org/private"
FORBIDS = b"User-agent: *\nDisallow: /private\n"
HOUR, DAY = 3600, 24 * 3600


def rules(status: int = 200, body: bytes = FORBIDS, *flags: str, coding: str = "") -> _Rules:
    headers = {"Content-Encoding": coding} if coding else None
    response = Response(f"{URL}/robots.txt", status=status, body=body, flags=list(flags), headers=headers)
    return rules_of(response, "archiver", now=1000.0)


@pytest.mark.parametrize(
    ("status", "seconds"), [(404, DAY), (410, DAY), (401, HOUR), (403, HOUR), (451, HOUR)]
)
def test_without_a_file_everything_is_allowed_and_a_refusal_does_not_last(
    status: int, seconds: float
) -> None:
    found = rules(status)
    found.check(URL)
    assert found.expires == 1000 + seconds


@pytest.mark.parametrize("status", [304, 429, 500, 503, 206])
def test_an_answer_that_is_no_file_forbids_everything_for_a_while(status: int) -> None:
    found = rules(status)
    with pytest.raises(RobotsUnavailable):
        found.check("https://example.org/")
    assert found.expires == 1000 + 600


def test_a_file_that_broke_off_is_not_believed() -> None:
    with pytest.raises(RobotsUnavailable, match="broke off"):
        rules(200, b"User-agent: *\nAllow: /\n", "dataloss").check(URL)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(FORBIDS)),
        ("deflate", zlib.compress(FORBIDS)),
        ("deflate, gzip", gzip.compress(zlib.compress(FORBIDS))),
        ("gzip", FORBIDS),
        ("gzip", gzip.compress(FORBIDS + b" " * (20 << 20))),
        ("identity", FORBIDS),
        ("", b"\xef\xbb\xbf" + FORBIDS),
    ],
    # What gzip makes holds the time, and processes that share the tests must agree on their names.
    ids=["gzip", "deflate", "both", "wrongly", "bomb", "identity", "marked"],
)
def test_codings_are_undone_as_far_as_is_read(coding: str, body: bytes) -> None:
    started = time.process_time()
    with pytest.raises(RobotsRefused):
        rules(200, body, coding=coding).check(URL)
    assert time.process_time() - started < 0.5


def test_codings_upon_codings_are_not_undone_for_ever() -> None:
    body = b" " * MOST_BYTES
    for _ in range(50):
        body = gzip.compress(body)
    started = time.process_time()
    rules(200, body, coding=",".join(["gzip"] * 10_000)).check(URL)
    assert time.process_time() - started < 0.5


def test_a_compressed_nothing_of_many_megabytes_costs_little() -> None:
    # Empty blocks: nothing comes out of them, however many there are.
    packer = zlib.compressobj(wbits=31)
    body = packer.compress(b"a") + packer.flush(zlib.Z_FULL_FLUSH) + b"\x00\x00\x00\xff\xff" * (12 << 20)
    started = time.process_time()
    rules(200, body, coding="gzip").check(URL)
    assert time.process_time() - started < 0.5
