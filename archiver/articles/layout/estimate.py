"""Where things are on a page, estimated in one walk without a browser and without fetching anything.

Blocks stand below each other and are as wide as what is around them; text takes lines by its length; floats,
rows of tables and flexible boxes share a width. It tells columns, headlines and captions apart and draws no
page: docs/visual.md has how far it agrees with Chromium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.layout.flow import Flow
from archiver.articles.layout.inline import replaced_size
from archiver.articles.layout.model import ELEMENT, SCREEN_WIDTH, Box, Layout, cut
from archiver.articles.layout.sheets import read_sheets
from archiver.articles.layout.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.layout.making import Style

# What is deeper has no box: Python's own stack has its limit, and no reader sees such depths.
_MOST_DEPTH = 120
# No item of a row gets less of its width.
_LEAST_SHARE = 0.05
_MOST_SPAN = 100


def estimate(tree: Element, sheets: Sequence[str] = ()) -> Layout:
    """The layout of a served page by its own styles, and those of the given sheets before them."""
    own = [style.text or "" for style in tree.iter("style") if _is_for_screens(style)]
    walk = _Walk(Survey(tree, read_sheets([*sheets, *own])))
    height = walk.block(0, 0.0, 0.0, SCREEN_WIDTH, 0)
    return Layout(
        quality="estimated", width=SCREEN_WIDTH, height=cut(height), boxes=tuple(sorted(walk.boxes))
    )


def _is_for_screens(style: Element) -> bool:
    media = (style.get("media") or "all").lower()
    return "all" in media or "screen" in media or "min-width" in media


class _Walk:
    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.boxes: list[Box] = []

    def add(self, number: int, part: int, rectangle: tuple[float, float, float, float], style: Style) -> None:
        x, y, w, h = map(cut, rectangle)
        looks = style.size, style.weight, style.is_italic, style.is_struck, style.is_shown
        self.boxes.append(Box(number, part, x, y, w, h, *looks))

    def block(self, number: int, x: float, y: float, width: float, depth: int) -> float:
        """Lay an element out at a place in a width; how high it became, without its margins."""
        style = self.survey.style(number)
        fixed = replaced_size(self.survey.elements[number], style)
        if fixed:
            self.add(number, ELEMENT, (x, y, min(fixed[0], width), fixed[1]), style)
            return fixed[1]
        top, right, bottom, left = style.padding
        inner = max(10.0, width - left - right)
        height = top + self._content(number, x + left, y + top, inner, depth) + bottom
        if style.height and not style.height[1]:
            height = max(height, style.height[0]) if style.height[0] >= 1 else 0.0
        self.add(number, ELEMENT, (x, y, width, height), style)
        return height

    def outer(self, number: int, x: float, y: float, width: float, depth: int) -> float:
        """Lay an item out with its margins within a width; the height with them."""
        top, right, bottom, left = self.survey.style(number).margin
        inner = self.survey.told_width(number, width) or max(10.0, width - left - right)
        return top + self.block(number, x + left, y + top, inner, depth) + bottom

    def _content(self, number: int, x: float, y: float, width: float, depth: int) -> float:
        style = self.survey.style(number)
        if depth >= _MOST_DEPTH:
            return 0.0
        if (style.display == "flex" and not style.is_column) or style.display == "table-row":
            return self._row(number, x, y, width, depth)
        if style.columns > 1:
            return self._grid(number, x, y, width, depth)
        if style.display == "table":
            return self._table(number, x, y, width, depth)
        return Flow(self, number, x, y, width, depth).height()

    def _row(self, number: int, x: float, y: float, width: float, depth: int) -> float:
        """Items beside each other; where they may wrap and do not fit, below each other."""
        items = self.survey.children(number)
        widths = self._shares(items, width, wraps=self.survey.style(number).wraps)
        left, top, height = x, y, 0.0
        for item, share in zip(items, widths, strict=True):
            if left + share > x + width * 1.01 and left > x:
                left, top, height = x, top + height, 0.0
            height = max(height, self.outer(item, left, top, share, depth + 1))
            left += share
        return top + height - y

    def _shares(self, items: Sequence[int], width: float, *, wraps: bool) -> list[float]:
        """Told widths first; the others as they need, or by what they hold where that is too much."""
        told = [self.survey.told_width(item, width) for item in items]
        rest = max(0.0, width - sum(filter(None, told)))
        needs = [
            self.survey.need(item) if one is None else 0.0 for item, one in zip(items, told, strict=True)
        ]
        total = sum(needs)
        if total > rest and not wraps:
            needs = [max(rest * one / total, _LEAST_SHARE * width if one else 0.0) for one in needs]
        return [min(width, need) if one is None else one for one, need in zip(told, needs, strict=True)]

    def _grid(self, number: int, x: float, y: float, width: float, depth: int) -> float:
        items, columns = self.survey.children(number), self.survey.style(number).columns
        share, top = width / columns, y
        for first in range(0, len(items), columns):
            row = items[first : first + columns]
            top += max(self.outer(item, x + at * share, top, share, depth + 1) for at, item in enumerate(row))
        return top - y

    def _table(self, number: int, x: float, y: float, width: float, depth: int) -> float:
        """Rows whose cells have the same widths, by what their columns hold."""
        rows, others = self._rows_of(number)
        masses = self._column_masses(rows, width)
        total = sum(masses) or 1.0
        is_full = self.survey.style(number).width is not None
        scale = width / total if total > width or is_full else 1.0
        top = y
        for other in others:
            top += self.outer(other, x, top, width, depth + 1)
        for row in rows:
            top += self._cells(row, x, top, [mass * scale for mass in masses], depth + 1)
        return top - y

    def _column_masses(self, rows: Sequence[int], width: float) -> list[float]:
        masses: list[float] = []
        for row in rows:
            for at, cell in enumerate(self.survey.children(row)):
                masses += [1.0] * (at + 1 - len(masses))
                masses[at] = max(masses[at], self._cell_need(cell, width))
        return masses

    def _cell_need(self, cell: int, width: float) -> float:
        if self._span(cell) > 1:
            return 1.0
        return self.survey.told_width(cell, width) or min(self.survey.need(cell), width * 2)

    def _span(self, cell: int) -> int:
        told = self.survey.elements[cell].get("colspan", "1")
        return int(told) if told.isascii() and told.isdigit() and 0 < int(told) < _MOST_SPAN else 1

    def _rows_of(self, number: int) -> tuple[list[int], list[int]]:
        """The rows of a table, those of its groups included, and what else is in it."""
        rows: list[int] = []
        others: list[int] = []
        for child in self.survey.children(number):
            if self.survey.elements[child].tag in ("tbody", "thead", "tfoot"):
                inner = self.survey.children(child)
                rows += [one for one in inner if self.survey.style(one).display == "table-row"]
            else:
                (rows if self.survey.style(child).display == "table-row" else others).append(child)
        return rows, others

    def _cells(self, row: int, x: float, y: float, widths: Sequence[float], depth: int) -> float:
        left, height, at = x, 0.0, 0
        for cell in self.survey.children(row):
            span = self._span(cell)
            share = sum(widths[at : at + span]) or 10.0
            height = max(height, self.block(cell, left, y, share, depth + 1))
            left, at = left + share, at + span
        self.add(row, ELEMENT, (x, y, left - x, height), self.survey.style(row))
        return height
