"""Captures and their headers. The names of the fields are those of the public JSON."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time

import msgspec


class RecordPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a record is, in `ARCHIVE_DIR/warc/`."""

    file: str
    offset: int
    length: int | None = None


class OriginalCapture(msgspec.Struct, frozen=True, kw_only=True):
    """What a revisit refers to: the capture that holds the payload."""

    record: str
    url: str
    time: datetime | None = None
    # Whether its record is in the archive, and where; what is withheld is not shown.
    is_there: bool = False
    place: RecordPlace | None = None


class CaptureNote(msgspec.Struct, frozen=True, kw_only=True):
    """One capture, as the index and the head of its record have it."""

    name: str  # among the captures of its URL
    time: datetime
    url: str
    # response, revisit, resource or metadata; empty where the record cannot be read.
    kind: str
    method: str
    status: str | None = None
    mime: str | None = None
    digest: str | None = None
    record: str = ""
    place: RecordPlace
    # Of a revisit: what it refers to, and whether the server said 304 (`not_modified`) or sent the same bytes
    # again (`same_payload`).
    revisit: str | None = None
    original: OriginalCapture | None = None
    problem: str | None = None


class CaptureList(msgspec.Struct, frozen=True, kw_only=True):
    """Captures of a URL, the newest first; with `next`, the ones before them can be asked for."""

    url: str
    captures: tuple[CaptureNote, ...]
    next: str | None = None


class HeaderLine(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    value: str


class MessageHead(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a request or response and its headers, in their order, as they were kept."""

    line: str
    headers: tuple[HeaderLine, ...]


class CapturedVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version of an article that was read from a capture, and where its object is."""

    article: str
    url: str
    version: int
    title: str | None = None
    file: str
    offset: int


class CaptureDetails(msgspec.Struct, frozen=True, kw_only=True):
    """One capture with everything that was kept beside its body."""

    capture: CaptureNote
    warc_headers: tuple[HeaderLine, ...] = ()
    request: MessageHead | None = None
    response: MessageHead | None = None
    # Bytes of the block behind the head.
    body_size: int | None = None
    # What led to it, how long it took; and how its WARC file was made.
    metadata: tuple[HeaderLine, ...] = ()
    warcinfo: tuple[HeaderLine, ...] = ()
    versions: tuple[CapturedVersion, ...] = ()
