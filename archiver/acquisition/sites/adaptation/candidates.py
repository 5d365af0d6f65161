"""Paths that lead to an element: by its own names and by those of what is around it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, islice
from typing import TYPE_CHECKING

from archiver.documents.expressions.model import (
    Axis,
    Condition,
    Expression,
    PathStep,
    Route,
    Subject,
    Test,
    has_class,
)
from archiver.documents.pages.names import is_steady

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

_PLAIN_TAG = re.compile(r"[a-z][a-z0-9]*")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_MOST_NAMES = 6
_MOST_AROUND = 12
# Tags that say what they hold; of others, the first one may be anything on the next page.
_TELLING = frozenset({"h1", "time", "article", "main", "cite", "address"})
# Of a page: everything is within these.
_WHOLE = frozenset({"html", "body"})


def paths_to(element: Element, attribute: str, place: Element | None = None) -> Iterator[Expression]:
    """Paths from a place, or from the page, to an element or to one of its attributes."""
    ending = (PathStep(axis=Axis.CHILD, tag=f"@{attribute}"),) if attribute else ()
    if element is place:
        yield Expression((Route(steps=ending),))
        return
    around = list(_around(element, place))
    for own in _steps(element, Axis.DESCENDANT):
        if own.predicates or own.tag in _TELLING:
            yield Expression((Route(steps=(own, *ending)),))
    below = [*_steps(element, Axis.CHILD)]
    far = [*_steps(element, Axis.DESCENDANT)]
    for distance, one in enumerate(around):
        for step in _named(one):
            ways = below if distance == 0 else far
            yield from (Expression((Route(steps=(step, own, *ending)),)) for own in ways)


def _around(element: Element, place: Element | None) -> Iterator[Element]:
    for one in islice(element.iterancestors(), _MOST_AROUND):
        if one is place or one.tag in _WHOLE:
            return
        yield one


def _named(element: Element) -> Iterator[PathStep]:
    """Steps to an element that say more than its tag."""
    return (step for step in _steps(element, Axis.DESCENDANT) if len(step.predicates) == 1)


def _steps(element: Element, axis: Axis) -> Iterator[PathStep]:
    tag = element.tag if _PLAIN_TAG.fullmatch(element.tag) else "*"
    conditions = list(_conditions(element))
    yield from (PathStep(axis=axis, tag=tag, predicates=(one,)) for one in conditions)
    classes = [one for one in conditions if one.is_class]
    yield from (PathStep(axis=axis, tag=tag, predicates=two) for two in combinations(classes, 2))
    yield PathStep(axis=axis, tag=tag)


def _conditions(element: Element) -> Iterator[Condition]:
    names = (one for one in (element.get("class") or "").split() if _is_name(one))
    yield from (has_class(name) for name in islice(dict.fromkeys(names), _MOST_NAMES))
    for attribute in ("id", "itemprop"):
        value = element.get(attribute) or ""
        if _is_name(value):
            yield Condition(Test.EQUALS, Subject.ATTRIBUTE, attribute, value)
    for value in (element.get("rel") or "").split():
        if _is_name(value) and value not in {"nofollow", "ugc", "external", "noopener", "noreferrer"}:
            yield Condition(Test.HAS, Subject.ATTRIBUTE, "rel", value)


@lru_cache(maxsize=10_000)
def _is_name(name: str) -> bool:
    return bool(_PLAIN_NAME.fullmatch(name)) and is_steady(name)
