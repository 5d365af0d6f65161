"""The type of a field, by its examples and by what its best rule finds on other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.fields.types import typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.fields.model import Field, FieldType

# The narrower first: an ISBN is a number, and a price has one.
_GUESSED: tuple[FieldType, ...] = ("isbn", "email", "price", "date", "moment", "phone", "integer", "number")
# So many of the other pages' values must read as the type.
_LEAST_TYPED = 0.9
_LEAST_DIGITS = 7  # of a phone number; fewer are a number


def with_guessed_type(field: Field, examples: Sequence[str], found: Sequence[str]) -> Field:
    """The field with the narrowest type that all examples and nearly all other values have."""
    for kind in _GUESSED:
        guessed = msgspec.structs.replace(field, type=kind)
        values = [one for one in found if one]
        if not examples or not all(reads_as(one, guessed) for one in examples):
            continue
        if sum(reads_as(one, guessed) for one in values) >= _LEAST_TYPED * len(values):
            return guessed
    return field


def reads_as(text: str, field: Field) -> bool:
    value = typed(text, field)
    if value is None:
        return False
    if field.type == "price":
        return bool(value.currency)
    return field.type != "phone" or (sum(map(str.isdigit, text)) >= _LEAST_DIGITS and not text.isdigit())
