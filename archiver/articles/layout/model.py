"""Boxes of a page, whichever way they were made: rendered by a browser, or estimated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# The thesis of Carullo (2010, section 3.2.6) renders pages on a screen of this size.
SCREEN_WIDTH, SCREEN_HEIGHT = 1024.0, 768.0
# Coordinates beyond it are cut: no page is longer, and numbers stay finite.
FARTHEST = 1e6

Quality = Literal["rendered", "estimated", "none"]
# What a box is of: an element, its text before its children, or the text behind it.
ELEMENT, TEXT, TAIL = 0, 1, 2


class Box(NamedTuple):
    """Where a part of a page is, in CSS pixels, and how its text is set."""

    # The place of its element among all elements of the served page, in document order.
    node: int
    part: int
    x: float
    y: float
    w: float
    h: float
    size: float = 16.0
    weight: int = 400
    is_italic: bool = False
    is_struck: bool = False
    is_shown: bool = True
    # Red, green and blue, 0 to 255; None where it is not known.
    colour: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Layout:
    """All boxes of a page. What has no box is not shown."""

    quality: Quality = "none"
    width: float = SCREEN_WIDTH
    height: float = SCREEN_HEIGHT
    boxes: tuple[Box, ...] = ()

    @cached_property
    def by_place(self) -> Mapping[tuple[int, int], Box]:
        """Boxes by their element and part."""
        return {(box.node, box.part): box for box in self.boxes}


NO_LAYOUT = Layout()


def cut(value: float) -> float:
    """A coordinate that is finite and not farther than any page; NaN becomes 0."""
    return min(FARTHEST, max(-FARTHEST, value)) if not isnan(value) else 0.0


def around(boxes: Iterable[Box]) -> tuple[float, float, float, float] | None:
    """The smallest rectangle with all boxes that have an area, as x, y, width and height."""
    seen = [box for box in boxes if box.w > 0 and box.h > 0]
    if not seen:
        return None
    left, top = min(box.x for box in seen), min(box.y for box in seen)
    right, bottom = max(box.x + box.w for box in seen), max(box.y + box.h for box in seen)
    return left, top, right - left, bottom - top
