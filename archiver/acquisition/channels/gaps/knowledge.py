"""What is known of the software behind a site, for the documents of its gaps. In workers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from archiver.acquisition.sites.knowledge.detecting import known_type
from archiver.acquisition.sites.known import read_known
from archiver.acquisition.sites.reading import VisitedDocument, site_page
from archiver.acquisition.sites.scope import scope_of
from archiver.acquisition.sites.typed_page import TypedPage, virtual_of
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.lists.addresses import same_site
from archiver.documents.lists.model import ApiKeys, Ask, Way
from archiver.urls import is_web, same_page_key

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import ApiList
    from archiver.acquisition.sites.model import VisitRead
    from archiver.documents.feeds.model import ParsedFeed
    from archiver.documents.lists.model import ArchivePage

_SLACK = timedelta(days=1)


def with_knowledge(
    page: ArchivePage, document: VisitedDocument, way: Way, base: KnowledgeBase, since: datetime | None
) -> ArchivePage:
    """What a document says, and what is known of its software: a cheaper list, the links of its level."""
    if page.feed is not None:
        typed = _typed(_page_of_feed(page.feed, document.url), base)
        return replace(page, known=_asks(typed, since)) if typed else page
    typed = _typed(document, base) if way is Way.LISTING else None
    if typed is None:
        return page
    return _of_level(replace(page, known=_asks(typed, since)), read_known(typed))


def _typed(document: VisitedDocument, base: KnowledgeBase) -> TypedPage | None:
    page = site_page(document)
    if page is None:
        return None
    virtual = virtual_of(page)
    kind = known_type(virtual, base)
    return TypedPage(page=page, type=kind, virtual=virtual) if kind else None


def _page_of_feed(feed: ParsedFeed, url: str) -> VisitedDocument:
    """The page of a feed, as far as the feed says what a page would: what made it."""
    home = feed.info.link
    place = home if home and is_web(home) and same_site(home, [url]) else url
    generator = escape(feed.info.generator or "")
    content = f"<html><head><meta name='generator' content='{generator}'></head><body></body></html>"
    return VisitedDocument(
        url=place, content=content.encode(), content_type="text/html; charset=utf-8", scope=scope_of(place)
    )


def _asks(typed: TypedPage, since: datetime | None) -> tuple[Ask, ...]:
    """Lists of which the newest can be asked for alone; feeds and sitemaps are asked for anyway."""
    apis = (one.api for one in typed.type.lists if one.api is not None and one.api.date)
    return tuple(
        Ask(way=Way.SITE, url=_address(typed, api, since), keys=_keys(api))
        for api in apis
        if since or api.next
    )


def _address(typed: TypedPage, api: ApiList, since: datetime | None) -> str:
    scope = typed.page.document.scope.partition("/")[2]
    url = urljoin(typed.page.document.url, f"/{scope}{api.at.lstrip('/')}")
    if since is None or not api.since:
        return url
    # Its clock may be that of another zone.
    moment = quote(f"{since - _SLACK:%Y-%m-%dT%H:%M:%S}")
    return f"{url}{'&' if '?' in url else '?'}{api.since}={moment}"


def _keys(api: ApiList) -> ApiKeys:
    return ApiKeys(
        items=api.items,
        link=api.link,
        title=api.title,
        date=api.date,
        has_link_header=api.next == "link-header",
    )


def _of_level(page: ArchivePage, known: VisitRead) -> ArchivePage:
    """A list by the links that its level has; what stands beside them is as it was found."""
    items = [one.url for one in known.follow if one.is_item and not one.is_repeat]
    further = (one.url for one in known.follow if one.is_repeat and one.to == known.level)
    if not items or known.is_content:
        return page
    found = {same_page_key(one.link or ""): one for one in page.entries}
    entries = tuple(found.get(same_page_key(url)) or FeedEntry(link=url) for url in items)
    return replace(page, entries=entries, following=next(further, page.following), is_counted=True)
