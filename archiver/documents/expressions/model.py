"""An expression as values: routes of steps with conditions, which can be changed and printed back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

# Longer ones are not written by people.
MOST_CHARACTERS = 512
MOST_STEPS = 12
MOST_CONDITIONS = 4
MOST_ROUTES = 4
# Of `following::`, which counts elements over the rest of the page.
MOST_FOLLOWING = 9
# Of other positions.
MOST_POSITION = 9999
LAST = -1

TEXT = "text()"
ANY = "*"
# First steps that are not looked for on the page: what the server and the address say.
FACTS = frozenset({"http", "url"})

_PLAIN_CLASS = re.compile(r"-{0,2}[A-Za-z_][A-Za-z0-9_-]*")


class Axis(StrEnum):
    """From which elements a step goes to which; the value is how it is written."""

    CHILD = "/"
    DESCENDANT = "//"
    PARENT = "/.."
    FOLLOWING_SIBLING = "/following-sibling::"
    PRECEDING_SIBLING = "/preceding-sibling::"
    FOLLOWING = "/following::"


class Subject(StrEnum):
    """What a condition looks at."""

    ATTRIBUTE = "@"
    CHILD = ""
    SELF = "."
    TEXT = TEXT


class Test(StrEnum):
    """How a condition compares."""

    __test__ = False  # for pytest

    EXISTS = ""
    EQUALS = "="
    CONTAINS = "contains"
    STARTS_WITH = "starts-with"
    # One of the words of the value, as classes are.
    HAS = "has"


@dataclass(frozen=True, slots=True)
class Condition:
    """What an element, or a value, must be like."""

    test: Test
    subject: Subject
    name: str = ""
    literal: str = ""
    negated: bool = False

    @property
    def is_class(self) -> bool:
        """Whether it can be written as `.name` behind a tag."""
        subject = (self.test, self.subject, self.name, self.negated)
        return subject == _CLASS and bool(_PLAIN_CLASS.fullmatch(self.literal))

    def __str__(self) -> str:
        subject = f"{self.subject.value}{self.name}"
        if self.test is Test.EXISTS:
            text = subject
        elif self.test is Test.EQUALS:
            text = f"{subject}={quoted(self.literal)}"
        else:
            text = f"{self.test.value}({subject},{quoted(self.literal)})"
        return f"not({text})" if self.negated else text


_CLASS = (Test.HAS, Subject.ATTRIBUTE, "class", False)


def has_class(name: str) -> Condition:
    return Condition(Test.HAS, Subject.ATTRIBUTE, "class", name)


@dataclass(frozen=True, slots=True)
class Position:
    """Which one of the elements that share a parent and fulfil what stands before: the first is 1."""

    number: int

    def __str__(self) -> str:
        return "last()" if self.number == LAST else str(self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """A step to elements, or, as the last one, to a value of them."""

    axis: Axis
    # The name of an element, `*`, `@name`, `@*`, `text()`; empty for the parent.
    tag: str = ANY
    predicates: tuple[Condition | Position, ...] = ()
    # Of everything found so far, only this one: `(…)[1]`.
    pick: int | None = None

    @property
    def is_value(self) -> bool:
        return self.tag == TEXT or self.tag.startswith("@")

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return tuple(one for one in self.predicates if isinstance(one, Condition))

    @property
    def positions(self) -> tuple[Position, ...]:
        return tuple(one for one in self.predicates if isinstance(one, Position))

    def __str__(self) -> str:
        """As it is written behind its axis."""
        written = [] if self.axis is Axis.PARENT else [self.tag]
        is_leading = not self.is_value
        for predicate in self.predicates:
            is_leading = is_leading and isinstance(predicate, Condition) and predicate.is_class
            if is_leading and isinstance(predicate, Condition):
                written.append(f".{predicate.literal}")
            else:
                written.append(f"[{predicate}]")
        return "".join(written)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Steps from a place to what is looked for; without any, it is the place itself."""

    steps: tuple[PathStep, ...] = ()
    # From the page, wherever the expression is asked: it was written with a leading `//` or `/`.
    absolute: bool = False

    def __str__(self) -> str:
        written = ""
        for step in self.steps:
            written += self._beginning(step) if not written else f"{step.axis.value}{step}"
            if step.pick is not None:
                written = f"({written})[{Position(step.pick)}]"
        return written or "."

    def _beginning(self, step: PathStep) -> str:
        if self.absolute:
            return f"{step.axis.value}{step}"
        # Without anything before it, a tag is looked for at any depth, and a value is the place's own.
        implied = Axis.CHILD if step.is_value else Axis.DESCENDANT
        return str(step) if step.axis is implied else f".{step.axis.value}{step}"


@dataclass(frozen=True)
class Expression:
    """Where something stands: one route to it, or several that are followed together."""

    routes: tuple[Route, ...]

    @cached_property
    def text(self) -> str:
        """The expression as it is written, in its one canonical form."""
        return " | ".join(map(str, self.routes))

    def __str__(self) -> str:
        return self.text

    @property
    def steps(self) -> tuple[PathStep, ...]:
        """The steps of its route; of the first one where there are several."""
        return self.routes[0].steps

    @property
    def gives(self) -> Literal["elements", "values"]:
        """Whether it leads to elements, or to attributes and texts, which are values."""
        return (
            "values" if any(route.steps and route.steps[-1].is_value for route in self.routes) else "elements"
        )


def quoted(literal: str) -> str:
    quote = '"' if "'" in literal else "'"
    return f"{quote}{literal}{quote}"
