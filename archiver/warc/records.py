"""From an HTTP exchange to WARC records, with warcio writing what we decided."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from io import BytesIO
from typing import TYPE_CHECKING

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from archiver.clock import rfc3339
from archiver.digests import warc_digest
from archiver.warc.wire import split_response, without_transfer_coding

if TYPE_CHECKING:
    from collections.abc import Mapping

WARC_VERSION = "WARC/1.1"
_CONTENT_TYPES = {
    "warcinfo": "application/warc-fields",
    "request": "application/http; msgtype=request",
    "response": "application/http; msgtype=response",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One attempt to fetch a URL: the bytes that left and the bytes that came."""

    url: str
    started: datetime
    sent: bytes
    received: bytes
    ip: str | None = None
    # Why the response is not whole: length, time or disconnect, as WARC-Truncated has them.
    truncated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """Where the response of an exchange is kept."""

    url: str
    file: str  # the final name, never `.open`
    offset: int
    record_id: str
    date: datetime
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One WARC record, ready to be compressed and written."""

    id: str
    data: bytes
    payload_digest: str | None = None


def new_record_id() -> str:
    return f"<urn:uuid:{uuid.uuid4()}>"


def warcinfo(filename: str, date: datetime, fields: Mapping[str, str]) -> Record:
    block = "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()
    return _record("warcinfo", None, date, block=block, headers={"WARC-Filename": filename})


def exchange_records(exchange: Exchange, warcinfo_id: str) -> tuple[Record | None, Record]:
    """The response record, where anything came back, and the request record."""
    common = {"WARC-Warcinfo-ID": warcinfo_id}
    if exchange.ip:
        common["WARC-IP-Address"] = exchange.ip
    response = _response(exchange, common) if exchange.received else None
    together = {"WARC-Concurrent-To": response.id} if response else {}
    head, blank, body = exchange.sent.partition(b"\r\n\r\n")
    request = _record(
        "request", exchange.url, exchange.started, head=head + blank, block=body, headers=common | together
    )
    return response, request


def _response(exchange: Exchange, common: Mapping[str, str]) -> Record:
    wire = without_transfer_coding(split_response(exchange.received))
    headers = dict(common)
    if exchange.truncated:
        headers["WARC-Truncated"] = exchange.truncated
    return _record(
        "response", exchange.url, exchange.started, head=wire.head, block=wire.body, headers=headers
    )


def _record(
    kind: str,
    url: str | None,
    date: datetime,
    *,
    block: bytes,
    head: bytes = b"",
    headers: Mapping[str, str],
) -> Record:
    record_id = new_record_id()
    fields = {"WARC-Type": kind, "WARC-Record-ID": record_id, "WARC-Date": rfc3339(date)}
    if url:
        fields["WARC-Target-URI"] = url
    fields |= {"Content-Type": _CONTENT_TYPES[kind], **headers}
    fields["WARC-Block-Digest"] = warc_digest(head + block)
    digest = warc_digest(block) if head else None
    if digest:
        fields["WARC-Payload-Digest"] = digest
    # No HTTP head is handed to warcio, only bytes: it would normalise a head.
    record = ArcWarcRecord(
        "warc",
        kind,
        _warc_headers(fields),
        BytesIO(head + block),
        None,
        fields["Content-Type"],
        len(head) + len(block),
    )
    out = BytesIO()
    WARCWriter(out, gzip=False, warc_version=WARC_VERSION).write_record(record)
    return Record(id=record_id, data=out.getvalue(), payload_digest=digest)


def _warc_headers(fields: Mapping[str, str]) -> StatusAndHeaders:
    return StatusAndHeaders("", list(fields.items()), protocol=WARC_VERSION)
