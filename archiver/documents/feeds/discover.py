"""Feeds of a page: those it names, the addresses where a feed often is, and the links worth following."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.feeds import fields
from archiver.documents.feeds.decoding import decode
from archiver.documents.feeds.discovered import DiscoveredFeed, is_of_comments
from archiver.documents.pages.dom import base_url, parse_markup
from archiver.documents.pages.links import links_of, text_within
from archiver.urls import host_of, is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.pages.links import PageLink


# Pages name their feeds early; what is larger is not read to its end.
MAX_HTML_BYTES = 4 * 1024 * 1024

_HTML_START_BYTES = 16 * 1024
_MOST_ANCHORS = 5000

FEED_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/json",
        "application/rdf+xml",
        "application/xml",
        "application/x-rss+xml",
        "text/rss+xml",
        "text/atom+xml",
        "text/rss",
        "text/xml",
    }
)
# Followed from a page that names no feed, at most: a search is not a crawl.
MAX_LEADS = 3
_LONGEST_LEAD = 30
# What links say, or what the last part of their address is: to feeds, then to what is new.
_LEADS = (
    re.compile(
        r"(?:rss|atom|web ?feeds?|feeds?|rss[- ]?feeds?|syndication|subscribe|abonnieren)", re.IGNORECASE
    ),
    re.compile(
        r"(?:the |our )?(?:timeline|activity|recent changes|blog|weblog|news|latest(?: news)?|posts|journal"
        r"|updates|articles|aktuelles|nachrichten|neuigkeiten|actualités|actus|noticias|notizie|notícias|nieuws"
        r"|nyheter|aktualności|новости|新闻|ニュース)",
        re.IGNORECASE,
    ),
)
# WordPress names the page's own record in its interface, as application/json.
_NO_FEED = re.compile(r"/wp-json/|/oembed\b|[?&]rest_route=")
_HTML_START = re.compile(
    r"(?:\s|\ufeff|<\?[^>]*>|<!--(?:.*?-->|.*))*+"
    r"<(?:!doctype\s+html|html|head|body|title|meta|link|base|script|style|noscript|header|main|section|article|"
    r"nav|div|span|table|center|form|h[1-6]|p|a|b|br|img|ul)\b",
    re.DOTALL | re.IGNORECASE,
)


def discover_feeds(body: bytes, *, url: str, content_type: str | None = None) -> list[DiscoveredFeed]:
    """The feeds that a page names, in its order, feeds of comments last."""
    page = _parse(body, content_type)
    if page is None:
        return []
    found: dict[str, DiscoveredFeed] = {}
    for feed in _named_feeds(page, base_url(page, url)):
        found.setdefault(feed.url, feed)
    return sorted(found.values(), key=is_of_comments)


def feed_leads(body: bytes, *, url: str, content_type: str | None = None) -> list[str]:
    """Pages of the same host that may name a feed where this one does not, the likeliest first."""
    page = _parse(body, content_type)
    if page is None:
        return []
    host = _bare_host(url)
    ranks: dict[str, int] = {}
    for link in islice(links_of(page, base_url(page, url), page.iter("a")), _MOST_ANCHORS):
        rank = _rank(link) if _bare_host(link.url) == host and is_web(link.url) else None
        if rank is not None and same_page_key(link.url) != same_page_key(url):
            ranks.setdefault(link.url.partition("#")[0], rank)
    return sorted(ranks, key=lambda address: ranks[address])[:MAX_LEADS]


def _rank(link: PageLink) -> int | None:
    """How likely a link leads to a feed, by what it says, else by its address; None: not at all."""
    text = text_within(link.element, 2 * _LONGEST_LEAD)
    name = urlsplit(link.url).path.rstrip("/").rpartition("/")[2].partition(".")[0]
    ranks = (rank for rank, form in enumerate(_LEADS) if form.fullmatch(text) or form.fullmatch(name))
    return next(ranks, None)


def _bare_host(url: str) -> str:
    return host_of(url).removeprefix("www.")


def looks_like_html(body: bytes) -> bool:
    """True if a document begins as HTML pages do."""
    return _HTML_START.match(decode(body[:_HTML_START_BYTES], None).text) is not None


def _parse(body: bytes, content_type: str | None) -> Element | None:
    return parse_markup(decode(body[:MAX_HTML_BYTES], content_type).text)


def _named_feeds(page: Element, base: str) -> Iterator[DiscoveredFeed]:
    for link in links_of(page, base, page.iter("link")):
        kind = (link.element.get("type") or "").partition(";")[0].strip().lower()
        is_other = "alternate" in link.rel and "stylesheet" not in link.rel and kind in FEED_TYPES
        address = fields.link(link.element.get("href"), base) if "feed" in link.rel or is_other else None
        if address is not None and not _NO_FEED.search(address):
            title = fields.plain(link.element.get("title"), markup=False)
            yield DiscoveredFeed(url=address, title=title, type=kind or None)
