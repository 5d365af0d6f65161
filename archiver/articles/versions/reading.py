"""A capture of an article as it is compared: the article, and what stands anywhere on its page."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.articles.versions.addresses import image_identity, link_identity
from archiver.articles.versions.words import words_of
from archiver.digests import folded
from archiver.documents.pages.blocks import BREAK, LINKED, STEPS, TIMED, outline_of, step_of
from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.images import LATE_SOURCES, candidates, counts_visitors, sizes_of, source_sets
from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import one_line, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import Article, ParsedPage
    from archiver.documents.pages.blocks import Block, Node, Outline, Picture, Piece, Position

# Programs that lay out markup set white space beside punctuation, or take it away.
_LOOSE = re.compile(r"\s*([^\w\s])\s*")
_LONGEST_KEY = 200_000
MOST_HEADINGS = 20
MOST_SOURCES = 30
LONGEST_TITLE = 500
# In pixels.
_SMALL = 120


def key_of(text: str) -> str:
    """Equal for texts that read the same."""
    return _LOOSE.sub(r"\1", folded(text[:_LONGEST_KEY]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBlock:
    """A block of a page, or one of the lines into which breaks part it: as an article's text has them."""

    text: str
    key: str
    node: Node | None  # None where it is on no page, as the words of a feed are
    words: int
    linked: int = 0  # how many of the characters stand in links, of a hundred
    timed: int = 0  # in `time` elements
    jumps: bool = False  # to another place of the page

    @property
    def path(self) -> str:
        """The type of its element."""
        return self.node.type if self.node else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLink:
    identity: str
    words: str
    block: int  # which one it stands in, or before


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImage:
    identities: tuple[str, ...]
    node: Node
    block: int
    leads: str  # to where, if it stands in a link
    is_small: bool = False  # as portraits and icons are


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A heading of the first level, and the types of the elements around it."""

    key: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPage:
    """What stands anywhere on a page."""

    nodes: Sequence[Node]
    blocks: tuple[ComparedBlock, ...]
    links: tuple[ComparedLink, ...]
    images: tuple[PageImage, ...]
    # Keys of what may be the title, and of the site's names.
    titles: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    headlines: tuple[Headline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One capture: what was found on it, and all that is on it."""

    article: Article
    page: ComparedPage


def compared_page(page: ParsedPage) -> ComparedPage:
    """All of a page, which is left as it is."""
    outline = outline_of(page.tree)
    lines = _Lines(outline)
    said = statements_of(page.tree)
    headlines = _headlines(page.tree)
    stated = [*said.named("og:title", "twitter:title", "headline"), *said.texts("headline")]
    titles = [
        *(one.key for one in headlines),
        *_headings(page.tree, "h2", "h3"),
        *map(key_of, stated),
        *_headings(page.tree, "title"),
    ]
    return ComparedPage(
        nodes=outline.nodes,
        blocks=tuple(lines.blocks),
        links=tuple(_links(outline, lines, page.base_url)),
        images=tuple(_images(outline, lines, page.base_url)),
        titles=tuple(dict.fromkeys(filter(None, titles))),
        headlines=tuple(headlines),
        sites=tuple(_sites(page, said.named("og:site_name", "application-name"))),
    )


class _Lines:
    """The lines of a page, and which of them a place is in or before."""

    def __init__(self, outline: Outline) -> None:
        self.blocks: list[ComparedBlock] = []
        self._starts: list[int] = []  # how many lines there are before each run
        self._ends: list[list[int]] = []  # of each run, the breaks at which a line of it ends
        self._pieces: list[Piece] = []
        self._node = outline.nodes[0]
        for run in outline.runs:
            self._add(run)
        self._end_line()
        for anchor in outline.anchors:
            if anchor.element.get("href", "").lstrip().startswith("#"):
                self._mark_jump(self.number(anchor.begin))

    def _add(self, run: Block) -> None:
        if not run.runs_on:
            self._end_line()
        self._starts.append(len(self.blocks))
        self._node = _around(self._node, run.node) if self._pieces else run.node
        ends = []
        for place, piece in enumerate(run.read):
            if piece[1] & BREAK:
                ends += [place] if self._end_line() else []
                self._node = run.node
            elif self._pieces or not piece[0].isspace():
                self._pieces.append(piece)
        self._ends.append(ends)

    def _end_line(self) -> bool:
        line = _line(self._pieces, self._node) if self._pieces else None
        self._pieces = []
        self.blocks += [line] if line else []
        return line is not None

    def _mark_jump(self, number: int) -> None:
        if number < len(self.blocks):
            self.blocks[number] = replace(self.blocks[number], jumps=True)

    def number(self, place: Position) -> int:
        run, piece = place
        if run == len(self._starts):
            return len(self.blocks)
        return self._starts[run] + bisect_left(self._ends[run], piece)


def _around(one: Node, other: Node) -> Node:
    """The innermost element around both."""
    above = set(other.upwards())
    return next((node for node in one.upwards() if node in above), one)


def _line(pieces: Sequence[Piece], node: Node) -> ComparedBlock | None:
    text = one_line("".join([piece[0] for piece in pieces]))
    if not (key := key_of(text)):
        return None
    total = sum(len(piece[0]) for piece in pieces)
    shares = [100 * sum(len(one[0]) for one in pieces if one[1] & mark) // total for mark in (LINKED, TIMED)]
    return ComparedBlock(
        text=text, key=key, node=node, words=len(words_of(text)), linked=shares[0], timed=shares[1]
    )


def _links(outline: Outline, lines: _Lines, base_url: str) -> Iterator[ComparedLink]:
    for anchor in outline.anchors:
        if identity := _identity(anchor.element, base_url):
            words = key_of(outline.text_between(anchor.begin, anchor.end))
            yield ComparedLink(identity=identity, words=words, block=lines.number(anchor.end))


def _identity(link: Element, base_url: str) -> str:
    """Where a link leads; empty for one that leads to another place of the page, or nowhere."""
    href = link.get("href", "").strip()
    url = absolute_url(base_url, href) if href and not href.startswith("#") else None
    return link_identity(url) if url else ""


def _images(outline: Outline, lines: _Lines, base_url: str) -> Iterator[PageImage]:
    for picture in outline.pictures:
        identities = _identities(picture, base_url)
        if identities:
            around = (_identity(link, base_url) for link in picture.element.iterancestors("a"))
            yield PageImage(
                identities=identities,
                node=picture.node,
                block=lines.number(picture.place),
                leads=next(filter(None, around), ""),
                is_small=_is_small(sizes_of(picture.element)),
            )


def _identities(picture: Picture, base_url: str) -> tuple[str, ...]:
    if counts_visitors(picture.element):
        return ()
    sources = islice(_sources(picture.element), MOST_SOURCES)
    addresses = (absolute_url(base_url, source) for source in sources)
    return tuple(dict.fromkeys(filter(None, (image_identity(one) for one in addresses if one))))


def _is_small(sizes: set[str]) -> bool:
    numbers = [int(size) for size in sizes if size.isdecimal() and len(size) < 6]
    return bool(numbers) and max(numbers) <= _SMALL


def _sources(img: Element) -> Iterator[str]:
    """Every address that an image may be loaded from."""
    yield from filter(None, (img.get(name) for name in ("src", *LATE_SOURCES)))
    for source_set in source_sets(img):
        yield from (address for address, _ in candidates(source_set))


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
