"""The part of a large graph that can have to do with a small one: the file is read twice and never held.

The first reading finds subjects that have a value like one of the small graph, and keeps two numbers for each
fact. Which facts stand around these subjects is then a question of numbers; the second reading takes them.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from archiver.records.alignment.graph import RelationCounts, graph_of
from archiver.records.alignment.literals import LIKENESS, blocking_keys, dice, literal_key, shingles_of
from archiver.records.alignment.reading import RDF_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from archiver.records.alignment.graph import Graph, Ints
    from archiver.records.alignment.reading import Booleans, Fact, RdfFile

    Show = Callable[[str, int], object]

# A value of more subjects than this leads to none of them; nor does a thing that more of them name.
HUB = 1_000
_TOLD_EACH = 100_000
_BAD, _LITERAL, _RESOURCE, _TYPE = range(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPart:
    """What was kept of a file, and what was counted in all of it."""

    graph: Graph
    facts: int
    bad_lines: int


class _Columns:
    """What the first reading keeps of each fact, by its number."""

    def __init__(self) -> None:
        self.subject, self.object = array("q"), array("q")
        self.relation, self.kind = array("i"), array("b")
        self.relations: dict[str, int] = {}

    def add(self, number: int, fact: Fact, key: str) -> None:
        self._skip_to(number)
        self.subject.append(hash(fact.subject))
        # A literal is not the resource that has its text for a name.
        self.object.append(hash(fact.resource) if fact.resource else hash((key,)))
        self.relation.append(self.relations.setdefault(fact.relation, len(self.relations)))
        is_type = fact.relation == RDF_TYPE
        self.kind.append(_TYPE if is_type else _RESOURCE if fact.resource else _LITERAL)

    def _skip_to(self, number: int) -> None:
        gap = number - len(self.kind)
        if gap:
            for column in (self.subject, self.object, self.relation, self.kind):
                column.extend([0] * gap)


def chosen_graph(file: RdfFile, wanted: Graph, show: Show = lambda _what, _done: None) -> KeptPart:
    """Subjects with a value like one of `wanted`, their neighbours, and what these are called."""
    columns = _Columns()
    subjects = _with_values(file, wanted, columns, show)
    bad = file.bad_lines
    chosen = _around(columns, np.fromiter((hash(one) for one in subjects), dtype=np.int64))
    counts = _counts(columns)
    facts = len(columns.kind) - columns.kind.count(_BAD)
    del columns
    kept = (fact for _, fact in _told(file, chosen, "keep", show))
    return KeptPart(graph=graph_of(kept, counts), facts=facts, bad_lines=bad)


def _told(file: RdfFile, chosen: Booleans | None, what: str, show: Show) -> Iterator[tuple[int, Fact]]:
    for number, (place, fact) in enumerate(file.numbered(chosen)):
        if number % _TOLD_EACH == 0:
            show(what, place)
        yield place, fact


def _with_values(file: RdfFile, wanted: Graph, columns: _Columns, show: Show) -> set[str]:
    """Subjects that share a value with the wanted graph."""
    likeness = _Likeness(wanted)
    found: dict[str, set[str]] = defaultdict(set)
    for number, fact in _told(file, None, "read", show):
        key = "" if fact.resource else literal_key(fact.literal, fact.datatype)
        columns.add(number, fact, key)
        if key and likeness.has(key, fact.literal):
            some = found[key]
            if len(some) <= HUB:
                some.add(fact.subject)
    return {subject for some in found.values() if len(some) <= HUB for subject in some}


class _Likeness:
    """Whether a literal is equal to one of a graph or like one; of those that begin and end alike."""

    def __init__(self, wanted: Graph) -> None:
        self._exact = set(wanted.literals)
        self._alike = defaultdict(list)
        for text in wanted.texts.values():
            for key in blocking_keys(text):
                self._alike[key].append(shingles_of(text))

    def has(self, key: str, text: str) -> bool:
        if key in self._exact:
            return True
        near = [one for block in blocking_keys(text) for one in self._alike.get(block, ())]
        if not near:
            return False
        own = shingles_of(text)
        return any(dice(one, own) >= LIKENESS for one in near)


def _around(columns: _Columns, subjects: Ints) -> Booleans:
    """Facts of the subjects, facts about them, and what is said of the entities at their other ends."""
    subject, value = (np.frombuffer(one, dtype=np.int64) for one in (columns.subject, columns.object))
    kind = np.frombuffer(columns.kind, dtype=np.int8)
    of_them = _is_in(subject, subjects) & (kind != _BAD)
    is_link = kind == _RESOURCE
    about_them = _is_in(value, subjects) & is_link & ~of_them
    names, many = np.unique(value[about_them], return_counts=True)
    about_them &= ~_is_in(value, names[many > HUB])
    beside = np.unique(np.concatenate([value[of_them & is_link], subject[about_them]]))
    own = _is_in(subject, beside) & ((kind == _LITERAL) | (kind == _TYPE))
    found: Booleans = of_them | about_them | own
    return found


def _is_in(column: Ints, wanted: Ints) -> Booleans:
    """In parts, so that little is held at a time."""
    found = np.zeros(len(column), dtype=bool)
    wanted = np.unique(wanted)
    if len(wanted):
        for begin in range(0, len(column), 1 << 20):
            part = column[begin : begin + (1 << 20)]
            at = np.minimum(np.searchsorted(wanted, part), len(wanted) - 1)
            found[begin : begin + len(part)] = wanted[at] == part
    return found


def _counts(columns: _Columns) -> dict[str, RelationCounts]:
    relation = np.frombuffer(columns.relation, dtype=np.int32)
    kind = np.frombuffer(columns.kind, dtype=np.int8)
    order = np.argsort(relation, kind="stable")
    order = order[kind[order] != _BAD]
    ends = np.searchsorted(relation[order], np.arange(len(columns.relations) + 1))
    sides: list[npt.NDArray[np.int64]] = [
        np.frombuffer(one, dtype=np.int64) for one in (columns.subject, columns.object)
    ]
    return {
        name: _distinct(*(side[order[ends[at] : ends[at + 1]]] for side in sides))
        for name, at in columns.relations.items()
    }


def _distinct(subjects: Ints, objects: Ints) -> RelationCounts:
    return RelationCounts(
        facts=len(subjects), subjects=len(np.unique(subjects)), objects=len(np.unique(objects))
    )
