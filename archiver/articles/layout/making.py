"""One element's style: what browsers do by themselves (HTML standard, "Rendering"), then what is declared."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from archiver.articles.layout.lengths import (
    ROOT_SIZE,
    columns_in,
    font_size,
    length,
    line_height,
    pixels,
    size_in,
)
from archiver.lexicon.elements import BLOCKS, HEADINGS

if TYPE_CHECKING:
    from archiver.articles.layout.lengths import Length
    from archiver.articles.layout.sheets import Declarations

# The HTML standard, "Rendering": sizes and margins in em.
_HEADING_SIZES = dict(zip(HEADINGS, (2.0, 1.5, 1.17, 1.0, 0.83, 0.67), strict=True))
_HEADING_MARGINS = dict(zip(HEADINGS, (0.67, 0.83, 1.0, 1.33, 1.67, 2.33), strict=True))
_HIDDEN = frozenset({
    "head", "script", "style", "template", "title", "meta", "link", "base", "noframes", "datalist", "area",
    "param", "track", "dialog", "rp", "option", "optgroup", "audio", "noembed",
})  # fmt: skip
_BLOCKS = frozenset({
    *BLOCKS, "frameset", "search", "thead", "tbody", "tfoot", "xmp", "listing", "plaintext", "noscript",
}) - {"option"}  # fmt: skip
_ONE_EM = frozenset({"p", "ul", "ol", "dl", "blockquote", "figure", "pre", "menu", "dir"})
_INDENTED = frozenset({"ul", "ol", "menu", "dir"})
_BOLD = frozenset({*HEADINGS, "b", "strong", "th"})
_ITALIC = frozenset({"i", "em", "cite", "var", "dfn", "address"})
_STRUCK = frozenset({"s", "strike", "del"})
# In pixels, those that do not follow the size.
_MARGINS = {
    "body": (8.0, 8.0, 8.0, 8.0),
    "dd": (0.0, 0.0, 0.0, 40.0),
    "hr": (8.0, 0.0, 8.0, 0.0),
}
_TABLE = {"table": "table", "tr": "table-row", "td": "table-cell", "th": "table-cell"}
_INNER_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
# `<font size>`: the HTML standard.
_FONT_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
_SIDES = ("top", "right", "bottom", "left")
_INLINE = "inline"


class Style(NamedTuple):
    """How an element is set and placed."""

    display: str = _INLINE
    size: float = ROOT_SIZE
    weight: int = 400
    is_italic: bool = False
    is_struck: bool = False
    is_shown: bool = True
    line: float = 1.15  # of the size, as `normal` is for the usual fonts
    floats: str = ""
    is_placed: bool = False  # out of the flow
    width: Length = None
    most_width: Length = None
    height: Length = None
    margin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    padding: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    is_centred: bool = False
    columns: int = 0  # of a grid
    is_column: bool = False  # a flex box whose items stand below each other
    wraps: bool = False
    clears: bool = False


class Inherited(NamedTuple):
    """What an element takes over from the one around it."""

    size: float = ROOT_SIZE
    weight: int = 400
    is_italic: bool = False
    is_struck: bool = False
    is_shown: bool = True
    line: float = 1.15


class StyleOrigin(NamedTuple):
    """All that a style is made of besides what is declared."""

    tag: str
    above: str
    inherited: Inherited
    is_hidden: bool
    width: str
    align: str
    size: str


# Pages have few kinds of elements, and the same ones again and again.
@lru_cache(maxsize=20_000)
def styled(origin: StyleOrigin, declared: Declarations) -> Style:
    return _Made(origin).style(dict(declared))


class _Made:
    """A style being made: the browser's own, then what is declared."""

    def __init__(self, origin: StyleOrigin) -> None:
        self._origin, self._tag, self._parent = origin, origin.tag, origin.inherited

    def style(self, declared: dict[str, str]) -> Style:
        size = self._size(declared)
        display, floats = declared.get("display", self._display()), declared.get("float", "")
        is_placed = declared.get("position") in ("absolute", "fixed")
        decoration = declared.get("text-decoration", "") + declared.get("text-decoration-line", "")
        is_italic = declared.get("font-style") == "italic" or self._tag in _ITALIC
        return Style(
            display=_simple("none" if self._origin.is_hidden else display, floats, is_placed),
            size=size,
            weight=self._weight(declared),
            is_italic=is_italic or self._parent.is_italic,
            is_struck="line-through" in decoration or self._parent.is_struck or self._tag in _STRUCK,
            is_shown=self._parent.is_shown and not _is_veiled(declared),
            line=line_height(declared.get("line-height"), size, self._parent.line),
            floats=self._floats(floats),
            is_placed=is_placed,
            width=length(declared.get("width") or self._origin.width, size),
            most_width=length(declared.get("max-width"), size),
            height=length(declared.get("height"), size),
            margin=self._sides("margin", declared, size),
            padding=self._sides("padding", declared, size),
            is_centred=self._is_centred(declared),
            columns=columns_in(declared.get("grid-template-columns", "")) if "grid" in display else 0,
            is_column=declared.get("flex-direction", "").startswith("column"),
            wraps=declared.get("flex-wrap") == "wrap",
            clears=declared.get("clear") in ("both", "left", "right"),
        )

    def _display(self) -> str:
        tag = self._tag
        if tag in _HIDDEN or not isinstance(tag, str):
            return "none"
        if tag in _TABLE:
            return _TABLE[tag]
        return "block" if tag in _BLOCKS else _INLINE

    def _size(self, declared: dict[str, str]) -> float:
        around = self._parent.size
        own = around * _HEADING_SIZES.get(self._tag, 1.0)
        if self._tag in ("small", "sub", "sup"):
            own = around / 1.2
        elif self._tag == "font" and self._origin.size in _FONT_SIZES:
            own = _FONT_SIZES[self._origin.size]
        elif self._tag in ("pre", "code", "kbd", "samp", "tt") and self._parent.size == ROOT_SIZE:
            own = 13.0
        elif self._tag in ("input", "select", "button", "textarea"):
            own = 13.333
        told = declared.get("font-size") or size_in(declared.get("font", ""))
        return max(0.0, min(200.0, font_size(told, around, own))) if told else own

    def _weight(self, declared: dict[str, str]) -> int:
        told = declared.get("font-weight", "")
        if told.isdigit():
            return min(1000, int(told))
        if told in ("bold", "bolder"):
            return 700
        if told in ("normal", "lighter"):
            return 400
        return 700 if self._tag in _BOLD else self._parent.weight

    def _floats(self, declared: str) -> str:
        if declared in ("left", "right", "none"):
            return "" if declared == "none" else declared
        align = self._origin.align
        return align if self._tag in ("img", "table") and align in ("left", "right") else ""

    def _is_centred(self, declared: dict[str, str]) -> bool:
        sides = declared.get("margin", "").split()
        is_auto = len(sides) > 1 and sides[1] == "auto"
        return is_auto or declared.get("margin-left") == "auto" or self._tag == "center"

    def _sides(self, name: str, declared: dict[str, str], size: float) -> tuple[float, float, float, float]:
        top, right, bottom, left = self._own_margin(size) if name == "margin" else self._own_padding()
        sides = [top, right, bottom, left]
        told = [pixels(one, size) for one in declared.get(name, "").split()[:4]]
        if told:
            right = told[min(1, len(told) - 1)]
            sides = [
                told[0],
                right,
                told[2] if len(told) > 2 else told[0],
                told[3] if len(told) > 3 else right,
            ]
        for place, side in enumerate(_SIDES):
            if one := declared.get(f"{name}-{side}"):
                sides[place] = pixels(one, size)
        return sides[0], sides[1], sides[2], sides[3]

    def _own_margin(self, size: float) -> tuple[float, float, float, float]:
        tag = self._tag
        if tag in _INNER_LISTS and self._origin.above in ("li", "dd"):
            return 0.0, 0.0, 0.0, 0.0
        block = size * (_HEADING_MARGINS.get(tag) or float(tag in _ONE_EM))
        if tag in ("blockquote", "figure"):
            return block, 40.0, block, 40.0
        return _MARGINS.get(tag, (block, 0.0, block, 0.0))

    def _own_padding(self) -> tuple[float, float, float, float]:
        if self._tag in _INDENTED:
            return 0.0, 0.0, 0.0, 40.0
        return (1.0, 1.0, 1.0, 1.0) if self._tag in ("td", "th") else (0.0, 0.0, 0.0, 0.0)


def _is_veiled(declared: dict[str, str]) -> bool:
    return declared.get("visibility") in ("hidden", "collapse") or declared.get("opacity") == "0"


def _simple(display: str, floats: str, is_placed: bool) -> str:
    """The display as far as it is told apart: what is out of the flow is a block."""
    known = (
        display.removeprefix("inline-")
        if display in ("inline-flex", "inline-grid", "inline-table")
        else display
    )
    if known == _INLINE and (is_placed or floats in ("left", "right")):
        return "block"
    told = (
        "block",
        _INLINE,
        "inline-block",
        "none",
        "flex",
        "grid",
        "table",
        "table-row",
        "table-cell",
        "contents",
    )
    return (
        known
        if known in told
        else ("block" if known in ("list-item", "flow-root", "-webkit-box") else _INLINE)
    )
