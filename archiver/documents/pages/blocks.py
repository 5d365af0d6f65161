"""A page as text blocks in document order, so that an element is a range of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import UNSEEN
from archiver.documents.pages.words import tokens
from archiver.lexicon.class_names import kinds_of
from archiver.lexicon.elements import INLINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

# Of a page that was not cleaned, what no reader sees is left out as well.
_UNREAD = UNSEEN | {
    "head", "option", "meter", "progress", "link", "meta", "math", "map", "embed", "frameset",
}  # fmt: skip
_BOLD = frozenset({"b", "strong"})
# Digits vary from page to page; strokes stand between the steps of a type.
_NOT_OF_A_STEP = re.compile(r"[\d/]+")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# How many steps of its path make the type of an element.
STEPS = 3


@dataclass(slots=True, eq=False)
class Node:
    """An element that holds blocks: those from `start` to `end`."""

    element: Element
    tag: str
    parent: Node | None
    start: int
    type: str
    end: int = 0

    @property
    def kinds(self) -> int:
        """What its names speak of. Not asked where a wrapper serves, and so not kept."""
        names = f"{self.element.get('class', '')} {self.element.get('id', '')}"
        return kinds_of(names) if names != " " else 0

    @property
    def is_body(self) -> bool:
        """Whether the markup says that this is the text of an article."""
        return (self.element.get("itemprop") or "").lower() == "articlebody"

    @property
    def is_hidden(self) -> bool:
        get = self.element.get
        return (
            get("hidden") is not None
            or get("aria-hidden") == "true"
            or bool(_HIDING.search(get("style", "")))
        )


@dataclass(slots=True, eq=False)
class Block:
    """A run of text that nothing but inline markup interrupts."""

    text: str
    words: Sequence[str]
    linked: int  # how many of the words stand in links
    is_bold: bool
    node: Node
    # Where the text is: in an element before its children, or behind one.
    pieces: Sequence[tuple[Element, bool]]

    @property
    def plain(self) -> int:
        return len(self.words) - self.linked


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The blocks of a page, and the elements that hold them, outer before inner."""

    nodes: Sequence[Node]
    blocks: Sequence[Block]


def outline_of(tree: Element) -> Outline:
    """The outline of a cleaned page."""
    body = tree.find(".//body")
    builder = _Builder()
    builder.walk(tree if body is None else body)
    # Where a link was never closed, everything is in it, and that says nothing.
    if all(block.linked == len(block.words) for block in builder.blocks):
        for block in builder.blocks:
            block.linked = 0
    return Outline(nodes=builder.nodes, blocks=builder.blocks)


def outline_of_element(element: Element) -> Outline:
    """The outline of one part of a page; its types are those that it has in the whole page.

    A link around all of it was never closed, and is not counted.
    """
    above = (one for one in element.iterancestors() if one.tag != "html" and one.tag not in INLINE)
    builder = _Builder(above=[step_of(one) for one in islice(above, STEPS - 1)])
    builder.walk(element)
    return Outline(nodes=builder.nodes, blocks=builder.blocks)


class _Builder:
    def __init__(self, above: Sequence[str] = ()) -> None:
        self._above = "/".join(reversed(above))
        self.nodes: list[Node] = []
        self.blocks: list[Block] = []
        # Of the block that has begun: texts, whether in a link, whether bold, and where they are.
        self._pieces: list[tuple[str, bool, bool, Element, bool]] = []
        self._links = self._bolds = 0

    def walk(self, root: Element) -> None:
        """Depth first, and without recursion: pages are as deep as they like."""
        stack = [(root, iter(root), self._open(root, root.tag, None))]
        while stack:
            element, children, node = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._close(element, element.tag, node)
                if stack:
                    self._add(element.tail, element, True)
                continue
            tag = child.tag
            if tag == "br":
                self._break(child, node)
            elif isinstance(tag, str) and tag not in _UNREAD:
                if len(child):
                    stack.append((child, iter(child), self._open(child, tag, node)))
                    continue
                self._leaf(child, tag, node)
            self._add(child.tail, child, True)

    def _leaf(self, element: Element, tag: str, node: Node) -> None:
        """Most elements have no children, and need not wait for them; without a text they only separate."""
        text = element.text
        if tag in INLINE:
            if text and (self._pieces or not text.isspace()):
                is_linked, is_bold = self._links > 0 or tag == "a", self._bolds > 0 or tag in _BOLD
                self._pieces.append((text, is_linked, is_bold, element, False))
            return
        self._end_block(node)
        if text and not text.isspace():
            self._pieces.append((text, self._links > 0, self._bolds > 0, element, False))
            inner = self._node(element, tag, node)
            self._end_block(inner)
            inner.end = len(self.blocks)

    def _break(self, element: Element, node: Node) -> None:
        """Two breaks in a row are what a paragraph is elsewhere."""
        before = element.getprevious()
        while before is not None and before.tag in UNSEEN and not (before.tail or "").strip():
            before = before.getprevious()
        if before is not None and before.tag == "br" and not (before.tail or "").strip():
            self._end_block(node)
        else:
            self._add("\n", element, True)

    def _open(self, element: Element, tag: str, node: Node | None) -> Node:
        if node is not None and tag in INLINE:
            self._links += tag == "a"
            self._bolds += tag in _BOLD
        else:
            if node is not None:
                self._end_block(node)
            node = self._node(element, tag, node)
        self._add(element.text, element, False)
        return node

    def _node(self, element: Element, tag: str, parent: Node | None) -> Node:
        get = element.get
        names = get("class") or get("id") or get("itemprop") or get("role") or ""
        above = parent.type if parent else self._above
        node = Node(element, tag, parent, len(self.blocks), _type_below(above, tag, names))
        self.nodes.append(node)
        return node

    def _close(self, element: Element, tag: str, node: Node) -> None:
        if node.element is element:
            self._end_block(node)
            node.end = len(self.blocks)
            return
        self._links -= tag == "a"
        self._bolds -= tag in _BOLD

    def _add(self, text: str | None, element: Element, is_tail: bool) -> None:
        # White space only separates: where nothing has begun, there is nothing to separate.
        if text and (self._pieces or not text.isspace()):
            self._pieces.append((text, self._links > 0, self._bolds > 0, element, is_tail))

    def _end_block(self, node: Node) -> None:
        pieces = self._pieces
        if not pieces:
            return
        self._pieces = []
        text = " ".join("".join([piece[0] for piece in pieces]).split())
        words = tokens(text)
        if not words:
            return
        shown = [piece for piece in pieces if not piece[0].isspace()]
        linked = [piece[0] for piece in shown if piece[1]]
        count = len(words) if len(linked) == len(shown) else sum(len(tokens(part)) for part in linked)
        self.blocks.append(
            Block(
                text,
                words,
                min(count, len(words)),
                all(piece[2] for piece in shown),
                node,
                [(piece[3], piece[4]) for piece in shown],
            )
        )


def step_of(element: Element) -> str:
    """An element in tolerant form: its tag and the first of its names, without digits and strokes."""
    get = element.get
    return _step(element.tag, get("class") or get("id") or get("itemprop") or get("role") or "")


def _step(tag: str, names: str) -> str:
    first = names.split(maxsplit=1)
    return f"{tag}.{_NOT_OF_A_STEP.sub('', first[0])}" if first else tag


# A page has few kinds of elements, and each of them many times.
@lru_cache(maxsize=50_000)
def _type_below(above: str, tag: str, names: str) -> str:
    """The type of an element below one of another type."""
    steps = above.split("/")[1 - STEPS :] if above else ()
    return "/".join((*steps, _step(tag, names)))
