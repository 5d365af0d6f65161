"""What a document of a site says: where it leads, and whether it has something to keep. In workers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec
import re2

from archiver.acquisition.sites.coverage import seen_in
from archiver.acquisition.sites.model import CANONICAL, Followed, NamedList, VisitRead, VisitReading
from archiver.acquisition.sites.scope import is_within
from archiver.acquisition.sites.traps.forms import labels_of
from archiver.acquisition.sites.traps.novelty import novelty_of
from archiver.articles.metadata.notices import is_check
from archiver.articles.model import ParsedPage
from archiver.articles.versions.fingerprints import sketch
from archiver.documents.feeds.parse import parse_feed
from archiver.documents.lists.model import SECOND
from archiver.documents.lists.shapes import FILES
from archiver.documents.lists.sitemap import MAX_URLS, listed, sitemaps_in_robots
from archiver.documents.pages.blocks import LINKED, outline_of
from archiver.documents.pages.dom import absolute_url, base_url, parse_html
from archiver.documents.pages.links import links_of
from archiver.documents.pages.not_html import why_not_html
from archiver.errors import ExtractionError, FeedParseError
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Block
    from archiver.documents.pages.links import PageLink

# Of one page: more are a trap, or a list that has further pages anyway.
MOST_LINKS = 5000
MOST_LISTED = MAX_URLS
_MOST_BESIDE = 5
_LONGEST_NOTICE = 1000  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedDocument:
    """A document as it was captured, and what it was asked for."""

    url: str
    content: bytes
    content_type: str | None
    status: int | None = None
    headers: Sequence[tuple[str, str]] = ()
    reading: VisitReading = VisitReading.PAGE
    scope: str = ""
    level: str = ""
    only: str = ""


def read_list(document: VisitedDocument) -> VisitRead:
    """Read a sitemap, or the sitemaps that robots.txt names."""
    if document.reading is VisitReading.ROBOTS:
        named = sitemaps_in_robots(document.content, url=document.url)
        return VisitRead(lists=tuple(NamedList(url=one.url) for one in named))
    if document.reading is VisitReading.FEED:
        return _read_feed(document)
    follow: dict[str, Followed] = {}
    lists: list[NamedList] = []
    wanted = re2.compile(document.only) if document.only else None
    for found in islice(listed(document.content, document.url), MOST_LISTED):
        if found.is_sitemap:
            if wanted is None or wanted.search(found.url):
                lists.append(NamedList(url=found.url))
        elif is_within(found.url, document.scope):
            follow.setdefault(found.url, Followed(url=found.url, action="sitemap", to=document.level))
    return VisitRead(follow=tuple(follow.values()), lists=tuple(lists))


def _read_feed(document: VisitedDocument) -> VisitRead:
    """Read one page of a feed, and where its next one is: RFC 5005, or WordPress's way."""
    try:
        feed = parse_feed(document.content, url=document.url, content_type=document.content_type)
    except FeedParseError as error:
        return VisitRead(problem=str(error))
    links = dict.fromkeys(one.link for one in feed.entries if one.link)
    follow = [
        Followed(url=link, action="feed", to=document.level)
        for link in links
        if is_within(link, document.scope)
    ]
    following = feed.info.paging.get("next") or _counted_up(document.url)
    more = (NamedList(url=following, reading=VisitReading.FEED, to=document.level),) if follow else ()
    return VisitRead(follow=tuple(follow), lists=more)


def _counted_up(url: str) -> str:
    """The next page of a feed whose pages have numbers: `?paged=2`."""
    parts = urlsplit(url)
    others = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != "paged"]
    number = dict(parse_qsl(parts.query)).get("paged", "1")
    page = int(number) + 1 if number.isdigit() else SECOND
    return urlunsplit(parts._replace(query=urlencode([*others, ("paged", str(page))])))


@dataclass(frozen=True, kw_only=True)
class SitePage:
    """A page of a site as a tree."""

    document: VisitedDocument
    tree: Element
    base: str

    @cached_property
    def blocks(self) -> Sequence[Block]:
        return outline_of(self.tree).blocks


def site_page(document: VisitedDocument) -> SitePage | None:
    """The page; None for what is not one."""
    if not document.content.strip() or why_not_html(document.content, document.content_type):
        return None
    try:
        tree = parse_html(document.content, document.content_type, document.url)
    except ExtractionError:
        return None
    return SitePage(document=document, tree=tree, base=base_url(tree, document.url))


