"""How much of what an application holds is on the pages of a crawl, and what that cost in requests."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .documents import blocks_of, external_links, parse
from .truth import page_key, plain, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml import etree

    from .applications import Application
    from .exchanges import Exchange
    from .truth import Gram, Item, Truth

# A host that so many of the pages with items name outside of items and comments is part of the frame.
FRAME_SHARE = 0.5
# When a crawl has nearly everything: what its requests are compared at.
NEARLY_ALL = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one crawl got; shares are from 0 to 1."""

    requests: int
    robots: int
    items: float
    text: float
    text_across: float
    comments: float
    requests_nearly_all: int | None
    """How many requests it took to have 99 % of the text; None where it never had."""
    links: frozenset[str]
    """External links of all of its pages."""
    reached: frozenset[str] = frozenset()
    """The keys of the items whose pages it has."""


@dataclass(slots=True)
class _Counts:
    requests: int = 0
    robots: int = 0
    nearly_all: int | None = None
    items: set[str] = field(default_factory=set)
    blocks: set[Gram] = field(default_factory=set)
    across: set[Gram] = field(default_factory=set)
    comments: set[tuple[str, str]] = field(default_factory=set)
    links: set[str] = field(default_factory=set)


class Measure:
    """The truth, made ready to hold crawls against."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self.items = {page_key(item.url): item for item in truth.items}
        self._blocks = truth.grams_in_blocks()
        self._across = truth.grams_across()
        self._comments = {(item.url, plain(comment.text)) for item, comment in truth.comments}
        self._comments_by_start: dict[Gram, list[tuple[str, str]]] = {}
        for url, said in self._comments:
            self._comments_by_start.setdefault(_start(said.split()), []).append((url, said))

    def reach(self, exchanges: Iterable[Exchange]) -> Reach:
        counts = _Counts()
        for exchange in exchanges:
            if exchange.is_robots:
                counts.robots += 1
                continue
            counts.requests += 1
            if exchange.is_page:
                self._add(counts, exchange)
                if counts.nearly_all is None and len(counts.blocks) >= NEARLY_ALL * len(self._blocks):
                    counts.nearly_all = counts.requests
        return Reach(
            requests=counts.requests,
            robots=counts.robots,
            items=_share(len(counts.items), len(self.items)),
            text=_share(len(counts.blocks), len(self._blocks)),
            text_across=_share(len(counts.across), len(self._across)),
            comments=_share(len(counts.comments), len(self._comments)),
            requests_nearly_all=counts.nearly_all,
            links=frozenset(counts.links),
            reached=frozenset(counts.items),
        )

    def _add(self, counts: _Counts, exchange: Exchange) -> None:
        key = page_key(exchange.url)
        if key in self.items:
            counts.items.add(key)
        root = parse(exchange.body, exchange.content_type)
        if root is None:
            return
        in_order: list[str] = []
        for _, text in blocks_of(root):
            words = words_of(text)
            in_order += words
            counts.blocks.update(self._blocks.intersection(pairwise(words)))
        counts.across.update(self._across.intersection(pairwise(in_order)))
        counts.comments.update(self._said(in_order))
        counts.links.update(link.url for link in external_links(root, exchange.url, None))

    def comments_on(self, root: etree._Element) -> set[tuple[str, str]]:
        """Comments whose words stand on a page, each as the address of its item and its words."""
        return self._said([word for _, text in blocks_of(root) for word in words_of(text)])

    def _said(self, words: list[str]) -> set[tuple[str, str]]:
        page = f" {' '.join(words)} "
        starts = {*pairwise(words), *((word, "") for word in words)}
        return {
            (url, said)
            for start in starts & self._comments_by_start.keys()
            for url, said in self._comments_by_start[start]
            if f" {said} " in page
        }


def truth_links(measure: Measure, exchanges: Iterable[Exchange]) -> frozenset[str]:
    """External links of the pages that show items or comments, without those of the frame around them."""
    links: set[str] = set()
    kept: set[str] = set()
    outside: Counter[str] = Counter()
    pages = 0
    for exchange, root, item in _pages_of_items(measure, exchanges):
        pages += 1
        found = list(external_links(root, exchange.url, item))
        links.update(link.url for link in found)
        kept.update(link.url for link in found if link.inside)
        outside.update({urlsplit(link.url).netloc for link in found if not link.inside})
    frame = {host for host, count in outside.items() if count >= FRAME_SHARE * pages}
    return frozenset(kept | {link for link in links if urlsplit(link).netloc not in frame})


def ideal_requests(measure: Measure, app: Application, exchanges: Iterable[Exchange]) -> int:
    """What a crawler that knows an application asks for: items, their further pages, lists that lead there.

    Counted are those pages of all crawls of an application: a blind one has every list.
    """
    keys = {page_key(exchange.url) for exchange in exchanges if exchange.is_page}
    kinds = [re.compile(kind) for kind in (app.lists, app.more) if kind]
    others = {key for key in keys - measure.items.keys() if any(kind.search(key) for kind in kinds)}
    return len(measure.items) + len(others)


def share_of_links(wanted: frozenset[str], found: frozenset[str]) -> float:
    return _share(len(wanted & found), len(wanted))


def _pages_of_items(
    measure: Measure, exchanges: Iterable[Exchange]
) -> Iterator[tuple[Exchange, etree._Element, Item]]:
    """Give each page of an item once, and each page that shows a comment no page before it showed."""
    keys: set[str] = set()
    shown: set[tuple[str, str]] = set()
    by_url = {item.url: item for item in measure.truth.items}
    for exchange in exchanges:
        root = parse(exchange.body, exchange.content_type) if exchange.is_page else None
        if root is None:
            continue
        key = page_key(exchange.url)
        comments = measure.comments_on(root)
        if key in measure.items and key not in keys:
            yield exchange, root, measure.items[key]
        elif comments - shown:
            (url, _), *_ = Counter(url for url, _ in comments).most_common(1)
            yield exchange, root, by_url[url]
        keys.add(key)
        shown |= comments


def _start(words: list[str]) -> Gram:
    return (words[0], words[1]) if len(words) > 1 else (words[0] if words else "", "")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
