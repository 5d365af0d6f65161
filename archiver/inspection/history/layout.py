"""The words of a difference in lines: one below the other, or two columns; with what stayed left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from archiver.articles.versions.words import WordRun

    Line = tuple[WordRun, ...]

# So many lines beside a changed one are shown as well.
_AROUND = 1
_Any = TypeVar("_Any")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRow:
    """A line as it was beside a line as it is; either may be missing."""

    before: Line | None
    now: Line | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped(Generic[_Any]):
    """Lines that stayed as they were, far from any that did not."""

    lines: tuple[_Any, ...]

    def __str__(self) -> str:
        return f"… {len(self.lines)} line{'' if len(self.lines) == 1 else 's'} as before"


def lines_of(pieces: Iterable[WordRun]) -> list[Line]:
    """One below the other: each line end is one, also that of a line that was removed."""
    lines: list[Line] = []
    line: list[WordRun] = []
    for piece in pieces:
        if "\n" not in piece.text:
            line.append(piece)
        elif line:
            lines.append(tuple(line))
            line = []
    return [*lines, tuple(line)] if line else lines


def rows_of(pieces: Iterable[WordRun]) -> list[DiffRow]:
    """In two columns, which are level at each line end that stayed."""
    rows: list[DiffRow] = []
    group: list[WordRun] = []
    for piece in pieces:
        if piece.kind == "same" and "\n" in piece.text:
            rows += _level(group)
            group = []
        else:
            group.append(piece)
    return rows + list(_level(group))


def _level(group: Sequence[WordRun]) -> Iterator[DiffRow]:
    """Lines that share words side by side; what stands between them came, went, or took another's place."""
    old = lines_of(piece for piece in group if piece.kind != "added")
    new = lines_of(piece for piece in group if piece.kind != "removed")
    was = is_now = 0
    for left, right in (*_partners(old, new), (len(old), len(new))):
        for before, now in zip_longest(old[was:left], new[is_now:right]):
            yield DiffRow(before=before, now=now)
        if left < len(old):
            yield DiffRow(before=old[left], now=new[right])
        was, is_now = left + 1, right + 1


def _partners(old: Sequence[Line], new: Sequence[Line]) -> list[tuple[int, int]]:
    """The places of lines that belong side by side: of several that share words, those most alike."""
    shared: Counter[tuple[int, int]] = Counter()
    # What stayed is in both in the same order: the first of one is the first of the other.
    for (left, piece), (right, _) in zip(_stayed(old), _stayed(new), strict=True):
        shared[left, right] += len(piece.text)
    chosen: list[tuple[int, int]] = []
    best = 0.0
    for (left, right), letters in shared.items():
        alike = letters / (_letters(old[left]) + _letters(new[right]))
        if chosen and (left == chosen[-1][0] or right == chosen[-1][1]):
            if alike <= best:
                continue
            chosen.pop()
        chosen.append((left, right))
        best = alike
    return chosen


def _letters(line: Line) -> int:
    return sum(len(piece.text) for piece in line)


def _stayed(lines: Iterable[Line]) -> Iterator[tuple[int, WordRun]]:
    return ((place, piece) for place, line in enumerate(lines) for piece in line if piece.kind == "same")


def is_changed_line(line: Line) -> bool:
    return any(piece.kind != "same" for piece in line)


def is_changed_row(row: DiffRow) -> bool:
    return row.before is None or row.now is None or is_changed_line(row.before) or is_changed_line(row.now)


def without_same(lines: Sequence[_Any], is_changed: Callable[[_Any], bool]) -> Iterator[_Any | Skipped[_Any]]:
    """What changed with a line around it, and between what is left out."""
    near = {
        place + by
        for place, line in enumerate(lines)
        if is_changed(line)
        for by in range(-_AROUND, _AROUND + 1)
    }
    for is_near, places in groupby(range(len(lines)), near.__contains__):
        run = [lines[place] for place in places]
        if is_near:
            yield from run
        else:
            yield Skipped(lines=tuple(run))
