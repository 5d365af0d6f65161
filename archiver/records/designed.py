"""Records by the `records` part of a field wrapper, and their own pages by its fields."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.selecting import owners, values_at
from archiver.documents.pages.dom import absolute_url
from archiver.errors import OverBudget
from archiver.fields.execution import PAGE_NODES, read_at
from archiver.records.keys import DETAIL, key_of
from archiver.records.model import ListedRecord, RecordValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.documents.expressions.model import Expression
    from archiver.fields.model import Field, FieldRule, FieldType, RecordsPart
    from archiver.records.model import ColumnType, Origin

MOST = 5_000  # records of a page
_TYPES: dict[FieldType, ColumnType] = {
    "integer": "integer",
    "number": "decimal",
    "price": "price",
    "date": "date",
    "moment": "date",
    "url": "url",
    "image": "url",
    "email": "email",
    "isbn": "isbn",
    "enum": "enum",
}


def designed_records(
    document: VirtualDocument, part: RecordsPart, detail: Expression | None = None
) -> tuple[ListedRecord, ...]:
    """The records of a page; those without any value are left out. Reading ends with its budget."""
    return tuple(_records(document, part, detail))


def _records(
    document: VirtualDocument, part: RecordsPart, detail: Expression | None
) -> Iterator[ListedRecord]:
    budget = Budget(PAGE_NODES)
    try:
        for place, element in enumerate(islice(owners(part.each, document, budget), MOST), 1):
            reader = _Reader(document, element, budget)
            attributes = reader.attributes(part.fields)
            address = reader.address(detail)
            if attributes:
                yield ListedRecord(
                    key=key_of(attributes, (DETAIL,) if address else (), address),
                    place=place,
                    xpath=element.getroottree().getpath(element),
                    detail_url=address,
                    attributes=attributes,
                )
    except OverBudget:
        return


def designed_detail(document: VirtualDocument, fields: Sequence[Field]) -> dict[str, list[RecordValue]]:
    """What the own page of a record says, by a wrapper's own fields. Paths begin at the page."""
    try:
        return _Reader(document, document.tree, Budget(PAGE_NODES), "detail").attributes(fields)
    except OverBudget:
        return {}


class _Reader:
    """Reads fields below an element: each value with the place where it stands."""

    def __init__(
        self, document: VirtualDocument, element: Element, budget: Budget, origin: Origin = "list"
    ) -> None:
        self._document, self._element, self._budget = document, element, budget
        self._origin: Origin = origin

    def attributes(self, fields: Sequence[Field]) -> dict[str, list[RecordValue]]:
        return {field.field: values for field in fields if (values := self._values(field))}

    def address(self, path: Expression | None) -> str:
        """Where a link of the record leads; empty without one."""
        for element, values in values_at(path, self._element, self._budget) if path is not None else ():
            href = values[0] if values else element.get("href", "")
            if found := absolute_url(self._document.base_url, href.strip()):
                return found
        return ""

    def _values(self, field: Field) -> list[RecordValue]:
        """Of the first rule that gives a value."""
        for rule in field.rules:
            found = list(self._by(rule, field))
            if found:
                return found if field.many else found[:1]
        return []

    def _by(self, rule: FieldRule, field: Field) -> Iterator[RecordValue]:
        place = self._document if self._origin == "detail" else self._element
        for element, values in values_at(rule.path, place, self._budget) if rule.path is not None else ():
            path = self._path(element, values, rule)
            for one in [element] if values is None else values:
                read = read_at([one], self._document, rule, field, self._budget)
                for value in read.values:
                    yield RecordValue(
                        value=value.value,
                        type=_TYPES.get(field.type, "string"),
                        path=path,
                        text=value.text if value.text != value.value else "",
                        currency=value.currency,
                        origin=self._origin,
                    )
                # The first place that has a text decides, unless there are many.
                if not field.many and (read.values or read.refused):
                    return

    def _path(self, element: Element, values: list[str] | None, rule: FieldRule) -> str:
        """From the record on, or from the page on; empty for what stands outside the record."""
        tree = element.getroottree()
        own, start = tree.getpath(element), tree.getpath(self._element)
        if self._origin == "list":
            if own != start and not own.startswith(f"{start}/"):
                return ""
            own = own.removeprefix(start).removeprefix("/") or "."
        last = rule.path.steps[-1].tag if rule.path is not None and rule.path.steps else ""
        if values is None or not last.startswith("@") or last == "@*":
            return own
        return last if own == "." else f"{own}/{last}"
