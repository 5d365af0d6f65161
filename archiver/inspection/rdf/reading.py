"""Lines of objects files that are settled, of every kind that is told as RDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from archiver.archive.storage import open_archived
from archiver.inspection.rdf.lines import ArticleLine, ContributionLine, PostLine
from archiver.search.feeding import here
from archiver.search.lines import LineReader
from archiver.search.settled import holds_contributions, holds_posts, lines_between
from archiver.store.object_files import object_lengths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.inspection.rdf.lines import ObjectLine
    from archiver.search.settled import SettledLine

# Rows that are asked for at a time.
_AT_ONCE = 1000


def line_model(file: str) -> type[ObjectLine]:
    """What a line of a file is read into: articles, unless its name says otherwise."""
    if holds_posts(file):
        return PostLine
    return ContributionLine if holds_contributions(file) else ArticleLine


def told_files(state: Connection, objects: Path) -> dict[str, int]:
    """The files of the folder, in order, each with the length up to which it is settled."""
    found = here(objects, object_lengths(state))
    return {name: found[name] for name in sorted(found)}


class ToldLine(NamedTuple):
    """A line, where it stands, and the channel that it was read with; None where it cannot be read."""

    place: int
    channel: int
    line: ObjectLine | None


def read_rows(objects: Path, file: str, rows: Sequence[SettledLine]) -> Iterator[ToldLine]:
    """The lines of these rows, in order."""
    with open_archived(objects / file) as source:
        reader = LineReader(source, line_model(file))
        for row in rows:
            line = reader.read(row.object_offset)
            is_it = line is not None and line.version == row.version
            yield ToldLine(row.object_offset, row.channel_id, line if is_it else None)


def read_line(objects: Path, file: str, place: int) -> ObjectLine | None:
    """The one line at a place; None where there is none that can be read."""
    try:
        with open_archived(objects / file) as source:
            return LineReader(source, line_model(file)).read(place)
    except OSError:
        return None


def settled_lines(state: Connection, objects: Path, file: str, end: int) -> Iterator[ToldLine]:
    """All lines of a file up to its settled end, some at a time."""
    start = 0
    while rows := lines_between(state, file, start, end, _AT_ONCE):
        yield from read_rows(objects, file, rows)
        start = rows[-1].object_offset + 1
