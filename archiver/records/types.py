"""What the values of a column are: numbers, years, days, prices, identifiers, or texts."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from archiver.fields.isbn import isbn_in
from archiver.fields.model import Field
from archiver.fields.types import typed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.fields.model import FieldType
    from archiver.records.model import ColumnType

_SURE = 0.9  # share of values that must be of a type
_FEWEST = 2
_YEAR = re.compile(r"(?:1\d|20)\d\d")  # 1000 to 2099
_ISSN = re.compile(r"(?:ISSN:?\s*)?(\d{4})-?(\d{3}[\dX])", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_EAN = re.compile(r"\d{8}|\d{12,14}")
_MOST_KINDS, _OF_EACH = 20, 5  # of an enumeration
_LONGEST_KIND = 40

Read = tuple[str, str]  # the value, and a currency
_NO = ("", "")


def read_as(kind: ColumnType, text: str) -> Read:
    """The value that a text is, as a whole; empty where it is none of that type."""
    return _READERS[kind](text) if kind in _READERS else (text, "")


def type_of(texts: Sequence[str]) -> ColumnType:
    """The first type that nearly all texts are of."""
    for kind in _READERS:
        good = sum(1 for text in texts if _READERS[kind](text)[0])
        if good >= max(_FEWEST, _SURE * len(texts)) and _is_meant(kind, texts):
            return kind
    return "enum" if _is_enumeration(texts) else "string"


def _is_meant(kind: ColumnType, texts: Sequence[str]) -> bool:
    # Bare numbers are prices as well: a currency in one of them tells.
    return kind != "price" or any(_READERS[kind](text)[1] for text in texts)


def _is_enumeration(texts: Sequence[str]) -> bool:
    counts = Counter(texts)
    if not 1 < len(counts) <= _MOST_KINDS or max(map(len, counts)) > _LONGEST_KIND:
        return False
    return min(counts.values()) >= _OF_EACH


def _field(kind: FieldType) -> Callable[[str], Read]:
    field = Field(field=kind, type=kind)

    def read(text: str) -> Read:
        value = typed(text, field)
        return (value.value, value.currency) if value else _NO

    return read


def _year(text: str) -> Read:
    return (text, "") if _YEAR.fullmatch(text) else _NO


def _isbn(text: str) -> Read:
    return isbn_in(text), ""


def _issn(text: str) -> Read:
    found = _ISSN.fullmatch(text)
    if not found:
        return _NO
    digits = f"{found[1]}{found[2]}".upper()
    total = sum((8 - place) * _value(digit) for place, digit in enumerate(digits))
    return (f"{digits[:4]}-{digits[4:]}", "") if total % 11 == 0 else _NO


def _value(digit: str) -> int:
    return 10 if digit == "X" else int(digit)


def _doi(text: str) -> Read:
    found = _DOI.fullmatch(text)
    return (found[1], "") if found else _NO


def _ean(text: str) -> Read:
    if not _EAN.fullmatch(text):
        return _NO
    total = sum((3 if place % 2 else 1) * int(digit) for place, digit in enumerate(reversed(text)))
    return (text, "") if total % 10 == 0 else _NO


# The narrowest first.
_READERS: dict[ColumnType, Callable[[str], Read]] = {
    "year": _year,
    "isbn": _isbn,
    "issn": _issn,
    "doi": _doi,
    "ean": _ean,
    "integer": _field("integer"),
    "decimal": _field("number"),
    "date": _field("date"),
    "price": _field("price"),
    "url": _field("url"),
    "email": _field("email"),
}
