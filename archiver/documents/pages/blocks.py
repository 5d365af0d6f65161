"""A page read once: its runs of text, links and images in document order, and the elements around them.

An element is a range of blocks. Extraction weighs the blocks; versions are compared by their lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import UNSEEN
from archiver.documents.pages.images import IMAGES
from archiver.documents.pages.words import tokens
from archiver.lexicon.class_names import kinds_of
from archiver.lexicon.elements import BLOCKS, INLINE
from archiver.lexicon.zone_names import zones_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

# Of a page that was not cleaned, what no reader sees is left out as well.
UNREAD = UNSEEN | {
    "head", "option", "meter", "progress", "link", "meta", "math", "map", "embed", "frameset",
}  # fmt: skip
# What the elements around a piece of text say of it; a break ends a line.
LINKED, BOLD, TIMED, BREAK = 1, 2, 4, 8
_MARKS = {"a": LINKED, "b": BOLD, "strong": BOLD, "time": TIMED}
# Digits vary from page to page; strokes stand between the steps of a type.
_NOT_OF_A_STEP = re.compile(r"[\d/]+")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# How many steps of its path make the type of an element.
STEPS = 3

# A text, its marks, and where it is: in an element before its children, or behind one.
Piece = tuple[str, int, "Element", bool]
# A place in the text of a page: the number of a run, and of the piece in it that comes next.
Position = tuple[int, int]


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
    def names(self) -> str:
        return f"{self.element.get('class', '')} {self.element.get('id', '')}".strip()

    @property
    def kinds(self) -> int:
        """What its names speak of. Not asked where a wrapper serves, and so not kept."""
        names = self.names
        return kinds_of(names) if names else 0

    @property
    def zones(self) -> int:
        """What its tag and names say of words within, where they decide alone."""
        return zones_of(self.tag, self.names)

    @property
    def is_body(self) -> bool:
        """Whether the markup says that this is the text of an article."""
        return (self.element.get("itemprop") or "").lower() == "articlebody"

    @property
    def is_hidden(self) -> bool:
        return is_hidden(self.element)

    def upwards(self) -> Iterator[Node]:
        """The node and those around it, the outermost last."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


@dataclass(slots=True, eq=False)
class Block:
    """A run of text that nothing but inline markup interrupts."""

    text: str
    words: Sequence[str]
    linked: int  # how many of the words stand in links
    is_bold: bool
    node: Node
    read: Sequence[Piece]  # white space and breaks included
    # Whether it goes on with the line of the run before: between them is only an element that HTML does not
    # know. Such elements hold blocks more often than they stand in a line.
    runs_on: bool

    @property
    def plain(self) -> int:
        return len(self.words) - self.linked

    @property
    def pieces(self) -> list[tuple[Element, bool]]:
        """Where its words are."""
        return [(piece[2], piece[3]) for piece in self.read if not piece[0].isspace()]


@dataclass(slots=True, eq=False)
class Anchor:
    """A link: the element that holds it, and where it begins and ends."""

    element: Element
    node: Node
    begin: Position
    end: Position