def read_blindly(page: SitePage) -> VisitRead:
    """Follow every link of the site, those last that it asks not to follow."""
    return msgspec.structs.replace(read_listed(page), follow=tuple(_links(page)))


def read_listed(page: SitePage) -> VisitRead:
    """Keep a page that a list of the site names; what it leads to is on that list as well."""
    texts = [block.text for block in page.blocks]
    canonical = canonical_of(page)
    return VisitRead(
        notice=_notice(page, texts),
        novelty=novelty_of(_owned(page, page.blocks), _shown(page), page.document.url, texts),
        is_content=True,
        canonical=canonical,
        follow=() if canonical is None else (Followed(url=canonical, action=CANONICAL),),
        text=seen_in(texts),
        sketch=sketch(" ".join(texts)),
    )


def canonical_of(page: SitePage) -> str | None:
    """The address that a page names as its own, where that is another one of the site."""
    for link in page.tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            url = absolute_url(page.base, link.get("href") or "")
            if url is None or not is_within(url, page.document.scope):
                return None
            return None if same_page_key(url) == same_page_key(page.document.url) else url
    return None


def _links(page: SitePage) -> Iterator[Followed]:
    is_last = asks_in_meta(page.tree, "nofollow")
    if canonical := canonical_of(page):
        yield Followed(url=canonical, action=CANONICAL)
    for link in inner_links(page):
        yield Followed(url=link.url.split("#", 1)[0], is_last=is_last or "nofollow" in link.rel)


def inner_links(page: SitePage) -> Iterator[PageLink]:
    """The links to pages of the same site, each address once."""
    found: set[str] = set()
    for link in links_of(page.tree, page.base):
        url = link.url.split("#", 1)[0]
        if url in found or not is_within(url, page.document.scope) or FILES.search(url.split("?", 1)[0]):
            continue
        found.add(url)
        yield link
        if len(found) >= MOST_LINKS:
            return


def _notice(page: SitePage, texts: Sequence[str]) -> str:
    """What a page says in place of the one that was asked for: that its reader may be a robot."""
    if sum(map(len, texts)) > _LONGEST_NOTICE:
        return ""
    parsed = ParsedPage(url=page.document.url, base_url=page.base, tree=page.tree)
    return "the page checks whether its reader is a robot" if is_check(parsed) else ""


def _owned(page: SitePage, blocks: Sequence[Block]) -> Iterator[tuple[str, bool]]:
    """Each text, and whether it announces another page: all links beside it lead to the same one."""
    leads: dict[Element, bool] = {}
    for block in blocks:
        around = block.node.element.getparent()
        if around is None:
            yield block.text, False
            continue
        if around not in leads:
            found = islice(around.iter("a"), _MOST_BESIDE)
            leads[around] = len({absolute_url(page.base, link.get("href") or "") for link in found}) == 1
        if block.linked * 2 > len(block.words):
            # A row of links, whatever their number and order: each says what it says.
            yield from ((text, True) for text in _leading(page, block))
        else:
            yield block.text, leads[around]


def _leading(page: SitePage, block: Block) -> Iterator[str]:
    """What links say that lead to pages of another kind; a list of lists leads nowhere by that."""
    mine = labels_of(page.document.url).family
    for text, marks, element, _ in block.read:
        link = element if element.tag == "a" else next(element.iterancestors("a"), None)
        if marks & LINKED and link is not None:
            url = absolute_url(page.base, link.get("href") or "") or ""
            if labels_of(url).family != mine:
                yield text


def _shown(page: SitePage) -> Iterator[str]:
    """The addresses of what a page shows or offers beside its text: images, films, files."""
    for element in page.tree.iter("img", "video", "audio", "source", "iframe", "embed", "object"):
        url = element.get("data-src") or element.get("src") or element.get("data") or ""
        if not url.startswith("data:"):
            yield absolute_url(page.base, url) or ""
    for link in page.tree.iter("a"):
        url = link.get("href") or ""
        if FILES.search(url.split("?", 1)[0]):
            yield absolute_url(page.base, url) or ""


def asks_in_meta(tree: Element, what: str) -> bool:
    """Whether `<meta name="robots">` asks for something: `nofollow`, `noindex`."""
    return any(
        (meta.get("name") or "").lower() == "robots" and what in (meta.get("content") or "").lower()
        for meta in tree.iter("meta")
    )
