"""From the chosen node of a page to the article: its text, its markup made plain, its links and images."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING

from lxml import etree

from archiver.extract.dom import absolute_url, is_comments_zone, writable
from archiver.extract.metadata import metadata_of
from archiver.extract.model import Article, Image, Link, NoArticle
from archiver.extract.text import one_line, text_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.extract.model import ParsedPage, Selection

# What markup keeps: structure and emphasis. Every other element gives way to what is in it.
KEPT = frozenset({
    "a", "abbr", "article", "aside", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "dfn",
    "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "i", "img", "ins", "kbd", "li", "main", "mark", "ol", "p", "pre", "q", "s", "samp", "section",
    "small", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u",
    "ul", "var",
})  # fmt: skip
ATTRIBUTES = {
    "abbr": ("title",),
    "ol": ("start",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
    "time": ("datetime",),
}
EVERYWHERE = ("dir", "lang")

# Pages that load images late keep the address in one of these, and a placeholder in `src`.
LATE_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-original-src")
SOURCE_SETS = ("data-srcset", "data-lazy-srcset", "srcset")

_SPACE = re.compile(r"\s+")

# A zone whose text is all links leads to articles; it is none.
MOST_LINKED = 0.8


def article_from(page: ParsedPage, selection: Selection) -> Article | NoArticle:
    """The article in the chosen node, with what the page says of itself."""
    node = without_comments(selection.node)
    text = text_of(node)
    if not text:
        return NoArticle(outcome="empty", reason="the chosen zone has no text")
    if _linked_share(node, text) > MOST_LINKED:
        return NoArticle(outcome="not_article", reason="the chosen zone is a list of links")
    metadata = metadata_of(page)
    return Article(
        method=selection.method,
        confidence=selection.confidence,
        text=text,
        html=plain_html(node, page.base_url),
        title=metadata.title,
        authors=metadata.authors,
        language=metadata.language,
        canonical_url=metadata.canonical_url,
        published=metadata.published,
        modified=metadata.modified,
        links=links_in(node, page.base_url),
        images=images_in(node, page.base_url),
    )


def without_comments(node: Element) -> Element:
    """A copy of the subtree without the zones of comments in it."""
    pruned = copy.deepcopy(node)
    pruned.tail = None
    for zone in [element for element, event in walk(pruned, is_comments_zone) if event == "skip"]:
        zone.tag = "comments-zone"
    etree.strip_elements(pruned, "comments-zone", with_tail=False)
    return pruned


def _linked_share(node: Element, text: str) -> float:
    return sum(len(text_of(link)) for link in node.iter("a")) / len(text)


def links_in(node: Element, base_url: str) -> tuple[Link, ...]:
    """Where the article leads, each address once, with the first words that lead there."""
    links: dict[str, str] = {}
    for anchor in node.iter("a"):
        href = anchor.get("href", "").strip()
        url = absolute_url(base_url, href) if href and not href.startswith("#") else None
        if url and not links.get(url):
            links[url] = one_line(text_of(anchor))
    return tuple(Link(url=url, text=text) for url, text in links.items())


def images_in(node: Element, base_url: str) -> tuple[Image, ...]:
    """The images of the article, each address once."""
    images: dict[str, Image] = {}
    for img in node.iter("img"):
        url = image_url(img, base_url)
        if url and url not in images:
            images[url] = Image(url=url, alt=one_line(img.get("alt", "")) or None, caption=_caption(img))
    return tuple(images.values())


def image_url(img: Element, base_url: str) -> str | None:
    """The best address of an image that is really one: the widest of a set, else the late one, else `src`."""
    absolute = (absolute_url(base_url, source) for source in _sources(img))
    return next(filter(None, absolute), None)


def _sources(img: Element) -> Iterator[str]:
    picture = next(img.iterancestors("picture"), None)
    others = () if picture is None else picture.iter("source")
    sets = [holder.get(name, "") for holder in (img, *others) for name in SOURCE_SETS]
    candidates = [candidate for source_set in sets for candidate in _candidates(source_set)]
    yield from (address for _, address in sorted(candidates, key=lambda one: -one[0]))
    yield from (img.get(name, "") for name in (*LATE_SOURCES, "src") if img.get(name))


def _candidates(source_set: str) -> Iterator[tuple[float, str]]:
    """The addresses of a source set such as `small.jpg 320w, large.jpg 2x`, each with its size."""
    address = ""
    for token in source_set.split():
        if address:
            size, _, address_after = token.partition(",")
            yield _size(size), address
            address = address_after
        elif token.endswith(","):
            yield 1.0, token.strip(",")
        else:
            address = token.lstrip(",")
    if address:
        yield 1.0, address


def _size(text: str) -> float:
    try:
        return float(text.rstrip("wxh"))
    except ValueError:
        return 1.0


def _caption(img: Element) -> str | None:
    figure = next(img.iterancestors("figure"), None)
    caption = figure.find(".//figcaption") if figure is not None else None
    return one_line(text_of(caption)) or None if caption is not None else None


def plain_html(node: Element, base_url: str) -> str:
    """The subtree as well-formed markup of few elements, with absolute addresses and nothing empty."""
    builder = _Builder(base_url)
    builder.write(node.text)
    for element, event in walk(node):
        if element is node:
            continue
        if event == "open":
            builder.open(element.tag, builder.attributes(element))
            builder.write(element.text)
        else:
            builder.close(element.tag)
            builder.write(element.tail)
    return builder.html()


class _Builder:
    """Builds markup in which an element begins only when there is something in it."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._tree = etree.TreeBuilder()
        self._tree.start("div", {})
        self._waiting: list[tuple[str, dict[str | bytes, str | bytes]]] = []
        self._pre = 0

    def attributes(self, element: Element) -> dict[str | bytes, str | bytes]:
        if element.tag == "a":
            href = absolute_url(self._base_url, element.get("href", "")) if element.get("href") else None
            return {"href": href} if href else {}
        if element.tag == "img":
            src = image_url(element, self._base_url)
            return {"src": src, "alt": writable(element.get("alt", ""))} if src else {}
        names = (*ATTRIBUTES.get(element.tag, ()), *EVERYWHERE)
        return {name: writable(element.get(name, "")) for name in names if element.get(name)}

    def open(self, tag: str, attributes: dict[str | bytes, str | bytes]) -> None:
        if tag in KEPT:
            self._waiting.append((tag, attributes))
            self._pre += tag == "pre"

    def write(self, text: str | None) -> None:
        if not text:
            return
        text = writable(text)
        if text.strip():
            self._begin()
        self._tree.data(text if self._pre else _SPACE.sub(" ", text))

    def close(self, tag: str) -> None:
        if tag not in KEPT:
            return
        self._pre -= tag == "pre"
        # An empty cell keeps its column; an image without an address shows nothing.
        if self._waiting and (tag in ("br", "hr", "td", "th") or "src" in self._waiting[-1][1]):
            self._begin()
        if self._waiting:
            self._waiting.pop()
        else:
            self._tree.end(tag)

    def html(self) -> str:
        self._tree.end("div")
        return etree.tostring(self._tree.close(), encoding="unicode")

    def _begin(self) -> None:
        for tag, attributes in self._waiting:
            self._tree.start(tag, attributes)
        self._waiting.clear()
