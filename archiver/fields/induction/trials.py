"""Candidates, and what each of them finds on the pages at hand."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TYPE_CHECKING

from archiver.fields.induction.accepting import folded, read_value
from archiver.fields.induction.costs import STATEMENT, take_cost
from archiver.fields.model import FieldRule
from archiver.fields.statements import stated_texts
from archiver.fields.taking import taken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.fields.induction.accepting import AcceptedTexts
    from archiver.fields.induction.ways import PathWay, Walker
    from archiver.fields.model import Field, Take

# Of the texts that a rule leads to, more are not looked at.
_MOST_TEXTS = 200


@dataclass(frozen=True, slots=True, eq=False)
class RuleCandidate:
    """A rule in the making: a way, or a statement, and which part of the text is taken."""

    way: PathWay | None = None
    statement: str = ""
    take: Take | None = None
    key: str = attribute(init=False)
    cost: float = attribute(init=False)

    def __post_init__(self) -> None:
        told = self.statement if self.way is None else self.way.text
        object.__setattr__(self, "key", told if self.take is None else f"{told} {self.take}")
        cost = STATEMENT if self.way is None else self.way.cost
        object.__setattr__(self, "cost", cost + take_cost(self.take))

    @property
    def rule(self) -> FieldRule:
        path = None if self.way is None else self.way.expression
        return FieldRule(path=path, statement=self.statement, take=self.take)

    @property
    def conditions(self) -> frozenset[str]:
        """What it goes by, without tags and places: rules that share none of it rarely break together."""
        if self.way is None:
            return frozenset({self.statement})
        return frozenset(str(one) for step in self.way.steps for one in step.conditions)

    @property
    def family(self) -> str:
        """By what it begins: candidates of one family break together."""
        if self.way is None:
            return self.statement
        first = self.way
        while first.before is not None:
            first = first.before
        return first.text


@dataclass(frozen=True, slots=True, eq=False)
class RuleTrial:
    """What a candidate finds on each page."""

    candidate: RuleCandidate
    # The values of each page: the first alone, unless the field has many; none, where nothing is found.
    found: tuple[tuple[str, ...], ...]
    # How many further places it leads to.
    surplus: tuple[int, ...]

    @property
    def firsts(self) -> tuple[str, ...]:
        return tuple(values[0] if values else "" for values in self.found)


def tried(candidate: RuleCandidate, walkers: Sequence[Walker], field: Field) -> RuleTrial:
    found, surplus = [], []
    for walker in walkers:
        texts = _texts(candidate, walker, field)
        surplus.append(max(len(texts) - 1, 0))
        found.append(_values(texts, candidate, field, walker.index.base))
    return RuleTrial(candidate, tuple(found), tuple(surplus))


def _texts(candidate: RuleCandidate, walker: Walker, field: Field) -> list[str]:
    if candidate.way is None:
        texts = stated_texts(walker.index.document, candidate.statement)
        return [" ".join(text.split()) for text in texts if text.strip()]
    return walker.texts(candidate.way, field, _MOST_TEXTS)


def _values(texts: Sequence[str], candidate: RuleCandidate, field: Field, base: str) -> tuple[str, ...]:
    """As execution does: the first text that there is decides, unless the field has many."""
    texts = texts if field.many else texts[:1]
    parts = [part for text in texts for part in taken(text, candidate.take, field, base)]
    if field.type not in ("text", "html"):
        parts = [part for part in parts if read_value(part, field, base)]
    return tuple(parts if field.many else parts[:1])


def f1_on(trial: RuleTrial, accepted: Sequence[AcceptedTexts], field: Field) -> float:
    """How right a candidate is on the examples, which are the first pages."""
    pairs = list(zip(trial.found, accepted, strict=False))
    if field.many:
        return sum(_f1(values, texts) for values, texts in pairs) / len(pairs)
    given = sum(bool(values) for values, _ in pairs)
    right = sum(bool(values) and values[0] in texts for values, texts in pairs)
    return 2 * right / (given + len(pairs)) if right else 0.0


def _f1(values: Sequence[str], accepted: AcceptedTexts) -> float:
    found = {folded(one) for one in values}
    right = sum(one in accepted for one in found)
    return 2 * right / (len(found) + len(accepted.folded)) if right else 0.0
