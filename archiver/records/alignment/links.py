"""What an alignment comes to: links between entities, relations and classes, each with a confidence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from archiver.records.alignment.choosing import chosen_graph
from archiver.records.alignment.graph import graph_of
from archiver.records.alignment.joins import joined_relations
from archiver.records.alignment.paris import align, literal_pairs, subsumed
from archiver.records.alignment.verification import verified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.records.alignment.choosing import Show
    from archiver.records.alignment.graph import Graph
    from archiver.records.alignment.joins import JoinedRelation
    from archiver.records.alignment.pairs import Pairs
    from archiver.records.alignment.reading import RdfFile

# Relations are told by links that are as good as certain, as the thesis does at its end.
_CERTAIN = 0.9
_PART = 0.5  # half of its facts are facts of the other
# Steps of the right graph that may be one relation of the left.
MOST_JOINS = 2
# Links of less are not told at all.
_LEAST_TOLD = 0.1


class EntityLink(msgspec.Struct, frozen=True, kw_only=True):
    """Two entities that are the same, with the probability of it."""

    left: str
    right: str
    confidence: float


class PartLink(msgspec.Struct, frozen=True, kw_only=True):
    """Two relations, or two classes: how far the left one is part of the right one, and the reverse."""

    left: str
    right: str
    left_in_right: float
    right_in_left: float


class Alignment(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that two graphs have in common."""

    links: tuple[EntityLink, ...]
    relations: tuple[PartLink, ...]
    classes: tuple[PartLink, ...]
    rounds: int
    has_converged: bool
    left_entities: int
    right_facts: int
    bad_lines: int


def aligned_files(
    left_file: RdfFile,
    right_file: RdfFile,
    show: Show = lambda _what, _done: None,
    joins: int = MOST_JOINS,
) -> tuple[Alignment, Graph, Graph]:
    """The left graph is held in memory; of the right one, what can have to do with it.

    `joins` is how many steps of the right file may make a relation.
    """
    left = graph_of(left_file)
    choice = chosen_graph(right_file, left, show)
    found = aligned_graphs(left, choice.graph, joins)
    counted = msgspec.structs.replace(
        found, right_facts=choice.facts, bad_lines=left_file.bad_lines + choice.bad_lines
    )
    return counted, left, choice.graph


def aligned_graphs(left: Graph, right: Graph, joins: int = MOST_JOINS) -> Alignment:
    found, literals = align(left, right), literal_pairs(left, right)
    confidence = verified(left, right, found.entities, literals, found.subsumptions)
    links = replace(found.entities, probability=confidence)
    certain = links.chosen(confidence >= _CERTAIN)
    parts = subsumed(left, right, certain, literals.joined(certain))
    return Alignment(
        links=_told(left, right, links.chosen(confidence >= _LEAST_TOLD)),
        relations=_with_joins(
            _relations(left, right, parts.left_in_right, parts.right_in_left),
            joined_relations(left, right, certain, literals) if joins > 1 else (),
        ),
        classes=_classes(left, right, links),
        rounds=found.rounds,
        has_converged=found.has_converged,
        left_entities=len(left.entities),
        right_facts=len(right.facts),
        bad_lines=0,
    )


def _told(left: Graph, right: Graph, links: Pairs) -> tuple[EntityLink, ...]:
    rows = zip(links.left.tolist(), links.right.tolist(), links.probability.tolist(), strict=True)
    return tuple(
        EntityLink(left=left.entities[one], right=right.entities[other], confidence=round(sure, 4))
        for one, other, sure in rows
    )


def _relations(left: Graph, right: Graph, forth: np.ndarray, back: np.ndarray) -> tuple[PartLink, ...]:
    """Both ways; an inverse is told only where it is one of a relation that is not."""
    found = [
        PartLink(
            left=str(left.relations[one]),
            right=str(right.relations[other]),
            left_in_right=round(float(forth[one, other]), 4),
            right_in_left=round(float(back[other, one]), 4),
        )
        for one, other in zip(*np.nonzero((forth > 0) | (back.T > 0)), strict=True)
        if not left.relations[one].is_inverse
    ]
    return tuple(sorted(found, key=lambda one: (-one.left_in_right - one.right_in_left, one.left, one.right)))


def _with_joins(relations: tuple[PartLink, ...], joins: Sequence[JoinedRelation]) -> tuple[PartLink, ...]:
    """Two steps are told only where no single relation is as good."""
    known = {one.left for one in relations if one.left_in_right >= _PART}
    return relations + tuple(
        PartLink(
            left=str(one.left),
            right=str(one.right),
            left_in_right=round(one.left_in_right, 4),
            right_in_left=round(one.right_in_left, 4),
        )
        for one in joins
        if str(one.left) not in known
    )


def _classes(left: Graph, right: Graph, links: Pairs) -> tuple[PartLink, ...]:
    """Equation (3): the share of a class whose members are in the other."""
    facing: dict[int, list[tuple[int, float]]] = {}
    for one, other, sure in zip(
        links.left.tolist(), links.right.tolist(), links.probability.tolist(), strict=True
    ):
        facing.setdefault(one, []).append((other, sure))
    kinds: dict[int, list[str]] = {}
    for name, members in right.classes.items():
        for one in members:
            kinds.setdefault(one, []).append(name)
    found = []
    for name, members in left.classes.items():
        forth, back = _shares(members, facing, kinds)
        for other in sorted(forth):
            part = PartLink(
                left=name,
                right=other,
                left_in_right=round(forth[other] / len(members), 4),
                right_in_left=round(back[other] / len(right.classes[other]), 4),
            )
            if max(part.left_in_right, part.right_in_left) >= _LEAST_TOLD:
                found.append(part)
    return tuple(sorted(found, key=lambda one: (-one.left_in_right - one.right_in_left, one.left, one.right)))


def _shares(
    members: frozenset[int], facing: dict[int, list[tuple[int, float]]], kinds: dict[int, list[str]]
) -> tuple[dict[str, float], dict[str, float]]:
    """Expected members of each class of the other graph: of the left, and of the right."""
    forth: dict[str, float] = {}
    missing: dict[int, float] = {}
    for one in sorted(members):
        none: dict[str, float] = {}
        for other, sure in facing.get(one, ()):
            missing[other] = missing.get(other, 1.0) * (1 - sure)
            for kind in kinds.get(other, ()):
                none[kind] = none.get(kind, 1.0) * (1 - sure)
        for kind, share in none.items():
            forth[kind] = forth.get(kind, 0.0) + 1 - share
    back: dict[str, float] = dict.fromkeys(forth, 0.0)
    for other, share in missing.items():
        for kind in kinds.get(other, ()):
            back[kind] += 1 - share
    return forth, back
