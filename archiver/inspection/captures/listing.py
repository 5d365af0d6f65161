"""The captures of a URL, page by page, the newest first, with what each revisit refers to."""

from __future__ import annotations

from datetime import datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import target_uri
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.retrieval import find_original
from archiver.archive.warc.reader import read_head
from archiver.digests import name_digest
from archiver.errors import RecordError
from archiver.inspection.captures.model import CaptureList, CaptureNote, OriginalCapture, RecordPlace
from archiver.urls import redact, request_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.warc.reader import RecordHead

# So many captures of forms that were sent to one address are looked at.
_MOST_SUBMITTED = 2000
_MARK = 12  # characters that tell the captures of one second apart
REVISITS = {"server-not-modified": "not_modified", "identical-payload-digest": "same_payload"}


def list_captures(
    index: Index, warc_folder: Path, url: str, *, limit: int = 50, before: str | None = None
) -> CaptureList:
    """The newest captures of a URL; with the `next` of another list, the ones behind that list."""
    found = list(islice(_behind(_newest(index, url, (before or "")[:14]), before), limit + 1))
    shown = found[:limit]
    return CaptureList(
        url=redact(url),
        captures=tuple(capture_note(index, warc_folder, line) for line in shown),
        next=cursor_of(shown[-1]) if len(found) > limit and shown else None,
    )


def cursor_of(line: CdxLine) -> str:
    """Names a capture of a URL: its second, and what tells it from others of that second."""
    return f"{line.timestamp}-{name_digest(f'{line.filename}:{line.offset}', _MARK)}"


def capture_named(index: Index, url: str, name: str) -> CdxLine | None:
    """The capture of a URL that `cursor_of` names; None where the index has none."""
    for line in _newest(index, url, name[:14]):
        if line.timestamp < name[:14]:
            break
        if cursor_of(line) == name:
            return line
    return None


def _newest(index: Index, url: str, second: str) -> Iterator[CdxLine]:
    asked = index.newest(request_url(url), second)
    submitted = sorted(_submitted(index, url), key=lambda line: line.timestamp, reverse=True)
    return _in_order(asked, [line for line in submitted if not second or line.timestamp <= second])


def _submitted(index: Index, url: str) -> Iterator[CdxLine]:
    """Captures of what was sent to the address: their keys hold what that was."""
    key = surt_key(target_uri(request_url(url)))
    lines = islice(index.range(f"{key.partition('?')[0]}?__wb_method="), _MOST_SUBMITTED)
    return (line for line in lines if surt_key(line.url) == key)


def _in_order(asked: Iterator[CdxLine], submitted: list[CdxLine]) -> Iterator[CdxLine]:
    for line in asked:
        while submitted and submitted[0].timestamp >= line.timestamp:
            yield submitted.pop(0)
        yield line
    yield from submitted


def _behind(lines: Iterator[CdxLine], before: str | None) -> Iterator[CdxLine]:
    """The captures after the last one shown; if that one is gone, all captures of its second."""
    if not before:
        yield from lines
        return
    same_second: list[CdxLine] = []
    for line in lines:
        if line.timestamp != before[:14]:
            yield from chain(same_second, (line,), lines)
            return
        same_second = [] if cursor_of(line) == before else [*same_second, line]
    yield from same_second


def capture_note(index: Index, warc_folder: Path, line: CdxLine) -> CaptureNote:
    """What the index and the head of its record say of a capture."""
    method = line.submitted.method if line.submitted else "GET"
    place = RecordPlace(file=line.filename, offset=line.offset, length=line.length)
    head: RecordHead | None = None
    problem, original = None, None
    try:
        head = read_head(warc_folder, line.filename, line.offset)
        original = _original(index, warc_folder, head) if head.kind == "revisit" else None
    except RecordError as error:
        problem = str(error)
    return CaptureNote(
        name=cursor_of(line),
        time=_time(head.headers.get("warc-date", "") if head else "") or line.date,
        url=redact(line.url),
        kind=head.kind if head else "",
        method=method,
        status=line.status,
        mime=None if line.is_revisit else line.mime,
        digest=line.digest,
        record=head.id if head else "",
        place=place,
        revisit=_how(head) if head and head.kind == "revisit" else None,
        original=original,
        problem=problem,
    )


def _original(index: Index, warc_folder: Path, head: RecordHead) -> OriginalCapture:
    headers = head.headers
    url, date = headers.get("warc-refers-to-target-uri", ""), headers.get("warc-refers-to-date", "")
    line = find_original(index, warc_folder, head)
    place = RecordPlace(file=line.filename, offset=line.offset, length=line.length) if line else None
    if url and index.hides(url):
        # A payload that it shares with a page that is withheld; which page that is, is not told.
        return OriginalCapture(record="", url="", is_there=place is not None)
    return OriginalCapture(
        record=headers.get("warc-refers-to", ""),
        url=redact(url),
        time=_time(date),
        is_there=place is not None,
        place=place,
    )


def _how(head: RecordHead) -> str:
    profile = head.headers.get("warc-profile", "").rpartition("/")[2]
    return REVISITS.get(profile, profile)


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
