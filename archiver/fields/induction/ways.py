"""Expressions as they grow step by step, each with its cost, followed on indexes of pages.

What is found here is what `select` finds: a test holds the two against each other. Steps that several
candidates share are followed once for each page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TYPE_CHECKING, TypeVar

from archiver.documents.expressions.conditions import compares
from archiver.documents.expressions.model import (
    ANY,
    LAST,
    TEXT,
    Axis,
    Condition,
    Expression,
    PathStep,
    Position,
    Route,
    Subject,
    Test,
)
from archiver.fields.induction.costs import step_cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.fields.induction.page_index import PageArrays
    from archiver.fields.model import Field

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False)
class PathWay:
    """Steps from the page to an element or a value: the last step, and the way before it."""

    step: PathStep
    before: PathWay | None = None
    text: str = attribute(init=False)
    cost: float = attribute(init=False)

    def __post_init__(self) -> None:
        written = f"{self.before.text if self.before else ''}{self.step.axis.value}{self.step}"
        if self.step.pick is not None:
            written = f"({written})[{Position(self.step.pick)}]"
        object.__setattr__(self, "text", written)
        cost = step_cost(self.step, is_first=self.before is None)
        object.__setattr__(self, "cost", cost + (self.before.cost if self.before else 0.0))

    @property
    def steps(self) -> tuple[PathStep, ...]:
        return (*(self.before.steps if self.before else ()), self.step)

    @property
    def expression(self) -> Expression:
        return Expression((Route(steps=self.steps, absolute=True),))

    def then(self, *steps: PathStep) -> PathWay:
        way = self
        for step in steps:
            way = PathWay(step, way)
        return way


class Walker:
    """Follows ways on one page, and keeps where each beginning of one leads."""

    def __init__(self, index: PageArrays) -> None:
        self.index = index
        self._kept: dict[str, Sequence[int]] = {}

    def texts(self, way: PathWay, field: Field, most: int) -> list[str]:
        """The texts that a way leads to, white space as one space; empty ones are left out."""
        if way.step.is_value:
            found = [" ".join(text.split()) for text in self._values(way)[:most]]
        else:
            found = [self.index.shown(one, field) for one in self.elements(way)[:most]]
        return [text for text in found if text]

    def elements(self, way: PathWay) -> Sequence[int]:
        found = self._kept.get(way.text)
        if found is None:
            found = self._stepped(way.step, None if way.before is None else self.elements(way.before))
            if way.step.pick is not None:
                found = _picked(found, way.step.pick)
            self._kept[way.text] = found
        return found

    def _stepped(self, step: PathStep, contexts: Sequence[int] | None) -> Sequence[int]:
        if contexts is None:
            return self._on_page(step)
        match step.axis:
            case Axis.CHILD:
                children = self.index.children
                groups: Iterable[Sequence[int]] = (self._named(step, children[one]) for one in contexts)
            case Axis.DESCENDANT:
                return self._by_parent(step, self._below(step, contexts))
            case Axis.PARENT:
                return sorted({around for one in contexts if (around := self.index.parents[one]) >= 0})
            case Axis.FOLLOWING:
                groups = (self._after(step, one) for one in contexts)
            case _:
                groups = (self._beside(step, one) for one in contexts)
        found = {one for group in groups for one in self._chosen(step, group)}
        return sorted(found)

    def _on_page(self, step: PathStep) -> Sequence[int]:
        if step.axis is Axis.CHILD:
            return self._chosen(step, self._named(step, [0]))
        named: list[Sequence[int]] = [self.index.by_tag.get(step.tag, ())]
        for condition in step.conditions:
            if condition.subject is Subject.ATTRIBUTE and condition.test in (Test.EQUALS, Test.HAS):
                named.append(self.index.by_attribute.get((condition.name, condition.literal), ()))
            if condition.subject is Subject.TEXT and condition.test is Test.EQUALS:
                named.append(self.index.by_own_text.get(condition.literal, ()))
        fewest: Sequence[int] = min(named, key=len)
        return self._by_parent(step, self._named(step, fewest))

    def _named(self, step: PathStep, numbers: Iterable[int]) -> list[int]:
        tags = self.index.tags
        return [one for one in numbers if step.tag in (ANY, tags[one])]

    def _below(self, step: PathStep, contexts: Sequence[int]) -> list[int]:
        named = self.index.by_tag.get(step.tag, ())
        found: list[int] = []
        end = 0
        for context in contexts:
            if context >= end:
                end = self.index.ends[context]
                found += named[bisect_left(named, context + 1) : bisect_left(named, end)]
        return found

    def _after(self, step: PathStep, context: int) -> Sequence[int]:
        named = self.index.by_tag.get(step.tag, ())
        start = bisect_left(named, self.index.ends[context])
        first = step.predicates[0]
        most = first.number if isinstance(first, Position) and first.number != LAST else None
        return named[start:] if most is None else named[start : start + most]

    def _beside(self, step: PathStep, context: int) -> list[int]:
        around = self.index.parents[context]
        if around < 0:
            return []
        siblings = self.index.children[around]
        at = bisect_left(siblings, context)
        is_before = step.axis is Axis.PRECEDING_SIBLING
        return self._named(step, reversed(siblings[:at]) if is_before else siblings[at + 1 :])

    def _by_parent(self, step: PathStep, numbers: Sequence[int]) -> Sequence[int]:
        if not step.positions:
            return self._chosen(step, numbers)
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number in numbers:
            groups[self.index.parents[number]].append(number)
        return sorted(one for group in groups.values() for one in self._chosen(step, group))

    def _chosen(self, step: PathStep, numbers: Sequence[int]) -> Sequence[int]:
        for predicate in step.predicates:
            if isinstance(predicate, Position):
                numbers = _picked(numbers, predicate.number)
            else:
                numbers = [one for one in numbers if self._fulfils(one, predicate)]
        return numbers

    def _fulfils(self, number: int, condition: Condition) -> bool:
        return self._is_so(number, condition) is not condition.negated

    def _is_so(self, number: int, condition: Condition) -> bool:
        literal = condition.literal
        if condition.subject is Subject.ATTRIBUTE:
            value = self.index.elements[number].get(condition.name)
            return value is not None and compares(value, condition)
        if condition.subject is Subject.TEXT:
            texts = self.index.own_texts[number]
            return any(compares(" ".join(one.split()), condition) for one in texts)
        if self.index.length(number) < len(literal):
            return False
        return compares(self.index.text(number), condition)

    def _values(self, way: PathWay) -> list[str]:
        step = way.step
        contexts = self.elements(way.before) if way.before else ()
        if step.axis is Axis.FOLLOWING_SIBLING:
            found = self._behind(step, contexts)
        elif step.tag == TEXT:
            found = [text for one in contexts for text in _fulfilling(self.index.own_texts[one], step)]
        else:
            elements, name = self.index.elements, step.tag[1:]
            found = [value for one in contexts if (value := elements[one].get(name)) is not None]
        return found if step.pick is None else list(_picked(found, step.pick))

    def _behind(self, step: PathStep, contexts: Sequence[int]) -> list[str]:
        behind: dict[int, str] = {}
        for context in contexts:
            texts = self.index.texts_behind(context)
            numbers: Sequence[int] = range(len(texts))
            for predicate in step.predicates:
                if isinstance(predicate, Position):
                    numbers = _picked(numbers, predicate.number)
            behind.update(texts[one] for one in numbers)
        ends = self.index.ends
        return [behind[one] for one in sorted(behind, key=lambda one: (ends[one], -one))]


def _fulfilling(texts: Sequence[str], step: PathStep) -> Sequence[str]:
    for predicate in step.predicates:
        if isinstance(predicate, Position):
            texts = _picked(texts, predicate.number)
    return texts


def _picked(found: Sequence[_T], number: int) -> Sequence[_T]:
    return found[-1:] if number == LAST else found[number - 1 : number]
