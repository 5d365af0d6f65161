"""A wrapper as plain values, as its file has them: without what is said by leaving it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from archiver.documents.expressions.model import Expression

if TYPE_CHECKING:
    from archiver.fields.model import FieldRule, FieldWrapper


def plain_wrapper(wrapper: FieldWrapper, *, examples: bool = True) -> dict[str, Any]:
    """In the order of the file's keys."""
    plain: dict[str, Any] = _plain(wrapper)
    if not examples:
        # What decides where a crawl goes does not decide what a page says.
        plain.pop("navigate", None)
        parts = [plain, *plain.get("records", ())]
        for field in (field for part in parts for field in part.get("fields", ())):
            field.pop("examples", None)
    return plain


def _plain(value: object) -> Any:  # noqa: ANN401 - whatever YAML has
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return _struct(value) if isinstance(value, msgspec.Struct) else value


def _struct(value: msgspec.Struct) -> Any:  # noqa: ANN401 - as above
    said = {
        one.encode_name: _plain(getattr(value, one.name))
        for one in msgspec.structs.fields(value)
        if one.required or getattr(value, one.name) != one.default
    }
    shorthand = str(getattr(value, "shorthand", ""))
    return said[shorthand] if list(said) == [shorthand] else said


def rule_text(rule: FieldRule) -> str:
    """A rule as one line."""
    written = rule.statement if rule.path is None else str(rule.path)
    if rule.take is None:
        return written
    taken = msgspec.to_builtins(rule.take)
    told = ", ".join(f"{key} {value}" for key, value in taken.items() if value)
    return f"{written} (take {told})" if told else written


def plain_value(value: msgspec.Struct) -> Any:  # noqa: ANN401 - as above
    """A part of a wrapper, such as a rule, as its file has it."""
    return _struct(value)
