"""Lists and tables within an article, and tables that are none: boxes in which something else stands."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.versions import zones

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.versions.views import Placed, View

_LISTS = frozenset({"ul", "ol", "dl", "table"})
_CELLS = frozenset({"td", "th"})
_MOST_LINKED = 30
# A list that begins so soon behind the last paragraph belongs to it.
_NEAR = 2


class Parts:
    """The lists, tables and boxes of one capture, each by its outermost element below the article's own."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._nodes = view.outline.nodes
        self._kept: dict[int, int] = {}

    def list_of(self, node: int) -> int:
        """The list or table of the article that an element is in; -1 where there is none.

        It stands among the article's paragraphs, and nothing but itself is around its items.
        """
        if node not in self._kept:
            below = list(self._below(node))
            outermost = below[-1] if below else -1
            is_list = outermost in self._lists and not self._view.zones_at(node) & zones.BESIDE
            self._kept[node] = outermost if is_list else -1
        return self._kept[node]

    def is_boxed(self, node: int) -> bool:
        """Whether an element is in a table of a single row: that is no table, but draws a box."""
        return any(one in self._boxes for one in self._below(node))

    def is_kept(self, placed: Placed, other: View) -> bool:
        """Whether a block is in a list of which the other page has another item."""
        mine = self.list_of(placed.block.node)
        if mine < 0:
            return False
        return any(key in other.page_keys for key in self._keys[mine] if key != placed.block.key)

    def _below(self, node: int) -> Iterator[int]:
        """An element and those around it, below those that hold the article."""
        for one in self._view.above(node):
            if one in self._view.spine:
                return
            yield one

    @cached_property
    def _keys(self) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for block in self._view.blocks:
            if (place := self.list_of(block.node)) >= 0:
                found.setdefault(place, set()).add(block.key)
        return found

    @cached_property
    def _lists(self) -> frozenset[int]:
        """Lists and tables below the article's elements and between its paragraphs, that are not of links."""
        first, last = self._view.span
        begins: dict[int, int] = {}
        linked: Counter[int] = Counter()
        letters: Counter[int] = Counter()
        for place, block in enumerate(self._view.blocks):
            outermost = next(reversed(list(self._below(block.node))), -1)
            if outermost >= 0 and self._nodes[outermost].tag in _LISTS:
                begins.setdefault(outermost, place)
                linked[outermost] += block.linked * len(block.text)
                letters[outermost] += len(block.text)
        return frozenset(
            node
            for node, place in begins.items()
            if first < place <= last + _NEAR
            and linked[node] <= _MOST_LINKED * letters[node]
            and node not in self._boxes
        )

    @cached_property
    def _boxes(self) -> frozenset[int]:
        """Tables of one row, other than those around a picture that is large."""
        rows: Counter[int] = Counter()
        tables = {}
        for number, node in enumerate(self._nodes):
            if node.tag == "table":
                tables[number] = number
            elif node.parent in tables and node.tag not in _CELLS:
                tables[number] = tables[node.parent]
            rows[tables.get(number, -1)] += node.tag == "tr"
        single = {table for table in tables.values() if rows[table] == 1} - self._view.spine
        return frozenset(single - self._pictured) if single else frozenset()

    @cached_property
    def _pictured(self) -> frozenset[int]:
        large = (image for image in self._view.outline.images if not image.is_small and not image.leads)
        return frozenset(node for image in large for node in self._below(image.node))
