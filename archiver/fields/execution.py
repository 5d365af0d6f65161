"""A wrapper, followed on a page: the first rule of each field that gives a value of its type is taken.

What the rules look at is counted, for each of them and for all: a page reads the same on every machine, and
none can hang a process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.selecting import select
from archiver.errors import OverBudget
from archiver.fields.elements import text_at
from archiver.fields.model import FieldReading, FieldsRead, FieldValue
from archiver.fields.naming import label_of
from archiver.fields.statements import stated_texts
from archiver.fields.taking import taken
from archiver.fields.types import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field, FieldRule, FieldWrapper

# Elements that all rules of a wrapper may look at on a page, and one rule: about a second, and a quarter.
PAGE_NODES = 1_000_000
RULE_NODES = 300_000
MOST_VALUES = 1_000
_TOLD_TEXT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRead:
    """What one rule of a field came to on a page."""

    # How many places it leads to.
    places: int = 0
    values: tuple[FieldValue, ...] = ()
    # Of the first text that is not a value of the field's type, or that lacks what is taken of it.
    refused: str = ""
    # In words: why it gave nothing.
    problem: str = ""
    is_slow: bool = False


def read_fields(document: VirtualDocument, wrapper: FieldWrapper) -> FieldsRead:
    """What a wrapper reads off a page; it never raises what a page or a rule can provoke."""
    page = Budget(PAGE_NODES)
    readings: dict[str, FieldReading] = {}
    troubles: list[str] = []
    for field in wrapper.fields:
        if page.left <= 0:
            troubles.append(f"{field.field}: not read, since the rules before it look at too much")
            continue
        readings[field.field] = _reading(document, field, page, troubles)
    return FieldsRead(wrapper=label_of(wrapper), readings=readings, trouble="; ".join(troubles))


def _reading(document: VirtualDocument, field: Field, page: Budget, troubles: list[str]) -> FieldReading:
    mistyped = False
    for number, rule in enumerate(field.rules, 1):
        read = follow_rule(document, rule, field, page)
        if read.is_slow:
            troubles.append(f"{field.field}: rule {number} looks at too much of this page")
        if read.values:
            return FieldReading(values=read.values, rule=number, mistyped=mistyped)
        mistyped = mistyped or bool(read.refused)
    return FieldReading(mistyped=mistyped)


def follow_rule(document: VirtualDocument, rule: FieldRule, field: Field, page: Budget) -> RuleRead:
    """What a rule comes to, within its own budget and that of the page."""
    allowed = min(RULE_NODES, page.left)
    budget = Budget(allowed)
    try:
        return _followed(document, rule, field, budget)
    except OverBudget:
        return RuleRead(problem=f"it looks at more than {allowed:,} elements of this page", is_slow=True)
    finally:
        page.left -= allowed - max(budget.left, 0)


def rule_values(
    document: VirtualDocument, rule: FieldRule, field: Field, budget: Budget | None = None
) -> list[FieldValue]:
    """The values that a rule gives: the first place decides, unless the field has many."""
    return list(follow_rule(document, rule, field, budget or Budget(PAGE_NODES)).values)


def rule_places(
    document: VirtualDocument, rule: FieldRule, budget: Budget | None = None
) -> list[Element | str]:
    """All elements, attributes and texts that a rule leads to."""
    if rule.statement:
        return list(stated_texts(document, rule.statement, budget))
    return select(rule.path, document, budget) if rule.path is not None else []


def _followed(document: VirtualDocument, rule: FieldRule, field: Field, budget: Budget) -> RuleRead:
    return read_at(rule_places(document, rule, budget), document, rule, field, budget)


def read_at(
    places: list[Element | str], document: VirtualDocument, rule: FieldRule, field: Field, budget: Budget
) -> RuleRead:
    """What a rule gives of the places that it leads to."""
    texts = ((text, _parts(text, rule, field, document)) for text in _texts(document, places, field, budget))
    values: list[FieldValue] = []
    refused = ""
    for text, parts in texts:
        found = [value for part in parts if (value := _valued(part, text, field, document))]
        values += found
        refused = refused or ("" if found else text)
        if not field.many or len(values) >= MOST_VALUES:
            break
    kept = values[:MOST_VALUES] if field.many else values[:1]
    return RuleRead(
        places=len(places),
        values=tuple(kept),
        refused=refused,
        problem=_problem(places, refused, kept, field),
    )


def _texts(
    document: VirtualDocument, places: list[Element | str], field: Field, budget: Budget
) -> Iterator[str]:
    """What stands at the places, without those where nothing does."""
    for place in places:
        text = place if isinstance(place, str) else text_at(place, field, document.base_url, budget)
        if text.strip():
            yield text


def _parts(text: str, rule: FieldRule, field: Field, document: VirtualDocument) -> list[str]:
    return [text] if field.type == "html" else taken(text, rule.take, field, document.base_url)


def _valued(part: str, text: str, field: Field, document: VirtualDocument) -> FieldValue | None:
    """The value of a part, with the whole text that it was taken from."""
    value = typed(part, field, document.base_url)
    if value is None or field.type == "html":
        return value
    return FieldValue(value=value.value, text=" ".join(text.split()), currency=value.currency)


def _problem(places: list[Element | str], refused: str, values: list[FieldValue], field: Field) -> str:
    if values:
        return ""
    if not places:
        return "nothing is there"
    if not refused:
        return "what is there has no text"
    shown = " ".join(refused.split())
    shown = shown if len(shown) <= _TOLD_TEXT else f"{shown[:_TOLD_TEXT]}…"
    return f"“{shown}” gives no {field.type}"
