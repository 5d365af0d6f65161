"""What is measured of a method that learns fields: how right it is, and what it costs."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fields_sets import f1_of

from archiver.documents.expressions.document import VirtualDocument
from archiver.fields.execution import rule_values
from archiver.fields.induction.inducing import induce
from archiver.fields.induction.model import ExamplePage, ValueNotOnPageError
from archiver.fields.model import Field
from archiver.fields.taking import taken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fields_sets import Cell, FieldPage, FieldSite

_CHILD = Path(__file__).with_name("fields_child.py")


@dataclass(slots=True)
class FieldResult:
    """A method at a number of examples: the F1 of each field, and seconds of the processor."""

    method: str
    examples: int
    scores: dict[tuple[str, str], float] = field(default_factory=dict)
    induce: float = 0.0
    slowest: float = 0.0
    read: float = 0.0
    reads: int = 0

    def add(self, site: str, attribute: str, cells: Sequence[Cell], learned: float, read: float) -> None:
        self.scores[site, attribute] = f1_of(cells)
        self.induce += learned
        self.slowest = max(self.slowest, learned)
        self.read += read
        self.reads += len(cells)

    @property
    def f1(self) -> float:
        return sum(self.scores.values()) / len(self.scores)

    @property
    def perfect(self) -> float:
        return sum(one == 1 for one in self.scores.values()) / len(self.scores)

    def row(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "examples": self.examples,
            "f1": round(self.f1, 4),
            "perfect": round(self.perfect, 4),
            "fields": len(self.scores),
            "induce_seconds": round(self.induce / len(self.scores), 3),
            "slowest_seconds": round(self.slowest, 3),
            "read_milliseconds": round(1000 * self.read / max(self.reads, 1), 3),
        }


def learned_field(site: FieldSite, attribute: str, count: int, *, alone: bool = False) -> Field | None:
    """The rules for an attribute, from the first pages that have it and, unless alone, from the others."""
    examples = [
        ExamplePage(document=page.document, values=tuple(page.gold[attribute]))
        for page in site.labelled(attribute, count)
    ]
    others = [] if alone else [page.document for page in site.learn]
    try:
        return induce(Field(field=attribute), examples, others).field if examples else None
    except ValueNotOnPageError:
        return None


def value_on(document: VirtualDocument, learned: Field | None, rules: int | None = None) -> str | None:
    """The text that the first rule which finds something takes."""
    for rule in learned.rules[:rules] if learned else ():
        values = rule_values(document, rule, learned)  # type: ignore[arg-type]
        if values:
            parts = taken(values[0].text, rule.take, learned)  # type: ignore[arg-type]
            return parts[0] if parts else values[0].value
    return None


def fresh(page: FieldPage) -> VirtualDocument:
    """The page without the indexes that were made of it."""
    return VirtualDocument(tree=page.document.tree, url=page.url)


def measure_ours(
    sites: Sequence[FieldSite], counts: Sequence[int], *, has_variants: bool
) -> Iterator[FieldResult]:
    """Ours as it is used; as variants, with the first rule of each field alone, and without other pages."""
    for count in counts:
        ours = FieldResult("ours", count)
        first = FieldResult("ours-first-rule", count)
        alone = FieldResult("ours-alone", count)
        for site, attribute in ((one, name) for one in sites for name in one.attributes):
            learned, cost = _timed(site, attribute, count)
            _read(ours, site, attribute, learned, cost)
            if has_variants:
                _read(first, site, attribute, learned, cost, 1)
                _read(alone, site, attribute, *_timed(site, attribute, count, alone=True))
        yield from (ours, first, alone) if has_variants else (ours,)


def _timed(site: FieldSite, attribute: str, count: int, *, alone: bool = False) -> tuple[Field | None, float]:
    begun = time.process_time()
    learned = learned_field(site, attribute, count, alone=alone)
    return learned, time.process_time() - begun


def _read(
    result: FieldResult,
    site: FieldSite,
    attribute: str,
    learned: Field | None,
    cost: float,
    rules: int | None = None,
) -> None:
    documents = [fresh(page) for page in site.test]
    begun = time.process_time()
    values = [value_on(document, learned, rules) for document in documents]
    read = time.process_time() - begun
    cells = [(value, page.gold[attribute]) for value, page in zip(values, site.test, strict=True)]
    result.add(site.name, attribute, cells, cost, read)


def measure_peer(
    name: str, python: str, sites: Sequence[FieldSite], counts: Sequence[int]
) -> Iterator[FieldResult]:
    """Another learner, in a process with the Python that has it."""
    with subprocess.Popen(
        [python, str(_CHILD), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        assert child.stdin
        assert child.stdout
        results = {count: FieldResult(name, count) for count in counts}
        for site, count in product(sites, counts):
            for attribute in site.attributes:
                print(json.dumps(_task(site, attribute, count)), file=child.stdin, flush=True)
                answer = json.loads(child.stdout.readline())
                cells = [
                    (value or None, page.gold[attribute])
                    for value, page in zip(answer["values"], site.test, strict=True)
                ]
                results[count].add(site.name, attribute, cells, answer["learn"], answer["read"])
        child.stdin.close()
    yield from results.values()


def _task(site: FieldSite, attribute: str, count: int) -> dict[str, Any]:
    learn = [(page.html, list(page.gold[attribute])) for page in site.labelled(attribute, count)]
    return {"learn": learn, "test": [page.html for page in site.test]}
