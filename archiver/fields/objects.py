"""From what a wrapper read to what stands in an object, and which new values make a version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.fields.model import ObjectField

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.fields.model import Field, FieldReading, FieldsRead, FieldWrapper

ObjectFields = dict[str, ObjectField | None]


def object_fields(read: FieldsRead, wrapper: FieldWrapper) -> ObjectFields:
    """A required field that is not found is null; another one is left out, as is what could not be read."""
    found: ObjectFields = {}
    for field in wrapper.fields:
        reading = read.readings.get(field.field)
        if reading is not None and (reading.values or field.required):
            found[field.field] = _object_field(reading, field)
    return found


def _object_field(reading: FieldReading, field: Field) -> ObjectField | None:
    values = reading.values
    if not values:
        return None
    if not field.many:
        (one,) = values
        return ObjectField(value=one.value, text=one.text, rule=reading.rule, currency=one.currency)
    currencies = tuple(one.currency for one in values)
    return ObjectField(
        value=tuple(one.value for one in values),
        text=tuple(one.text for one in values),
        rule=reading.rule,
        currency=currencies if any(currencies) else "",
    )


def has_required(fields: Mapping[str, ObjectField | None], wrapper: FieldWrapper) -> bool:
    """Whether a page has what makes it one of the wrapper's: all that is required, or anything at all."""
    required = [one.field for one in wrapper.fields if one.required]
    return all(fields.get(name) for name in required) if required else any(fields.values())


def changed_fields(
    before: Mapping[str, ObjectField | None], now: Mapping[str, ObjectField | None], wrapper: FieldWrapper
) -> list[str]:
    """The fields that have a new value, both pages having been read by this wrapper.

    A value that is no longer found is no change: it may as well be the rule that no longer works. Nor is a
    required one that was not found before.
    """
    return [
        one.field
        for one in wrapper.fields
        if one.versioned and _is_new(before.get(one.field), now.get(one.field), one)
    ]


def _is_new(before: ObjectField | None, now: ObjectField | None, field: Field) -> bool:
    if now is None or (before is None and field.required):
        return False
    return before is None or (before.value, before.currency) != (now.value, now.currency)
