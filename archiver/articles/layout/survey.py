"""What must be known of all elements before any of them is placed: their styles, and how much they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.layout.inline import extent, replaced_size
from archiver.articles.layout.styles import root_context

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.layout.lengths import Length
    from archiver.articles.layout.making import Style
    from archiver.articles.layout.sheets import Sheets
    from archiver.articles.layout.styles import Context

_INLINE = frozenset({"inline", "inline-block", "contents"})


class Survey:
    """The elements of a page by their numbers, in document order."""

    def __init__(self, tree: Element, sheets: Sheets) -> None:
        self.elements = list(tree.iter())
        self.numbers = {element: number for number, element in enumerate(self.elements)}
        self._contexts: list[Context | None] = [None] * len(self.elements)
        # How many pixels the text and the images of an element would take on one line.
        self._mass = [0.0] * len(self.elements)
        self._holds_blocks = [False] * len(self.elements)
        parents = self._add_styles(sheets)
        for number in range(len(self.elements) - 1, 0, -1):
            self._add_mass(number, parents[number])

    def _add_styles(self, sheets: Sheets) -> list[int]:
        """From the root down; returns the number of each element's parent."""
        contexts, numbers = self._contexts, self.numbers
        contexts[0] = root_context(self.elements[0], sheets)
        parents = [-1] * len(self.elements)
        for number, element in enumerate(self.elements):
            parent = element.getparent()
            if number == 0 or parent is None:
                continue
            parents[number] = above = numbers[parent]
            around = contexts[above]
            if around is not None and around.style.display != "none" and not _is_folded(element, parent):
                contexts[number] = around.below(element, sheets)
        return parents

    def _add_mass(self, number: int, above: int) -> None:
        """From the leaves up."""
        context, around = self._contexts[number], self._contexts[above]
        if around is None:
            return
        element = self.elements[number]
        self._mass[above] += extent(element.tail, around.style.size)
        if context is None or context.style.display == "none" or context.style.is_placed:
            return
        fixed = replaced_size(element, context.style)
        if not fixed:
            self._mass[number] += extent(element.text, context.style.size)
        self._mass[above] += fixed[0] if fixed else self._mass[number]
        self._holds_blocks[above] |= self.is_block(number)

    def shown_style(self, element: Element) -> tuple[int, Style | None]:
        """The number of an element, and its style; None where it has no box."""
        number = self.numbers[element]
        context = self._contexts[number]
        return number, None if context is None or context.style.display == "none" else context.style

    def style(self, number: int) -> Style:
        context = self._contexts[number]
        if context is None:
            raise ValueError("only elements that are shown are placed")
        return context.style

    def children(self, number: int) -> list[int]:
        """The children that are shown."""
        found = map(self.shown_style, self.elements[number])
        return [place for place, style in found if style is not None]

    def is_block(self, number: int) -> bool:
        """Whether it stands below what comes before it; a box in a line does not, whatever it holds."""
        display = self.style(number).display
        return display not in _INLINE or (display != "inline-block" and self._holds_blocks[number])

    def need(self, number: int) -> float:
        """How wide it would be if it had all the room that it wants."""
        padding, margin = self.style(number).padding, self.style(number).margin
        return self._mass[number] + padding[1] + padding[3] + margin[1] + margin[3] + 1

    def told_width(self, number: int, width: float) -> float | None:
        """The width that styles or attributes give an element in a width; None where nothing does."""
        style = self.style(number)
        told, most = _resolved(style.width, width), _resolved(style.most_width, width)
        if told is None:
            fixed = replaced_size(self.elements[number], style)
            return min(fixed[0], most or width) if fixed else None
        return min(told, most) if most else told


def _is_folded(element: Element, parent: Element) -> bool:
    """Whether it is in what a reader would have to open first."""
    return parent.tag == "details" and parent.get("open") is None and element.tag != "summary"


def _resolved(told: Length, width: float) -> float | None:
    if told is None:
        return None
    return told[0] * width if told[1] else told[0]
