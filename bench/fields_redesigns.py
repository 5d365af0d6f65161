"""Fields after a change of their site: by the rules as they are, and as a run repairs them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product, zip_longest
from typing import TYPE_CHECKING, Any

from fields_mutations import changed, edits_of
from fields_run import learned_field, value_on
from fields_sets import is_right

from archiver.documents.expressions.document import VirtualDocument
from archiver.fields.model import Field, FieldScope, FieldWrapper
from archiver.fields.proving import PageValues, finds_known, stands_on, tried_on
from archiver.fields.remembered import KnownValue
from archiver.fields.repair import repair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fields_sets import FieldPage, FieldSite

# Pages that were read before the change and are fetched again behind it; the others are new.
_KNOWN = 10
# So many of their known values must be lost before other rules are looked for: a run's alarm at once.
_LEAST_LOST = 2


@dataclass(slots=True)
class RedesignResult:
    """Shares of fields and pages, over all sites and seeds."""

    edits: int
    examples: int
    cells: int = 0
    before: int = 0
    first: int = 0
    rules: int = 0
    repaired: int = 0
    wrong: int = 0

    def line(self) -> str:
        shares = [self.before, self.first, self.rules, self.repaired]
        told = "".join(f"{one / self.cells:8.3f}" for one in shares)
        return f"{self.edits:<18}{self.examples:9}{told} {self.wrong / self.cells:8.4f}"

    def row(self) -> dict[str, Any]:
        names = ("before", "first", "rules", "repaired", "wrong")
        shares = {name: round(getattr(self, name) / self.cells, 4) for name in names}
        return {
            "method": f"ours-edits-{self.edits}",
            "examples": self.examples,
            "cells": self.cells,
            **shares,
        }


def measure_redesigns(
    sites: Sequence[FieldSite], counts: Sequence[int], seeds: Sequence[int], examples: int
) -> list[RedesignResult]:
    """The fields of a site are learned once for all numbers of edits and all seeds."""
    results = {edits: RedesignResult(edits, examples) for edits in counts}
    for site in sites:
        fields = {name: learned_field(site, name, examples) for name in site.attributes}
        for edits, seed in product(counts, seeds):
            pages = _redesigned(site, edits, f"{site.name} {edits} {seed}")
            for name, learned in fields.items():
                if learned is not None:
                    _count(results[edits], learned, site.test, pages, name)
    return list(results.values())


def _redesigned(site: FieldSite, edits: int, seed: str) -> list[VirtualDocument]:
    trees = [page.document.tree for page in site.test]
    drawn = edits_of(trees, [page.gold for page in site.test], edits, seed)
    return [VirtualDocument(tree=changed(page.document.tree, drawn), url=page.url) for page in site.test]


def _count(
    result: RedesignResult,
    learned: Field,
    before: Sequence[FieldPage],
    after: Sequence[VirtualDocument],
    name: str,
) -> None:
    """The pages behind the first known ones are counted: no value of them is known."""
    known = [value_on(page.document, learned) for page in before]
    repaired = _repaired(learned, before, after)
    for number in range(_KNOWN, len(before)):
        gold = before[number].gold[name]
        was_right = is_right(known[number], gold)
        value = value_on(after[number], repaired)
        result.cells += 1
        result.before += was_right
        result.first += is_right(value_on(after[number], learned, 1), gold)
        result.rules += is_right(value_on(after[number], learned), gold)
        result.repaired += is_right(value, gold)
        result.wrong += was_right and value is not None and not is_right(value, gold)


def _repaired(learned: Field, before: Sequence[FieldPage], after: Sequence[VirtualDocument]) -> Field:
    """The field as a run repairs it, where values of pages that were read before are lost."""
    read = [tried_on(page.document, learned.rules, learned).values for page in before[:_KNOWN]]
    known = [tuple(KnownValue(value=one.value, text=one.text) for one in values) for values in read]
    was = [
        PageValues(document=page.document, values=values) for page, values in zip(before, known, strict=False)
    ]
    now = [
        PageValues(document=page, values=values) for page, values in zip_longest(after, known, fillvalue=())
    ]
    if sum(_is_lost(page, learned) for page in now) < _LEAST_LOST:
        return learned
    wrapper = FieldWrapper(wrapper="bench", scope=FieldScope(url="/**"), fields=(learned,))
    found = repair(wrapper, learned.field, was, now)
    return found.field if found else learned


def _is_lost(page: PageValues, field: Field) -> bool:
    """Whether a known value stands on a page, and no rule finds it."""
    return (
        stands_on(page.document, page.values, field)
        and finds_known(page.document, page.values, field) is False
    )
