"""The links of a page in one pass: where each leads, what it says, what stands around it and where it stands.

An address is resolved at once; everything else only when it is asked for, since a page has thousands of
links. What needs the blocks of the page makes its outline once for all of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, takewhile
from typing import TYPE_CHECKING, Literal

from archiver.documents.pages.blocks import outline_of, step_of
from archiver.documents.pages.dom import absolute_url, base_url, parse_html
from archiver.documents.pages.not_html import why_not_html
from archiver.documents.pages.text import one_line
from archiver.errors import ExtractionError
from archiver.lexicon import zone_names
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Anchor, Block, Node, Outline, Position
    from archiver.documents.pages.model import RawPage

# `article`: in running text. `list`: one of several that announce other pages.
# `navigation`: through the site. `boilerplate`: what stands around, such as share buttons and footers.
Place = Literal["article", "list", "navigation", "boilerplate"]

ANCHORS = ("a", "area")
MOST_OUTLINKS = 10_000
# Of a link's text; some hold all of a page.
LONGEST_TEXT = 4000
# Words of the same block on either side of a link, and pieces of text in which they are looked for.
MOST_AROUND = 10
_MOST_PIECES = 40
# An element with more than so much of the words of a page says nothing of its parts by what it is called.
_MOST_HELD = 0.5
# In a block with so many words that are not linked, a link is one in running text.
_LEAST_PLAIN = 5
# A headline has more words than an item of a menu.
_LEAST_HEADLINE = 4
# So many elements of one kind in a row are a list.
_LEAST_ITEMS = 3
_NAVIGATION = zone_names.BIT["navigation"]
_LISTS = zone_names.BIT["related"] | zone_names.BIT["side"]
_BOILERPLATE = sum(zone_names.BIT[name] for name in ("promotion", "comments", "share", "author", "footer"))


@dataclass(slots=True, eq=False)
class PageLink:
    """A link of a page, and what can be known of it."""

    element: Element
    url: str
    _page: _Page
    _text: str | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if self._text is None:
            self._text = text_within(self.element)
        return self._text

    @property
    def label(self) -> str:
        """What it is called for readers who do not see it."""
        return self.element.get("aria-label") or self.element.get("title") or ""

    @property
    def rel(self) -> tuple[str, ...]:
        return tuple((self.element.get("rel") or "").lower().split())

    @property
    def path(self) -> str:
        """The way to it from the outermost element, each with the first of its names."""
        return self._page.path_to(self.element)

    @property
    def before(self) -> str:
        """The last words before it in its block."""
        return self._page.around(self.element)[0]

    @property
    def after(self) -> str:
        """The first words behind it in its block."""
        return self._page.around(self.element)[1]

    @property
    def place(self) -> Place:
        return self._page.place_of(self.element)


def links_of(tree: Element, base: str, among: Iterable[Element] | None = None) -> Iterator[PageLink]:
    """The links of a page that lead to the Web, in its order; or those of some of its elements."""
    page = _Page(tree)
    for element in tree.iter(*ANCHORS) if among is None else among:
        href = element.get("href")
        url = absolute_url(base, href) if href is not None else None
        if url is not None:
            yield PageLink(element, url, page)


def outlinks_of(page: RawPage) -> list[str]:
    """Each address that a page links to once, in its order; empty for what is not a page."""
    if not page.body.strip() or why_not_html(page.body, page.content_type) is not None:
        return []
    try:
        tree = parse_html(page.body, page.content_type, page.url)
    except ExtractionError:
        return []
    return outlinks_in(tree, page.url)


def outlinks_in(tree: Element, url: str) -> list[str]:
    """The same of a page that is parsed already."""
    links = links_of(tree, base_url(tree, url))
    return list(dict.fromkeys(link.url for link in islice(links, MOST_OUTLINKS)))


def text_within(element: Element, longest: int = LONGEST_TEXT) -> str:
    """The text of an element on one line, as far as it is wanted."""
    found = ""
    for text in element.itertext():
        found += str(text)
        if len(found) > longest:
            break
    return one_line(found[:longest])


class _Page:
    """What is known of a page by its blocks."""

    def __init__(self, tree: Element) -> None:
        self._tree = tree
        self._paths: dict[Element, str] = {}
        self._known_names: dict[Node, Place | None] = {}
        self._known_tops: dict[Node, Node | None] = {}
        self._known_cards: dict[Node, bool] = {}

    @cached_property
    def _outline(self) -> Outline:
        return outline_of(self._tree)

    @cached_property
    def _anchors(self) -> dict[Element, Anchor]:
        return {anchor.element: anchor for anchor in self._outline.anchors}

    def path_to(self, element: Element) -> str:
        """Each element is named once, however many links are in it."""
        unknown = list(takewhile(lambda one: one not in self._paths, (element, *element.iterancestors())))
        for one in reversed(unknown):
            around = one.getparent()
            self._paths[one] = step_of(one) if around is None else f"{self._paths[around]}/{step_of(one)}"
        return self._paths[element]

    def around(self, element: Element) -> tuple[str, str]:
        anchor = self._anchors.get(element)
        return ("", "") if anchor is None else (self._before(anchor.begin), self._after(anchor.end))

    def _before(self, position: Position) -> str:
        run, piece = position
        text = self._outline.text_between((run, max(0, piece - _MOST_PIECES)), position)
        return " ".join(one_line(text).split()[-MOST_AROUND:])

    def _after(self, position: Position) -> str:
        run, piece = position
        # Where a link ends with its block, what comes next is another one.
        text = self._outline.text_between(position, (run, piece + _MOST_PIECES)) if piece else ""
        return " ".join(one_line(text).split()[:MOST_AROUND])

    def place_of(self, element: Element) -> Place:
        anchor = self._anchors.get(element)
        if anchor is None:  # in what no reader sees
            return "boilerplate"
        named = self._named(anchor.node)
        if named is None:
            return self._by_text(anchor)
        return "boilerplate" if named == "list" and not self._is_headline(anchor) else named

    def _by_text(self, anchor: Anchor) -> Place:
        """By the block that a link is in, where no name says it."""
        if self._is_card(anchor.node):
            return "list"
        block = self._block_of(anchor)
        if block is not None and block.plain >= max(_LEAST_PLAIN, block.linked):
            return "article"
        is_headline = self._is_headline(anchor)
        is_whole = block is None or block.plain == 0
        if self._is_among_text(anchor.node) and not (is_headline and is_whole):
            return "article"
        return "list" if is_headline else "navigation"

    def _block_of(self, anchor: Anchor) -> Block | None:
        """The block that a link begins in; None for one without words outside of any."""
        is_within = anchor.begin != anchor.end or anchor.begin[1] > 0
        return self._outline.runs[anchor.begin[0]] if is_within else None

    def _is_headline(self, anchor: Anchor) -> bool:
        """Whether a link says as much as the headline of another page does."""
        if anchor.node.tag in HEADINGS or anchor.begin[0] != anchor.end[0]:
            return True
        words = self._outline.text_between(anchor.begin, anchor.end).split()
        return len(words) >= _LEAST_HEADLINE

    @cached_property
    def _weights(self) -> list[int]:
        """Of the blocks before each; words in links count little."""
        return list(accumulate((10 * one.plain + one.linked for one in self._outline.blocks), initial=0))

    def _holds_most(self, node: Node) -> bool:
        weights = self._weights
        return weights[node.end] - weights[node.start] > _MOST_HELD * weights[-1]

    def _named(self, node: Node) -> Place | None:
        """What the elements around say, the innermost first."""
        unknown = list(takewhile(lambda one: one not in self._known_names, node.upwards()))
        for one in reversed(unknown):
            around = self._known_names[one.parent] if one.parent else None
            own = None if self._holds_most(one) else _name_of(one)
            self._known_names[one] = own or around
        return self._known_names[node]

    def _is_card(self, node: Node) -> bool:
        """Whether an element is in one of several alike that each announce another page."""
        top = self._top_of(node)
        if top is None:
            return False
        if top not in self._known_cards:
            is_row = self._alike[top.parent, top.type] >= _LEAST_ITEMS
            self._known_cards[top] = is_row and any(
                block.linked == len(block.words)
                and (block.node.tag in HEADINGS or block.linked >= _LEAST_HEADLINE)
                for block in self._outline.blocks[top.start : top.end]
            )
        return self._known_cards[top]

    def _top_of(self, node: Node) -> Node | None:
        """The outermost element around that does not hold most of the page."""
        unknown = list(takewhile(lambda one: one not in self._known_tops, node.upwards()))
        for one in reversed(unknown):
            around = self._known_tops[one.parent] if one.parent else None
            self._known_tops[one] = None if self._holds_most(one) else around or one
        return self._known_tops[node]

    @cached_property
    def _alike(self) -> Counter[tuple[Node | None, str]]:
        return Counter((node.parent, node.type) for node in self._outline.nodes if node.end > node.start)

    def _is_among_text(self, node: Node) -> bool:
        """Whether text stands before and behind an element, under the same one."""
        around, texts = node.parent, self._texts
        if around is None:
            return False
        return texts[around.start] < texts[node.start] and texts[node.end] < texts[around.end]

    @cached_property
    def _texts(self) -> list[int]:
        """How many blocks of running text there are before each."""
        return list(accumulate((one.plain >= _LEAST_PLAIN for one in self._outline.blocks), initial=0))


def _name_of(node: Node) -> Place | None:
    """What an element is called."""
    zones = node.zones | zone_names.ROLES.get(node.element.get("role") or "", 0)
    if zones & _NAVIGATION or (node.tag == "header" and not _is_of_article(node)):
        return "navigation"
    if zones & _BOILERPLATE:
        return "boilerplate"
    return "list" if zones & _LISTS else None


def _is_of_article(node: Node) -> bool:
    return any(one.tag in ("article", "main") for one in node.upwards())
