"""The same expression in XPath, for libxml2: what ours finds is held against it on small pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.expressions.model import Axis, Condition, Position, Subject, Test, quoted

if TYPE_CHECKING:
    from archiver.documents.expressions.model import Expression, PathStep, Route


def xpath(expression: Expression) -> str:
    return " | ".join(_route(route) for route in expression.routes)


def _route(route: Route) -> str:
    written = "" if route.absolute else "."
    for step in route.steps:
        # What is around the page's element is no element: no step of ours leads there.
        written += "/parent::*" if step.axis is Axis.PARENT else step.axis.value
        if step.axis is not Axis.PARENT:
            written += step.tag + "".join(f"[{_predicate(one, step)}]" for one in step.predicates)
        if step.pick is not None:
            written = f"({written})[{Position(step.pick)}]"
    return written


def _predicate(predicate: Condition | Position, step: PathStep) -> str:
    if isinstance(predicate, Position):
        return str(predicate)
    text = _condition(predicate, is_value=step.is_value)
    return f"not({text})" if predicate.negated else text


def _condition(condition: Condition, *, is_value: bool) -> str:
    plain = f"{condition.subject.value}{condition.name}"
    if condition.test is Test.EXISTS:
        return plain
    literal = quoted(condition.literal)
    if condition.test is Test.HAS:
        return f"contains(concat(' ', normalize-space({plain}), ' '), {quoted(f' {condition.literal} ')})"
    if condition.subject is Subject.ATTRIBUTE or (is_value and condition.subject is Subject.SELF):
        subject = plain
    elif condition.subject is Subject.SELF:
        subject = "normalize-space(.)"
    else:
        # Any of them, whichever it is.
        test = _condition(Condition(condition.test, Subject.SELF, "", condition.literal), is_value=False)
        return f"{plain}[{test}]"
    if condition.test is Test.EQUALS:
        return f"{subject}={literal}"
    return f"{condition.test.value}({subject},{literal})"
