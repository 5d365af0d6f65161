"""From an HTTP exchange to WARC records, byte for byte."""

from __future__ import annotations

import base64
import uuid
from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from itertools import chain
from typing import TYPE_CHECKING

from archiver.archive.warc.rendered import HTML, Rendered, rendered_target
from archiver.archive.warc.spool import large_body
from archiver.archive.warc.wire import (
    WireResponse,
    is_compressed,
    split_response,
    without_transfer_coding,
    without_transfer_header,
)
from archiver.clock import rfc3339
from archiver.digests import payload_digests, sha256_digest, warc_digest, warc_digest_of
from archiver.submissions import request_key, submission_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.archive.warc.spool import LargeBody, Spool

Fields = tuple[tuple[str, str], ...]

_FIELDS = "application/warc-fields"
_CONTENT_TYPES = {
    "warcinfo": _FIELDS,
    "metadata": _FIELDS,  # any other type would be indexed as if it were a page
    "request": "application/http; msgtype=request",
    "response": "application/http; msgtype=response",
    "revisit": "application/http; msgtype=response",
    "conversion": HTML,
}
# Beside WARC-Payload-Digest, which other tools expect to be SHA-1: readers skip names that they do not know.
PAYLOAD_DIGEST = "Archiver-Payload-Digest"
# What a request submitted, where that is more than its address: `POST sha256:…`, of the body.
SUBMISSION = "Archiver-Submission"
# For a campaign, how many bytes the server sent: a block may be without chunks, or of a revisit.
RECEIVED_BYTES = "receivedBytes"
END = b"\r\n\r\n"  # of a record
_SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revisit:
    """A capture whose payload another one holds."""

    record_id: str
    payload_url: str
    payload_date: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """Where the payload of a response is kept."""

    url: str
    file: str  # the final name, never `.open`
    offset: int
    record_id: str
    date: datetime
    digest: str
    # Of the payload, by SHA-256; empty in older captures, which only have the SHA-1 above.
    sha256: str = ""
    # Set where the payload was kept before, by another capture.
    revisit: Revisit | None = None
    # The identity of what the request submitted; empty where it only asked for the address.
    submission: str = ""
    # What a browser made of it, where the response says nothing without its scripts.
    rendered: Rendered | None = None

    @property
    def page_key(self) -> str:
        """The key of the page that this is a capture of."""
        return request_key(self.url, self.submission)

    @property
    def capture_id(self) -> str:
        """The record of this capture itself."""
        return self.revisit.record_id if self.revisit else self.record_id

    @property
    def payload_key(self) -> str:
        """By which a payload is looked up, and told from others where a mistake loses nothing."""
        return self.sha256 or self.digest

    @property
    def content_key(self) -> str:
        """By which what is read of it is told from that of others: many rendered pages share one payload."""
        return self.rendered.sha256 if self.rendered and self.rendered.place else self.payload_key

    def shares_payload(self, other: Capture) -> bool:
        """Whether both have the very same bytes: one record holds them, or SHA-256 says so."""
        if self.rendered or other.rendered:
            return bool(self.rendered and other.rendered) and self.content_key == other.content_key
        return self.record_id == other.record_id or bool(self.sha256 and self.sha256 == other.sha256)

    @property
    def payload_url(self) -> str:
        return self.revisit.payload_url if self.revisit else self.url

    @property
    def payload_date(self) -> datetime:
        return self.revisit.payload_date if self.revisit else self.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """What an exchange went over."""

    ip: str | None = None
    # As WARC-Protocol has them: http/1.1, tls/1.3.
    protocols: tuple[str, ...] = ()
    cipher: str | None = None
    certificate_problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One attempt to fetch a URL: the bytes that left and the bytes that came."""

    url: str
    started: datetime
    sent: bytes
    received: bytes
    # Where what came before `received` was handed over already: the number under which it was.
    stream: int | None = None
    connection: Connection = Connection()
    seconds: float | None = None
    # Why the response is not whole: length, time or disconnect, as WARC-Truncated has them.
    truncated: str | None = None
    # What a 304 says is still so.
    original: Capture | None = None
    # What led here, for the metadata record: (name, value).
    context: Fields = ()

    @property
    def submission(self) -> str:
        submitted = submission_of(self.sent)
        return submitted.identity if submitted else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A response as it will be kept."""

    wire: WireResponse
    digest: str
    sha256: str
    is_compressed: bool
    # In place of the body that `wire` has, where that would be too large for memory.
    large: LargeBody | None = None

    @property
    def size(self) -> int:
        """Of the body as it is kept."""
        return len(self.wire.body) if self.large is None else self.large.size

    @property
    def status(self) -> int | None:
        return self.wire.status


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One WARC record, ready to be compressed and written."""

    id: str
    data: bytes
    # Compressing it would cost time and win nothing.
    is_compressed: bool = False
    # Follows `data`, and then an empty line or two end the record.
    large: LargeBody | None = None

    @property
    def size(self) -> int:
        return len(self.data) + (self.large.size + len(END) if self.large is not None else 0)


def read_exchange(exchange: Exchange, *, exact_wire: bool) -> Response | None:
    """The response of an exchange in the form that is kept; None if nothing came back."""
    if not exchange.received:
        return None
    wire = split_response(exchange.received)
    if not exact_wire:
        wire = without_transfer_coding(wire)
    return Response(
        wire=wire,
        digest=warc_digest(wire.body),
        sha256=sha256_digest(wire.body),
        is_compressed=is_compressed(wire),
    )


def read_large(spool: Spool, *, exact_wire: bool) -> Response:
    """The response in a spool in the form that is kept, without ever having all of it in memory."""
    start = split_response(spool.start())
    wire = WireResponse(interim=start.interim, head=start.head, body=b"")
    body = large_body(spool, len(b"".join(wire.interim)) + len(wire.head))
    joined = body.without_chunks() if wire.is_chunked and not exact_wire else None
    if joined is not None:
        wire, body = without_transfer_header(wire), joined
    digest, sha256 = payload_digests(body.pieces())
    compressed = is_compressed(wire)
    return Response(wire=wire, digest=digest, sha256=sha256, is_compressed=compressed, large=body)


def warcinfo(filename: str, date: datetime, fields: Fields) -> Record:
    return _record("warcinfo", None, date, block=_lines(fields), headers=(("WARC-Filename", filename),))


def response_record(exchange: Exchange, response: Response, warcinfo_id: str) -> Record:
    headers = _common(exchange, warcinfo_id) + _submitted(exchange)
    if exchange.truncated:
        headers += (("WARC-Truncated", exchange.truncated),)
    wire = response.wire
    if wire.is_plain:  # otherwise validators would look for the payload elsewhere
        headers += (("WARC-Payload-Digest", response.digest), (PAYLOAD_DIGEST, response.sha256))
    return _record(
        "response",
        exchange.url,
        exchange.started,
        block=wire.head + wire.body,
        headers=headers,
        is_compressed=response.is_compressed,
        large=response.large,
    )


def revisit_record(exchange: Exchange, response: Response, original: Capture, warcinfo_id: str) -> Record:
    """A response whose payload was kept before: its head alone, and where the payload is."""
    is_not_modified = response.status == 304
    profile = _NOT_MODIFIED if is_not_modified else _SAME_PAYLOAD
    headers: Fields = (
        *_common(exchange, warcinfo_id),
        *_submitted(exchange),
        ("WARC-Profile", profile),
        ("WARC-Refers-To", original.record_id),
        ("WARC-Refers-To-Target-URI", original.payload_url),
        ("WARC-Refers-To-Date", rfc3339(original.payload_date)),
        ("WARC-Payload-Digest", original.digest),
    )
    if original.sha256:
        headers += ((PAYLOAD_DIGEST, original.sha256),)
    # With a 304 in its block, replay would show the 304 instead of the page.
    block = b"" if is_not_modified else response.wire.head
    return _record("revisit", exchange.url, exchange.started, block=block, headers=headers)


def request_record(exchange: Exchange, warcinfo_id: str, concurrent_to: str | None) -> Record:
    headers = _common(exchange, warcinfo_id) + _concurrent(concurrent_to)
    body = exchange.sent.partition(b"\r\n\r\n")[2]
    headers += (("WARC-Payload-Digest", warc_digest(body)),)
    return _record("request", exchange.url, exchange.started, block=exchange.sent, headers=headers)


def fetch_metadata(
    exchange: Exchange, response: Response | None, warcinfo_id: str, concurrent_to: str | None
) -> Record:
    """How the exchange went: what is true of it and stands nowhere else."""
    fields: list[tuple[str, str]] = []
    if exchange.seconds is not None:
        fields.append(("fetchTimeMs", f"{1000 * exchange.seconds:.0f}"))
    fields += exchange.context
    if exchange.connection.certificate_problem:
        fields.append(("certificateProblem", exchange.connection.certificate_problem))
    if response is None:
        fields.append(("response", "none"))
    else:
        fields += [("interimResponseBase64", _base64(head)) for head in response.wire.interim]
        if response.status == 304 and exchange.original is not None:
            fields.append(("notModifiedHeadBase64", _base64(response.wire.head)))
    headers = (("WARC-Warcinfo-ID", warcinfo_id), *_concurrent(concurrent_to))
    return _record("metadata", exchange.url, exchange.started, block=_lines(fields), headers=headers)


def later_metadata(
    url: str, date: datetime, refers_to: str, fields: Iterable[tuple[str, str]], warcinfo_id: str
) -> Record:
    """What became known of a record after it was written."""
    headers = (("WARC-Warcinfo-ID", warcinfo_id), ("WARC-Refers-To", refers_to))
    return _record("metadata", url, date, block=_lines(fields), headers=headers)


def conversion_record(url: str, date: datetime, refers_to: str, block: bytes, warcinfo_id: str) -> Record:
    """What a browser made of a response."""
    headers = (("WARC-Warcinfo-ID", warcinfo_id), ("WARC-Refers-To", refers_to))
    return _record("conversion", rendered_target(url), date, block=block, headers=headers)


def _common(exchange: Exchange, warcinfo_id: str) -> Fields:
    connection = exchange.connection
    headers: list[tuple[str, str]] = [("WARC-Warcinfo-ID", warcinfo_id)]
    if connection.ip:
        headers.append(("WARC-IP-Address", connection.ip))
    headers += [("WARC-Protocol", protocol) for protocol in connection.protocols]
    if connection.cipher:
        headers.append(("WARC-Cipher-Suite", connection.cipher))
    return tuple(headers)


def _submitted(exchange: Exchange) -> Fields:
    submission = exchange.submission
    return ((SUBMISSION, submission),) if submission else ()


def _concurrent(record_id: str | None) -> Fields:
    return (("WARC-Concurrent-To", record_id),) if record_id else ()


def _record(
    kind: str,
    url: str | None,
    date: datetime,
    *,
    block: bytes,
    headers: Fields,
    is_compressed: bool = False,
    large: LargeBody | None = None,
) -> Record:
    record_id = f"<urn:uuid:{uuid.uuid4()}>"
    fields = [("WARC-Type", kind), ("WARC-Record-ID", record_id), ("WARC-Date", rfc3339(date))]
    if url:
        fields.append(("WARC-Target-URI", url))
    fields += [
        *headers,
        ("WARC-Block-Digest", warc_digest_of(chain((block,), large.pieces() if large else ()))),
        ("Content-Type", _CONTENT_TYPES[kind]),
        ("Content-Length", str(len(block) + (large.size if large else 0))),
    ]
    data = b"WARC/1.1\r\n" + _lines(fields) + b"\r\n" + block + (b"" if large else END)
    return Record(id=record_id, data=data, is_compressed=is_compressed, large=large)


def _lines(fields: Iterable[tuple[str, str]]) -> bytes:
    """`name: value` lines; a value cannot break out of its line."""
    return "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in fields).encode(
        errors="replace"
    )


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
