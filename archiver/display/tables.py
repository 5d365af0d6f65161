"""Tables for a terminal, as wide as the window, whatever the cells hold; sizes in words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Paint = Callable[[str, str], str]

_GAP = "  "
_ELLIPSIS = "…"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # begins or ends, and takes no room
_NO_WIDTH = {"Mn", "Me"}  # marks on the character before them, variation selectors


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A column: its title, and what becomes of it in a window that is too narrow for all of the table."""

    title: str
    is_number: bool = False  # aligned to the right
    narrowest: int | None = None  # cells may be shortened to this width; None: never
    is_optional: bool = False  # left out where the others would not fit, the last one first


class Coloured(NamedTuple):
    """A text and the name of its colour, see `terminal.Colours`."""

    text: str
    colour: str = ""


def table_lines(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[str | Coloured]],
    *,
    width: int | None,
    paint: Paint | None = None,
) -> Iterator[str]:
    """The heading and a line for each row, none wider than `width`; with None nothing is shortened."""
    cells = [[_safe(cell) for cell in row] for row in rows]
    widths = [
        max(display_width(text) for text in (column.title, *(row[place].text for row in cells)))
        for place, column in enumerate(columns)
    ]
    shown = list(range(len(columns)))
    if width is not None:
        shown, widths = _fitted(columns, widths, width)
    for row in [[Coloured(column.title, "bold") for column in columns], *cells]:
        yield _line([(row[place], widths[place], columns[place].is_number) for place in shown], paint, width)


def _safe(cell: str | Coloured) -> Coloured:
    given = cell if isinstance(cell, Coloured) else Coloured(cell)
    return given._replace(text=printable(given.text))


def _fitted(
    columns: Sequence[TableColumn], natural: Sequence[int], width: int
) -> tuple[list[int], list[int]]:
    """Which columns are shown, and how wide each is: shorter cells first, then fewer columns."""
    shown = list(range(len(columns)))
    while True:
        widths = _narrowed(columns, natural, shown, width)
        optional = [place for place in shown if columns[place].is_optional]
        if not optional or _total(widths, shown) <= width:
            return shown, widths
        shown.remove(optional[-1])


def _narrowed(
    columns: Sequence[TableColumn], natural: Sequence[int], shown: Sequence[int], width: int
) -> list[int]:
    """Take from the widest column that may be shortened until the row fits or none is left."""
    widths = list(natural)
    floors = {place: floor for place in shown if (floor := columns[place].narrowest) is not None}
    while _total(widths, shown) > width:
        wide = [place for place, floor in floors.items() if widths[place] > floor]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _total(widths: Sequence[int], shown: Sequence[int]) -> int:
    return sum(widths[place] for place in shown) + len(_GAP) * (len(shown) - 1)


def _line(cells: Sequence[tuple[Coloured, int, bool]], paint: Paint | None, width: int | None) -> str:
    """One row; what does not fit even so is left out at its end."""
    line, used = "", 0
    for place, (cell, wanted, is_number) in enumerate(cells):
        gap = _GAP if place else ""
        room = wanted if width is None else min(wanted, width - used - len(gap))
        if room <= 0:
            break
        text = shortened(cell.text, room)
        space = " " * (room - display_width(text))
        painted = paint(text, cell.colour) if paint and cell.colour and text else text
        line += gap + (space + painted if is_number else painted + space)
        used += len(gap) + room
    return line.rstrip()


def shortened(text: str, width: int) -> str:
    """The text in at most so many columns of a terminal, with an ellipsis where something is left out."""
    if display_width(text) <= width:
        return text
    used = 0
    for place, character in enumerate(text):
        used += display_width(character)
        if used > width - 1:
            return text[:place] + _ELLIPSIS if width > 0 else ""
    return text


def folded(text: str, width: int | None, *, indent: str = "  ") -> str:
    """The text in lines of at most so many columns, broken between words; None: in one line.

    A word that is longer stays whole, to be copied: addresses and paths. Lines of the text stay lines.
    """
    if "\n" in text:
        return "\n".join(folded(line, width, indent=indent) for line in text.split("\n"))
    if width is None or _shown_width(text) <= width:
        return text
    head = text[: len(text) - len(text.lstrip())]
    lines: list[str] = []
    line = ""
    for word in re.findall(r"\s*\S+", text.strip()):
        start = head if not lines else indent
        if line and _shown_width(line + word) > width:
            lines.append(line)
            line = indent + word.strip()
        else:
            line = line + word if line else start + word
    return "\n".join([*lines, line])


def _shown_width(text: str) -> int:
    return display_width(_COLOUR.sub("", text))


def display_width(text: str) -> int:
    """Columns of a terminal: Chinese characters take two, marks above others none."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")


def printable(text: str) -> str:
    """Without what a terminal, a page or a reader could take for an order: controls, turned directions."""
    return "".join(character if character.isprintable() else "\ufffd" for character in " ".join(text.split()))


def size_in_words(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:  # what would be rounded to 1e+03
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def many(count: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
