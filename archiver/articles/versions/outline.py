"""What stands on a page: its blocks of text, links, images and titles, with the elements around them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.articles.versions.addresses import image_identity, link_identity
from archiver.articles.versions.reading import (
    ComparedBlock,
    ComparedLink,
    ComparedNode,
    ComparedOutline,
    Headline,
    PageImage,
    key_of,
)
from archiver.articles.versions.words import words_of
from archiver.documents.pages.blocks import STEPS, step_of
from archiver.documents.pages.dom import UNSEEN, absolute_url
from archiver.documents.pages.images import (
    IMAGES,
    LATE_SOURCES,
    candidates,
    counts_visitors,
    sizes_of,
    source_sets,
)
from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import one_line, text_of
from archiver.lexicon.elements import BLOCKS, INLINE
from archiver.lexicon.zone_names import zones_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage

_UNREAD = UNSEEN | {"head", "option", "link", "meta"}
_BREAKS = BLOCKS | {"br"}
MOST_HEADINGS = 20
MOST_SOURCES = 30
LONGEST_TITLE = 500
# In pixels.
_SMALL = 120


def outline_of(page: ParsedPage) -> ComparedOutline:
    """All of a page. It is left as it is; what no reader sees is passed over."""
    body = page.tree.find(".//body")
    builder = _Builder(page.base_url)
    builder.walk(page.tree if body is None else body)
    said = statements_of(page.tree)
    headlines = _headlines(page.tree)
    stated = [*said.named("og:title", "twitter:title", "headline"), *said.texts("headline")]
    named = _headings(page.tree, "title")
    titles = [
        *(one.key for one in headlines),
        *_headings(page.tree, "h2", "h3"),
        *map(key_of, stated),
        *named,
    ]
    return ComparedOutline(
        nodes=tuple(builder.nodes),
        blocks=tuple(builder.blocks),
        links=tuple(builder.links),
        images=tuple(builder.images),
        titles=tuple(dict.fromkeys(filter(None, titles))),
        headlines=tuple(headlines),
        sites=tuple(_sites(page, said.named("og:site_name", "application-name"))),
    )


def _headings(tree: Element, *tags: str) -> list[str]:
    found = islice(tree.iter(*tags), MOST_HEADINGS)
    return [key for key in (key_of(one_line(text_of(one))[:LONGEST_TITLE]) for one in found) if key]


def _headlines(tree: Element) -> list[Headline]:
    found = []
    for heading in islice(tree.iter("h1"), MOST_HEADINGS):
        key = key_of(one_line(text_of(heading))[:LONGEST_TITLE])
        around = [heading, *islice(heading.iterancestors(), STEPS - 1)]
        if key:
            found.append(Headline(key=key, path="/".join(step_of(one) for one in reversed(around))))
    return found


def _sites(page: ParsedPage, names: list[str]) -> Iterator[str]:
    host = (urlsplit(page.url).hostname or "").removeprefix("www.")
    yield from (key_of(name) for name in names)
    yield host
    yield from (label for label in host.split(".")[:-1] if len(label) > 2)


class _Builder:
    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self.nodes: list[ComparedNode] = []
        self.blocks: list[ComparedBlock] = []
        self.links: list[ComparedLink] = []
        self.images: list[PageImage] = []
        # Of the block that has begun: its texts, whether in a link, whether a time.
        self._pieces: list[tuple[str, bool, bool]] = []
        self._href: list[str] = []
        self._times = 0
        self._jumps = False
        # Links of which the words are not yet known: from which piece on, and where they are.
        self._begun: list[tuple[str, list[str]]] = []

    def walk(self, root: Element) -> None:
        """Depth first, and without recursion: pages are as deep as they like."""
        stack = [(root, iter(root), self._open(root, -1))]
        while stack:
            element, children, node = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._close(element, node)
                if stack:
                    self._add(element.tail)
                continue
            tag = child.tag
            if isinstance(tag, str) and tag not in _UNREAD:
                if len(child):
                    stack.append((child, iter(child), self._open(child, node)))
                    continue
                self._close(child, self._open(child, node))
            self._add(child.tail)

    def _open(self, element: Element, around: int) -> int:
        """Begin an element; the place of its node, or of that around it."""
        tag = element.tag
        node = around
        if tag in _BREAKS:
            self._end_block(around)
        if tag not in INLINE or node < 0:
            node = self._node(element, around)
        if tag == "a":
            self._begin_link(element)
        elif tag == "time":
            self._times += 1
        elif tag in IMAGES:
            self._image(element, node)
        self._add(element.text)
        return node

    def _close(self, element: Element, node: int) -> None:
        tag = element.tag
        if tag in _BREAKS:
            self._end_block(node)
        elif tag == "a":
            self._end_link(node)
        elif tag == "time":
            self._times -= 1

    def _node(self, element: Element, parent: int) -> int:
        get = element.get
        names = f"{get('class', '')} {get('id', '')}".strip()
        zones = zones_of(element.tag, names)
        self.nodes.append(ComparedNode(parent=parent, step=step_of(element), tag=element.tag, zones=zones))
        return len(self.nodes) - 1

    def _add(self, text: str | None) -> None:
        # White space only separates: where nothing has begun, there is nothing to separate.
        if text and (self._pieces or not text.isspace()):
            self._pieces.append((text, bool(self._begun), self._times > 0))
            for _, words in self._begun:
                words.append(text)

    def _end_block(self, node: int) -> None:
        pieces = self._pieces
        if not pieces:
            return
        self._pieces = []
        jumps, self._jumps = self._jumps, False
        text = one_line("".join([piece[0] for piece in pieces]))
        key = key_of(text)
        if not key:
            return
        total = sum(len(piece[0]) for piece in pieces)
        self.blocks.append(
            ComparedBlock(
                text=text,
                key=key,
                node=node,
                words=len(words_of(text)),
                linked=100 * sum(len(piece[0]) for piece in pieces if piece[1]) // total,
                timed=100 * sum(len(piece[0]) for piece in pieces if piece[2]) // total,
                jumps=jumps,
            )
        )

    def _begin_link(self, element: Element) -> None:
        href = element.get("href", "").strip()
        is_jump = href.startswith("#")
        self._jumps |= is_jump
        url = absolute_url(self._base_url, href) if href and not is_jump else None
        self._begun.append((link_identity(url) if url else "", []))

    def _end_link(self, node: int) -> None:
        identity, words = self._begun.pop()
        if identity:
            link = ComparedLink(
                identity=identity, words=key_of("".join(words)), node=node, block=len(self.blocks)
            )
            self.links.append(link)

    def _image(self, element: Element, node: int) -> None:
        if counts_visitors(element):
            return
        addresses = (
            absolute_url(self._base_url, source) for source in islice(_sources(element), MOST_SOURCES)
        )
        identities = tuple(dict.fromkeys(filter(None, (image_identity(one) for one in addresses if one))))
        if identities:
            leads = next((href for href, _ in reversed(self._begun) if href), "")
            self.images.append(
                PageImage(
                    identities=identities,
                    node=node,
                    block=len(self.blocks),
                    leads=leads,
                    is_small=_is_small(sizes_of(element)),
                )
            )


def _is_small(sizes: set[str]) -> bool:
    numbers = [int(size) for size in sizes if size.isdecimal() and len(size) < 6]
    return bool(numbers) and max(numbers) <= _SMALL


def _sources(img: Element) -> Iterator[str]:
    """Every address that an image may be loaded from."""
    yield from filter(None, (img.get(name) for name in ("src", *LATE_SOURCES)))
    for source_set in source_sets(img):
        yield from (address for address, _ in candidates(source_set))
