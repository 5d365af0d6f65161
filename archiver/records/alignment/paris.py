"""PARIS: which entities, relations and classes of two graphs are the same, each told by the others.

The numbers are those of the equations in Suchanek, Abiteboul, Senellart: "PARIS: Probabilistic Alignment of
Relations, Instances, and Schema" (VLDB 2012). Nothing compares names of entities or relations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from archiver.records.alignment.literals import like_literals
from archiver.records.alignment.pairs import (
    Pairs,
    any_of,
    best_of,
    crossed,
    joined_by_object,
    joined_by_subject,
    no_pairs,
    pairs_of,
    probability_of,
    unkeyed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.records.alignment.graph import Facts, Floats, Graph, Ints

# θ of the paper: what a relation is held to be before anything is known, and what counts at all.
LEAST = 0.1
_ROUNDS = 15
# PARIS need not converge: from this round on, each is averaged with the one before.
_DAMPED_FROM = 6
# Less than this share of the assignments changed, in two rounds: done.
_STILL = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Subsumptions:
    """How far each relation of one graph is part of each of the other, and the reverse."""

    left_in_right: Floats  # [left relation, right relation]
    right_in_left: Floats  # [right relation, left relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """What the rounds came to."""

    entities: Pairs  # the best of each left and of each right entity
    subsumptions: Subsumptions
    rounds: int
    has_converged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """Facts that speak for a pair of subjects: their relations, and how surely their objects are the same."""

    pair: Ints
    left_relation: Ints
    right_relation: Ints
    probability: Floats


def align(left: Graph, right: Graph) -> Aligned:
    literals = literal_pairs(left, right)
    by_literals = _evidence(left, right, literals)
    shape = len(left.relations), len(right.relations)
    subsumptions = Subsumptions(
        left_in_right=np.full(shape, LEAST), right_in_left=np.full(shape[::-1], LEAST)
    )
    scores = best = no_pairs(right.size)
    calm = number = 0
    while number < _ROUNDS and calm < 2:
        number += 1
        evidence = (by_literals, _evidence(left, right, best))
        fresh = _scored(evidence, subsumptions, left, right)
        scores = _averaged(scores, fresh) if number >= _DAMPED_FROM else fresh
        before, best = best, maximal(scores)
        subsumptions = subsumed(left, right, best, literals.joined(best))
        calm = calm + 1 if _changed(before, best) < _STILL else 0
    return Aligned(entities=best, subsumptions=subsumptions, rounds=number, has_converged=calm > 1)


def literal_pairs(left: Graph, right: Graph) -> Pairs:
    found = like_literals(
        {key: left.texts[key] for key in left.literals}, {key: right.texts[key] for key in right.literals}
    )
    places = [{key: at for at, key in enumerate(side.literals, len(side.entities))} for side in (left, right)]
    return pairs_of(
        np.array([places[0][one] for one, _, _ in found], dtype=np.int64),
        np.array([places[1][other] for _, other, _ in found], dtype=np.int64),
        np.array([likeness for _, _, likeness in found], dtype=np.float64),
        right.size,
    )


def _evidence(left: Graph, right: Graph, same: Pairs) -> _Evidence:
    row, one, other = joined_by_object(left.facts, right.facts, same)
    return _Evidence(
        pair=left.facts.subject[one] * right.size + right.facts.subject[other],
        left_relation=left.facts.relation[one],
        right_relation=right.facts.relation[other],
        probability=same.probability[row],
    )


def _scored(evidence: Sequence[_Evidence], subsumptions: Subsumptions, left: Graph, right: Graph) -> Pairs:
    """Equation (1), over pairs that share anything."""
    keys, weights = [], []
    for some in evidence:
        one, other, probability = some.left_relation, some.right_relation, some.probability
        by_left = subsumptions.right_in_left[other, one] * left.inverse_functionality[one] * probability
        by_right = subsumptions.left_in_right[one, other] * right.inverse_functionality[other] * probability
        keys += [some.pair, some.pair]
        weights += [by_left, by_right]
    names, found = any_of(np.concatenate(keys), np.concatenate(weights))
    is_likely = found >= LEAST
    return unkeyed(names[is_likely], found[is_likely], right.size)


def _averaged(before: Pairs, after: Pairs) -> Pairs:
    keys, place = np.unique(np.concatenate([before.keys, after.keys]), return_inverse=True)
    both = np.concatenate([before.probability, after.probability])
    found = np.bincount(place, weights=both / 2, minlength=len(keys)).astype(np.float64)
    is_likely = found >= LEAST / 2
    return unkeyed(keys[is_likely], found[is_likely], after.width)


def maximal(scores: Pairs) -> Pairs:
    """The best right entity of each left one, and the reverse; ties: the first name."""
    chosen = np.zeros(len(scores), dtype=bool)
    for own, other in ((scores.left, scores.right), (scores.right, scores.left)):
        chosen[best_of(own, other, scores.probability)] = True
    return scores.chosen(chosen)


def subsumed(left: Graph, right: Graph, entities: Pairs, nodes: Pairs) -> Subsumptions:
    """Equation (2), both ways; `nodes` are the entities and the literals that are the same."""
    return Subsumptions(
        left_in_right=_part_of(left, right, entities, nodes),
        right_in_left=_part_of(right, left, entities.swapped(left.size), nodes.swapped(left.size)),
    )


def _part_of(one: Graph, other: Graph, entities: Pairs, nodes: Pairs) -> Floats:
    row, fact, facing = joined_by_subject(one.facts, other.facts, entities)
    objects = probability_of(nodes, one.facts.object[fact], other.facts.object[facing])
    are_same = objects > 0
    row, fact, facing = row[are_same], fact[are_same], facing[are_same]
    width = len(other.relations)
    groups, share = any_of(
        fact * width + other.facts.relation[facing], entities.probability[row] * objects[are_same]
    )
    held = np.zeros((len(one.relations), width))
    np.add.at(held, (one.facts.relation[groups // width], groups % width), share)
    possible = _possible(one.facts, len(one.relations), entities, nodes)
    found = np.divide(held, possible[:, None], out=np.zeros_like(held), where=possible[:, None] > 0)
    return np.where(found >= LEAST, np.minimum(found, 1.0), 0.0)


def _possible(facts: Facts, relations: int, entities: Pairs, nodes: Pairs) -> Floats:
    """How many facts of each relation have both ends in the other graph, however related there."""
    of_subject = _places(entities.left, facts.subject)
    of_object = _places(nodes.left, facts.object)
    fact, one, other = crossed((of_subject[0], of_object[0]), (of_subject[1], of_object[1]))
    names, share = any_of(fact, entities.probability[one] * nodes.probability[other])
    return np.bincount(facts.relation[names], weights=share, minlength=relations).astype(np.float64)


def _places(sorted_nodes: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """Where the rows of each wanted node begin, and how many they are."""
    begin = np.searchsorted(sorted_nodes, wanted, side="left")
    return begin, np.searchsorted(sorted_nodes, wanted, side="right") - begin


def _changed(before: Pairs, after: Pairs) -> float:
    differing = np.setxor1d(before.keys, after.keys, assume_unique=True)
    return len(differing) / max(1, len(after))
