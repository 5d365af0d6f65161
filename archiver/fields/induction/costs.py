"""How easily a rule breaks when a site changes: each piece of it has a cost, and costs add up.

A cost is about the negative logarithm of the chance that a redesign leaves the piece alone. What a machine
reads costs least, then names that people gave, then labels that readers see, then places among siblings.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from archiver.documents.expressions.model import ANY, LAST, Axis, Position, Subject, Test
from archiver.documents.pages.names import is_steady

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.documents.expressions.model import Condition, PathStep
    from archiver.fields.model import FieldRule, Take

STATEMENT = 0.3
_ATTRIBUTES: Mapping[str, float] = MappingProxyType(
    {
        "itemprop": 0.3,
        "property": 0.3,
        "data-testid": 0.5,
        "id": 1.0,
        "name": 1.0,
        "rel": 1.0,
        "headers": 1.0,
        "role": 1.2,
        "class": 1.2,
    }
)
_OTHER_DATA = 0.6  # data-…
_OTHER_ATTRIBUTE = 1.5
_UNSTEADY = 1.5  # on top: a name that a program made, or with a number
_LABEL = 1.2
_TAG_BESIDE_NAME = 0.15
_BARE_TAG = 2.0
# These stand once on a page, or for one thing.
_TELLING_TAGS: Mapping[str, float] = MappingProxyType({"h1": 0.8, "title": 0.8, "address": 1.2, "time": 1.2})
_AXES: Mapping[Axis, float] = MappingProxyType(
    {
        Axis.CHILD: 0.5,
        Axis.DESCENDANT: 0.5,
        Axis.PARENT: 0.4,
        Axis.FOLLOWING_SIBLING: 0.2,
        Axis.PRECEDING_SIBLING: 0.4,
        Axis.FOLLOWING: 2.2,
    }
)
_PLAIN_STEP = 0.5
_POSITION = 0.6
_FURTHER_POSITION = 0.15
_FURTHER_SIBLING = 0.8
_PICK, _FURTHER_PICK = 0.8, 0.4
_ATTRIBUTE_VALUE, _TEXT_VALUE, _TEXT_POSITION = 0.2, 0.4, 0.6
_CUT = 0.5
_FAR = 4


def rule_cost(rule: FieldRule) -> float:
    """What a rule costs in all."""
    cost = STATEMENT if rule.statement else 0.0
    for route in rule.path.routes if rule.path is not None else ():
        cost += sum(step_cost(step, is_first=number == 0) for number, step in enumerate(route.steps))
    return cost + take_cost(rule.take)


def take_cost(take: Take | None) -> float:
    if take is None:
        return 0.0
    return _CUT * sum(map(bool, (take.after, take.before, take.split, take.match, take.typed)))


def step_cost(step: PathStep, *, is_first: bool) -> float:
    if step.is_value:
        return _value_cost(step)
    cost = 0.0 if is_first else _AXES[step.axis]
    if step.axis is Axis.PARENT:
        return cost
    cost += sum(map(_condition_cost, step.conditions))
    if step.conditions:
        cost += 0.0 if step.tag == ANY else _TAG_BESIDE_NAME
    else:
        cost += _bare_cost(step) if is_first or step.axis is Axis.DESCENDANT else _PLAIN_STEP
    cost += sum(_position_cost(step, one) for one in step.positions)
    return cost + (0.0 if step.pick is None else _PICK + _FURTHER_PICK * _far(step.pick))


def _value_cost(step: PathStep) -> float:
    if step.tag.startswith("@"):
        return _ATTRIBUTE_VALUE
    cost = _TEXT_VALUE + (0.0 if step.axis is Axis.CHILD else _AXES[step.axis])
    return cost + sum(_TEXT_POSITION + _FURTHER_POSITION * _far(one.number) for one in step.positions)


def _bare_cost(step: PathStep) -> float:
    return _TELLING_TAGS.get(step.tag, _BARE_TAG)


def _position_cost(step: PathStep, position: Position) -> float:
    if step.axis in (Axis.FOLLOWING_SIBLING, Axis.PRECEDING_SIBLING):
        return _FURTHER_SIBLING * _far(position.number)
    if step.axis is Axis.FOLLOWING:
        return float(_far(position.number))
    return _POSITION + _FURTHER_POSITION * _far(position.number)


def _far(number: int) -> int:
    return 1 if number == LAST else min(number - 1, 2 * _FAR)


def _condition_cost(condition: Condition) -> float:
    if condition.subject is not Subject.ATTRIBUTE:
        return _LABEL if condition.test is Test.EQUALS else 1.5 * _LABEL
    known = _OTHER_DATA if condition.name.startswith("data-") else _OTHER_ATTRIBUTE
    cost = _ATTRIBUTES.get(condition.name, known)
    steady = all(map(is_steady, condition.literal.split()))
    return cost + (0.0 if steady else _UNSTEADY)
