"""Rules for a field whose pages have changed, from the values that the archive remembers.

Tried in this order: the field's other rules, other ways that led to the value before, the rules a little
wider, and rules induced anew from known values that still stand on pages of today. What is found is used only
after a proof on pages that it was not made from.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import msgspec

from archiver.errors import ArchiverError
from archiver.fields.induction.inducing import induce
from archiver.fields.induction.model import ExamplePage
from archiver.fields.proving import PageValues, agrees, proof_of, stands_on, tried_on
from archiver.fields.relaxing import relaxations
from archiver.fields.remembered import LEAST_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field, FieldRule, FieldValue, FieldWrapper
    from archiver.fields.remembered import RepairProof

RepairWay = Literal["other rule", "other way", "wider rule", "known values"]

MOST_RULES = 8
_MOST_NEW_RULES = 4
_MOST_EXAMPLES = 5
_MOST_RANKED = 12
# Where no value is known, so many ways that have nothing in common must agree.
_WITNESSES = 2
_WITNESSED = 0.9
_VARIED = 0.8
# What all rules have in common that count elements: one more, and each of them finds its neighbour.
_COUNTED = "counted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A field with rules that work again, and what shows that they do."""

    # The new rules are above the old ones: another part of the site may still be as it was.
    field: Field
    way: RepairWay
    proof: RepairProof


def repair(
    wrapper: FieldWrapper, name: str, before: Sequence[PageValues], after: Sequence[PageValues]
) -> Repaired | None:
    """Rules for a field after a change of the site; None where none can be proved.

    `before` are pages as they were, with the values that were read there; `after` are pages of today, with
    the values that older versions of them had.
    """
    field = next(one for one in wrapper.fields if one.field == name)
    task = _RepairTask(field, before, after)
    if not task.can_be_proved:
        return None
    return next(filter(None, (task.proved(way, rules) for way, rules in task.candidates())), None)


def with_field(wrapper: FieldWrapper, field: Field) -> FieldWrapper:
    """The wrapper with this field in the place of the one of its name."""
    fields = tuple(field if one.field == field.field else one for one in wrapper.fields)
    return msgspec.structs.replace(wrapper, fields=fields)


