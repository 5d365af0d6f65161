"""Coloured words in lines of a terminal: the colours take no room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.display.tables import display_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
