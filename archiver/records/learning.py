"""A wrapper learned from pages of one site that answer alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from archiver.documents.pages.languages import base_language
from archiver.records.columns import is_constant, learned_grid
from archiver.records.keys import DETAIL, address_of, detail_columns, key_columns, volatile_parameters
from archiver.records.leaves import is_sure_label, leaves_of
from archiver.records.locating import expression_for, found_by
from archiver.records.model import RecordColumn, RecordWrapper
from archiver.records.naming import apart, class_name, header_name, headers_of, slug
from archiver.records.patterns import pattern_of, value_in
from archiver.records.reading import fit, kinds_of
from archiver.records.regions import best_region, distinct_elements
from archiver.records.trees import is_unseen, trees_of
from archiver.records.types import read_as, type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.records.columns import Column, Grid
    from archiver.records.model import AnswerPage, NamedBy
    from archiver.records.regions import Region

_COMMON = 0.5  # share of records that have what is part of the signature
_LEAST_FIT, _MOST_FIT = 0.2, 0.5
_TEXT_WORDS = 4  # words that make the values of a column texts in a language


def learn_records(pages: Sequence[AnswerPage], given: str = "") -> RecordWrapper | None:
    """Where the records of pages are and what they are made of; None where the pages list nothing.

    Where an expression is given, records are what it leads to.
    """
    if given:
        return _given(pages, given)
    region = best_region(trees_of([(page.tree, page.words) for page in pages]))
    if region is None:
        return None
    records = [[[node.element for node in nodes] for nodes in found] for found in region.records]
    return _Learned(pages=pages, region=region, records=records).wrapper()


def _given(pages: Sequence[AnswerPage], given: str) -> RecordWrapper | None:
    found = [[[one] for one in found_by(given, page.tree) if not is_unseen(one)] for page in pages]
    records = [list(distinct_elements(of_page)) for of_page in found]
    if not any(records):
        return None
    wrapper = _Learned(pages=pages, region=None, records=records).wrapper()
    return structs.replace(wrapper, xpath=given, given=given, least_fit=0.0)


@dataclass(frozen=True)
class _Learned:
    pages: Sequence[AnswerPage]
    region: Region | None  # None: a person said what the records are
    records: Sequence[Sequence[Sequence[Element]]]

    def wrapper(self) -> RecordWrapper:
        every = [one for of_page in self.records for one in of_page]
        signature = self._signature(every)
        least = max(_LEAST_FIT, min(_MOST_FIT, *(fit(one, signature) for one in every)))
        grid = learned_grid([leaves_of(one) for one in every])
        details = detail_columns(grid, self._ranges())
        # The head itself may be among the rows.
        headers = next(filter(None, (headers_of(one[0]) for one in every)), [])
        columns = self._columns(grid, details, headers)
        return RecordWrapper(
            xpath=self._xpath(signature, least, len(every[0])),
            signature=signature,
            least_fit=round(least, 3),
            span=max(map(len, every)),
            columns=tuple(columns),
            texts=tuple(sorted(grid.texts)),
            detail=tuple(column[0][0] for column in details),
            volatile=self._volatile(grid, details),
            key=(DETAIL,) if details else self._key(grid, columns),
            samples=len(every),
            pages=len(self.pages),
            confidence=round(self._likeness * len(every) / (len(every) + 2), 3),
        )

    @property
    def _likeness(self) -> float:
        return 1.0 if self.region is None else self.region.likeness

    def _ranges(self) -> list[range]:
        """The rows of each page."""
        found, start = [], 0
        for of_page in self.records:
            found.append(range(start, start + len(of_page)))
            start += len(of_page)
        return found

    def _signature(self, every: Sequence[Sequence[Element]]) -> tuple[str, ...]:
        holders = Counter(kind for one in every for kind in kinds_of(one))
        return tuple(sorted(kind for kind, count in holders.items() if count >= _COMMON * len(every)))

    def _xpath(self, signature: tuple[str, ...], least: float, elements: int) -> str:
        if self.region is None:
            return ""
        span = elements if self.region.how == "run" else 1

        def is_other(element: Element) -> bool:
            return span == 1 and fit([element], signature) < least

        firsts = [[one[0] for one in of_page] for of_page in self.records]
        shown = [number for number, found in enumerate(firsts) if found]
        return expression_for(
            [self.pages[number].tree for number in shown], [firsts[number] for number in shown], is_other
        )

    def _columns(self, grid: Grid, details: Sequence[Column], headers: Sequence[str]) -> list[RecordColumn]:
        columns = [column for column in grid.columns if column not in grid.merged]
        proposed = [
            _column(grid, column, headers, base_language(self.pages[0].tree.get("lang")) or "")
            for column in columns
        ]
        named = [column.name for column in proposed]
        if details and "title" not in named:
            place = columns.index(details[0])
            if not named[place]:
                named[place], proposed[place] = "title", structs.replace(proposed[place], named_by="title")
        is_value = [not column.is_constant for column in proposed]
        names = iter(apart([name for name, good in zip(named, is_value, strict=True) if good]))
        return [
            structs.replace(column, name=next(names) if good else "")
            for column, good in zip(proposed, is_value, strict=True)
        ]

    def _volatile(self, grid: Grid, details: Sequence[Column]) -> tuple[str, ...]:
        if not details:
            return ()
        found = []
        for row in grid.rows:
            said = "\n".join(leaf.text for leaves in row.values() for leaf in leaves)
            found.append((said, address_of(row.get(details[0], ()), self.pages[0].url)))
        return volatile_parameters([(said, url) for said, url in found if url])

    def _key(self, grid: Grid, columns: Sequence[RecordColumn]) -> tuple[str, ...]:
        found = [column for column in grid.columns if column not in grid.merged]
        names = {place: one.name for place, one in enumerate(columns) if not one.is_constant}
        rows = [{names[n]: [leaf.text for leaf in row.get(found[n], ())] for n in names} for row in grid.rows]
        types = {one.name: one.type for one in columns if not one.is_constant}
        return key_columns(rows, types, self._ranges())


def _column(grid: Grid, column: Column, headers: Sequence[str], language: str) -> RecordColumn:
    (kind, prop, _), place = column
    leaves = list(grid.leaves(column))
    texts = [leaf.text for leaf in leaves]
    if is_constant(column):
        return RecordColumn(paths=(kind,), name="", label=column[0][2], is_constant=True)
    plain = type_of(texts)
    pattern, said = pattern_of(texts) if plain in ("string", "enum") else ("", "")
    values = [value_in(text, pattern) for text in texts]
    type_ = type_of(values) if pattern else plain
    label = leaves[0].label or said
    sure, other = (label, "") if is_sure_label(label) or said else ("", label)
    good = sum(bool(read_as(type_, value)[0]) for value in values)
    words = sum(len(value.split()) for value in values) / len(values)
    having = sum(column in row for row in grid.rows)
    proposed: tuple[tuple[str, NamedBy], ...] = (
        (prop, "itemprop"),
        (sure, "label"),
        (header_name(kind, headers), "header"),
        (class_name(kind), "class"),
        (other, "text"),
    )
    name, named_by = next(((slug(text), how) for text, how in proposed if slug(text)), ("", "number"))
    return RecordColumn(
        paths=(kind, *(other[0][0] for other, into in grid.merged.items() if into == column)),
        name=name,
        named_by=named_by,
        label=leaves[0].label,
        itemprop=prop,
        place=place,
        type=type_,
        many=not place and any(len(row.get(column, ())) > 1 for row in grid.rows),
        pattern=pattern,
        fill=round(having / len(grid.rows), 3),
        distinct=len(set(values)),
        confidence=round((good + 1) / (len(values) + 2), 3),
        lang=language if type_ == "string" and words >= _TEXT_WORDS else "",
    )
