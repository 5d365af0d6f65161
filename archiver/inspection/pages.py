"""Pages of the archive as extraction takes them: with what their feed said, and beside their siblings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.archive.retrieval import find_capture, read_archived
from archiver.archive.warc.reader import read_capture, read_head
from archiver.archive.warc.wire import split_response
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.pages.not_html import why_not_html
from archiver.errors import ExtractionError
from archiver.urls import redact

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.inspection.announced import AnnouncedPage


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCapture:
    """A page as it was captured, and where its record is."""

    raw: RawPage
    line: CdxLine


def find_page(
    index: Index, warc_folder: Path, url: str, at: datetime | None, known: AnnouncedPage | None
) -> PageCapture | None:
    """The capture of a page nearest to a moment, or else the one that was read last."""
    # Behind redirects, the page has another address than the entry gave it.
    address = known.capture.url if known else url
    line = find_capture(index, address, at or (known.capture.date if known else None))
    if line is None:
        return None
    response = read_archived(index, warc_folder, line)
    raw = RawPage(
        url=line.url,
        body=response.body,
        content_type=split_response(response.head).header("Content-Type"),
        announcement=known.announcement if known else Announcement(),
        id=read_head(warc_folder, line.filename, line.offset).id,
    )
    if known is not None and known.capture.capture_id == raw.id:
        # As it was read: by what a browser made of it, where that is in the archive.
        stored = read_capture(warc_folder, known.capture)
        raw = replace(raw, body=stored.content, content_type=stored.content_type)
    return PageCapture(raw=raw, line=line)


def find_document(index: Index, warc_folder: Path, url: str, at: datetime | None) -> VirtualDocument | None:
    """The capture of a page nearest to a moment, or the newest, with what the server said of it."""
    line = find_capture(index, url, at)
    return read_document(index, warc_folder, line) if line is not None else None


def read_document(index: Index, warc_folder: Path, line: CdxLine) -> VirtualDocument:
    """A capture as expressions see it. Raises ExtractionError where it is not a page."""
    response = read_archived(index, warc_folder, line)
    said = split_response(response.head)
    content_type = said.header("Content-Type")
    if reason := why_not_html(response.body, content_type):
        raise ExtractionError(f"{redact(line.url)} is not a page: {reason}")
    tree = parse_html(response.body, content_type, line.url)
    return VirtualDocument(tree=tree, url=line.url, status=said.status or 200, headers=said.headers())


def read_sibling(warc_folder: Path, page: AnnouncedPage) -> RawPage:
    capture = page.capture
    stored = read_capture(warc_folder, capture)
    return RawPage(
        url=capture.url,
        body=stored.content,
        content_type=stored.content_type,
        announcement=page.announcement,
        id=capture.capture_id,
    )
