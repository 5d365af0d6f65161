"""A rule in plain words, for people who do not read expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.expressions.model import ANY, LAST, TEXT, Axis, Subject, Test

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.documents.expressions.model import Condition, Expression, PathStep, Route
    from archiver.fields.model import FieldRule, Take

_BESIDE = {
    Axis.FOLLOWING_SIBLING: "behind",
    Axis.PRECEDING_SIBLING: "before",
    Axis.FOLLOWING: "that follows",
}
_SAYS = {Test.EQUALS: "says", Test.CONTAINS: "mentions", Test.STARTS_WITH: "begins with", Test.HAS: "has"}
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(11, 14)
_PAGE = frozenset({"html", "body"})


def rule_in_words(rule: FieldRule) -> str:
    """Such as: the first `dd` behind the `dt` that says “Price”."""
    words = _stated(rule.statement) if rule.path is None else expression_in_words(rule.path)
    return words + ("".join(_taken(rule.take)) if rule.take else "")


def expression_in_words(expression: Expression) -> str:
    return ", or ".join(map(_route, expression.routes))


def _stated(statement: str) -> str:
    kind, _, properties = statement.partition(".")
    return f"what the page states for machines as {properties or 'value'} of {kind}"


def _route(route: Route) -> str:
    words = ""
    for step in route.steps:
        words = _led(step, words)
    return words or "the page"


def _led(step: PathStep, words: str) -> str:
    if step.axis is Axis.PARENT:
        return f"what is around {words}"
    if step.tag == TEXT:
        return f"the text directly in {words or 'the page'}"
    if step.is_value:
        return f"“{step.tag[1:]}” of {words or 'the page'}"
    beside = _BESIDE.get(step.axis, "in")
    own = " ".join(_noun(step))
    # That it is in the body of the page says nothing.
    is_page = not words or (beside == "in" and words.removeprefix("the ") in _PAGE)
    return own if is_page else f"{own} {beside} {words}"


def _noun(step: PathStep) -> Iterator[str]:
    number = next((one.number for one in step.positions), step.pick)
    yield "the" if number is None else f"the {_ordinal(number)}"
    yield "element" if step.tag == ANY else step.tag
    yield from (_condition(one) for one in step.conditions)


def _condition(one: Condition) -> str:
    lead = "that does not have" if one.negated else "with"
    if one.test is Test.EXISTS:
        return f"{lead} {one.name}"
    if one.subject is Subject.ATTRIBUTE:
        name = "class" if one.is_class else one.name
        joint = " " if one.test in {Test.EQUALS, Test.HAS} else f" that {_SAYS[one.test]} "
        return f"{lead} {name}{joint}“{one.literal}”"
    said = f"{_SAYS[one.test]} “{one.literal}”"
    return f"of which it is not true that it {said}" if one.negated else f"that {said}"


def _taken(take: Take) -> Iterator[str]:
    if take.after or take.before:
        ends = (("behind", take.after), ("before", take.before))
        yield ": what stands " + " and ".join(f"{word} “{text}”" for word, text in ends if text)
    if take.split:
        yield f", piece {take.split.nth} of what “{take.split.by}” divides"
    if take.match:
        yield f", as far as it matches {take.match}"
    if take.typed:
        yield ", the part that reads as its type"


def _ordinal(number: int) -> str:
    if number == LAST:
        return "last"
    ending = "th" if number % 100 in _TEENS else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"
