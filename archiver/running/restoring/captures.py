"""Captures as the state store knows them, from the records of WARC files."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from archiver.archive.retrieval import find_original
from archiver.archive.warc.reader import read_head, read_rendered
from archiver.archive.warc.records import PAYLOAD_DIGEST, Capture, Revisit
from archiver.archive.warc.rendered import Rendered
from archiver.digests import sha256_digest
from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.objects.kinds import WarcPointer
    from archiver.archive.warc.exchanges import KeptExchange
    from archiver.articles.objects.model import RenderedPointer


def capture_of(exchange: KeptExchange, index: Index, folder: Path) -> Capture | None:
    """Where the payload of an exchange is; None where the record that has it is gone."""
    own = Capture(
        url=exchange.url,
        file=exchange.file,
        offset=exchange.offset,
        record_id=exchange.head.id,
        date=exchange.date,
        digest=exchange.digest,
        sha256=exchange.sha256,
        submission=exchange.submission,
    )
    if exchange.head.kind != "revisit":
        return own
    try:
        original = find_original(index, folder, exchange.head)
    except RecordError:
        original = None
    if original is None:
        return None
    headers = exchange.head.headers
    return replace(
        own,
        file=original.filename,
        offset=original.offset,
        record_id=headers.get("warc-refers-to", ""),
        revisit=Revisit(
            record_id=own.record_id,
            payload_url=headers["warc-refers-to-target-uri"],
            payload_date=datetime.fromisoformat(headers["warc-refers-to-date"]),
        ),
    )


def capture_at(url: str, at: datetime, warc: WarcPointer, folder: Path) -> Capture | None:
    """The capture that an object points at; None where its record is gone."""
    try:
        headers = read_head(folder, warc.file, warc.offset).headers
    except RecordError:
        return None
    revisit = None
    if warc.capture_id != warc.record_id:
        payload_url = headers.get("warc-target-uri", "")
        revisit = Revisit(record_id=warc.capture_id, payload_url=payload_url, payload_date=at)
    return Capture(
        url=url,
        file=warc.file,
        offset=warc.offset,
        record_id=warc.record_id,
        date=at,
        digest=headers.get("warc-payload-digest", ""),
        sha256=headers.get(PAYLOAD_DIGEST.lower(), ""),
        revisit=revisit,
    )


def with_rendered(capture: Capture, pointer: RenderedPointer | None, folder: Path) -> Capture:
    """The capture with what a browser made of it, where an object was read from that."""
    if pointer is None:
        return capture
    try:
        html = read_rendered(folder, pointer.file, pointer.offset)
    except RecordError:
        return capture
    rendered = Rendered(
        file=pointer.file,
        offset=pointer.offset,
        record_id=pointer.record_id,
        date=pointer.date,
        sha256=sha256_digest(html),
        browser=pointer.browser,
    )
    return replace(capture, rendered=rendered)