@dataclass(slots=True, eq=False)
class Picture:
    element: Element
    node: Node
    place: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a page shows, and the elements that hold it, outer before inner."""

    nodes: list[Node] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    # All runs of text: the blocks, and those without a word, such as a row of stars.
    runs: list[Block] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)

    def text_between(self, begin: Position, end: Position) -> str:
        """The text from one place to another, as the markup has it."""
        pieces: list[Piece] = []
        for number in range(begin[0], min(end[0] + 1, len(self.runs))):
            first = begin[1] if number == begin[0] else 0
            last = end[1] if number == end[0] else None
            pieces += self.runs[number].read[first:last]
        return "".join([piece[0] for piece in pieces])


def outline_of(tree: Element) -> Outline:
    """The outline of a page; what no reader sees is passed over."""
    body = tree.find(".//body")
    outline = _Builder().walk(tree if body is None else body)
    # Where a link was never closed, everything is in it, and that says nothing.
    if all(block.linked == len(block.words) for block in outline.blocks):
        for block in outline.blocks:
            block.linked = 0
    return outline


def outline_of_element(element: Element) -> Outline:
    """The outline of one part of a page; its types are those that it has in the whole page.

    A link around all of it was never closed, and is not counted.
    """
    above = (one for one in element.iterancestors() if one.tag != "html" and one.tag not in INLINE)
    builder = _Builder(above=[step_of(one) for one in islice(above, STEPS - 1)])
    return builder.walk(element)


class _Builder:
    def __init__(self, above: Sequence[str] = ()) -> None:
        self._above = "/".join(reversed(above))
        self._outline = outline = Outline()
        self._nodes, self._blocks, self._runs = outline.nodes, outline.blocks, outline.runs
        self._anchors, self._pictures = outline.anchors, outline.pictures
        # Of the run that has begun.
        self._pieces: list[Piece] = []
        # What the open elements mark, and what was marked around each of them.
        self._marks = 0
        self._marks_around: list[int] = []
        self._begun: list[Position] = []  # where the open links begin
        self._is_parted = True  # whether a block began or ended since the last run

    def walk(self, root: Element) -> Outline:
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
            elif isinstance(tag, str) and tag not in UNREAD:
                if len(child):
                    stack.append((child, iter(child), self._open(child, tag, node)))
                    continue
                self._leaf(child, tag, node)
            self._add(child.tail, child, True)
        return self._outline

    def _leaf(self, element: Element, tag: str, node: Node) -> None:
        """Most elements have no children, and need not wait for them; without a text they only separate."""
        text = element.text
        if tag in INLINE:
            begin = self._here() if tag == "a" else None
            if text and (self._pieces or not text.isspace()):
                self._pieces.append((text, self._marks | _MARKS.get(tag, 0), element, False))
            if begin is not None:
                self._anchors.append(Anchor(element, node, begin, self._here()))
            elif tag in IMAGES:
                self._pictures.append(Picture(element, node, self._here()))
            return
        self._end_run(node)
        is_block = tag in BLOCKS
        self._is_parted |= is_block
        if tag in IMAGES:
            self._pictures.append(Picture(element, node, self._here()))
        if text and not text.isspace():
            self._pieces.append((text, self._marks, element, False))
            inner = self._node(element, tag, node)
            self._end_run(inner)
            inner.end = len(self._blocks)
            self._is_parted |= is_block

    def _here(self) -> Position:
        return len(self._runs), len(self._pieces)

    def _break(self, element: Element, node: Node) -> None:
        """Two breaks in a row are what a paragraph is elsewhere."""
        before = element.getprevious()
        while before is not None and before.tag in UNSEEN and not (before.tail or "").strip():
            before = before.getprevious()
        if before is not None and before.tag == "br" and not (before.tail or "").strip():
            self._end_run(node)
            self._is_parted = True
        elif self._pieces:
            self._pieces.append(("\n", self._marks | BREAK, element, True))

    def _open(self, element: Element, tag: str, node: Node | None) -> Node:
        if node is not None and tag in INLINE:
            self._mark(tag)
        else:
            if node is not None:
                self._end_run(node)
            self._is_parted |= tag in BLOCKS
            node = self._node(element, tag, node)
        if tag in IMAGES:
            self._pictures.append(Picture(element, node, self._here()))
        self._add(element.text, element, False)
        return node

    def _mark(self, tag: str) -> None:
        if mark := _MARKS.get(tag, 0):
            self._marks_around.append(self._marks)
            self._marks |= mark
            if tag == "a":
                self._begun.append(self._here())

    def _node(self, element: Element, tag: str, parent: Node | None) -> Node:
        get = element.get
        names = get("class") or get("id") or get("itemprop") or get("role") or ""
        above = parent.type if parent else self._above
        node = Node(element, tag, parent, len(self._blocks), _type_below(above, tag, names))
        self._nodes.append(node)
        return node

    def _close(self, element: Element, tag: str, node: Node) -> None:
        if node.element is element:
            self._end_run(node)
            self._is_parted |= tag in BLOCKS
            node.end = len(self._blocks)
        elif tag in _MARKS:
            self._marks = self._marks_around.pop()
            if tag == "a":
                self._anchors.append(Anchor(element, node, self._begun.pop(), self._here()))

    def _add(self, text: str | None, element: Element, is_tail: bool) -> None:
        # White space only separates: where nothing has begun, there is nothing to separate.
        if text and (self._pieces or not text.isspace()):
            self._pieces.append((text, self._marks, element, is_tail))

    def _end_run(self, node: Node) -> None:
        pieces = self._pieces
        if not pieces:
            return
        self._pieces = []
        text = " ".join("".join([piece[0] for piece in pieces]).split())
        words = tokens(text)
        shown = [piece for piece in pieces if not piece[0].isspace()]
        linked = [piece[0] for piece in shown if piece[1] & LINKED]
        count = len(words) if len(linked) == len(shown) else sum(len(tokens(part)) for part in linked)
        is_bold = all(piece[1] & BOLD for piece in shown)
        run = Block(text, words, min(count, len(words)), is_bold, node, pieces, not self._is_parted)
        self._is_parted = False
        self._runs.append(run)
        if words:
            self._blocks.append(run)


def is_hidden(element: Element) -> bool:
    """Whether its own markup says that it is not shown."""
    get = element.get
    if get("hidden") is not None or get("aria-hidden") == "true":
        return True
    style = get("style")
    return style is not None and _HIDING.search(style) is not None


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
