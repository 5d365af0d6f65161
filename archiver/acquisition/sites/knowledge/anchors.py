"""The words by which expressions are found: a literal that must stand on a page where an expression fires."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.documents.expressions.model import ANY, FACTS, Condition, Subject, Test

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.acquisition.sites.knowledge.model import TypePattern
    from archiver.documents.expressions.model import Expression, PathStep, Route

# Shorter ones stand on most pages.
SHORTEST = 3
# What most types are known by: looked for in no other `meta`, since descriptions have all kinds of words.
GENERATOR = "meta[@name='generator']"
_GENERATOR = Condition(Test.EQUALS, Subject.ATTRIBUTE, "name", "generator")
# Before the tags of what the server and the address say: a page can have elements of the same names.
OF_FACTS = "facts/"
# Attributes whose values most pages share, such as `description` and `stylesheet`.
_VOCABULARY = frozenset(
    {
        ("meta", "name"), ("meta", "property"), ("meta", "http-equiv"), ("link", "rel"), ("link", "type"),
        ("script", "type"), ("a", "rel"), (f"{OF_FACTS}header", "name"), (f"{OF_FACTS}http", "status"),
        (f"{OF_FACTS}url", "scheme"),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LiteralAnchor:
    """A literal in an attribute of some element; below `http` and `url`, in what they say."""

    tag: str
    attribute: str
    # The whole value, one of its words, or a part of it.
    test: Test
    literal: str


# One for each route of an expression, since any of them may find something.
Anchors = tuple[LiteralAnchor, ...]


def anchors_of(pattern: TypePattern) -> list[Anchors]:
    """Choices of literals: of each choice, one stands on every page where the pattern fires."""
    return [anchors for expression in pattern.all for anchors in _of_expression(expression)]


def rarest(choices: Sequence[Anchors], shared: Mapping[LiteralAnchor, int]) -> Anchors:
    """The choice that is not of HTML's own words; that the fewest patterns share; that is longest."""

    def rank(anchors: Anchors) -> tuple[bool, int, int]:
        is_common = any((one.tag, one.attribute) in _VOCABULARY for one in anchors)
        return is_common, max(shared[one] for one in anchors), -min(len(one.literal) for one in anchors)

    return min(choices, key=rank, default=())


def _of_expression(expression: Expression) -> Iterator[Anchors]:
    routes = [_of_route(route) for route in expression.routes]
    if len(routes) == 1:
        yield from ((anchor,) for anchor in routes[0])
    elif all(routes):
        yield tuple(max(anchors, key=lambda one: len(one.literal)) for anchors in routes)


def _of_route(route: Route) -> list[LiteralAnchor]:
    found = [anchor for number in range(len(route.steps)) for anchor in _of_step(route.steps, number)]
    if route.steps and route.steps[0].tag in FACTS:
        return [replace(anchor, tag=f"{OF_FACTS}{anchor.tag}") for anchor in found]
    return found


def _of_step(steps: tuple[PathStep, ...], number: int) -> Iterator[LiteralAnchor]:
    step = steps[number]
    # Conditions on a value are about the element before it.
    tag = steps[number - 1].tag if step.is_value and number else step.tag
    if tag in (ANY, "") or (step.is_value and not number):
        return
    if tag == "meta" and _GENERATOR in steps[number - step.is_value].conditions:
        tag = GENERATOR
    for condition in step.conditions:
        anchor = _of_condition(tag, step, condition)
        if anchor is not None and len(anchor.literal) >= SHORTEST:
            yield anchor


def _of_condition(tag: str, step: PathStep, condition: Condition) -> LiteralAnchor | None:
    if condition.negated or condition.test is Test.EXISTS or "\n" in condition.literal:
        return None
    test = Test.CONTAINS if condition.test is Test.STARTS_WITH else condition.test
    if condition.subject is Subject.ATTRIBUTE:
        return LiteralAnchor(tag, condition.name, test, condition.literal)
    if condition.subject is Subject.SELF and step.tag.startswith("@") and step.tag != f"@{ANY}":
        return LiteralAnchor(tag, step.tag.removeprefix("@"), test, condition.literal)
    return None
