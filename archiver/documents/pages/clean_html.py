"""A subtree as clean markup: few elements, hardly an attribute, absolute addresses, nothing empty.

Of what stands around words only that is kept which says what they are: a heading, an item of a list, a
cell. All other blocks only part one run of words from the next, and each run becomes a paragraph. So two
pages of different templates with the same article have the same markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import absolute_url, writable
from archiver.documents.pages.images import IMAGES, image_url
from archiver.documents.pages.text import nothing, walk, without_hints
from archiver.lexicon.elements import BLOCKS, CELLS, HEADINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element as Element

# Blocks that hold others, and blocks that hold words themselves.
GROUPS = frozenset(
    {"blockquote", "dl", "figure", "ol", "table", "tbody", "tfoot", "thead", "tr", "ul"},
)
ITEMS = frozenset({"caption", "dd", "dt", "figcaption", "li", "td", "th"})
# Parts of a table are what they are only where they can be.
_SECTIONS = frozenset({"tbody", "tfoot", "thead"})
_WITHIN = {
    **dict.fromkeys(("caption", *_SECTIONS), frozenset({"table"})),
    "tr": _SECTIONS | {"table"},
    **dict.fromkeys(CELLS, frozenset({"tr"})),
}
# Markup of words that stays.
_KEPT_INLINE = frozenset({
    "a", "abbr", "b", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp",
    "small", "strong", "sub", "sup", "time", "u", "var",
})  # fmt: skip
RENAMED = {
    "acronym": "abbr", "dir": "ul", "menu": "ul", "strike": "s", "tt": "code", "listing": "pre", "xmp": "pre",
}  # fmt: skip
ATTRIBUTES = {
    "abbr": ("title",),
    "ol": ("start",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
    "time": ("datetime",),
}
EVERYWHERE = ("dir", "lang")
# Blocks in blocks, and inline markup in inline markup; parsers of XML refuse 256 levels.
DEEPEST = 100

_SPACE = re.compile(r"\s+")
_PARTING = BLOCKS | _SECTIONS

Attributes = dict[str | bytes, str | bytes]


def clean_tree(node: Element, base_url: str, skip: Callable[[Element], bool] = nothing) -> Element:
    """The subtree as clean markup under a `div`, without the subtrees that are skipped."""
    builder = _Builder(base_url, _inherited(node))
    for element, event in walk(node, skip):
        tag = RENAMED.get(element.tag, element.tag)
        if event == "open":
            builder.open(tag, element)
            builder.write(element.text)
            continue
        if event == "close":
            builder.close(tag)
        elif tag in BLOCKS:
            builder.part()
        if element is not node:
            builder.write(element.tail)
    return builder.tree()


def html_of(clean: Element) -> str:
    """A clean tree as text that parsers of XML and of HTML read alike."""
    for cell in clean.iter(*CELLS):
        # Parsers of HTML take `<td/>` for the beginning of one.
        cell.text = cell.text or ""
    return etree.tostring(clean, encoding="unicode")


def _inherited(node: Element) -> Attributes:
    """The language and the direction that hold for the node, stated by it or around it."""
    lineage = [node, *node.iterancestors()]
    stated = {name: next(filter(None, (one.get(name) for one in lineage)), "") for name in EVERYWHERE}
    return {name: writable(value) for name, value in stated.items() if value}


@dataclass(slots=True)
class _Block:
    """A block of the page that is open."""

    tag: str  # empty: it only parts
    attributes: Attributes
    wrapper: str  # the element that a run of words gets in it, if any
    wrapper_attributes: Attributes
    empty_cells: list[_Block] = field(default_factory=list)


class _Builder:
    """Builds markup in which an element begins only when there is something in it."""

    def __init__(self, base_url: str, attributes: Attributes) -> None:
        self._base_url = base_url
        self._tree = etree.TreeBuilder()
        self._tree.start("div", attributes)
        self._blocks = [_Block("", {}, "p", {})]
        self._kept: list[_Block] = []  # those of them that say what they are
        self._begun = 0  # how many of these have begun in the tree
        self._inline: list[tuple[str, Attributes]] = []
        self._inlined = 0
        self._run = ""  # words are being written: "text" when there are any, else "image"
        self._space = False
        self._breaks = 0
        self._pre = 0

    def open(self, tag: str, element: Element) -> None:
        if tag in IMAGES:
            self._image(element)
        elif tag == "br":
            self._breaks += bool(self._run == "text" or self._pre)
        elif tag in _KEPT_INLINE:
            self._inline.append(self._inline_of(tag, element))
        elif tag in _PARTING:
            self.part()
            self._open_block(tag, element)

    def close(self, tag: str) -> None:
        if tag in _KEPT_INLINE:
            self._close_inline()
        elif tag == "hr":
            self._blocks.pop()
            self._rule()
        elif tag in _PARTING:
            self.part(at_end=tag == "pre" and self._pre == 1)
            self._close_block(tag)

    def write(self, text: str | None) -> None:
        if not text:
            return
        if self._pre:
            self._write_kept(writable(without_hints(text)))
            return
        if text.isspace():
            self._space = True
            return
        words = writable(_SPACE.sub(" ", without_hints(text)))
        self._space = self._space or words.startswith(" ")
        words = words.strip(" ")
        if words:
            self._begin_run("text")
            self._tree.data(words)
            self._space = text[-1].isspace()

    def part(self, *, at_end: bool = False) -> None:
        """What was written is one run; what follows is another."""
        if self._pre and not at_end:
            self._breaks = max(self._breaks, int(self._run == "text"))
            return
        self._end_inlines()
        if self._run and self._blocks[-1].wrapper:
            self._tree.end(self._blocks[-1].wrapper)
        self._run, self._space, self._breaks = "", False, 0

    def tree(self) -> Element:
        self.part(at_end=True)
        self._tree.end("div")
        return self._tree.close()

    def _inline_of(self, tag: str, element: Element) -> tuple[str, Attributes]:
        if len(self._inline) >= DEEPEST:
            return "", {}
        if tag != "a":
            return tag, _attributes(tag, element)
        href = absolute_url(self._base_url, element.get("href", "")) if element.get("href") else None
        # What leads nowhere is no link.
        return ("a", {"href": href}) if href else ("", {})

    def _open_block(self, tag: str, element: Element) -> None:
        around = self._blocks[-1]
        own = _attributes(tag, element)
        self._pre += tag == "pre"
        if (tag in GROUPS or tag in ITEMS) and self._may_hold(tag):
            block = _Block(tag, own, "p" if tag in GROUPS else "", {})
            self._kept.append(block)
        elif tag in HEADINGS or tag == "pre":
            block = _Block("", {}, tag if not self._pre else "pre", own)
        else:
            around_attributes = around.wrapper_attributes if not around.tag else {}
            block = _Block("", {}, around.wrapper or "p", around_attributes | own)
        self._blocks.append(block)

    def _may_hold(self, tag: str) -> bool:
        around = self._kept[-1].tag if self._kept else ""
        is_possible = not self._pre and len(self._kept) < DEEPEST
        return is_possible and (tag not in _WITHIN or around in _WITHIN[tag])

    def _close_block(self, tag: str) -> None:
        block = self._blocks.pop()
        self._pre -= tag == "pre"
        if not block.tag:
            return
        self._kept.pop()
        if len(self._kept) >= self._begun:
            # It never began. An empty cell keeps its column, if anything is in the row.
            if tag in CELLS and self._kept:
                self._kept[-1].empty_cells.append(block)
            return
        self._write_empty_cells(block)
        self._tree.end(block.tag)
        self._begun -= 1

    def _close_inline(self) -> None:
        tag, _ = self._inline.pop()
        if self._inlined > len(self._inline):
            self._inlined -= 1
            if tag:
                self._tree.end(tag)

    def _image(self, element: Element) -> None:
        src = image_url(element, self._base_url)
        if src is None or self._pre:
            return
        if self._run or not self._blocks[-1].wrapper:
            self._begin_run(self._run or "image")
        else:
            # Alone in its block, it needs no paragraph.
            self._begin_blocks()
            self._begin_inlines()
        self._tree.start("img", {"src": src, "alt": writable(element.get("alt", ""))})
        self._tree.end("img")

    def _rule(self) -> None:
        self.part()
        if len(self._kept) == self._begun and not self._pre:
            self._tree.start("hr", {})
            self._tree.end("hr")

    def _write_kept(self, text: str) -> None:
        if self._run != "text":
            text = text.lstrip("\n")
            if not text.strip():
                return
        before = "\n" * self._breaks if self._run == "text" else ""
        self._breaks, self._space = 0, False
        self._begin_run("text")
        self._tree.data(before + text)

    def _begin_run(self, kind: str) -> None:
        if self._run and self._breaks > 1 and self._blocks[-1].wrapper == "p":
            self.part()  # two line breaks are how some write paragraphs
        if self._run:
            self._separate()
        else:
            self._begin_blocks()
            self._end_inlines()
            block = self._blocks[-1]
            if block.wrapper:
                self._tree.start(block.wrapper, block.wrapper_attributes)
        self._run, self._space, self._breaks = kind, False, 0
        self._begin_inlines()

    def _separate(self) -> None:
        for _ in range(min(self._breaks, 2)):
            self._tree.start("br", {})
            self._tree.end("br")
        if self._space and not self._breaks:
            self._tree.data(" ")

    def _begin_blocks(self) -> None:
        for number in range(self._begun, len(self._kept)):
            if number:
                self._write_empty_cells(self._kept[number - 1])
            self._tree.start(self._kept[number].tag, self._kept[number].attributes)
        self._begun = len(self._kept)

    def _write_empty_cells(self, row: _Block) -> None:
        for cell in row.empty_cells:
            self._tree.start(cell.tag, cell.attributes)
            self._tree.end(cell.tag)
        row.empty_cells.clear()

    def _begin_inlines(self) -> None:
        for tag, attributes in self._inline[self._inlined :]:
            if tag:
                self._tree.start(tag, attributes)
        self._inlined = len(self._inline)

    def _end_inlines(self) -> None:
        for tag, _ in reversed(self._inline[: self._inlined]):
            if tag:
                self._tree.end(tag)
        self._inlined = 0


def _attributes(tag: str, element: Element) -> Attributes:
    names = (*ATTRIBUTES.get(tag, ()), *EVERYWHERE)
    return {name: writable(element.get(name, "")) for name in names if element.get(name)}
