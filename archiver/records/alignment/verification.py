"""How surely two entities are the same, held against chance: agreements and disagreements, both weighed.

The equations of PARIS add evidence for a pair and have none against it: their probabilities tell which
counterpart is the best one, and not whether there is one. Here the pairs that they propose are weighed as
Fellegi and Sunter (1969) do, with what the aligned relations themselves show: how often they agree on
pairs, and how often by chance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from archiver.records.alignment.pairs import Pairs, best_of, joined_by_subject, probability_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.records.alignment.graph import Floats, Graph, Ints
    from archiver.records.alignment.paris import Subsumptions
    from archiver.records.alignment.reading import Booleans

# From here on a relation of one graph counts as one of the other.
RELATED = 0.3
# Agreement of relations is learned from pairs, which are weighed by it. It changes little after four.
_ROUNDS = 8
# A value of only one entity may still be there by chance; no relation is always right, none always wrong.
_CHANCE = 0.05
_AT_FIRST = 0.9  # how often a relation agrees, before anything is known of it
_SURE = (0.02, 0.98)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """One relation of one pair of entities, which both have it."""

    pair: Ints  # row of the pair
    relation: Ints
    agreement: Floats
    denial: Floats  # how surely the values differ; less than the rest, where entities may be the same
    others: tuple[Floats, Floats]  # in the left, in the right graph: how many others have this value
    subjects: tuple[Floats, Floats]  # and how many have the relation


def verified(
    left: Graph, right: Graph, entities: Pairs, literals: Pairs, subsumptions: Subsumptions
) -> Floats:
    """The probability of each pair."""
    related = one_to_one(subsumptions)
    lacking = _Lacking(left, right, entities, related)
    weight = np.ones(len(entities))
    proposed = literals.joined(entities)
    sure = np.full(len(left.relations), _AT_FIRST)
    for number in range(_ROUNDS):
        # What an entity is worth as a value is what it is itself worth as a pair.
        nodes = literals.joined(replace(entities, probability=weight))
        compared = _compared(left, right, entities, (nodes, proposed), weight * (number > 0), related)
        chance = _mean_chance(compared, len(left.relations))
        odds = _weighed(compared, sure, chance, len(entities)) + lacking.odds(weight * (number > 0))
        weight = _probability(odds) * lacking.is_of_best_kind(odds, entities)
        if number == 0:
            weight *= _is_mutual(replace(entities, probability=odds))
        sure = _agreeing(compared, weight, len(left.relations))
    return weight


def one_to_one(subsumptions: Subsumptions) -> list[tuple[int, int]]:
    """Each relation with at most one of the other graph, the surest first: no fact counts twice."""
    both = (subsumptions.left_in_right + subsumptions.right_in_left.T) / 2
    ranked = sorted(
        zip(*np.nonzero(both >= RELATED), strict=True), key=lambda at: (-round(float(both[at]), 9), at)
    )
    taken: tuple[set[int], set[int]] = set(), set()
    chosen = []
    for one, other in ranked:
        if one not in taken[0] and other not in taken[1]:
            chosen.append((int(one), int(other)))
            taken[0].add(one)
            taken[1].add(other)
    return chosen


def _compared(
    left: Graph,
    right: Graph,
    entities: Pairs,
    nodes: tuple[Pairs, Pairs],
    weight: Floats,
    related: Sequence[tuple[int, int]],
) -> _Compared:
    row, one, other = joined_by_subject(left.facts, right.facts, entities)
    facing = np.full(len(left.relations), -1)
    for relation, its in related:
        facing[relation] = its
    both = facing[left.facts.relation[one]] == right.facts.relation[other]
    row, one, other = row[both], one[both], other[both]
    agreement, possible = (
        probability_of(some, left.facts.object[one], right.facts.object[other]) for some in nodes
    )
    relation = left.facts.relation[one]
    group = row * len(left.relations) + relation
    # Of several values the pair is told by those that agree best.
    order = np.lexsort((one, other, -agreement, group))
    first = order[np.r_[True, group[order][1:] != group[order][:-1]][: len(order)]]
    row, one, other = row[first], one[first], other[first]
    return _Compared(
        pair=row,
        relation=relation[first],
        agreement=agreement[first],
        denial=1 - np.maximum(agreement, possible)[first],
        others=(
            _others(left, one, entities.right[row], weight[row]),
            _others(right, other, entities.left[row], weight[row]),
        ),
        subjects=(
            left.subjects[left.facts.relation[one]],
            right.subjects[right.facts.relation[other]],
        ),
    )


def _others(graph: Graph, facts: Ints, facing: Ints, weight: Floats) -> Floats:
    """How many other subjects of a fact's relation are expected to have its object by chance.

    Those that are counterparts of the same entity on the other side do not have it by chance: they are
    copies.
    """
    width = len(graph.relations)
    keys, counts = np.unique(graph.facts.object * width + graph.facts.relation, return_counts=True)
    relation = graph.facts.relation[facts]
    value = np.searchsorted(keys, graph.facts.object[facts] * width + relation)
    _, group = np.unique(value * (facing.max(initial=0) + 1) + facing, return_inverse=True)
    copies = np.bincount(group, weights=weight)[group] - weight if len(group) else weight
    rare = np.maximum(_CHANCE, 1 - graph.inverse_functionality[relation])
    found: Floats = np.maximum(counts[value] - 1 - copies, 0.0) + rare
    return found


def _mean_chance(compared: _Compared, relations: int) -> Floats:
    each = compared.others[1] / compared.subjects[1]
    held = np.bincount(compared.relation, weights=each, minlength=relations)
    return np.minimum(held / np.maximum(np.bincount(compared.relation, minlength=relations), 1), 0.5)


def _is_mutual(entities: Pairs) -> np.ndarray:
    """The best of both of its ends."""
    is_best = np.ones(len(entities), dtype=bool)
    for own, other in ((entities.left, entities.right), (entities.right, entities.left)):
        best = best_of(own, other, entities.probability)
        is_best &= best == np.arange(len(best))
    return is_best


def _agreeing(compared: _Compared, weight: Floats, relations: int) -> Floats:
    """How often each relation agrees on pairs that are the same."""
    own = weight[compared.pair]
    held = np.bincount(compared.relation, weights=own * compared.agreement, minlength=relations)
    total = np.bincount(compared.relation, weights=own, minlength=relations)
    return np.clip((held + 1) / (total + 2), *_SURE)


def _weighed(compared: _Compared, sure: Floats, chance: Floats, pairs: int) -> Floats:
    own, agreement = sure[compared.relation], compared.agreement
    against = compared.denial * np.log((1 - own) / (1 - chance[compared.relation]))
    odds = np.full(pairs, np.inf)
    for others, subjects in zip(compared.others, compared.subjects, strict=True):
        told = agreement * np.log(np.maximum(own * subjects / others, 1.0)) + against
        # Before anything is compared, each of so many is as likely to be the counterpart as any other.
        candidates = np.ones(pairs)
        np.maximum.at(candidates, compared.pair, subjects)
        found = np.bincount(compared.pair, weights=told, minlength=pairs) - np.log(candidates)
        odds = np.minimum(odds, found)
    return odds


def _probability(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(odds, -50, 50)))


class _Lacking:
    """What one of a pair has and the other lacks, and how usual that is for its kind.

    A record and the author of its book share a name, and only one of them has a title.
    """

    def __init__(
        self, left: Graph, right: Graph, entities: Pairs, related: Sequence[tuple[int, int]]
    ) -> None:
        here = _having(left, [one for one, _ in related])
        there = _having(right, [other for _, other in related])
        sides = here[entities.left], there[entities.right]
        both = sides[0] & sides[1]
        self._profiles = sides
        # For each direction: who has something to be lacked, who lacks it, and how usual that is.
        self._sides = [
            (own, own & ~other, _usually(its, both))
            for own, other, its in ((*sides, there), (*sides[::-1], here))
        ]

    def odds(self, weight: Floats) -> Floats:
        found = np.zeros(len(weight))
        for has, lacks, usual in self._sides:
            among = (weight @ lacks + 0.5) / (weight @ has + 1)
            ratio = np.maximum(among, 1 - _SURE[1]) / np.maximum(usual, 1 - _SURE[1])
            found += (lacks * np.log(np.minimum(ratio, 1.0))).sum(axis=1)
        return found

    def is_of_best_kind(self, odds: Floats, entities: Pairs) -> Booleans:
        """Whether a counterpart has the relations of the best one: both would be the same thing."""
        found = np.ones(len(entities), dtype=bool)
        ends = (
            (entities.left, entities.right, self._profiles[1]),
            (entities.right, entities.left, self._profiles[0]),
        )
        for own, other, profile in ends:
            best = best_of(own, other, odds)
            shared = (profile & profile[best]).sum(axis=1)
            found &= 2 * shared >= (profile | profile[best]).sum(axis=1)
        return found


def _having(graph: Graph, relations: Sequence[int]) -> Booleans:
    """Which entities have each of these relations."""
    found = np.zeros((len(graph.entities), len(relations)), dtype=bool)
    for at, relation in enumerate(relations):
        found[graph.facts.subject[graph.facts.relation == relation], at] = True
    return found


def _usually(having: Booleans, both: Booleans) -> Floats:
    """For each pair and relation: who lacks it, of entities with what the pair has in common."""
    together = having.astype(np.float64).T @ having
    lacking = 1 - together / np.maximum(np.diagonal(together), 1)[:, None]
    found: Floats = (both @ lacking) / np.maximum(both.sum(axis=1), 1)[:, None]
    return found
