"""What other pages call a page: the words of links that lead there, on pages and lists that are at hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from archiver.articles.methods.visual.anchors import MOST_ANCHORS
from archiver.documents.pages.dom import base_url
from archiver.documents.pages.links import links_of
from archiver.documents.pages.text import one_line
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.links import PageLink

# Words that lead to more than this share of the pages say nothing of any of them, such as "read more".
_EVERYWHERE, _LEAST_EVERYWHERE = 0.05, 2
_MOST_LINKS = 2000  # of one document
_LONGEST = 300


def anchor_texts(
    documents: Iterable[tuple[str, Element]],
    wanted: AbstractSet[str],
    key: Callable[[str], str] = same_page_key,
) -> dict[str, list[str]]:
    """For each wanted page what links on other documents say, the most frequent first."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    leads_to: dict[str, set[str]] = defaultdict(set)
    known = lru_cache(maxsize=10_000)(key)  # menus lead to the same addresses on every page
    for url, tree in documents:
        own = known(url)
        for link in islice(links_of(tree, base_url(tree, url)), _MOST_LINKS):
            there = known(link.url)
            if there in wanted and there != own and (text := _words(link)):
                found[there][text] += 1
                leads_to[text].add(there)
    most = max(_LEAST_EVERYWHERE, int(_EVERYWHERE * len(wanted)))
    return {
        page: [text for text, _ in texts.most_common() if len(leads_to[text]) <= most][:MOST_ANCHORS]
        for page, texts in found.items()
    }


def _words(link: PageLink) -> str:
    """Of a link with an image alone: the words that stand for it."""
    images = (one_line(image.get("alt", "")) for image in link.element.iter("img"))
    return (link.text or next(filter(None, images), "") or one_line(link.label))[:_LONGEST]


def with_inlinks(
    pages: Sequence[ParsedPage], lists: Iterable[tuple[str, Element]] = ()
) -> Sequence[ParsedPage]:
    """The pages, each with what the others and the lists call it, besides what is known already."""
    wanted = {same_page_key(page.url) for page in pages}
    documents = [*((page.url, page.tree) for page in pages), *lists]
    if len(documents) < 2:  # a page says nothing of itself
        return pages
    found = anchor_texts(documents, wanted)
    return [_with(page, found.get(same_page_key(page.url), ())) for page in pages]


def _with(page: ParsedPage, texts: Sequence[str]) -> ParsedPage:
    if not texts:
        return page
    said = page.announcement
    known = tuple(dict.fromkeys((*said.anchors, *texts)))[:MOST_ANCHORS]
    return replace(page, announcement=replace(said, anchors=known))