class _RepairTask:
    """One field, what is known of it, and the pages that choose and prove its rules."""

    def __init__(self, field: Field, before: Sequence[PageValues], after: Sequence[PageValues]) -> None:
        self._field = field
        self._before = [page for page in before if page.values]
        self._after = after
        self._reference = len(self._before) / len(before) if before else 1.0
        self._is_varied = _is_varied(self._before)
        known = [page for page in after if page.values and stands_on(page.document, page.values, field)]
        # Some choose the rules, the others prove them.
        self._examples = known[::2][:_MOST_EXAMPLES]
        chosen = {id(page) for page in self._examples}
        self._known = [page for page in known if id(page) not in chosen]
        self._unseen = [page for page in after if id(page) not in chosen]

    @property
    def can_be_proved(self) -> bool:
        return bool(self._known) or len(self._unseen) >= LEAST_PAGES

    @property
    def _documents(self) -> list[VirtualDocument]:
        return [page.document for page in self._after]

    def candidates(self) -> Iterator[tuple[RepairWay, list[FieldRule]]]:
        """Rules to put above the old ones, in the order in which they are tried."""
        if not self._known:
            yield from self._witnessed()
            return
        yield from (("other rule", [rule]) for rule in self._fitting(self._field.rules))
        yield from (("other way", [rule]) for rule in self._fitting(self._old_ways()))
        yield from (("known values", rules) for rules in self._induced())
        yield from (("wider rule", [rule]) for rule in self._fitting(self._wider()))

    def proved(self, way: RepairWay, rules: Sequence[FieldRule]) -> Repaired | None:
        """The field with these rules above its old ones, if pages that did not choose them bear them out."""
        every = tuple(dict.fromkeys([*rules[:_MOST_NEW_RULES], *self._field.rules]))[:MOST_RULES]
        proof = proof_of(every, self._field, self._unseen, self._known)
        if not proof.holds(self._reference, is_varied=self._is_varied) or not self._keeps_the_past(every):
            return None
        return Repaired(field=msgspec.structs.replace(self._field, rules=every), way=way, proof=proof)

    def _keeps_the_past(self, rules: Sequence[FieldRule]) -> bool:
        """Whether pages as they were still read as they did: what is below must not be hidden."""
        right = [
            agrees(tried_on(page.document, rules, self._field).values, page.values, self._field)
            for page in self._before
        ]
        return sum(right) >= _WITNESSED * len(right)

    def _fitting(self, rules: Iterable[FieldRule]) -> Iterator[FieldRule]:
        """Those that give the known values on all pages that choose."""
        for rule in rules:
            if all(self._is_right(rule, page) for page in self._examples):
                yield rule

    def _is_right(self, rule: FieldRule, page: PageValues) -> bool:
        return agrees(tried_on(page.document, [rule], self._field).values, page.values, self._field)

    def _old_ways(self) -> list[FieldRule]:
        """Other ways to the values on pages as they were, best first."""
        examples = _examples_of(self._before[:_MOST_EXAMPLES], self._field)
        return self._rules_from(examples, [page.document for page in self._before])

    def _wider(self) -> Iterator[FieldRule]:
        return chain.from_iterable(relaxations(rule, self._documents) for rule in self._field.rules)

    def _induced(self) -> Iterator[list[FieldRule]]:
        """Rules from known values on pages of today; those that are chosen first."""
        found = self._rules_from(_examples_of(self._examples, self._field), self._documents)
        fitting = list(self._fitting(found))
        if fitting:
            yield _diverse(fitting)
            yield from ([rule] for rule in fitting)

    def _rules_from(
        self, examples: Sequence[ExamplePage], others: Sequence[VirtualDocument]
    ) -> list[FieldRule]:
        if not examples:
            return []
        try:
            induced = induce(self._field, examples, others, guess=False)
        except ArchiverError:  # a value does not stand on its page
            return []
        ranked = [one.rule for one in (*induced.chosen, *induced.ranked[:_MOST_RANKED])]
        takes = dict.fromkeys(rule.take for rule in self._field.rules if rule.take is not None)
        # What was taken of the text before is what is taken now.
        cut = [
            msgspec.structs.replace(rule, take=take) for take in takes for rule in ranked if rule.take is None
        ]
        return list(dict.fromkeys([*ranked, *cut]))

    def _witnessed(self) -> Iterator[tuple[RepairWay, list[FieldRule]]]:
        """Without a known value: old ways that have nothing in common, and agree on pages of today."""
        ways = [rule for rule in (*self._field.rules, *self._old_ways()) if self._gives_enough(rule)]
        for rule in ways:
            witnesses = [one for one in ways if not shared_pieces(one, rule) and self._agree(one, rule)]
            if len(witnesses) + 1 >= _WITNESSES:
                yield "other way", [rule]

    def _gives_enough(self, rule: FieldRule) -> bool:
        found = [tried_on(document, [rule], self._field).values for document in self._documents]
        return sum(map(bool, found)) >= _WITNESSED * self._reference * len(found)

    def _agree(self, one: FieldRule, other: FieldRule) -> bool:
        pairs = [
            (tried_on(page, [one], self._field).values, tried_on(page, [other], self._field).values)
            for page in self._documents
        ]
        return sum(_same(*pair) for pair in pairs) >= _WITNESSED * len(pairs)


def _diverse(rules: Sequence[FieldRule]) -> list[FieldRule]:
    """The first, and further ones that go by other names: a change rarely breaks all of them."""
    kept = [rules[0]]
    for rule in rules[1:]:
        if _names(rule) and not any(shared_pieces(rule, one) for one in kept):
            kept.append(rule)
    return kept


def _same(one: Sequence[FieldValue], other: Sequence[FieldValue]) -> bool:
    return [value.value for value in one] == [value.value for value in other]


def shared_pieces(one: FieldRule, other: FieldRule) -> set[str]:
    """What two rules both go by: statements, conditions and places."""
    return _pieces(one) & _pieces(other)


def _pieces(rule: FieldRule) -> set[str]:
    """Without any name, a rule goes by the whole way; what moves one place moves the others as well."""
    steps = [step for route in rule.path.routes for step in route.steps] if rule.path else []
    counts = any(step.positions or step.pick is not None for step in steps)
    return (_names(rule) or {str(rule.path)}) | ({_COUNTED} if counts else set())


def _names(rule: FieldRule) -> set[str]:
    if rule.path is None:
        return {rule.statement}
    steps = (step for route in rule.path.routes for step in route.steps)
    return {str(condition) for step in steps for condition in step.conditions}


def _examples_of(pages: Sequence[PageValues], field: Field) -> list[ExamplePage]:
    return [ExamplePage(document=page.document, values=_texts_of(page, field)) for page in pages]


def _texts_of(page: PageValues, field: Field) -> tuple[str, ...]:
    """Of a field of many values all of them; of another the texts that are right."""
    if field.many:
        return tuple(one.text or one.value for one in page.values)
    return tuple(text for one in page.values for text in (one.value, one.text) if text)


def _is_varied(pages: Sequence[PageValues]) -> bool:
    found = [tuple(one.value for one in page.values) for page in pages]
    return len(set(found)) >= _VARIED * len(found)
