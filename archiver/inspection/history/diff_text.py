"""A difference in a terminal: words that went and came, inline or in two columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from archiver.display.tables import display_width, printable
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

    from archiver.articles.versions.words import WordRun
    from archiver.documents.pages.model import Image, Link
    from archiver.inspection.history.difference import Difference, Exchanged
    from archiver.inspection.history.layout import Line

    Paint = Callable[[str, str], str]
    # Its text, the name of its colour, and whether the next one follows without a space.
    Word = tuple[str, str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColouredLine:
    """Runs of text, each with its colour."""

    runs: tuple[tuple[str, str], ...]
    width: int

    def painted(self, paint: Paint) -> str:
        return "".join(paint(text, colour) if colour else text for text, colour in self.runs)


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


def _words(pieces: Sequence[WordRun]) -> list[Word]:
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


def wrapped(words: Sequence[Word], width: int) -> list[ColouredLine]:
    """The words in lines that are not wider than this."""
    lines: list[list[tuple[str, str]]] = [[]]
    used, gap = 0, ""
    for text, colour, is_open in words:
        for part in _parts(text, width):
            size = display_width(part)
            if lines[-1] and used + len(gap) + size > width:
                lines.append([])
                used, gap = 0, ""
            _append(lines[-1], gap + part, colour, gap)
            used += len(gap) + size
            gap = ""
        gap = "" if is_open else " "
    return [_line(runs) for runs in lines if runs]


def _append(runs: list[tuple[str, str]], text: str, colour: str, gap: str) -> None:
    """Add to the last run where it has the same colour; a space before another colour has none."""
    if runs and runs[-1][1] == colour:
        runs[-1] = (runs[-1][0] + text, colour)
    else:
        runs.extend([(gap, "")] if gap else [])
        runs.append((text[len(gap) :], colour))


def _parts(word: str, width: int) -> Iterator[str]:
    """A word that is wider than a line, in pieces that are not."""
    if display_width(word) <= width:
        yield word
        return
    part, used = "", 0
    for character in word:
        size = display_width(character)
        if part and used + size > width:
            yield part
            part, used = "", 0
        part, used = part + character, used + size
    yield part


def _line(runs: list[tuple[str, str]]) -> ColouredLine:
    return ColouredLine(runs=tuple(runs), width=display_width("".join(text for text, _ in runs)))
