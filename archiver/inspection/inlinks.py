"""Lists of the archive that lead to pages: what they call these is evidence of what the pages are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.archive.warc.reader import read_capture
from archiver.documents.pages.dom import parse_html, why_not_html
from archiver.errors import ExtractionError, RecordError
from archiver.store.schema import leads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lxml.etree import _Element as Element
    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture
    from archiver.archive.withheld import Withheld

# Documents that are read for the pages of a channel.
_MOST_LISTS = 40


def lists_leading_to(
    state: Connection, withheld: Withheld, warcs: Path, page_ids: Sequence[int]
) -> Iterator[tuple[str, Element]]:
    """The documents on which a crawl of a whole site found these pages, each once: address and tree."""
    query = select(leads.c.capture).where(leads.c.page_id.in_(page_ids), leads.c.capture.is_not(None))
    found = {row.capture.capture_id: row.capture for row in state.execute(query.order_by(leads.c.id))}
    for capture in list(found.values())[:_MOST_LISTS]:
        tree = None if withheld.hides(capture.url) else _tree(warcs, capture)
        if tree is not None:
            yield capture.url, tree


def _tree(warcs: Path, capture: Capture) -> Element | None:
    try:
        stored = read_capture(warcs, capture)
        if why_not_html(stored.content, stored.content_type) is not None:
            return None
        return parse_html(stored.content, stored.content_type, capture.url)
    except (RecordError, ExtractionError):
        return None  # damaged, or not a page: `scrapy verify` tells of the first
