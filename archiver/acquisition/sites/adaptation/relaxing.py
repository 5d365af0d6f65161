"""How far a path is from those that are known: the cheapest way to change one into the other, by steps."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.slots import slots_of
from archiver.documents.expressions.model import ANY, Axis, Condition, Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.knowledge.model import SiteType
    from archiver.documents.expressions.model import Expression, PathStep

# Guesses, in their order: a name that is known for the field is likelier than any other, a box is like a box.
_DROPPED, _ADDED = 1.0, 0.3
_KNOWN_IN_TYPE, _KNOWN_IN_CATEGORY = 0.4, 0.6
_OTHER_ATTRIBUTE = 0.5
_OTHER_BOX, _OTHER_TAG, _ANY_TAG = 0.5, 1.0, 0.1
_STEP, _STEP_CONDITION = 0.8, 0.6
_DEEPER = 0.8
# A tag alone says little on a page, and something within a part of it.
_UNNAMED, _UNNAMED_WITHIN = 1.0, 0.3
# The element itself should have a name; where something within one says the same, the inner one is meant.
_UNNAMED_END = 0.4
_OUTER = 0.2
# Names that many elements have are of the layout.
_COMMON = 0.25
_OTHER_VALUE = 1.0
_BOXES = frozenset(
    {"div", "section", "article", "main", "span", "li", "header", "footer", "p", "nav", "ol", "ul"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_SHORTEST_BEGINNING = 3


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names by which paths of a field are known, in a type and in others of its category."""

    of_type: Mapping[str, AbstractSet[str]]
    of_category: Mapping[str, AbstractSet[str]]


def vocabulary(kind: SiteType, types: Iterable[SiteType]) -> Vocabulary:
    mine, others = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for one in types:
        if one.type == kind.type or one.category == kind.category:
            words = mine if one.type == kind.type else others
            for level in one.levels:
                for slot in slots_of(level):
                    words[slot.field] |= {name for path in slot.paths for name in _literals(path)}
    return Vocabulary(mine, others)


def _literals(path: Expression) -> set[str]:
    return {one.literal for route in path.routes for step in route.steps for one in step.conditions}


class Relaxing:
    """Costs of paths for one action."""

    def __init__(self, slot: ActionSlot, words: Vocabulary) -> None:
        self._routes = [route.steps for path in slot.paths for route in path.routes]
        self._unnamed = _UNNAMED_WITHIN if slot.is_within else _UNNAMED
        self._type = words.of_type.get(slot.field, frozenset())
        self._category = words.of_category.get(slot.field, frozenset())

    def cost(self, path: Expression, *, is_outer: bool = False, common: Sequence[int] = ()) -> float:
        """What it costs to make the nearest of the known paths into this one, and how little it says.

        `common`: on how many elements of a page each of its names is.
        """
        steps = path.steps
        cost = min((self._aligned(route, steps) for route in self._routes), default=0.0)
        elements = [step for step in steps if not step.is_value]
        if not any(step.conditions for step in elements):
            cost += self._unnamed
        elif not elements[-1].conditions:
            cost += _UNNAMED_END
        cost += sum(_COMMON * log2(max(1, count)) for count in common)
        return round(cost + (_OUTER if is_outer else 0.0) + 0.01 * len(steps), 2)

    def _aligned(self, known: Sequence[PathStep], new: Sequence[PathStep]) -> float:
        """The cost by dynamic programming: steps are changed, left out or added."""
        row = [_STEP * number for number in range(len(new) + 1)]
        for step in known:
            dropped = _STEP + _STEP_CONDITION * len(step.conditions)
            above, row = row, [row[0] + dropped]
            for number, other in enumerate(new, 1):
                changed = above[number - 1] + self._changed(step, other)
                row.append(min(changed, above[number] + dropped, row[-1] + _STEP))
        return row[-1]

    def _changed(self, known: PathStep, new: PathStep) -> float:
        if known.is_value or new.is_value:
            return 0.0 if known.tag == new.tag else _OTHER_VALUE * 2
        cost = _tag_cost(known.tag, new.tag)
        if known.axis is Axis.CHILD and new.axis is Axis.DESCENDANT:
            cost += _DEEPER
        left = list(new.conditions)
        for condition in known.conditions:
            best = min(left, key=lambda one: self._condition(condition, one), default=None)
            if best is None or self._condition(condition, best) >= _DROPPED:
                cost += _DROPPED
                continue
            cost += self._condition(condition, best)
            left.remove(best)
        return cost + _ADDED * len(left)

    def _condition(self, known: Condition, new: Condition) -> float:
        if known == new:
            return 0.0
        if Subject.ATTRIBUTE not in (known.subject, new.subject) or known.negated:
            return _DROPPED
        other = 0.0 if known.name == new.name else _OTHER_ATTRIBUTE
        return min(_DROPPED, other + self._name(known.literal, new.literal))

    def _name(self, known: str, new: str) -> float:
        if known == new:
            return 0.0
        if new in self._type:
            return _KNOWN_IN_TYPE
        if new in self._category:
            return _KNOWN_IN_CATEGORY
        return 1.0 - 0.7 * likeness(known, new)


def _tag_cost(known: str, new: str) -> float:
    if known == new:
        return 0.0
    if ANY in (known, new):
        return _ANY_TAG
    is_alike = {known, new} <= _BOXES or {known, new} <= _HEADINGS
    return _OTHER_BOX if is_alike else _OTHER_TAG


@lru_cache(maxsize=10_000)
def likeness(one: str, other: str) -> float:
    """How many of the words of two names are the same, or the beginning of each other: from 0 to 1."""
    mine, theirs = ({word.lower() for word in _TOKEN.findall(name)} for name in (one, other))
    if not mine or not theirs:
        return 0.0
    shared = sum(any(_are_alike(word, others) for others in theirs) for word in mine)
    return shared / max(len(mine), len(theirs))


def _are_alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _SHORTEST_BEGINNING and longer.startswith(shorter))
