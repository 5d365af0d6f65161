"""Lists of the archive that lead to pages: what they call these is evidence of what the pages are about."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.acquisition.requisites import HOME
from archiver.archive.cdxj.index import Index
from archiver.archive.warc.reader import read_capture
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.not_html import why_not_html
from archiver.errors import ExtractionError, RecordError
from archiver.inspection.pages import find_document
from archiver.store.schema import leads, pages, requisites

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lxml.etree import _Element as Element
    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture
    from archiver.archive.withheld import Withheld

# Documents that are read for the pages of a channel: lists, and pages of its own.
_MOST_LISTS, _MOST_HOMES = 40, 10


def lists_leading_to(
    state: Connection, withheld: Withheld, warcs: Path, page_ids: Sequence[int]
) -> Iterator[tuple[str, Element]]:
    """What may lead to these pages: address and tree of lists and of the channels' own pages."""
    yield from _lists(state, withheld, warcs, page_ids)
    yield from _homes(state, withheld, warcs, page_ids)


def _lists(
    state: Connection, withheld: Withheld, warcs: Path, page_ids: Sequence[int]
) -> Iterator[tuple[str, Element]]:
    """The documents on which a crawl of a whole site found these pages, each once."""
    query = select(leads.c.capture).where(leads.c.page_id.in_(page_ids), leads.c.capture.is_not(None))
    found = {row.capture.capture_id: row.capture for row in state.execute(query.order_by(leads.c.id))}
    for capture in list(found.values())[:_MOST_LISTS]:
        tree = None if withheld.hides(capture.url) else _tree(warcs, capture)
        if tree is not None:
            yield capture.url, tree


def _homes(
    state: Connection, withheld: Withheld, warcs: Path, page_ids: Sequence[int]
) -> Iterator[tuple[str, Element]]:
    """The newest captures of channels' own pages on the hosts of these pages."""
    hosts = select(pages.c.host).where(pages.c.id.in_(page_ids))
    query = select(requisites.c.url).where(requisites.c.kind == HOME, requisites.c.host.in_(hosts))
    index = Index(warcs.parent / "index", withheld.hides)
    for url in state.scalars(query.order_by(requisites.c.id).limit(_MOST_HOMES)):
        with suppress(RecordError, ExtractionError):  # as below
            document = find_document(index, warcs, url, None)
            if document is not None:
                yield document.url, document.tree


def _tree(warcs: Path, capture: Capture) -> Element | None:
    try:
        stored = read_capture(warcs, capture)
        if why_not_html(stored.content, stored.content_type) is not None:
            return None
        return parse_html(stored.content, stored.content_type, capture.url)
    except (RecordError, ExtractionError):
        return None  # damaged, or not a page: `scrapy verify` tells of the first
