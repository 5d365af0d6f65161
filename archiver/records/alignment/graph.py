"""A graph as numbers: entities and literals are nodes, and each fact stands once for each direction."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from archiver.records.alignment.literals import literal_key
from archiver.records.alignment.reading import RDF_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from archiver.records.alignment.reading import Fact

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRelation:
    """A relation, or its inverse; of a join, the steps one after the other."""

    iri: str
    is_inverse: bool = False
    then: GraphRelation | None = None

    def __str__(self) -> str:
        own = f"{self.iri}{'⁻' if self.is_inverse else ''}"
        return f"{own} / {self.then}" if self.then else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Nodes are numbered: entities first, by their names, then literals, by their keys."""

    entities: Sequence[str]
    literals: Sequence[str]  # keys
    texts: Mapping[str, str]  # a text of each key
    relations: Sequence[GraphRelation]
    classes: Mapping[str, frozenset[int]]  # entities of each class
    facts: Facts
    inverse_functionality: Floats  # of each relation: how far its object tells the subject
    subjects: Floats  # of each relation: how many entities have it

    @property
    def size(self) -> int:
        return len(self.entities) + len(self.literals)


class Facts:
    """r(x, y) as three columns, sorted by subject, with a second order by object."""

    def __init__(self, subjects: Ints, relations: Ints, objects: Ints, size: int) -> None:
        order = np.lexsort((objects, relations, subjects))
        self.subject, self.relation, self.object = subjects[order], relations[order], objects[order]
        self.by_object = np.argsort(self.object, kind="stable")
        # Where the facts of a node begin in each order; the end is where those of the next begin.
        self.of_subject = np.searchsorted(self.subject, np.arange(size + 1))
        self.of_object = np.searchsorted(self.object[self.by_object], np.arange(size + 1))

    def __len__(self) -> int:
        return len(self.subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationCounts:
    """How many facts a relation has, and of how many different subjects and objects, in all of a file."""

    facts: int
    subjects: int
    objects: int


def counted(facts: Iterable[tuple[str, str, str]]) -> dict[str, RelationCounts]:
    """Of facts as (subject, relation, object)."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for subject, relation, value in facts:
        found[relation].append((subject, value))
    return {
        relation: RelationCounts(
            facts=len(pairs),
            subjects=len({one for one, _ in pairs}),
            objects=len({one for _, one in pairs}),
        )
        for relation, pairs in found.items()
    }


def graph_of(facts: Iterable[Fact], counts: Mapping[str, RelationCounts] | None = None) -> Graph:
    """`counts` are those of the file that the facts were chosen from."""
    classes: dict[str, set[str]] = defaultdict(set)
    texts: dict[str, str] = {}
    links: set[tuple[str, str, str]] = set()
    values: set[tuple[str, str, str]] = set()
    for fact in facts:
        if fact.relation == RDF_TYPE:
            classes[fact.resource].add(fact.subject)
        elif fact.resource:
            links.add((fact.subject, fact.relation, fact.resource))
        elif key := literal_key(fact.literal, fact.datatype):
            texts[key] = min(texts.get(key, fact.literal), fact.literal)
            values.add((fact.subject, fact.relation, key))
    return _numbered(links, values, texts, classes, counts or counted([*links, *values]))


def _numbered(
    links: set[tuple[str, str, str]],
    values: set[tuple[str, str, str]],
    texts: dict[str, str],
    classes: Mapping[str, set[str]],
    counts: Mapping[str, RelationCounts],
) -> Graph:
    names = {one for subject, _, value in links for one in (subject, value)}
    names |= {subject for subject, _, _ in values} | {one for some in classes.values() for one in some}
    entities, literals = sorted(names), sorted(texts)
    number = {name: at for at, name in enumerate(entities)}
    key_number = {key: at for at, key in enumerate(literals, len(entities))}
    kinds = sorted({relation for _, relation, _ in (*links, *values)})
    place = {relation: 2 * at for at, relation in enumerate(kinds)}
    rows = [(number[one], place[relation], number[other]) for one, relation, other in links]
    rows += [(other, relation + 1, one) for one, relation, other in rows]
    rows += [(number[one], place[relation], key_number[key]) for one, relation, key in values]
    return Graph(
        entities=entities,
        literals=literals,
        texts=texts,
        relations=[GraphRelation(iri=one, is_inverse=inverse) for one in kinds for inverse in (False, True)],
        classes={kind: frozenset(number[one] for one in some) for kind, some in sorted(classes.items())},
        facts=facts_of(rows, len(entities) + len(literals)),
        inverse_functionality=_of_each(
            kinds, counts, lambda one: (one.objects / one.facts, one.subjects / one.facts)
        ),
        subjects=_of_each(kinds, counts, lambda one: (one.subjects, one.objects)),
    )


def facts_of(rows: Sequence[tuple[int, int, int]], size: int) -> Facts:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Facts(columns[:, 0], columns[:, 1], columns[:, 2], size)


def _of_each(
    kinds: Sequence[str],
    counts: Mapping[str, RelationCounts],
    figures: Callable[[RelationCounts], tuple[float, float]],
) -> Floats:
    """A figure of each relation and of its inverse, in turn."""
    return np.array([figure for one in kinds for figure in figures(counts[one])], dtype=np.float64)
