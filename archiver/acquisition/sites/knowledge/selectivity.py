"""Expressions that probably find more than was meant: warnings, not flaws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.expressions.model import Subject, Test
from archiver.documents.yaml_values.nodes import FileFlaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    from archiver.acquisition.sites.knowledge.loading import TypeFile
    from archiver.acquisition.sites.knowledge.model import PartRule
    from archiver.documents.expressions.model import Expression

# Shorter parts of addresses and names stand on many pages.
_TELLING = 5


def warnings_of(read: TypeFile) -> Iterator[FileFlaw]:
    """What may find too much, with its place and what to write instead."""
    own = read.value
    for pattern in own.detect:
        for number, expression in enumerate(pattern.all):
            yield from _loose(read, pattern, "all", number, expression)
            yield from _short(read, pattern, number, expression)
    for level in own.levels:
        for pattern in level.detect:
            for number, expression in enumerate(pattern.all):
                yield from _loose(read, pattern, "all", number, expression)
        paths = [(one, one.path) for one in level.follow] + [(one, one.path) for one in level.extract]
        for action, expressions in paths:
            for number, expression in enumerate(expressions):
                yield from _loose(read, action, "path", number, expression)
        for part in level.parts:
            yield from _of_part(read, part)


def _of_part(read: TypeFile, part: PartRule) -> Iterator[FileFlaw]:
    for number, expression in enumerate(part.each):
        yield from _loose(read, part, "each", number, expression)
    places: list[tuple[msgspec.Struct, str, tuple[Expression, ...]]] = [
        (part, "key", part.key),
        (part, "parent", part.parent),
        *((action, "path", action.path) for action in part.extract),
    ]
    for struct, key, expressions in places:
        for number, expression in enumerate(expressions):
            yield from _loose(read, struct, key, number, expression)
            if any(route.absolute for route in expression.routes):
                yield FileFlaw(
                    place=read.place(struct, key, number),
                    message=f"{expression} begins at the page, and not at each {part.kind}",
                    suggestion=f"write {str(expression).removeprefix('//')}",
                )


def _loose(
    read: TypeFile, struct: msgspec.Struct, key: str, number: int, expression: Expression
) -> Iterator[FileFlaw]:
    """A part of a class is a part of other classes as well."""
    for route in expression.routes:
        for step in route.steps:
            for condition in step.conditions:
                if (condition.test, condition.subject, condition.name) == _PART_OF_CLASS:
                    yield FileFlaw(
                        place=read.place(struct, key, number),
                        message=f"{condition} is also true for the class {condition.literal}meta",
                        suggestion=f"write {step.tag}.{condition.literal} for the whole word",
                    )


_PART_OF_CLASS = (Test.CONTAINS, Subject.ATTRIBUTE, "class")


def _short(read: TypeFile, struct: msgspec.Struct, number: int, expression: Expression) -> Iterator[FileFlaw]:
    literals = [
        condition.literal
        for route in expression.routes
        for step in route.steps
        for condition in step.conditions
        if condition.test is not Test.EXISTS
    ]
    longest = max(literals, key=len, default="")
    if longest and len(longest) < _TELLING:
        yield FileFlaw(
            place=read.place(struct, "all", number),
            message=f"{longest} is short for what tells a type from all others",
            suggestion="add a condition, or give it a weight below 100 beside another pattern",
        )
