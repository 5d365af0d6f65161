"""All that was kept of one capture: heads of request and response, WARC headers, and what was made of it."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.archive.warc.members import members
from archiver.archive.warc.reader import RecordHead, open_file, parse_head
from archiver.archive.warc.wire import split_response
from archiver.articles.objects.model import article_id
from archiver.inspection.captures.listing import capture_note
from archiver.inspection.captures.model import CaptureDetails, CapturedVersion, HeaderLine, MessageHead
from archiver.store.schema import articles, versions
from archiver.store.withheld import articles_at
from archiver.urls import HIDDEN, redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

_PIECE = 1 << 16
# A head that is longer is cut off; so are the blocks of requests and metadata.
_LONGEST_BLOCK = 1 << 20
# Behind a response stand its request and its metadata.
_BESIDE = 2
_SECRET = frozenset({"authorization", "proxy-authorization", "cookie"})
_NOT_MODIFIED_HEAD = "notModifiedHeadBase64"
_DAMAGE = (ValueError, EOFError, OSError, zlib.error)
# Of a page with many articles, so many are looked at.
_MOST_ARTICLES = 100


def capture_details(
    index: Index, warc_folder: Path, line: CdxLine, state: Connection | None
) -> CaptureDetails:
    """A capture with its heads; with a state store, also with the versions of articles that came of it."""
    note = capture_note(index, warc_folder, line)
    made = _versions(state, index, line) if state is not None else ()
    if note.problem is not None:
        return CaptureDetails(capture=note, versions=made)
    own, *beside = _records(warc_folder, line)
    request = next((one for one in beside if one.head.kind == "request"), None)
    metadata = next((_fields(one.block) for one in beside if one.head.kind == "metadata"), ())
    response = split_response(own.block) if own.block else None
    return CaptureDetails(
        capture=note,
        warc_headers=_headers(own.lines),
        request=message_head(split_response(request.block).head) if request else None,
        response=message_head(response.head) if response else _not_modified(metadata),
        body_size=max(own.size - len(response.head), 0) if response else None,
        metadata=metadata,
        warcinfo=_warcinfo(warc_folder, line.filename),
        versions=made,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadRecord:
    head: RecordHead
    lines: bytes  # of its head
    block: bytes  # as far as it was read
    size: int  # of the block


def _records(warc_folder: Path, line: CdxLine) -> list[_ReadRecord]:
    """The record of a capture, and those behind it that are about it; not those that cannot be read."""
    found: list[_ReadRecord] = []
    with open_file(warc_folder, line.filename) as file:
        file.seek(line.offset)
        try:
            for record in _read(members(file)):
                if found and record.head.headers.get("warc-concurrent-to") != found[0].head.id:
                    break
                found.append(record)
                if len(found) > _BESIDE:
                    break
        except _DAMAGE:
            if not found:
                raise
    return found


def _read(some: Iterator[tuple[object, BufferedReader]]) -> Iterator[_ReadRecord]:
    for _, content in some:
        lines = b"".join(iter(content.readline, b"\r\n"))
        head = parse_head(lines)
        size = int(head.headers.get("content-length", ""))
        block = content.read(min(size, _LONGEST_BLOCK))
        while content.read(_PIECE):
            pass
        yield _ReadRecord(head=head, lines=lines, block=block, size=size)


def _warcinfo(warc_folder: Path, name: str) -> tuple[HeaderLine, ...]:
    """How the file was made: its first record."""
    try:
        with open_file(warc_folder, name) as file:
            first = next(_read(members(file)), None)
    except _DAMAGE:
        return ()
    return _fields(first.block) if first is not None and first.head.kind == "warcinfo" else ()


def message_head(head: bytes) -> MessageHead:
    """The lines of a head as they were kept; passwords and what tells who asks are not shown."""
    first, _, rest = head.partition(b"\n")
    return MessageHead(line=redact(_text(first.rstrip(b"\r"))), headers=_fields(rest))


def _headers(lines: bytes) -> tuple[HeaderLine, ...]:
    """Of a WARC record: without the line that says which WARC it is."""
    return _fields(lines.partition(b"\n")[2])


def _fields(lines: bytes) -> tuple[HeaderLine, ...]:
    found: list[HeaderLine] = []
    for line in lines.split(b"\n"):
        text = _text(line.rstrip(b"\r"))
        if text[:1] in {" ", "\t"} and found:
            # A value may go on in the next line.
            last = found.pop()
            found.append(HeaderLine(name=last.name, value=f"{last.value} {_shown(last.name, text.strip())}"))
        elif text.strip():
            name, _, value = text.partition(":")
            found.append(HeaderLine(name=name.strip(), value=_shown(name, value.strip())))
    return tuple(found)


def _shown(name: str, value: str) -> str:
    return HIDDEN if name.strip().lower() in _SECRET else redact(value)


def _text(data: bytes) -> str:
    """Bytes that are not UTF-8 are written as `\\xe9`."""
    return data.decode("utf-8", "backslashreplace")


def _not_modified(metadata: tuple[HeaderLine, ...]) -> MessageHead | None:
    """The head of a 304, whose record has none: replay would show it instead of the page."""
    kept = next((one.value for one in metadata if one.name == _NOT_MODIFIED_HEAD), None)
    try:
        return message_head(base64.b64decode(kept)) if kept else None
    except (binascii.Error, ValueError):
        return None


def _versions(state: Connection, index: Index, line: CdxLine) -> tuple[CapturedVersion, ...]:
    """The versions that were read from a capture."""
    numbers = articles_at(state, line.url)[:_MOST_ARTICLES]
    query = (
        select(versions, articles.c.key, articles.c.url)
        .join(articles, articles.c.id == versions.c.article_id)
        .where(versions.c.article_id.in_(numbers))
        .order_by(versions.c.article_id, versions.c.version)
    )
    return tuple(
        CapturedVersion(
            article=article_id(row.key),
            url=redact(row.url),
            version=row.version,
            title=row.title,
            file=row.object_file,
            offset=row.object_offset,
        )
        for row in state.execute(query)
        if _is_of(row.capture, line) and not index.hides(row.url)
    )


def _is_of(capture: object, line: CdxLine) -> bool:
    return (getattr(capture, "file", None), getattr(capture, "offset", None)) == (line.filename, line.offset)
