"""A page and what led to it: what a feed or a site said of it, and other articles from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from archiver.documents.pages.model import Announcement
from archiver.documents.parts import fragment_part, part_key
from archiver.store.schema import articles, channels, entries, leads, pages
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.archive.warc.records import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedPage:
    """A page of the archive with the words of its entry, or what was known of it on its site."""

    id: int
    host: str
    # Of a channel; below 0 of a site.
    channel_id: int
    capture: Capture
    announcement: Announcement
    channel_url: str = ""


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


def led_page(connection: Connection, url: str) -> AnnouncedPage | None:
    """The page at this address that was found on a whole site; None where it was not."""
    query = _LEADS.where(pages.c.key == same_page_key(url), pages.c.capture.is_not(None))
    row = connection.execute(query.order_by(leads.c.id).limit(1)).first()
    return _found_page(row) if row else None


def siblings_of(connection: Connection, page: AnnouncedPage, most: int) -> list[AnnouncedPage]:
    """Other articles of the page's channel or site and host, those found last in front."""
    is_led = page.channel_id < 0
    scope, order = (leads.c.scope_id, leads.c.id) if is_led else (entries.c.channel_id, entries.c.id)
    query = (
        (_LEADS if is_led else _ENTRIES)
        .where(scope == page.channel_id, pages.c.host == page.host)
        .where(pages.c.id != page.id, pages.c.article_id.is_not(None), pages.c.capture.is_not(None))
        .order_by(order.desc())
        .limit(2 * most)
    )
    found = {page.capture.content_key: page}
    for row in connection.execute(query):
        # The same bytes under another address are the same article.
        found.setdefault(row.capture.content_key, _found_page(row) if is_led else _page(row))
    return [one for one in found.values() if one is not page][:most]


def articles_of_channel(connection: Connection, channel_id: int, most: int) -> list[AnnouncedPage]:
    """Pages of a channel on which an article was found, those found last in front."""
    query = _ENTRIES.where(
        entries.c.channel_id == channel_id, pages.c.article_id.is_not(None), pages.c.capture.is_not(None)
    )
    rows = connection.execute(query.order_by(entries.c.id.desc()).limit(most))
    return list({row.id: _page(row) for row in rows}.values())


_ENTRIES = (
    select(
        pages.c.id, pages.c.host, pages.c.capture,
        entries.c.channel_id, entries.c.entry, channels.c.language, channels.c.url.label("channel_url"),
    )
    .join(pages, pages.c.id == entries.c.page_id)
    .join(channels, channels.c.id == entries.c.channel_id)
)  # fmt: skip

_LEADS = select(pages.c.id, pages.c.host, pages.c.capture, leads.c.scope_id, leads.c.said).join(
    pages, pages.c.id == leads.c.page_id
)


def _found_page(row: Row[*tuple[Any, ...]]) -> AnnouncedPage:
    return AnnouncedPage(
        id=row.id, host=row.host, channel_id=row.scope_id, capture=row.capture, announcement=row.said
    )


def _page(row: Row[*tuple[Any, ...]]) -> AnnouncedPage:
    entry = row.entry
    said = Announcement(
        title=entry.title,
        summary=entry.summary,
        content=entry.content,
        language=entry.language or row.language,
    )
    return AnnouncedPage(
        id=row.id,
        host=row.host,
        channel_id=row.channel_id,
        capture=row.capture,
        announcement=said,
        channel_url=row.channel_url,
    )
