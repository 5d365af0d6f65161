"""Patterns at a terminal: a line for each, and below them their steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.patterns import read_pattern
from archiver.acquisition.sites.learning.told import PatternState
from archiver.display.tables import Coloured, TableColumn, printable, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.display.tables import Paint
    from archiver.inspection.sites.model import PatternNote

# Of the path of a link: its last steps tell links of a page apart. The other columns take about so much.
_LINKS, _OTHERS = 20, 60
_INDENT = " " * 5
_COLUMNS = (
    TableColumn(title="no.", is_number=True),
    TableColumn(title="role"),
    TableColumn(title="gain", is_number=True),
    TableColumn(title="pages", is_number=True),
    TableColumn(title="waiting", is_number=True),
    TableColumn(title="state"),
    TableColumn(title="URLs", narrowest=12),
    TableColumn(title="links", narrowest=_LINKS),
    TableColumn(title="wrapper", is_optional=True),
)
_COLOURS = {PatternState.ACTIVE: "green", PatternState.SLEEPING: "grey"}


def pattern_lines(patterns: Sequence[PatternNote], *, width: int | None, paint: Paint) -> Iterator[str]:
    """A table, and below it, for each, a page that it leads to and its steps."""
    most = _LINKS if width is None else max(_LINKS, width - _OTHERS)
    rows = [_cells(number, one, most) for number, one in enumerate(patterns, 1)]
    yield from table_lines(_COLUMNS, rows, width=width, paint=paint)
    for number, one in enumerate(patterns, 1):
        yield ""
        yield f"{number:>3}  {printable(one.example or one.addresses)}"
        for step in read_pattern(one.pattern).steps:
            yield from _broken(printable(str(step)), width)


def _cells(number: int, one: PatternNote, most: int) -> Sequence[str | Coloured]:
    return (
        str(number),
        one.role,
        f"{one.gain:.0f}",
        str(one.pages),
        str(one.waiting),
        Coloured(one.state, _COLOURS.get(one.state, "")),
        one.addresses,
        _end_of(one.links, most),
        one.wrapper or "–",
    )


def _end_of(path: str, most: int) -> str:
    """The last steps of a path, as many as there is room for."""
    if len(path) <= most:
        return path
    *before, end = path.split("/")
    while before and len(end) + len(before[-1]) + 3 <= most:
        end = f"{before.pop()}/{end}"
    return f"…/{end}"


def _broken(step: str, width: int | None) -> Iterator[str]:
    """The lines of a step: broken between elements, so that each can be read."""
    line = _INDENT
    for part in re.findall(r"[/ ]?[^/ ]+|[/ ]", step):
        if width is not None and line.strip() and len(line) + len(part) > width:
            yield line
            line = f"{_INDENT}  "
        line += part
    yield line
