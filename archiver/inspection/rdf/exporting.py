"""Statements of chosen objects, streamed to a file as N-Quads or Turtle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, serialize

from archiver.inspection.rdf.hiding import hidden_by
from archiver.inspection.rdf.lines import ContributionLine, PostLine
from archiver.inspection.rdf.reading import settled_lines, told_files
from archiver.inspection.rdf.statements import LineStatements
from archiver.lexicon.vocabularies import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.rdf.lines import ObjectLine
    from archiver.inspection.rdf.reading import ToldLine


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenObjects:
    """Which objects are told; None: whatever the channel or the time of the capture."""

    channels: frozenset[int] | None = None
    since: datetime | None = None
    until: datetime | None = None

    def has(self, found: ToldLine, line: ObjectLine) -> bool:
        # What is contributed to a page is of no channel.
        is_of_channel = self.channels is None or (
            found.channel in self.channels and not isinstance(line, ContributionLine | PostLine)
        )
        return (
            is_of_channel
            and (self.since is None or line.captured >= self.since)
            and (self.until is None or line.captured <= self.until)
        )


class RdfExport:
    """Writes the statements of an archive; one line of one objects file is held at a time."""

    def __init__(self, state: Connection, objects: Path, withheld: Withheld, chosen: ChosenObjects) -> None:
        self._state = state
        self._objects = objects
        self._statements = LineStatements(hidden_by(withheld))
        self._chosen = chosen
        self.told = 0  # objects
        self.unreadable = 0

    def write(self, output: BinaryIO, format_: str, show: Callable[[int, int], object]) -> None:
        if format_ == "turtle":
            serialize(self.triples(show), output, RdfFormat.TURTLE, prefixes=dict(PREFIXES))
        else:
            serialize(self.quads(show), output, RdfFormat.N_QUADS)

    def triples(self, show: Callable[[int, int], object]) -> Iterator[Triple]:
        for _, some in self._each(show):
            yield from some

    def quads(self, show: Callable[[int, int], object]) -> Iterator[Quad]:
        """Each statement in the graph of the version whose object says it."""
        for name, some in self._each(show):
            graph = NamedNode(name)
            yield from (Quad(one.subject, one.predicate, one.object, graph) for one in some)

    def _each(self, show: Callable[[int, int], object]) -> Iterator[tuple[str, list[Triple]]]:
        files = told_files(self._state, self._objects)
        total, before = sum(files.values()), 0
        for name, length in files.items():
            for found in settled_lines(self._state, self._objects, name, length):
                show(before + found.place, total)
                yield from self._told(found)
            before += length

    def _told(self, found: ToldLine) -> Iterator[tuple[str, list[Triple]]]:
        line = found.line
        if line is None:
            self.unreadable += 1
        elif self._chosen.has(found, line) and not self._statements.hides(line):
            self.told += 1
            yield line.node, self._statements.of(line)
