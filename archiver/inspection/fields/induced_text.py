"""What induction found, for a person to read, and as values for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.display.tables import many
from archiver.fields.plain import plain_value, rule_text
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.fields.induction.model import Induced, RankedRule

_MOST_SHOWN = 8


def induced_lines(found: Sequence[Induced], pages: int) -> Iterator[str]:
    """For each field its rules, best first; `*` marks those that are taken."""
    for one in found:
        of_many = "many of " if one.field.many else ""
        examples = many(len(one.field.examples), "example")
        yield f"{one.field.field}: {of_many}{one.field.type}, from {examples} and {many(pages, 'other page')}"
        yield "      score  cost  found  rule"
        taken = {rule_text(rule.rule) for rule in one.chosen}
        shown = list(one.ranked[:_MOST_SHOWN])
        shown += [rule for rule in one.chosen if rule not in shown]
        for rule in shown:
            text = rule_text(rule.rule)
            mark = "*" if text in taken else " "
            yield f"  {mark} {rule.score:7.2f}{rule.cost:6.2f}{round(100 * rule.fill):5} %  {text}"
        yield from _doubts(one)


def _doubts(one: Induced) -> Iterator[str]:
    for url in one.missed:
        yield f"    the first rule does not find the value on {redact(url)}"
    if one.question is not None:
        asked = one.question
        first, second = asked.first or "nothing", asked.second or "nothing"
        yield f"    two rules differ on {redact(asked.url)}: {first!r} or {second!r}?"
        yield f"    Say which: --url {redact(asked.url)} {one.field.field}=VALUE"


def induced_values(found: Sequence[Induced], pages: int) -> list[dict[str, Any]]:
    return [
        {
            "field": one.field.field,
            "type": one.field.type,
            "many": one.field.many,
            "pages": pages,
            "rules": [_rule_values(rule, one) for rule in one.ranked],
            "missed": list(one.missed),
            "question": _question(one),
        }
        for one in found
    ]


def _rule_values(rule: RankedRule, one: Induced) -> dict[str, Any]:
    chosen = [chosen.rule for chosen in one.chosen]
    return {
        "rule": plain_value(rule.rule),
        "score": round(rule.score, 3),
        "cost": round(rule.cost, 3),
        "f1": round(rule.f1, 3),
        "fill": round(rule.fill, 3),
        "like": round(rule.typed, 3),
        "chosen": chosen.index(rule.rule) + 1 if rule.rule in chosen else None,
    }


def _question(one: Induced) -> dict[str, Any] | None:
    asked = one.question
    if asked is None:
        return None
    values = {"first": asked.first, "second": asked.second, "rules": list(asked.rules)}
    return {"url": redact(asked.url), **values}
