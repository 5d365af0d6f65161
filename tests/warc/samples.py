"""Exchanges and files for the tests of WARC, and the checks that other tools make."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

from warcio.archiveiterator import ArchiveIterator

from archiver.warc.records import Exchange
from archiver.warc.writer import WarcWriter

if TYPE_CHECKING:
    from pathlib import Path

STARTED = datetime(2026, 3, 2, 7, 5, 9, 123456, tzinfo=UTC)
SENT = b"GET /a HTTP/1.1\r\nHost: example.org\r\nuser-agent: x\r\n\r\n"
RECEIVED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello"


def exchange(received: bytes = RECEIVED, *, url: str = "http://example.org/a", **other: object) -> Exchange:
    values = {"started": STARTED, "sent": SENT} | other
    return Exchange(url=url, received=received, **values)  # type: ignore[arg-type] # given by name


def writer(folder: Path, **other: object) -> WarcWriter:
    values = {
        "prefix": "test",
        "info": {"software": "test"},
        "max_bytes": 1 << 30,
        "level": 6,
        "fsync": False,
    }
    return WarcWriter(folder, **(values | other))  # type: ignore[arg-type] # given by name


def member_ends(data: bytes) -> list[int]:
    """Where each gzip member ends; raises where one is not whole."""
    ends = []
    position = 0
    while position < len(data):
        unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        unzip.decompress(data[position:])
        assert unzip.eof
        position = len(data) - len(unzip.unused_data)
        ends.append(position)
    return ends


def check(data: bytes) -> list[str]:
    """What `gzip -t` and `warcio check` look at; the types of the records."""
    gzip.decompress(data)
    types = []
    for record in ArchiveIterator(BytesIO(data), check_digests="raise"):
        record.content_stream().read()
        assert record.digest_checker.passed is not False, record.digest_checker.problems
        types.append(record.rec_type)
    assert len(types) == len(member_ends(data))
    return types
