"""A page as records are looked for: what readers see of it, each element with its kind and its words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lxml.etree import _Element as Element

_UNSEEN = frozenset(
    {"script", "style", "noscript", "noframes", "template", "iframe", "object", "canvas", "svg", "head"}
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOT_OF_A_NAME = re.compile(r"[\d_-]+")
_PLACE_ENDING = re.compile(r"(?<=[a-z]{3})(?:alternate|alt|odd|even|first|last|hover)$")
_WHOLE = ("html", "body")
# Names by which neighbours of one kind differ.
_PLACES = frozenset(
    {"odd", "even", "first", "last", "alt", "alternate", "active", "selected", "clearfix", "row", "col"}
)


@dataclass(slots=True)
class TreeNode:
    """An element that readers may see, with its place among all of them and its words among all words."""

    element: Element
    number: int
    above: TreeNode | None
    level: int
    step: str  # tag and name
    kind: str  # steps from the root
    first: int  # its words are those from here
    end: int = 0  # up to here
    last: int = 0  # the number after its last descendant
    children: list[TreeNode] = field(default_factory=list)


class PageTree:
    """The elements of a page in their order, and its words; words that all pages have do not count."""

    def __init__(self, root: Element, signifiers: Collection[str] = ()) -> None:
        self.nodes: list[TreeNode] = []
        self.texts: list[tuple[int, str]] = []  # the number of the element that holds it
        self.words: list[str] = []
        self._text_of_word: list[int] = []
        self._read(root)
        marks = [_is_signifier(word, frozenset(signifiers)) for word in self.words]
        self.signifiers = [0, *accumulate(marks)]
        self.own = [0, *accumulate(1 for _ in self.words)]

    def _read(self, root: Element) -> None:
        stack: list[tuple[Element, TreeNode | None, bool]] = [(root, None, False)]
        while stack:
            element, above, is_end = stack.pop()
            if is_end:
                self._close(element, above)
                continue
            if is_unseen(element):
                self._add(above, element.tail)
                continue
            node = self._open(element, above)
            self._add(node, element.text)
            stack.append((element, node, True))
            stack.extend((child, node, False) for child in reversed(element))

    def _open(self, element: Element, above: TreeNode | None) -> TreeNode:
        step = step_of(element)
        node = TreeNode(
            element=element,
            number=len(self.nodes),
            above=above,
            level=above.level + 1 if above else 0,
            step=step,
            kind=f"{above.kind}/{step}" if above else step,
            first=len(self.words),
        )
        self.nodes.append(node)
        if above:
            above.children.append(node)
        return node

    def _close(self, element: Element, node: TreeNode | None) -> None:
        if node is not None:
            node.end, node.last = len(self.words), len(self.nodes)
            if node.above:
                self._add(node.above, element.tail)

    def _add(self, node: TreeNode | None, text: str | None) -> None:
        if node is None or not text or text.isspace():
            return
        words = tokens(text)
        self._text_of_word += [len(self.texts)] * len(words)
        self.texts.append((node.number, " ".join(text.split())))
        self.words += words

    def leave_out(self, common: Collection[str]) -> None:
        """Texts that stand on every page say nothing of what was asked."""
        is_own = (self.texts[text][1] not in common for text in self._text_of_word)
        self.own = [0, *accumulate(is_own)]

    def below(self, node: TreeNode) -> Sequence[TreeNode]:
        """The element and all within it."""
        return self.nodes[node.number : node.last]

    def own_words(self, node: TreeNode) -> int:
        return self.own[node.end] - self.own[node.first]

    def marked_words(self, node: TreeNode) -> int:
        return self.signifiers[node.end] - self.signifiers[node.first]


def is_unseen(element: Element) -> bool:
    if not isinstance(element.tag, str) or element.tag in _UNSEEN or element.get("hidden") is not None:
        return True
    style = element.get("style")
    return bool(style) and _HIDDEN.search(str(style)) is not None


def step_of(element: Element) -> str:
    """The tag with the first name that says more than a place."""
    tag = str(element.tag)
    # The names of the whole page tell pages apart, not their parts.
    return tag if tag in _WHOLE else _step(tag, element.get("class") or "")


@lru_cache(maxsize=50_000)
def _step(tag: str, names: str) -> str:
    plain = (_PLACE_ENDING.sub("", _NOT_OF_A_NAME.sub("", name).lower()) for name in names.split())
    name = next((one for one in plain if one and one not in _PLACES), "")
    return f"{tag}.{name}" if name else tag


def _is_signifier(word: str, signifiers: Collection[str]) -> bool:
    return any(word == one or (len(one) > 3 and word.startswith(one)) for one in signifiers)


def common_texts(pages: Sequence[PageTree]) -> frozenset[str]:
    """Texts that each of several pages has."""
    if len(pages) < 2:
        return frozenset()
    return frozenset.intersection(*(frozenset(text for _, text in page.texts) for page in pages))


def trees_of(roots: Sequence[tuple[Element, tuple[str, ...]]]) -> list[PageTree]:
    """Pages of one site, each with the words submitted for it, read together."""
    pages = [PageTree(root, frozenset(signifiers_in(words))) for root, words in roots]
    common = common_texts(pages)
    for page in pages:
        page.leave_out(common)
    return pages


def signifiers_in(words: Sequence[str]) -> Iterator[str]:
    for one in words:
        yield from tokens(one)
