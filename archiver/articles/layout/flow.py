"""The contents of one block: lines of text, blocks below each other, and what floats beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from archiver.articles.layout.inline import Line, extent, replaced_size
from archiver.articles.layout.model import ELEMENT, TAIL, TEXT

if TYPE_CHECKING:
    from archiver.articles.layout.making import Style
    from archiver.articles.layout.survey import Survey

# No line is narrower, however much floats beside it.
_LEAST_WIDTH = 40.0


class Placing(Protocol):
    """What a flow asks of the walk over the page."""

    survey: Survey

    def add(
        self, number: int, part: int, rectangle: tuple[float, float, float, float], style: Style
    ) -> None: ...

    def block(self, number: int, x: float, y: float, width: float, depth: int) -> float: ...

    def outer(self, number: int, x: float, y: float, width: float, depth: int) -> float: ...


class _Floats:
    """What stands at the sides of a block: how far it reaches in, and how far down."""

    def __init__(self) -> None:
        self._left: list[tuple[float, float]] = []
        self._right: list[tuple[float, float]] = []

    def sides(self, y: float) -> tuple[float, float]:
        """How much is taken at the left and at the right at a height."""
        if not self._left and not self._right:
            return 0.0, 0.0
        left = max((reach for reach, bottom in self._left if bottom > y), default=0.0)
        right = max((reach for reach, bottom in self._right if bottom > y), default=0.0)
        return left, right

    def add(self, side: str, reach: float, bottom: float) -> None:
        (self._left if side == "left" else self._right).append((reach, bottom))

    def below(self) -> float:
        return max((bottom for _, bottom in (*self._left, *self._right)), default=0.0)


class Flow:
    """One block being filled, from its top down."""

    def __init__(self, placing: Placing, number: int, x: float, y: float, width: float, depth: int) -> None:
        self._placing, self._survey = placing, placing.survey
        self._number, self._depth = number, depth
        self._x, self._top, self._y, self._width = x, y, y, width
        self._floats = _Floats()
        self._gap = 0.0  # the margin below the last block, which the next one shares
        self._line: Line | None = None

    def height(self) -> float:
        """Fill it; how high it became."""
        self._contents(self._number, self._survey.style(self._number))
        self._end_line()
        return max(self._y, self._floats.below()) - self._top

    def _contents(self, number: int, style: Style) -> None:
        """The text and the children of the block, or of an inline element in it, in their order."""
        element = self._survey.elements[number]
        self._text(number, TEXT, element.text, style)
        for child in element:
            place, own = self._survey.shown_style(child)
            if own is not None and child.tag == "br":
                self._open_line().end_line(style.size * style.line)
            elif own is not None:
                self._child(place, own)
            self._text(place, TAIL, child.tail, style)

    def _child(self, number: int, style: Style) -> None:
        if style.is_placed:
            self._placing.block(number, self._x, self._y, self._narrow(number), self._depth + 1)
        elif style.floats:
            self._float(number, style)
        elif not self._survey.is_block(number):
            self._run_on(number, style)
        elif style.display in ("inline", "contents"):
            self._end_line()
            self._contents(number, style)
            self._end_line()
        else:
            self._below(number, style)

    def _narrow(self, number: int) -> float:
        told = self._survey.told_width(number, self._width)
        return min(self._width, told or self._survey.need(number))

    def _run_on(self, number: int, style: Style) -> None:
        """An inline element without blocks in it: its text goes on in the line."""
        fixed = replaced_size(self._survey.elements[number], style)
        if fixed or style.display == "inline-block":
            self._box_in_line(number, style, fixed)
            return
        line = self._open_line()
        line.open(number)
        self._contents(number, style)
        rectangle = line.close(number)
        if rectangle is not None:
            self._placing.add(number, ELEMENT, rectangle, style)

    def _box_in_line(self, number: int, style: Style, fixed: tuple[float, float] | None) -> None:
        line = self._open_line()
        width = min(line.width, fixed[0] if fixed else self._narrow(number))
        x, y = line.place(width)
        if fixed:
            line.grow(fixed[1])
            self._placing.add(number, ELEMENT, (x, y, width, fixed[1]), style)
        else:
            line.grow(self._placing.block(number, x, y, width, self._depth + 1))

    def _open_line(self) -> Line:
        if self._line is None:
            self._y += self._gap
            self._gap = 0.0
            left, right = self._floats.sides(self._y)
            width = max(_LEAST_WIDTH, self._width - left - right)
            self._line = Line(self._x + left, self._y, width)
        return self._line

    def _end_line(self) -> None:
        if self._line is not None:
            self._y, self._line = self._line.bottom(), None

    def _text(self, number: int, part: int, text: str | None, style: Style) -> None:
        if text and not text.isspace():
            rectangle = self._open_line().add_text(extent(text, style.size), style.size * style.line)
            self._placing.add(number, part, rectangle, style)

    def _below(self, number: int, style: Style) -> None:
        """A block: below what was before, narrowed by what floats beside it."""
        self._end_line()
        if style.clears:
            self._y = max(self._y, self._floats.below())
        top, right, bottom, left = style.margin
        y = self._y + max(self._gap, top)
        taken_left, taken_right = self._floats.sides(y)
        room = max(_LEAST_WIDTH, self._width - taken_left - taken_right)
        width = self._width_in(number, style, room - left - right)
        x = self._x + taken_left + (max(0.0, (room - width) / 2) if style.is_centred else left)
        height = self._placing.block(number, x, y, width, self._depth + 1)
        if height > 0:
            self._y, self._gap = y + height, bottom
        else:
            self._gap = max(self._gap, top, bottom)

    def _width_in(self, number: int, style: Style, room: float) -> float:
        told = self._survey.told_width(number, self._width)
        if told is not None:
            return told
        width = max(10.0, room)
        return min(width, self._survey.need(number)) if style.display == "table" else width

    def _float(self, number: int, style: Style) -> None:
        """Beside what comes next, at the first height where it has room."""
        y = self._line.top() if self._line is not None else self._y + self._gap
        width = min(self._width, self._narrow(number) + style.margin[1] + style.margin[3])
        left, right = self._floats.sides(y)
        if left + right + width > self._width * 1.01:  # rounding is not lack of room
            y = max(y, self._floats.below())
            left, right = self._floats.sides(y)
        x = self._x + left if style.floats == "left" else self._x + self._width - right - width
        height = self._placing.outer(number, x, y, width, self._depth + 1)
        reach = width + (left if style.floats == "left" else right)
        self._floats.add(style.floats, reach, y + height)
