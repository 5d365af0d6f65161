"""Reading a page for a campaign: its parts, what they say of the subject, and its links. In workers."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.campaigns.definition import Definition  # noqa: TC001 - read at run time
from archiver.acquisition.campaigns.links import link_weight
from archiver.acquisition.campaigns.matching import MatchedText, Matcher
from archiver.acquisition.campaigns.model import CandidateRead, FoundLink, NamedFeed, found_link
from archiver.acquisition.campaigns.relevance import relevance
from archiver.acquisition.campaigns.words import PageWords, word_ids
from archiver.articles.versions.fingerprints import LEAST_WORDS, sketch
from archiver.digests import name_digest
from archiver.documents.apis.named import named_api
from archiver.documents.feeds.dates import written_day
from archiver.documents.feeds.discover import discover_feeds
from archiver.documents.feeds.discovered import is_of_comments
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import absolute_url, base_url, parse_html
from archiver.documents.pages.languages import language_for
from archiver.documents.pages.links import links_of
from archiver.documents.pages.not_html import why_not_html
from archiver.errors import ExtractionError
from archiver.lexicon.elements import HEADINGS
from archiver.urls import is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from lxml.etree import _Element as Element

    from archiver.acquisition.campaigns.signals import Signals
    from archiver.acquisition.campaigns.software import KnownSoftware
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.reading import VisitedDocument
    from archiver.documents.apis.model import Post
    from archiver.documents.pages.blocks import Block

# A block that is mostly links says what other pages are about.
_LINKED = 0.5
# Parts of a page that are scored one by one.
_MOST_PARTS = 200
_DAYS = ("article:published_time", "datePublished", "date", "dc.date", "dcterms.date", "og:published_time")


def read_candidate(
    document: VisitedDocument,
    topic: CandidateTopic,
    most_links: int,
    knowledge: KnowledgeBase | None = None,
) -> CandidateRead:
    """What a document says; nothing where it is not a page."""
    content, content_type, url = document.content, document.content_type, document.url
    if not content.strip() or why_not_html(content, content_type):
        return CandidateRead()
    try:
        tree = parse_html(content, content_type, url)
    except ExtractionError as error:
        return CandidateRead(problem=str(error))
    base, title = base_url(tree, url), " ".join((tree.findtext(".//title") or "").split())
    # Links know where they stand only on the whole page.
    blocks = list(outline_of(tree).blocks)
    own = [block for block in blocks if block.linked <= _LINKED * len(block.words)]
    text = "\n".join(block.text for block in own)
    language = language_for(text[:4000], tree.get("lang"))
    parts = _parts(title, own, language)
    day = _day(tree)
    software = None
    if knowledge is not None:
        # The crawl knows this module for its topic, and reads no pages.
        from archiver.acquisition.campaigns.software import software_of  # noqa: PLC0415

        software = software_of(document, tree, base, knowledge)
    matched = MatchedText(**parts, language=language, day=day)
    signals = _best_part(matched, software, matcher_of(topic, language))
    words = [*parts["title"], *parts["headings"], *parts["text"]]
    links = tuple(_links(tree, base, url, language, most_links, software))
    return CandidateRead(
        title=title[:300],
        language=language,
        day=day,
        signals=signals,
        words=PageWords.of(words, sketch(text)),
        digest=_digest(parts["text"], links),
        links=links,
        feeds=tuple(_feeds(content, url, content_type)),
        canonical=_canonical(tree, base, url),
        software=software.type.type if software else "",
        api=named_api(tree, url) if topic.definition.through_apis else None,
        is_page=True,
    )


def read_post(post: Post, topic: CandidateTopic) -> CandidateRead:
    """What a post says that an API gave in the place of its page."""
    language = language_for(post.text[:4000], post.language)
    title, text = word_ids(post.title or "", language), word_ids(post.text, language)
    day = post.published.date() if post.published else None
    matched = MatchedText(title=title, headings=(), text=text, language=language, day=day)
    return CandidateRead(
        title=(post.title or post.text[:80])[:300],
        language=language,
        day=day,
        signals=matcher_of(topic, language).signals(matched),
        words=PageWords.of([*title, *text], sketch(post.text)),
        digest=_digest(text, ()) if text else name_digest(post.id)[:24],
        is_page=True,
    )


class CandidateTopic(msgspec.Struct, frozen=True, kw_only=True):
    """What workers need to know of a campaign."""

    definition: Definition
    narrower: tuple[str, ...] = ()
    digest: str = ""

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CandidateTopic) and self.digest == other.digest


@lru_cache(maxsize=64)
def matcher_of(topic: CandidateTopic, language: str | None) -> Matcher:
    return Matcher(topic.definition, topic.narrower, language)


def _parts(title: str, blocks: Sequence[Block], language: str | None) -> dict[str, list[int]]:
    headings = " . ".join(block.text for block in blocks if block.node.tag in HEADINGS)
    text = " . ".join(block.text for block in blocks if block.node.tag not in HEADINGS)
    said = {"title": title, "headings": headings, "text": text}
    return {name: word_ids(part, language) for name, part in said.items()}


def _best_part(whole: MatchedText, software: KnownSoftware | None, matcher: Matcher) -> Signals:
    """What a page says, or what is written on it by one person, whichever says more of the subject."""
    best = matcher.signals(whole)
    for part in software.parts[:_MOST_PARTS] if software else ():
        text = word_ids(part, whole.language)
        found = matcher.signals(replace(whole, headings=(), text=text))
        best = max(best, found, key=relevance)
    return best


def _digest(text: Sequence[int], links: Sequence[FoundLink]) -> str:
    """Equal where two pages say the same. A list that says little itself is told by where it leads."""
    told = [str(word) for word in text]
    if len(text) < LEAST_WORDS:
        told += [link.url for link in links]
    return name_digest(" ".join(told))[:24]


def _links(
    tree: Element, base: str, url: str, language: str | None, most: int, software: KnownSoftware | None
) -> Iterator[FoundLink]:
    """In the order of reading, as many as are taken of a page; those to itself are left out.

    Where the software of the site is known, so are addresses that are never worth a request.
    """
    own, seen = same_page_key(url), 0
    for link in links_of(tree, base):
        address = link.url.split("#", 1)[0]
        if not is_web(address):
            continue
        worth: float | None = 0.0
        if software is not None:
            worth, address = software.worth(address), software.plain(address)
        if worth is None or same_page_key(address) == own:
            continue
        seen += 1
        if seen > most:
            return
        weight = link_weight(link.place, is_followed="nofollow" not in link.rel)
        context = f"{link.before} . {link.after}"
        words = link.text or link.label
        yield found_link(address, words, context, language, weight=weight, worth=worth)


def _feeds(content: bytes, url: str, content_type: str | None) -> Iterator[NamedFeed]:
    for feed in discover_feeds(content, url=url, content_type=content_type):
        if not is_of_comments(feed):
            yield NamedFeed(url=feed.url, title=feed.title or "")


def _canonical(tree: Element, base: str, url: str) -> str:
    for link in tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            found = absolute_url(base, link.get("href") or "")
            return found if found and is_web(found) and same_page_key(found) != same_page_key(url) else ""
    return ""


def _day(tree: Element) -> date | None:
    """The day that a page states for machines."""
    for meta in tree.iter("meta"):
        name = meta.get("property") or meta.get("itemprop") or meta.get("name") or ""
        if name in _DAYS and (day := written_day(meta.get("content") or "")):
            return day
    for stamp in tree.iter("time"):
        if day := written_day(stamp.get("datetime") or ""):
            return day
    return None
