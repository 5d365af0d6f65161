"""What an expression finds on a page, in the page's order, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.walking import Traversal, ordered

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.documents.expressions.model import Expression
    from archiver.documents.expressions.walking import Found

_NONE: frozenset[Element] = frozenset()


def select(
    expression: Expression,
    place: Element | VirtualDocument,
    budget: Budget | None = None,
    *,
    outside: AbstractSet[Element] = _NONE,
) -> list[Element | str]:
    """The elements, or the values of attributes and texts, that the expression leads to.

    A route that begins without a slash begins at the place: below an element, or anywhere on a page. Nothing
    inside the elements `outside` is found: the replies to a comment, where they are comments themselves.
    """
    found: list[Element | str] = []
    for element, values in _found(expression, place, budget or Budget(), outside):
        found += [element] if values is None else values
    return found


def owners(
    expression: Expression,
    place: Element | VirtualDocument,
    budget: Budget | None = None,
    *,
    outside: AbstractSet[Element] = _NONE,
) -> list[Element]:
    """The elements that the expression leads to, or which have the values that it leads to."""
    return [element for element, _ in _found(expression, place, budget or Budget(), outside)]


def values_at(
    expression: Expression, place: Element | VirtualDocument, budget: Budget | None = None
) -> list[Found]:
    """What the expression leads to: each element, and the values that are meant of it; None: itself."""
    return _found(expression, place, budget or Budget(), _NONE)


def matches(expression: Expression, place: Element | VirtualDocument, budget: Budget | None = None) -> bool:
    return bool(owners(expression, place, budget))


def _found(
    expression: Expression, place: Element | VirtualDocument, budget: Budget, outside: AbstractSet[Element]
) -> list[Found]:
    routes = [list(Traversal(route, place, budget, outside).found()) for route in expression.routes]
    if len(routes) == 1:
        return routes[0]
    # An element that two routes lead to is found once; of values, each route gives its own.
    together = {
        (element, tuple(values or ())): (element, values) for route in routes for element, values in route
    }
    found = list(together.values())
    if len({id(element.getroottree().getroot()) for element, _ in found}) > 1:
        return found  # of the page and of what is known of it besides: they have no order
    order = {element: number for number, element in enumerate(ordered([one for one, _ in found], budget))}
    return sorted(found, key=lambda one: order[one[0]])
