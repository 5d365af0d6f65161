"""Records by the `records` part of a field wrapper, which a person wrote."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.selecting import owners, select
from archiver.errors import OverBudget
from archiver.fields.execution import PAGE_NODES, read_at
from archiver.records.keys import key_of
from archiver.records.model import ListedRecord, RecordValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field, FieldType, RecordsPart
    from archiver.records.model import ColumnType

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


def designed_records(document: VirtualDocument, part: RecordsPart) -> tuple[ListedRecord, ...]:
    """The records of a page; those without any value are left out. Reading ends with its budget."""
    return tuple(_records(document, part))


def _records(document: VirtualDocument, part: RecordsPart) -> Iterator[ListedRecord]:
    budget = Budget(PAGE_NODES)
    try:
        for place, element in enumerate(islice(owners(part.each, document, budget), MOST), 1):
            attributes = {
                field.field: values
                for field in part.fields
                if (values := _values(element, document, field, budget))
            }
            if attributes:
                yield ListedRecord(
                    key=key_of(attributes, (), ""),
                    place=place,
                    xpath=element.getroottree().getpath(element),
                    attributes=attributes,
                )
    except OverBudget:
        return


def _values(element: Element, document: VirtualDocument, field: Field, budget: Budget) -> list[RecordValue]:
    """Of the first rule that gives a value."""
    for rule in field.rules:
        places = select(rule.path, element, budget) if rule.path is not None else []
        read = read_at(places, document, rule, field, budget)
        if read.values:
            return [
                RecordValue(
                    value=one.value,
                    type=_TYPES.get(field.type, "string"),
                    text=one.text if one.text != one.value else "",
                    currency=one.currency,
                )
                for one in read.values
            ]
    return []
