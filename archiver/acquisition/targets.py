"""What is to be fetched, and for what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.urls import host_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.rechecks.sitemaps import SitemapFile
    from archiver.documents.lists.model import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class GapAsk:
    """A document to fetch for a gap."""

    id: int
    channel_id: int
    channel_url: str
    ask: Ask
    tries: int = 0
    # Links of the channel's entries, and since when missing ones may be dated, where they are looked for.
    examples: tuple[str, ...] = ()
    since: datetime | None = None

    @property
    def host(self) -> str:
        return host_of(self.ask.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequisite:
    """A requisite to fetch for the pages that show it."""

    id: int
    url: str
    host: str
    kind: str
    via: str
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapAsk:
    """A sitemap, or the robots.txt that names it, to fetch for the articles of a site's host."""

    id: int
    site: str
    origin: str
    file: SitemapFile

    @property
    def host(self) -> str:
        return host_of(self.file.url)
