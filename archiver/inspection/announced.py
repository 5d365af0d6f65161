"""A page that was announced: what the feed said of it, and other articles of its channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from archiver.documents.pages.model import Announcement
from archiver.documents.parts import fragment_part, part_key
from archiver.store.schema import articles, channels, entries, pages
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.archive.warc.records import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedPage:
    """A page of the archive with the words of its entry."""

    id: int
    host: str
    channel_id: int
    capture: Capture
    announcement: Announcement


def announced_page(connection: Connection, url: str) -> AnnouncedPage | None:
    """The page at this address, or that led to the article there; None where no entry led to it."""
    key = same_page_key(url)
    part = part_key(key, fragment_part(url))
    query = (
        _ENTRIES.outerjoin(articles, articles.c.id == pages.c.article_id)
        .where(
            or_(pages.c.key.in_((part, key)), articles.c.key.in_((part, key)), pages.c.whole == key),
            pages.c.capture.is_not(None),
        )
        # The very part or page first; of its entries that of the channel known longest, as in a crawl.
        .order_by(pages.c.key != part, pages.c.key != key, entries.c.channel_id, entries.c.id)
    )
    row = connection.execute(query.limit(1)).first()
    return _page(row) if row else None


def siblings_of(connection: Connection, page: AnnouncedPage, most: int) -> list[AnnouncedPage]:
    """Other articles of the page's channel and host, those announced last in front."""
    query = (
        _ENTRIES.where(entries.c.channel_id == page.channel_id, pages.c.host == page.host)
        .where(pages.c.id != page.id, pages.c.article_id.is_not(None), pages.c.capture.is_not(None))
        .order_by(entries.c.id.desc())
        .limit(2 * most)
    )
    found = {page.capture.payload_key: page}
    for row in connection.execute(query):
        # The same bytes under another address are the same article.
        found.setdefault(row.capture.payload_key, _page(row))
    return [one for one in found.values() if one is not page][:most]


_ENTRIES = (
    select(
        pages.c.id, pages.c.host, pages.c.capture,
        entries.c.channel_id, entries.c.entry, channels.c.language,
    )
    .join(pages, pages.c.id == entries.c.page_id)
    .join(channels, channels.c.id == entries.c.channel_id)
)  # fmt: skip


def _page(row: Row[*tuple[Any, ...]]) -> AnnouncedPage:
    entry = row.entry
    said = Announcement(
        title=entry.title,
        summary=entry.summary,
        content=entry.content,
        language=entry.language or row.language,
    )
    return AnnouncedPage(
        id=row.id, host=row.host, channel_id=row.channel_id, capture=row.capture, announcement=said
    )
