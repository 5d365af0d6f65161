"""Whether rules are right on pages that they were not made from: the proof that a repair needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.fields.execution import PAGE_NODES, follow_rule
from archiver.fields.induction.accepting import AcceptedTexts, folded
from archiver.fields.induction.page_index import index_of
from archiver.fields.induction.places import places_of
from archiver.fields.remembered import RepairProof

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field, FieldRule, FieldValue
    from archiver.fields.remembered import KnownValue

# A shorter text may be part of another by chance.
_TELLING_CHARACTERS = 4
# Their values change while the old one stays beside the new one: £10 instead of £12.
_MAY_STAND_BESIDE = frozenset({"price", "number", "integer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PageValues:
    """A page, with what is known of a field's values there: read before, or in an older version."""

    document: VirtualDocument
    values: tuple[KnownValue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTrial:
    """What rules gave on a page."""

    values: tuple[FieldValue, ...] = ()
    mistyped: bool = False


def tried_on(document: VirtualDocument, rules: Sequence[FieldRule], field: Field) -> PageTrial:
    """What the first rule gives that gives anything."""
    budget, mistyped = Budget(PAGE_NODES), False
    for rule in rules:
        if budget.left <= 0:
            break
        read = follow_rule(document, rule, field, budget)
        if read.values:
            return PageTrial(values=read.values)
        mistyped = mistyped or bool(read.refused)
    return PageTrial(mistyped=mistyped)


def proof_of(
    rules: Sequence[FieldRule], field: Field, pages: Sequence[PageValues], known: Sequence[PageValues]
) -> RepairProof:
    """How rules do on pages; `known` are those of them whose values are known and still stand there."""
    trials = {id(page): tried_on(page.document, rules, field) for page in pages}
    filled = [trial for trial in trials.values() if trial.values]
    alike = Counter(tuple(one.value for one in trial.values) for trial in filled)
    agreed = [page for page in known if agrees(trials[id(page)].values, page.values, field)]
    return RepairProof(
        pages=len(pages),
        filled=len(filled),
        mistyped=sum(trial.mistyped for trial in trials.values() if not trial.values),
        known=len(known),
        agreed=len(agreed),
        alike=max(alike.values(), default=0),
    )


def agrees(found: Sequence[FieldValue], known: Sequence[KnownValue], field: Field) -> bool:
    """Whether what was found is what is known: of many values, all of them."""
    if not found:
        return not known
    if field.many:
        return {folded(one.value) for one in found} == {folded(one.value) for one in known}
    return any(folded(found[0].value) == folded(one.value) for one in known)


def stands_on(document: VirtualDocument, known: Sequence[KnownValue], field: Field) -> bool:
    """Whether the known values are still on a page, in a text of their own or in one that reads as them."""
    return bool(known) and all(_stands(document, one, field) for one in known)


def _stands(document: VirtualDocument, known: KnownValue, field: Field) -> bool:
    wanted = [one for one in (known.text, known.value) if one]
    accepted = AcceptedTexts(wanted, field, document.base_url)
    places = places_of(index_of(document), accepted, field)
    # Any text has a short one as a part by chance.
    return any(place.is_whole or len(known.value) >= _TELLING_CHARACTERS for place in places)


def finds_known(document: VirtualDocument, known: Sequence[KnownValue], field: Field) -> bool | None:
    """Whether rules find known values that stand on a page; None where others may be right by now."""
    found = tried_on(document, field.rules, field).values
    if not found:
        return False
    if agrees(found, known, field):
        return True
    others = (tried_on(document, [rule], field).values for rule in field.rules)
    is_disputed = any(agrees(values, known, field) for values in others if values)
    return False if is_disputed or field.type not in _MAY_STAND_BESIDE else None
