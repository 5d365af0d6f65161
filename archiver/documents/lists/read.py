"""Bytes to what they say, for a document that was asked for in order to fill a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.feeds.parse import parse_feed
from archiver.documents.lists.listing import read_listing
from archiver.documents.lists.model import ArchivePage, Way
from archiver.documents.lists.sitemap import read_sitemap, sitemaps_in_robots
from archiver.errors import FeedParseError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.documents.lists.model import Ask


def read_document(
    body: bytes,
    ask: Ask,
    *,
    url: str,
    content_type: str | None,
    examples: Sequence[str] = (),
    since: datetime | None = None,
) -> ArchivePage:
    """Read a document as what it was asked for. `url` is where it came from, after redirects."""
    if ask.way is Way.LISTING:
        return read_listing(body, url=url, content_type=content_type, examples=examples, number=ask.number)
    if ask.way is Way.ROBOTS:
        return ArchivePage(sitemaps=sitemaps_in_robots(body, url=url))
    if ask.way is Way.SITEMAP:
        return read_sitemap(body, url=url, examples=examples, since=since)
    try:
        return ArchivePage(feed=parse_feed(body, url=url, content_type=content_type))
    except FeedParseError as error:
        return ArchivePage(problem=str(error))
