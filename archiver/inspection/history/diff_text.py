"""A difference in a terminal: words that went and came, inline or in two columns."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from archiver.display.tables import printable
from archiver.inspection.history.columns import wrapped
from archiver.inspection.history.difference import has_changed, words_of
from archiver.inspection.history.layout import (
    Skipped,
    is_changed_line,
    is_changed_row,
    lines_of,
    rows_of,
    without_same,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from archiver.articles.versions.words import Piece
    from archiver.documents.pages.model import Image, Link
    from archiver.inspection.history.columns import Word
    from archiver.inspection.history.difference import Difference, Exchanged
    from archiver.inspection.history.layout import Line

    Paint = Callable[[str, str], str]

# Also with colours: not everybody sees them, and none is copied.
_MARKS = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
_COLOURS = {"same": "", "removed": "red", "added": "green"}
_BETWEEN = " │ "
_NARROWEST = 20  # of a column


def inline(difference: Difference, paint: Paint, *, width: int, is_whole: bool = False) -> Iterator[str]:
    """One text with both in it."""
    yield from _title(difference, paint, width)
    lines = lines_of(difference.text)
    for line in lines if is_whole else without_same(lines, is_changed_line):
        if isinstance(line, Skipped):
            yield paint(str(line), "grey")
        else:
            yield from _painted(_words(line), paint, width)
        yield ""
    yield from _lists(difference, paint)


def side_by_side(
    difference: Difference, paint: Paint, *, width: int, is_whole: bool = False
) -> Iterator[str]:
    """As it was on the left, as it is on the right."""
    yield from _title(difference, paint, width)
    half = max(_NARROWEST, (width - len(_BETWEEN)) // 2)
    rows = rows_of(difference.text)
    for row in rows if is_whole else without_same(rows, is_changed_row):
        if isinstance(row, Skipped):
            yield paint(str(row), "grey")
        else:
            yield from _beside(row.before, row.now, paint, half)
        yield ""
    yield from _lists(difference, paint)


def _beside(before: Line | None, now: Line | None, paint: Paint, width: int) -> Iterator[str]:
    left, right = (wrapped(_words(line or ()), width) for line in (before, now))
    for old, new in zip_longest(left, right):
        painted = old.painted(paint) + " " * (width - old.width) if old else " " * width
        yield f"{painted}{_BETWEEN}{new.painted(paint) if new else ''}".rstrip()


def _painted(words: Sequence[Word], paint: Paint, width: int) -> Iterator[str]:
    for line in wrapped(words, width):
        yield line.painted(paint)


def _title(difference: Difference, paint: Paint, width: int) -> Iterator[str]:
    if has_changed(difference.title):
        yield paint("Title", "bold")
        yield from _painted(_words(difference.title), paint, width)
        yield ""


def _words(pieces: Sequence[Piece]) -> list[Word]:
    """The words of a line, each with its colour; the marks are at the ends of a run."""
    found = []
    for piece in pieces:
        opening, closing = _MARKS[piece.kind]
        text = printable(piece.text)
        # What had no space between it and the next has none here either.
        is_open = not piece.text[-1:].isspace()
        words = text.split(" ") if text else []
        for place, word in enumerate(words):
            marked = (opening if place == 0 else "") + word + (closing if place == len(words) - 1 else "")
            found.append((marked, _COLOURS[piece.kind], is_open and place == len(words) - 1))
    return found


def _lists(difference: Difference, paint: Paint) -> Iterator[str]:
    for name, exchanged in (("Links", difference.links), ("Images", difference.images)):
        if exchanged:
            yield paint(name, "bold")
            yield from _list(exchanged, paint)
            yield ""


def _list(exchanged: Exchanged[Link] | Exchanged[Image], paint: Paint) -> Iterator[str]:
    for one in exchanged.removed:
        yield paint(f"- {_thing(one)}", "red")
    for one in exchanged.added:
        yield paint(f"+ {_thing(one)}", "green")
    for old, new in exchanged.reworded:
        yield f"~ {printable(new.url)}"
        changed = ((old, "removed"), (new, "added"))
        yield "  " + " ".join(paint(_marked(words_of(one), kind), _COLOURS[kind]) for one, kind in changed)


def _marked(text: str, kind: str) -> str:
    opening, closing = _MARKS[kind]
    return f"{opening}{printable(text)}{closing}"


def _thing(one: Link | Image) -> str:
    words = printable(words_of(one))
    return f"{printable(one.url)}  {words}" if words else printable(one.url)
