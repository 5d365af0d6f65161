"""The store brought up to the objects files: from where it was, file by file, and never ahead of them.

What the state store no longer says of a file is forgotten. What is withheld is not in the store, whatever was
ordered since it was fed: a question cannot come across it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Quad

from archiver.batches import batches
from archiver.digests import name_digest
from archiver.inspection.rdf.hiding import hidden_by
from archiver.inspection.rdf.ledger import HIDDEN, TRIMMED, UNSURE, WHOLE, FedFile, FedLine
from archiver.inspection.rdf.reading import read_line, read_rows, told_files
from archiver.inspection.rdf.removing import owners_naming, remove_nodes
from archiver.inspection.rdf.statements import LineStatements
from archiver.search.settled import (
    bytes_behind,
    fed_up_to,
    is_still_there,
    last_line,
    lines_between,
    mark_of,
)
from archiver.store.object_files import object_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pyoxigraph import Store, Triple
    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.rdf.ledger import Ledger
    from archiver.inspection.rdf.lines import ObjectLine

# Lines of one step: their statements are held at once.
AT_ONCE = 1000
# guess: of so many quads on, files of their own are quicker than the store's log.
_IN_BULK = 10_000


class RdfFeeder:
    """Feeds one store from one archive."""

    def __init__(
        self, store: Store, ledger: Ledger, state: Connection, objects: Path, withheld: Withheld
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._state = state
        self._objects = objects
        self._orders = orders_digest(withheld)
        self._hidden = hidden_by(withheld)
        self._statements = LineStatements(self._hidden)
        self.fed = 0  # lines
        self.unreadable = 0

    def feed(self, show: Callable[[int, int], object] = lambda _done, _total: None) -> None:
        """Take in all that is missing."""
        self.agree()
        self.heed()
        lengths = told_files(self._state, self._objects)
        total = sum(lengths.values())
        done = total - behind(self._ledger, lengths)
        for name, length in lengths.items():
            while (grown := self._step(name, length)) is not None:
                done += grown
                show(done, total)

    def agree(self) -> None:
        """Forget files, or the ends of files, that are not as they were, and what a crash left half fed."""
        lengths = object_lengths(self._state)
        known = {file.name: file for file in self._ledger.files()}
        for name in known.keys() | set(self._ledger.names()):
            file = known.get(name, FedFile(name))
            if not is_still_there(self._state, name, file.last, file.mark):
                self._cut(name, 0)
            else:
                self._cut(name, min(file.length, lengths.get(name, 0)))
        self._renew(self._ledger.owners_unsure(), {})
        self._ledger.give_up_unsure()

    def heed(self) -> None:
        """Take out what is withheld by now, and bring back what is no longer."""
        if self._orders == self._ledger.orders():
            return
        owners = self._ledger.owners_left_out()
        if self._hidden is not None:
            owners |= owners_naming(self._store, self._hidden)
        self._renew(owners, {})
        self._ledger.give_up_unsure()
        self._ledger.note_orders(self._orders)

    def _cut(self, name: str, length: int) -> None:
        """Have nothing of a file from here on."""
        owners = self._ledger.owners_behind(name, length)
        if owners:
            self._renew(owners, {name: length})
            self._ledger.forget(name, length)
        if self._ledger.file(name).length > length:
            row = last_line(self._state, name, length)
            last = (row.object_offset, mark_of(row)) if row is not None and length else (None, "")
            self._ledger.note_file(FedFile(name, length, *last))

    def _renew(self, owners: Iterable[str], cut: Mapping[str, int]) -> None:
        """Say again what the lines of these say, without those that were cut off."""
        for some in batches(sorted(owners)):
            lines = [line for owner in some for line in self._ledger.lines_of(owner)]
            kept = [line for line in lines if line.place < cut.get(line.file, line.place + 1)]
            self._take_out(some, lines, kept)
            self._say(self._read(kept))

    def _take_out(self, owners: Sequence[str], lines: Sequence[FedLine], kept: Iterable[FedLine]) -> None:
        """Have the store say nothing of owners, of all of whose lines those that are kept are said again."""
        # Noted first: whatever happens before they are, the next one that feeds the store says them.
        self._ledger.note_lines(line._replace(state=UNSURE) for line in kept)
        remove_nodes(self._store, [*owners, *(line.node for line in lines)])

    def _read(self, lines: Iterable[FedLine]) -> Iterator[tuple[str, int, ObjectLine | None]]:
        for file, place, *_ in lines:
            yield file, place, read_line(self._objects, file, place)

    def _step(self, name: str, settled: int) -> int | None:
        """Feed the next lines of a file; by how many bytes, None where nothing was left."""
        file = self._ledger.file(name)
        if file.length >= settled:
            return None
        rows = lines_between(self._state, name, file.length, settled, AT_ONCE)
        self._say((name, found.place, found.line) for found in read_rows(self._objects, name, rows))
        length = fed_up_to(rows, AT_ONCE, settled)
        last = (rows[-1].object_offset, mark_of(rows[-1])) if rows else (file.last, file.mark)
        self._ledger.note_file(FedFile(name, length, *last))
        return length - file.length

    def _say(self, lines: Iterable[tuple[str, int, ObjectLine | None]]) -> None:
        """Note lines, then write what they say, so that nothing is in the store that is not noted."""
        noted, quads = self._told(lines)
        self.fed += len(noted)
        self._ledger.note_lines(line._replace(state=UNSURE) for line in noted)
        others, more = self._told(self._read(self._without_superseded(noted)))
        self._write([*quads, *more])
        self._ledger.note_lines([*noted, *others])

    def _told(self, lines: Iterable[tuple[str, int, ObjectLine | None]]) -> tuple[list[FedLine], list[Quad]]:
        noted: list[FedLine] = []
        quads: list[Quad] = []
        for file, place, line in lines:
            if line is None:
                self.unreadable += 1
                continue
            said, state = self._said(line)
            noted.append(FedLine(file, place, line.owner, line.version, state))
            quads += (Quad(*triple) for triple in said)
        return noted, quads

    def _write(self, quads: Sequence[Quad]) -> None:
        if len(quads) >= _IN_BULK:
            self._store.bulk_extend(quads)
        else:
            self._store.extend(quads)
        # On the disk before it is noted.
        self._store.flush()

    def _without_superseded(self, noted: Sequence[FedLine]) -> Iterator[FedLine]:
        """Forget lines whose versions stand elsewhere now, as where they were read anew.

        What the others of their owners say has to be said again.
        """
        for one in noted:
            known = self._ledger.lines_of(one.owner)
            old = [line for line in known if line.version == one.version and line[:2] != one[:2]]
            if not old:
                continue
            others = [line for line in known if line.version != one.version]
            self._take_out([one.owner], known, others)
            self._ledger.remove(old)
            yield from others

    def _said(self, line: ObjectLine) -> tuple[list[Triple], int]:
        if self._statements.hides(line):
            return [], HIDDEN
        said = self._statements.of(line)
        return said, TRIMMED if self._statements.is_trimmed else WHOLE


def behind(ledger: Ledger, lengths: Mapping[str, int]) -> int:
    """How many bytes of objects files are not in the store yet."""
    return bytes_behind({file.name: file.length for file in ledger.files()}, lengths)


def orders_digest(withheld: Withheld) -> str:
    """What tells one set of orders from another; empty where nothing is withheld."""
    if not withheld:
        return ""
    kinds = (withheld.pages, withheld.prefixes, withheld.hosts)
    return name_digest("\n\n".join("\n".join(sorted(kind)) for kind in kinds))
