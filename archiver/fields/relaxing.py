"""Rules a little wider than one that no longer works: one change at a step, the fewest changes first.

A condition is dropped, a place among siblings is dropped, a child may stand deeper, a tag may be any, a label
may go on, or a class or an id is another one that the pages share.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import combinations, islice
from typing import TYPE_CHECKING

import msgspec
from lxml import etree

from archiver.documents.expressions.model import (
    ANY,
    Axis,
    Condition,
    Expression,
    PathStep,
    Position,
    Route,
    Subject,
    Test,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import FieldRule

MOST_RELAXATIONS = 500
_MOST_CHANGES = 2
# Names that a name of a rule is replaced by: the most similar of those that so many of the pages have.
_MOST_NAMES = 8
_SHARED = 0.6
_NAMED = ("class", "id", "itemprop", "property", "name")

Names = dict[str, list[str]]


def relaxations(rule: FieldRule, documents: Sequence[VirtualDocument]) -> Iterator[FieldRule]:
    """Wider rules than this one, for pages on which it finds nothing."""
    if rule.path is None or len(rule.path.routes) != 1:
        return
    route, names = rule.path.routes[0], _shared_names(documents)
    changes = [(number, step) for number, one in enumerate(route.steps) for step in _wider_steps(one, names)]
    seen = {rule.path.text}
    for wider in islice(_changed(route, changes), MOST_RELAXATIONS):
        path = Expression((wider,))
        if path.text not in seen:
            seen.add(path.text)
            yield msgspec.structs.replace(rule, path=path)


def _changed(route: Route, changes: Sequence[tuple[int, PathStep]]) -> Iterator[Route]:
    for count in range(1, _MOST_CHANGES + 1):
        for chosen in combinations(changes, count):
            by_place = dict(chosen)
            if len(by_place) == count:
                steps = (by_place.get(number, step) for number, step in enumerate(route.steps))
                yield replace(route, steps=tuple(steps))


def _wider_steps(step: PathStep, names: Mapping[str, list[str]]) -> Iterator[PathStep]:
    for place, predicate in enumerate(step.predicates):
        before, after = step.predicates[:place], step.predicates[place + 1 :]
        for wider in _wider_predicates(predicate, names):
            yield replace(step, predicates=(*before, wider, *after))
        is_needed = step.tag == ANY and len(step.predicates) == 1
        if not (is_needed or (isinstance(predicate, Position) and step.axis is Axis.FOLLOWING)):
            yield replace(step, predicates=(*before, *after))
    if step.axis is Axis.CHILD and not step.is_value:
        yield replace(step, axis=Axis.DESCENDANT)
    if step.conditions and step.tag != ANY and not step.is_value:
        yield replace(step, tag=ANY)


def _wider_predicates(predicate: Condition | Position, names: Mapping[str, list[str]]) -> Iterator[Condition]:
    if isinstance(predicate, Position) or predicate.negated:
        return
    if predicate.subject in (Subject.SELF, Subject.TEXT) and predicate.test is Test.EQUALS:
        yield replace(predicate, test=Test.STARTS_WITH)
    if predicate.subject is Subject.ATTRIBUTE and predicate.test in (Test.HAS, Test.EQUALS):
        for name in _most_similar(predicate.literal, names.get(predicate.name, [])):
            yield replace(predicate, literal=name)


def _most_similar(name: str, others: Sequence[str]) -> list[str]:
    matcher = SequenceMatcher(b=name.lower(), autojunk=False)

    def likeness(other: str) -> float:
        matcher.set_seq1(other.lower())
        return matcher.ratio()

    return sorted((one for one in others if one != name), key=lambda one: (-likeness(one), one))[:_MOST_NAMES]


def _shared_names(documents: Sequence[VirtualDocument]) -> Names:
    counts: dict[str, Counter[str]] = {name: Counter() for name in _NAMED}
    for document in documents:
        for name, found in _names_on(document).items():
            counts[name].update(found)
    least = _SHARED * len(documents)
    return {name: [one for one, pages in count.items() if pages >= least] for name, count in counts.items()}


def _names_on(document: VirtualDocument) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {name: set() for name in _NAMED}
    for element in document.tree.iter(etree.Element):
        for name in _NAMED:
            value = element.get(name)
            if value:
                found[name].update(value.split() if name == "class" else [value])
    return {name: {one for one in ones if _is_sayable(one)} for name, ones in found.items()}


def _is_sayable(name: str) -> bool:
    return name.isprintable() and len(name) <= 60 and not ("'" in name and '"' in name)
