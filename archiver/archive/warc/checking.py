"""One record, checked while its bytes pass: nothing of it is kept but its heads."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.warc.reader import RecordHead, with_bare_uri
from archiver.archive.warc.records import PAYLOAD_DIGEST
from archiver.archive.warc.wire import parse_headers
from archiver.digests import StatedDigest, base32_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

MORE_THAN_ONE = "more than one record is in this gzip member, where everybody looks for one"
_END = b"\r\n\r\n"
_VERSION = re.compile(rb"WARC/1\.[01]\r\n")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
# Of any precision from the year to the nanosecond.
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z)?)?)?")
_MANDATORY = ("WARC-Record-ID", "WARC-Type", "WARC-Date", "Content-Length")
_REFERENCES = ("warc-concurrent-to", "warc-refers-to", "warc-warcinfo-id")
_HTTP = frozenset({"request", "response"})
_LONGEST_HEAD = 1 << 20
# Of an HTTP head, as much as is needed for the index.
_KEPT_HEAD = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRecord(RecordHead):
    """What a record says, and what is wrong with it."""

    references: tuple[tuple[str, str], ...] = ()  # header and target
    http_head: bytes = b""
    is_empty: bool = False  # without any block
    flaws: tuple[str, ...] = ()
    # The payload digest does not fit the bytes, and nothing else is wrong with the payload.
    wrong_payload: str | None = None
    # By SHA-256: what a response has, and what a revisit says of the one that it refers to.
    payload_digest: str | None = None


class RecordCheck:
    """Takes the bytes of one gzip member and tells whether they are one sound record."""

    def __init__(self, *, payloads: bool) -> None:
        self._payloads = payloads
        self._head = bytearray()
        self._block: _Block | None = None
        self._pairs: list[tuple[str, str]] = []
        self._headers: dict[str, str] = {}
        self._tail = b""

    def feed(self, data: bytes) -> None:
        if self._block is None:
            data = self._take_head(data)
        if self._block is not None:
            rest = self._block.take(data)
            self._tail = (self._tail + rest[: len(_END) + 5])[: len(_END) + 5]

    def finish(self) -> CheckedRecord:
        if self._block is None:
            return CheckedRecord(headers={}, flaws=("this is not a WARC record",))
        flaws = [*_head_flaws(bytes(self._head), self._headers), *self._block.flaws(), *self._tail_flaws()]
        return CheckedRecord(
            headers=self._headers,
            references=tuple(pair for pair in self._pairs if pair[0] in _REFERENCES),
            http_head=self._block.http_head,
            is_empty=not self._block.length,
            flaws=tuple(flaws),
            wrong_payload=self._block.wrong_payload(),
            payload_digest=self._block.payload_digest(),
        )

    def _take_head(self, data: bytes) -> bytes:
        """Collect the head; what follows it."""
        if len(self._head) > _LONGEST_HEAD:
            return b""
        self._head += data
        end = self._head.find(_END)
        if end < 0:
            return b""
        rest = bytes(self._head[end + len(_END) :])
        del self._head[end + len(_END) :]
        self._pairs = _pairs(bytes(self._head))
        self._headers = with_bare_uri(dict(reversed(self._pairs)))
        self._block = _Block(self._headers, payloads=self._payloads)
        return rest

    def _tail_flaws(self) -> list[str]:
        if self._tail == _END or self._block is None or self._block.left:
            return []
        if self._tail.startswith(_END + b"WARC/"):
            return [MORE_THAN_ONE]
        return ["its block is longer than its Content-Length says, or its end is missing"]


class _Block:
    """The block of a record, with the digests that its head states."""

    def __init__(self, headers: Mapping[str, str], *, payloads: bool) -> None:
        length = headers.get("content-length", "")
        self.length = self.left = int(length) if length.isdecimal() else 0
        self._digest = StatedDigest(headers.get("warc-block-digest", ""))
        kind = headers.get("warc-type", "")
        # What a revisit states is the digest of another record's payload.
        stated = headers.get("warc-payload-digest", "") if payloads and kind != "revisit" else ""
        self._payload = StatedDigest(stated)
        self._said = headers.get(PAYLOAD_DIGEST.lower()) if payloads else None
        self._is_revisit = kind == "revisit"
        self._sha256 = hashlib.sha256() if payloads and kind == "response" else None
        # Of a `dns:` response, all is payload.
        is_http = headers.get("content-type", "").startswith("application/http")
        self._is_head = (kind in _HTTP and is_http) or kind == "revisit"
        self._overlap = b""
        self.http_head = b""

    def take(self, data: bytes) -> bytes:
        """Use as much as belongs to the block; the rest."""
        mine, rest = data[: self.left], data[self.left :]
        self.left -= len(mine)
        self._digest.update(mine)
        payload = self._after_head(mine) if self._is_head else mine
        self._payload.update(payload)
        if self._sha256 is not None:
            self._sha256.update(payload)
        return rest

    def flaws(self) -> list[str]:
        if self.left:
            return [f"its block ends {self.left} bytes before its Content-Length"]
        if not self._digest.is_right():
            return [f"its block does not have the digest {self._digest.stated}"]
        return []

    def wrong_payload(self) -> str | None:
        if self.left:
            return None
        if not self._payload.is_right():
            return self._payload.stated
        return self._said if self._sha256 and self._said not in (None, self.payload_digest()) else None

    def payload_digest(self) -> str | None:
        if self._sha256 is not None:
            return base32_digest("sha256", self._sha256.digest())
        return self._said if self._is_revisit else None

    def _after_head(self, data: bytes) -> bytes:
        """What of the data belongs to the body."""
        data = self._overlap + data
        end = _BLANK_LINE.search(data)
        self._is_head = end is None
        stop = end.end() if end else len(data)
        if len(self.http_head) < _KEPT_HEAD:
            self.http_head += data[len(self._overlap) : stop]
        # The blank line may come in two pieces.
        self._overlap = data[-3:]
        return data[stop:]


def _pairs(head: bytes) -> list[tuple[str, str]]:
    if b"\n " in head or b"\n\t" in head:  # a line that continues the one before
        return [(name.lower(), value) for name, value in parse_headers(head)]
    parts = [line.partition(":") for line in head.decode("utf-8", "replace").split("\r\n")[1:-2]]
    return [(name.lower(), value.strip()) for name, _, value in parts]


def _head_flaws(head: bytes, headers: Mapping[str, str]) -> list[str]:
    if not _VERSION.match(head):
        return ["its first line is not that of WARC 1.0 or 1.1"]
    flaws = [f"it has no {name}" for name in _MANDATORY if not headers.get(name.lower())]
    if not headers.get("content-length", "0").isdecimal():
        flaws.append("its Content-Length is not a number")
    if not _DATE.fullmatch(headers.get("warc-date", "2000")):
        flaws.append(f"its WARC-Date is {headers['warc-date']!r}, which is not a date")
    return flaws
