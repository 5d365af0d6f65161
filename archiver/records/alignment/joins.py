"""Relations of the left graph that are two steps of the right one: `author` = `created⁻ / name`.

They are told from links that are certain, as relations are; they add nothing to the links themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.records.alignment.graph import GraphRelation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.records.alignment.graph import Graph
    from archiver.records.alignment.pairs import Pairs

    Steps = tuple[int, int]  # two relations of the right graph

_HUB = 200  # an entity with more facts says nothing of its neighbours
_FEWEST = 3  # facts that a join must explain
_PART = 0.5  # share of the facts of a relation
_MOST = 200  # joins that are told


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedRelation:
    """A relation and two steps, with how far each is part of the other."""

    left: GraphRelation
    right: GraphRelation
    left_in_right: float
    right_in_left: float


@dataclass
class _Counts:
    possible: Counter[int] = field(default_factory=Counter)  # facts of a relation whose value is known
    reached: Counter[Steps] = field(default_factory=Counter)
    hits: Counter[tuple[int, Steps]] = field(default_factory=Counter)
    back: Counter[tuple[int, Steps]] = field(default_factory=Counter)


def joined_relations(left: Graph, right: Graph, links: Pairs, literals: Pairs) -> list[JoinedRelation]:
    """The best join for each relation, where one explains at least half of its facts."""
    same: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in zip(literals.left.tolist(), literals.right.tolist(), strict=True):
        same[one].add(other)
    counts = _Counts()
    for one, other in zip(links.left.tolist(), links.right.tolist(), strict=True):
        _count(counts, _literals(left, one), _two_steps(right, other), same)
    found = (
        JoinedRelation(
            left=left.relations[relation],
            right=_joined(right, steps),
            left_in_right=hits / counts.possible[relation],
            right_in_left=counts.back[relation, steps] / counts.reached[steps],
        )
        for (relation, steps), hits in counts.hits.items()
        if hits >= _FEWEST and hits >= _PART * counts.possible[relation]
    )
    ordered = sorted(found, key=lambda one: (-one.left_in_right - one.right_in_left, str(one.right)))
    best: dict[GraphRelation, JoinedRelation] = {}
    for one in ordered:
        best.setdefault(one.left, one)
    return list(best.values())[:_MOST]


def _count(
    counts: _Counts,
    own: dict[int, set[int]],
    reached: dict[Steps, set[int]],
    same: defaultdict[int, set[int]],
) -> None:
    for relation, values in own.items():
        counts.possible[relation] += sum(bool(same.get(value)) for value in values)
    counts.reached.update({steps: len(values) for steps, values in reached.items()})
    for steps, there in reached.items():
        for relation, values in own.items():
            facing = [same[value] & there for value in values if value in same]
            counts.hits[relation, steps] += sum(map(bool, facing))
            counts.back[relation, steps] += len(set().union(*facing))


def _facts(graph: Graph, entity: int) -> Iterator[tuple[int, int]]:
    facts = graph.facts
    start, end = int(facts.of_subject[entity]), int(facts.of_subject[entity + 1])
    if end - start <= _HUB:
        for at in range(start, end):
            yield int(facts.relation[at]), int(facts.object[at])


def _literals(graph: Graph, entity: int) -> dict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for relation, value in _facts(graph, entity):
        if value >= len(graph.entities):
            found[relation].add(value)
    return found


def _two_steps(graph: Graph, entity: int) -> dict[Steps, set[int]]:
    """The values of neighbours, by the two relations that lead to them."""
    found: defaultdict[Steps, set[int]] = defaultdict(set)
    for first, neighbour in _facts(graph, entity):
        if neighbour < len(graph.entities) and neighbour != entity:
            for second, values in _literals(graph, neighbour).items():
                found[first, second] |= values
    return found


def _joined(graph: Graph, steps: Steps) -> GraphRelation:
    first, second = (graph.relations[one] for one in steps)
    return GraphRelation(iri=first.iri, is_inverse=first.is_inverse, then=second)
