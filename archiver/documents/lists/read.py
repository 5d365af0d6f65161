"""Bytes to what they say, for a document that was asked for in order to fill a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.feeds.parse import parse_feed
from archiver.documents.lists.api import read_api
from archiver.documents.lists.listing import read_listing
from archiver.documents.lists.model import ApiKeys, ArchivePage, Way
from archiver.documents.lists.sitemap import MAX_ENTRIES, MAX_URLS, read_sitemap, sitemaps_in_robots
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
    headers: Sequence[tuple[str, str]] = (),
) -> ArchivePage:
    """Read a document as what it was asked for. `url` is where it came from, after redirects."""
    if ask.way is Way.LISTING:
        return read_listing(body, url=url, content_type=content_type, examples=examples, number=ask.number)
    if ask.way is Way.ROBOTS:
        return ArchivePage(sitemaps=sitemaps_in_robots(body, url=url))
    if ask.way is Way.SITEMAP:
        most = MAX_URLS if ask.is_whole else MAX_ENTRIES
        return read_sitemap(body, url=url, examples=examples, since=since, most=most)
    if ask.way is Way.SITE:
        return read_api(body, ask.keys or ApiKeys(), url=url, headers=headers)
    try:
        return ArchivePage(feed=parse_feed(body, url=url, content_type=content_type))
    except FeedParseError as error:
        return ArchivePage(problem=str(error))
