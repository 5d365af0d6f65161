"""Lines of text, and elements whose size is their own: images, players, controls."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.layout.making import Style

# An image of which nothing is said: what news pages mostly show. A guess.
UNKNOWN_IMAGE = (300.0, 200.0)
# The HTML standard's default for what is embedded, and what browsers draw for controls.
_EMBEDDED = (300.0, 150.0)
_FIXED = {
    "iframe": _EMBEDDED, "video": _EMBEDDED, "object": _EMBEDDED, "embed": _EMBEDDED, "canvas": _EMBEDDED,
    "svg": _EMBEDDED, "input": (153.0, 21.0), "select": (80.0, 19.0), "textarea": (182.0, 36.0),
    "progress": (160.0, 16.0), "meter": (80.0, 16.0),
}  # fmt: skip
_SMALL_INPUTS = frozenset({"checkbox", "radio"})
_IMAGES = frozenset({"img", "amp-img"})
_LARGEST = 4000.0


def replaced_size(element: Element, style: Style) -> tuple[float, float] | None:
    """Width and height of what is not text; None for all other elements."""
    tag = element.tag
    if tag not in _IMAGES and tag not in _FIXED:
        return None
    if tag == "input" and element.get("type") == "hidden":
        return 0.0, 0.0
    if tag == "input" and element.get("type") in _SMALL_INPUTS:
        return 20.0, 19.0
    width, height = _told(element, style, "width"), _told(element, style, "height")
    usual = UNKNOWN_IMAGE if tag in _IMAGES else _FIXED[tag]
    if width is None and height is None:
        return usual
    if width is None:
        return (height or 0.0) * usual[0] / usual[1], height or 0.0
    return width, width * usual[1] / usual[0] if height is None else height


def _told(element: Element, style: Style, name: str) -> float | None:
    length = style.width if name == "width" else style.height
    if length is not None and not length[1]:
        return min(_LARGEST, max(0.0, length[0]))
    told = (element.get(name) or "").strip().lower().removesuffix("px")
    return min(_LARGEST, float(told)) if told.isascii() and told.replace(".", "", 1).isdigit() else None


class Line:
    """Text and images that follow each other in lines of one width."""

    def __init__(self, x: float, y: float, width: float) -> None:
        self._x, self._y, self.width = x, y, width
        self._at = 0.0  # how much of the line is taken
        self._high = 0.0
        # Of the inline elements that are open: left, top, right, bottom so far.
        self._open: dict[int, list[float]] = {}

    def top(self) -> float:
        return self._y

    def bottom(self) -> float:
        return self._y + self._high

    def open(self, number: int) -> None:
        self._open[number] = []

    def close(self, number: int) -> tuple[float, float, float, float] | None:
        """The rectangle around what came since the element was opened, as x, y, width and height."""
        sides = self._open.pop(number, None)
        if not sides:
            return None
        return sides[0], sides[1], sides[2] - sides[0], sides[3] - sides[1]

    def end_line(self, least: float) -> None:
        self._y += max(self._high, least if not self._at else 0.0)
        self._at = self._high = 0.0

    def place(self, width: float) -> tuple[float, float]:
        """Where something of a width goes: in this line, or at the start of the next."""
        if self._at and self._at + width > self.width:
            self.end_line(0.0)
        place = self._x + self._at, self._y
        self._at += width
        self._seen(place[0], place[1], width, 1.0)
        return place

    def grow(self, height: float) -> None:
        self._high = max(self._high, height)
        for sides in self._open.values():
            if sides:
                sides[3] = max(sides[3], self._y + height)

    def add_text(self, extent: float, line: float) -> tuple[float, float, float, float]:
        """A text of so many pixels in lines of a height: its rectangle."""
        room = self.width - self._at
        if extent <= room:
            box = (self._x + self._at, self._y, extent, line)
            self._at += extent
            self._high = max(self._high, line)
        else:
            more = ceil((extent - room) / self.width)
            first = max(self._high, line)
            box = (self._x, self._y, self.width, first + more * line)
            self._y += first + (more - 1) * line
            self._at, self._high = extent - room - (more - 1) * self.width, line
        self._seen(*box)
        return box

    def _seen(self, x: float, y: float, w: float, h: float) -> None:
        for sides in self._open.values():
            if sides:
                sides[0], sides[1] = min(sides[0], x), min(sides[1], y)
                sides[2], sides[3] = max(sides[2], x + w), max(sides[3], y + h)
            else:
                sides.extend((x, y, x + w, y + h))


# Of the size: how wide a letter is, in the mean; by the default fonts of Chromium.
_LETTER = 0.45
_WIDE = "\u2e80"  # from here on scripts have letters as wide as they are high


def extent(text: str | None, size: float) -> float:
    """How long a text is on one line, in pixels."""
    if not text:
        return 0.0
    length = len(text)
    if length > 12:
        length = len(" ".join(text.split()))
    elif text.isspace():
        return 0.0
    letter = 1.0 if not text.isascii() and any(one >= _WIDE for one in text[:40]) else _LETTER
    return length * size * letter
