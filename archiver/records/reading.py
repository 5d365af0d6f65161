"""Records of a page, by a wrapper; and whether the wrapper still fits."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import base_url
from archiver.records.columns import row_of
from archiver.records.keys import address_of, key_of, steady_address
from archiver.records.leaves import labelled, leaves_of
from archiver.records.locating import found_by
from archiver.records.model import ListedRecord, RecordValue
from archiver.records.patterns import value_in
from archiver.records.regions import best_region, distinct_elements
from archiver.records.trees import is_unseen, step_of, trees_of
from archiver.records.types import read_as

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.records.columns import Column
    from archiver.records.leaves import Leaf
    from archiver.records.model import AnswerPage, RecordColumn, RecordWrapper

MOST = 5_000  # records of a page
_OUTDATED = 0.6  # share of a page's records that a wrapper must still find
_UNTYPED = 0.5  # how far a value that is not of its column's type is trusted


def read_records(page: AnswerPage, wrapper: RecordWrapper) -> tuple[ListedRecord, ...]:
    """The records of a page, in its order."""
    base = base_url(page.tree, page.url)
    reader = _Reader(wrapper)
    found = islice(record_elements(page.tree, wrapper), MOST)
    return tuple(
        record
        for place, elements in enumerate(found, 1)
        if (record := reader.record(elements, place, base, page.words)).attributes
    )


def shown_rows(page: AnswerPage, wrapper: RecordWrapper) -> list[list[str]]:
    """What each record shows, a text for each column of the wrapper, also for those that are constant."""
    reader = _Reader(wrapper)
    return [reader.shown(elements) for elements in islice(record_elements(page.tree, wrapper), MOST)]


def record_elements(tree: Element, wrapper: RecordWrapper) -> Iterator[list[Element]]:
    """The elements of each record."""
    firsts = found_by(wrapper.xpath, tree)
    known = set(firsts)
    records = [[one, *_followers(one, known, wrapper.span)] for one in firsts if not is_unseen(one)]
    good = [one for one in records if fit(one, wrapper.signature) >= wrapper.least_fit]
    yield from distinct_elements(good)


def _followers(first: Element, firsts: set[Element], span: int) -> Iterator[Element]:
    """The neighbours that belong to a record, up to the next one."""
    for one in islice(first.itersiblings("*"), span - 1):
        if one in firsts:
            return
        if not is_unseen(one):
            yield one


def kinds_of(elements: Sequence[Element]) -> set[str]:
    """Kinds of elements of a record: the steps that lead to each."""
    found: set[str] = set()
    for element in elements:
        start = step_of(element) if len(elements) > 1 else ""
        stack = [(element, start)]
        while stack:
            one, kind = stack.pop()
            found.add(kind)
            stack += [(child, f"{kind}/{step_of(child)}") for child in one if not is_unseen(child)]
    return found


def fit(elements: Sequence[Element], signature: Sequence[str]) -> float:
    """The share of the signature that a record has."""
    own = kinds_of(elements)
    return sum(kind in own for kind in signature) / max(1, len(signature))


class _Reader:
    """Reads the values of records by the columns of a wrapper."""

    def __init__(self, wrapper: RecordWrapper) -> None:
        self._wrapper = wrapper
        self._texts = frozenset(wrapper.texts)
        self._columns = _by_group(wrapper.columns)
        places: Counter[tuple[str, str, str]] = Counter()
        for group, place in self._columns:
            places[group] = max(places[group], place)
        self._places = {group: place for group, place in places.items() if place}

    def record(
        self, elements: Sequence[Element], place: int, base: str, words: Sequence[str]
    ) -> ListedRecord:
        leaves = labelled(leaves_of(elements), self._texts)
        address = self._address(leaves, base)
        attributes = self._attributes(leaves)
        steady = steady_address(address, self._wrapper.volatile, words) if address else ""
        return ListedRecord(
            key=key_of(attributes, self._wrapper.key, steady),
            place=place,
            xpath=elements[0].getroottree().getpath(elements[0]),
            detail_url=address,
            attributes=attributes,
        )

    def shown(self, elements: Sequence[Element]) -> list[str]:
        leaves = labelled(leaves_of(elements), self._texts)
        found: dict[RecordColumn, str] = {}
        for column, members in row_of(leaves, self._places, self._texts).items():
            learned = self._columns.get(column)
            if learned is not None:
                texts = " ".join(leaf.text for leaf in members)
                found[learned] = f"{found.get(learned, '')} {texts}".strip()
        return [found.get(column, "") for column in self._wrapper.columns]

    def _address(self, leaves: Sequence[Leaf], base: str) -> str:
        for kind in self._wrapper.detail:
            if found := address_of([leaf for leaf in leaves if leaf.kind == kind], base):
                return found
        return ""

    def _attributes(self, leaves: Sequence[Leaf]) -> dict[str, list[RecordValue]]:
        found: dict[str, list[RecordValue]] = {}
        for column, members in row_of(leaves, self._places, self._texts).items():
            learned = self._columns.get(column)
            if learned is not None and not learned.is_constant:
                found.setdefault(learned.name, []).extend(value_of(leaf, learned) for leaf in members)
        return found


def _by_group(columns: Sequence[RecordColumn]) -> Mapping[Column, RecordColumn]:
    return {
        ((path, "=" if column.is_constant else column.itemprop, _named(column)), column.place): column
        for column in columns
        for path in column.paths
    }


def _named(column: RecordColumn) -> str:
    """A constant is told by its text."""
    return column.label if column.is_constant else column.label.casefold()


def value_of(leaf: Leaf, column: RecordColumn) -> RecordValue:
    """The value that a text has for a column."""
    part = value_in(leaf.text, column.pattern)
    value, currency = read_as(column.type, part)
    return RecordValue(
        value=value or part,
        type=column.type if value else "string",
        path=leaf.path,
        text=leaf.text if (value or part) != leaf.text else "",
        currency=currency,
        lang=column.lang,
        confidence=column.confidence if value else round(column.confidence * _UNTYPED, 3),
        origin="excerpt" if column.is_excerpt else "list",
        pattern=column.pattern if part != leaf.text else "",
    )


def is_outdated(page: AnswerPage, wrapper: RecordWrapper) -> bool:
    """True if a page lists records and the wrapper finds less than most of them.

    Never where a person said what the records are.
    """
    if wrapper.given:
        return False
    region = best_region(trees_of([(page.tree, page.words)]))
    if region is None:
        return False
    listed = {nodes[0].element for nodes in region.records[0]}
    found = {elements[0] for elements in record_elements(page.tree, wrapper)}
    return len(found) < _OUTDATED * len(listed) and not any(
        one in listed or any(above in listed for above in one.iterancestors()) for one in found
    )
