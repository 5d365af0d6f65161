"""The feed's own document that was in force at a moment: its order and its words, where it was kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.retrieval import read_archived
from archiver.archive.warc.reader import read_head
from archiver.archive.warc.wire import split_response
from archiver.documents.feeds.entries import identify
from archiver.documents.feeds.parse import parse_feed
from archiver.errors import ArchiverError
from archiver.inspection.rebuild.model import Origin
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.documents.feeds.model import FeedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The entries of a document by their keys, in its order."""

    entries: Mapping[str, FeedEntry]
    origin: Origin


def document_at(index: Index, warc_folder: Path, urls: Iterable[str], at: datetime) -> Document | None:
    """The last document that any of these addresses had given by then; None where none can be read."""
    lines = [line for url in urls if (line := _last_before(index, url, at)) is not None]
    for line in sorted(lines, key=lambda line: line.date, reverse=True):
        try:
            return _read(index, warc_folder, line)
        except ArchiverError:  # it was no feed, or is no longer there: the sightings have to do
            continue
    return None


def _last_before(index: Index, url: str, at: datetime) -> CdxLine | None:
    nearest = index.nearest(request_url(url), at)
    if nearest is None or (nearest.date <= at and is_document(nearest)):
        return nearest
    # Seldom: the next one is nearer, or failed.
    before = (line for line in reversed(index.captures(request_url(url))) if line.date <= at)
    return next(filter(is_document, before), None)


def is_document(line: CdxLine) -> bool:
    """Whether a capture has something to read: a whole answer, or a reference to one."""
    return line.is_revisit or line.status == "200"


def _read(index: Index, warc_folder: Path, line: CdxLine) -> Document:
    response = read_archived(index, warc_folder, line)
    content_type = split_response(response.head).header("Content-Type")
    feed = parse_feed(response.body, url=line.url, content_type=content_type)
    return Document(
        entries={one.key: one.entry for one in identify(feed.entries)},
        origin=origin_of(warc_folder, line),
    )


def origin_of(warc_folder: Path, line: CdxLine) -> Origin:
    record_id = read_head(warc_folder, line.filename, line.offset).id
    return Origin(url=line.url, record_id=record_id, captured=line.date)
