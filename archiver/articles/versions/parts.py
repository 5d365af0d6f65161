"""Lists and tables within an article, and tables that are none: boxes in which something else stands."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from archiver.lexicon import zone_names

if TYPE_CHECKING:
    from archiver.articles.versions.views import Placed, View
    from archiver.documents.pages.blocks import Node

_LISTS = frozenset({"ul", "ol", "dl", "table"})
_CELLS = frozenset({"td", "th"})
_MOST_LINKED = 30
# A list that begins so soon behind the last paragraph belongs to it.
_NEAR = 2
# Of its letters.
_LEAST_LISTED = 0.8
# Buttons and counters have fewer.
_LEAST_WORDS = 5


class Parts:
    """The lists, tables and boxes of one capture, each by its outermost element below the article's own."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._nodes = view.page.nodes
        self._kept: dict[Node, list[str]] = {}

    def list_of(self, node: Node | None) -> Node | None:
        """The list or table of the article that an element is in; None where there is none.

        It stands among the article's paragraphs, and nothing but itself is around its items.
        """
        outermost = self._outermost[node]
        is_list = outermost in self._lists and not self._view.zones_at(node) & zone_names.BESIDE
        return outermost if is_list else None

    def is_boxed(self, node: Node | None) -> bool:
        """Whether an element is in a table of a single row, which only draws a box."""
        return node is not None and bool(self._boxes) and any(one in self._boxes for one in node.upwards())

    def is_kept(self, placed: Placed, other: View) -> bool:
        """Whether a block is in a list of which the other page has another item."""
        mine = self.list_of(placed.block.node)
        if mine is None or (not self._is_plain(mine) and placed.block.words < _LEAST_WORDS):
            return False
        if mine not in self._kept:
            # Asked for every item of a list that may be as long as it likes: two of them tell it.
            self._kept[mine] = list(islice((key for key in self._keys[mine] if key in other.page_keys), 2))
        return any(key != placed.block.key for key in self._kept[mine])

    def _is_plain(self, outermost: Node) -> bool:
        """Whether nothing is around a list: in a box, or above the first paragraph, it may be of buttons."""
        is_behind = self._begins[outermost] > self._view.span[0]
        return is_behind and outermost.tag in _LISTS

    @cached_property
    def _begins(self) -> dict[Node | None, int]:
        found: dict[Node | None, int] = {}
        for place, block in enumerate(self._view.blocks):
            found.setdefault(self._outermost[block.node], place)
        return found

    @cached_property
    def _in_lists(self) -> set[Node | None]:
        """The elements that are in a list or table below the article's elements."""
        found: set[Node | None] = set()
        for node in self._nodes:
            if (node.tag in _LISTS or node.parent in found) and node not in self._view.spine:
                found.add(node)
        return found

    @cached_property
    def _outermost(self) -> dict[Node | None, Node | None]:
        """The outermost around each that holds little of the article; None for those that hold much."""
        found: dict[Node | None, Node | None] = {None: None}
        for node in self._nodes:
            found[node] = None if node in self._view.spine else found[node.parent] or node
        return found

    @cached_property
    def _keys(self) -> dict[Node | None, set[str]]:
        found: dict[Node | None, set[str]] = {}
        for block in self._view.blocks:
            found.setdefault(self._outermost[block.node], set()).add(block.key)
        return found

    @cached_property
    def _lists(self) -> frozenset[Node]:
        """Elements among the article's paragraphs that hold a list or table and little else, not of links."""
        first, last = self._view.reach[0], self._view.span[1] + _NEAR
        linked: Counter[Node | None] = Counter()
        listed: Counter[Node | None] = Counter()
        letters: Counter[Node | None] = Counter()
        for block in self._view.blocks:
            outermost = self._outermost[block.node]
            linked[outermost] += block.linked * len(block.text)
            letters[outermost] += len(block.text)
            listed[outermost] += len(block.text) if block.node in self._in_lists else 0
        return frozenset(
            node
            for node, place in self._begins.items()
            if node is not None
            and first < place <= last
            and linked[node] <= _MOST_LINKED * letters[node]
            and listed[node] >= _LEAST_LISTED * letters[node]
            and node not in self._boxes
        )

    @cached_property
    def _boxes(self) -> frozenset[Node]:
        """Tables of one row, other than those around a picture that is large."""
        rows: Counter[Node | None] = Counter()
        tables: dict[Node | None, Node] = {}
        for node in self._nodes:
            if node.tag == "table":
                tables[node] = node
            elif node.parent in tables and node.tag not in _CELLS:
                tables[node] = tables[node.parent]
            rows[tables.get(node)] += node.tag == "tr"
        single = {table for table in tables.values() if rows[table] == 1} - self._view.spine
        return frozenset(single - self._pictured) if single else frozenset()

    @cached_property
    def _pictured(self) -> frozenset[Node]:
        large = (image for image in self._view.page.images if not image.is_small and not image.leads)
        return frozenset(node for image in large for node in image.node.upwards())
