"""What each rule of a wrapper comes to on a page, also of those that are not needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.fields.execution import PAGE_NODES, follow_rule
from archiver.fields.naming import label_of
from archiver.fields.plain import rule_text

if TYPE_CHECKING:
    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field, FieldWrapper

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRule:
    """A rule: what it gives, and why it was passed over."""

    rule: str
    is_used: bool
    values: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedField:
    field: str
    type: str
    rules: tuple[ExplainedRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedFields:
    """A page as its field wrapper sees it."""

    wrapper: str  # its name and digest
    fields: tuple[ExplainedField, ...]


def explain_fields(document: VirtualDocument, wrapper: FieldWrapper) -> ExplainedFields:
    page = Budget(PAGE_NODES)
    return ExplainedFields(
        wrapper=label_of(wrapper), fields=tuple(_explained(document, one, page) for one in wrapper.fields)
    )


def _explained(document: VirtualDocument, field: Field, page: Budget) -> ExplainedField:
    found: list[ExplainedRule] = []
    for rule in field.rules:
        is_taken = any(one.is_used for one in found)
        read = follow_rule(document, rule, field, page)
        shown = tuple(one.value for one in read.values[:_SHOWN])
        why = read.problem or ("an earlier rule gave a value" if is_taken else "")
        is_used = bool(read.values) and not is_taken
        found.append(ExplainedRule(rule=rule_text(rule), is_used=is_used, values=shown, why=why))
    return ExplainedField(
        field=field.field, type=f"{field.type}, many" if field.many else field.type, rules=tuple(found)
    )
