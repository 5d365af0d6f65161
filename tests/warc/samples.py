"""Exchanges and files for the tests of WARC, and the checks that other tools make."""

from __future__ import annotations

import gzip
import warnings
import zlib
from argparse import Namespace
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from archiver.archive.warc.records import Capture, Exchange, Revisit
from archiver.archive.warc.writer import WarcOptions, WarcWriter

with warnings.catch_warnings():
    # It warns of itself while it is imported.
    warnings.simplefilter("ignore")
    from fastwarc.cli import main as fastwarc

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from archiver.archive.warc.writer import Payloads

STARTED = datetime(2026, 3, 2, 7, 5, 9, 123456, tzinfo=UTC)
SENT = b"GET /a HTTP/1.1\r\nHost: example.org\r\nuser-agent: x\r\n\r\n"
RECEIVED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello"
# The records of an exchange that was answered, and of one that was not.
ANSWERED = ["response", "request", "metadata"]
UNANSWERED = ["request", "metadata"]


class KnownPayloads:
    """Payloads that were kept before, in memory."""

    def __init__(self) -> None:
        self.captures: dict[str, Capture] = {}
        self.flushed = 0

    def find(self, digest: str) -> Capture | None:
        return self.captures.get(digest)

    def add(self, capture: Capture) -> None:
        self.captures[capture.payload_key] = capture

    def flush(self) -> None:
        self.flushed += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A record as a stranger reads it."""

    type: str
    headers: Mapping[str, str]
    block: bytes
    offset: int

    @property
    def id(self) -> str:
        return self.headers["WARC-Record-ID"]

    def all(self, name: str) -> list[str]:
        """The values of a field of the block, in order."""
        pairs = (line.partition(": ") for line in self.block.decode().split("\r\n"))
        return [value for key, _, value in pairs if key == name]


def exchange(received: bytes = RECEIVED, *, url: str = "http://example.org/a", **other: object) -> Exchange:
    values = {"started": STARTED, "sent": SENT} | other
    return Exchange(url=url, received=received, **values)  # type: ignore[arg-type] # given by name


def writer(folder: Path, payloads: Payloads | None = None, **other: object) -> WarcWriter:
    values = {"prefix": "test", "info": (("software", "test"),), "fsync": False}
    return WarcWriter(folder, WarcOptions(**(values | other)), payloads)  # type: ignore[arg-type] # given by name


def capture(**other: object) -> Capture:
    values = {
        "url": "http://example.org/a",
        "file": "test.warc.gz",
        "offset": 321,
        "record_id": "<urn:uuid:00000000-0000-0000-0000-000000000001>",
        "date": STARTED,
        "digest": "sha1:AAAA",
    }
    return Capture(**(values | other))  # type: ignore[arg-type] # given by name


def revisit(**other: object) -> Revisit:
    values = {
        "record_id": "<urn:uuid:00000000-0000-0000-0000-000000000002>",
        "payload_url": "http://example.org/first",
        "payload_date": STARTED,
    }
    return Revisit(**(values | other))  # type: ignore[arg-type] # given by name


def warcs(folder: Path) -> list[Path]:
    """The files with records, whole or open; the manifest is none."""
    return sorted(path for path in folder.iterdir() if ".warc.gz" in path.name)


def only_file(folder: Path) -> Path:
    (path,) = warcs(folder)
    return path


def read_all(path: Path) -> list[Found]:
    with path.open("rb") as file:
        records = ArchiveIterator(file, no_record_parse=True)
        return [
            Found(
                type=record.rec_type,
                headers=dict(record.rec_headers.headers),
                block=record.raw_stream.read(),
                offset=records.get_record_offset(),
            )
            for record in records
        ]


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


def check_files(folder: Path) -> None:
    """Everybody else's validators, on every WARC of a folder."""
    paths = warcs(folder)
    assert paths
    for path in paths:
        check(path.read_bytes())
        assert Checker(Namespace(inputs=[str(path)], verbose=False)).process_all() == 0
        done = CliRunner().invoke(fastwarc, ["check", "--quiet", str(path)])
        assert done.exit_code == 0, done.output
