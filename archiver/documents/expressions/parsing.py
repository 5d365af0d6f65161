"""From the text of an expression to its values; what is not part of the language is refused with advice."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import NoReturn

from archiver.documents.expressions import model
from archiver.documents.expressions.model import (
    ANY,
    LAST,
    TEXT,
    Axis,
    Condition,
    Expression,
    PathStep,
    Position,
    Route,
    Subject,
    Test,
    has_class,
)
from archiver.documents.nearest import did_you_mean
from archiver.errors import ExpressionFlaw

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?::[A-Za-z0-9_][A-Za-z0-9_-]*)?")
_CLASS = re.compile(r"\.(-{0,2}[A-Za-z_][A-Za-z0-9_-]*)")
_NUMBER = re.compile(r"[0-9]{1,6}")
_STRING = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_SPACE = re.compile(r"[ \t\r\n]*")
# `contains(concat(' ', normalize-space(@class), ' '), ' x ')`, which is how XPath says `has(@class,'x')`.
_TOKEN_TEST = re.compile(
    r"""contains \s* \( \s* concat \s* \( \s* (?:'[ ]'|"[ ]") \s* , \s*
    (?: normalize-space \s* \( \s* @ (?P<name> [\w:-]+ ) \s* \) | @ (?P<bare> [\w:-]+ ) )
    \s* , \s* (?:'[ ]'|"[ ]") \s* \) \s* , \s*
    (?: '\s (?P<one> [^'\s]+ ) \s' | "\s (?P<two> [^"\s]+ ) \s" ) \s* \)""",
    re.ASCII | re.VERBOSE,
)
_FUNCTIONS = {"contains": Test.CONTAINS, "starts-with": Test.STARTS_WITH, "has": Test.HAS}
_KNOWN_FUNCTIONS = (*_FUNCTIONS, "not", "last", "text", "normalize-space")
_AXES = {
    "following-sibling": Axis.FOLLOWING_SIBLING,
    "preceding-sibling": Axis.PRECEDING_SIBLING,
    "following": Axis.FOLLOWING,
    "child": Axis.CHILD,
}
_AXES_OF_VALUES = (Axis.CHILD, Axis.DESCENDANT)


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """The expression that a text means; ExpressionFlaw, with the column, where it means none."""
    if len(text) > model.MOST_CHARACTERS:
        raise ExpressionFlaw(
            f"The expression has {len(text)} characters: {model.MOST_CHARACTERS} are the most", 1
        )
    return _Parser(text).expression()


class _Parser:
    """Reads one expression from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def expression(self) -> Expression:
        routes = [self._route()]
        while self._take("|"):
            routes.append(self._route())
        if self._at < len(self._text):
            self._unexpected()
        if len(routes) > model.MOST_ROUTES:
            self._flaw(f"The expression has {len(routes)} routes: {model.MOST_ROUTES} are the most")
        if sum(len(route.steps) for route in routes) > model.MOST_STEPS:
            self._flaw(f"The expression has more than {model.MOST_STEPS} steps")
        return Expression(tuple(dict.fromkeys(routes)))

    def _route(self) -> Route:
        self._skip()
        grouped = self._take("(")
        absolute, steps = self._beginning()
        while True:
            if grouped and self._take(")"):
                if not steps:
                    self._unexpected()
                grouped = False
                steps[-1] = replace(steps[-1], pick=self._pick())
            axis = self._axis()
            if axis is None:
                break
            if steps and steps[-1].is_value:
                self._flaw("An attribute or a text has no steps below it: it is the last step")
            steps.append(self._step(axis))
        if grouped:
            self._flaw("A parenthesis is not closed", "write (…)[1]")
        self._skip()
        return Route(steps=tuple(steps), absolute=absolute)

    def _beginning(self) -> tuple[bool, list[PathStep]]:
        """Whether it begins at the page, and the first step, unless that is `.`."""
        self._skip()
        if self._peek("/"):
            axis = self._axis() or Axis.CHILD
            if axis not in (Axis.CHILD, Axis.DESCENDANT):
                self._flaw("A page has nothing around it", "begin with // or with the name of an element")
            return True, [self._step(axis)]
        if self._peek(".."):
            self._at += 2
            return False, [self._finished(Axis.PARENT, "")]
        if self._peek(".") and not _CLASS.match(self._text, self._at):
            self._at += 1
            return False, []
        if self._peek("@") or self._text.startswith(TEXT, self._at):
            return False, [self._step(Axis.CHILD)]
        for name, axis in _AXES.items():
            if self._take(f"{name}::"):
                return False, [self._step(axis)]
        return False, [self._step(Axis.DESCENDANT)]

    def _axis(self) -> Axis | None:
        self._skip()
        if self._take("//"):
            return Axis.DESCENDANT
        if not self._take("/"):
            return None
        if self._take(".."):
            return Axis.PARENT
        named = _NAME.match(self._text, self._at)
        if named and self._text.startswith("::", named.end()):
            return self._named_axis(named[0])
        return Axis.CHILD

    def _named_axis(self, name: str) -> Axis:
        if name not in _AXES:
            self._flaw(f"The axis {name}:: is not part of this language", did_you_mean(name, _AXES, "{}::"))
        self._at += len(name) + 2
        return _AXES[name]

    def _step(self, axis: Axis) -> PathStep:
        return self._finished(axis, "" if axis is Axis.PARENT else self._tag())

    def _tag(self) -> str:
        self._skip()
        if self._take(ANY):
            return ANY
        if self._take("@"):
            return "@*" if self._take("*") else f"@{self._name('the name of an attribute')}"
        if self._text.startswith(TEXT, self._at):
            self._at += len(TEXT)
            return TEXT
        if self._peek(".") and _CLASS.match(self._text, self._at):
            self._flaw("A class has no element before it", f"write *{self._text[self._at :]}")
        return self._name("the name of an element, *, @name or text()")

    def _finished(self, axis: Axis, tag: str) -> PathStep:
        step = PathStep(axis=axis, tag=tag, predicates=tuple(self._predicates(tag)))
        if len(step.predicates) > model.MOST_CONDITIONS:
            self._flaw(f"A step has more than {model.MOST_CONDITIONS} conditions")
        if step.is_value and axis not in _AXES_OF_VALUES and (tag, axis) != (TEXT, Axis.FOLLOWING_SIBLING):
            self._flaw("Attributes and texts stand behind / or //", "write /@name")
        if axis is Axis.PARENT and step.predicates:
            self._flaw("A step to the parent has no conditions", "write /..")
        if axis is Axis.FOLLOWING and not any(
            0 < one.number <= model.MOST_FOLLOWING for one in step.positions
        ):
            self._flaw(
                f"following:: needs a position of at most {model.MOST_FOLLOWING}",
                f"write following::{tag}[1]",
            )
        if tag.startswith("@") and step.positions:
            self._flaw("An attribute has no position")
        return step

    def _predicates(self, tag: str) -> list[Condition | Position]:
        found: list[Condition | Position] = []
        is_value = tag == TEXT or tag.startswith("@")
        while not is_value and (named := _CLASS.match(self._text, self._at)):
            self._at = named.end()
            found.append(has_class(named[1]))
        if self._peek("#"):
            self._flaw("An id is not written with #", f"write {tag}[@id='{self._text[self._at + 1 :]}']")
        while self._take("["):
            found += self._predicate(is_value)
            self._must("]")
        return found

    def _predicate(self, is_value: bool) -> list[Condition | Position]:
        self._skip()
        if number := _NUMBER.match(self._text, self._at):
            return [self._position(number)]
        if self._take_call("last"):
            self._must(")")
            return [Position(LAST)]
        found: list[Condition | Position] = [self._condition(is_value)]
        while self._take_word("and"):
            found.append(self._condition(is_value))
        if self._take_word("or"):
            self._flaw("`or` is not part of this language", "write two expressions")
        return found

    def _position(self, number: re.Match[str]) -> Position:
        if not 0 < int(number[0]) <= model.MOST_POSITION:
            self._flaw(f"Positions are 1 to {model.MOST_POSITION}")
        self._at = number.end()
        return Position(int(number[0]))

    def _pick(self) -> int:
        if not self._peek("["):
            self._flaw("What stands in parentheses needs a position behind them", "write (…)[1]")
        self._must("[")
        found = self._predicate(is_value=False)
        self._must("]")
        if not isinstance(found[0], Position):
            self._flaw("What stands behind parentheses is a position", "write (…)[1]")
        return found[0].number

    def _condition(self, is_value: bool) -> Condition:
        self._skip()
        if token := _TOKEN_TEST.match(self._text, self._at):
            self._at = token.end()
            name = (token["name"] or token["bare"]).lower()
            condition = Condition(Test.HAS, Subject.ATTRIBUTE, name, token["one"] or token["two"])
            return self._checked(condition, is_value)
        if self._take_call("not"):
            condition = self._condition(is_value)
            self._must(")")
            if condition.negated:
                self._flaw("not(not(…)) says the same without both")
            return replace(condition, negated=True)
        for name, test in _FUNCTIONS.items():
            if self._take_call(name):
                return self._checked(self._comparison(test), is_value)
        return self._checked(self._equation(), is_value)

    def _comparison(self, test: Test) -> Condition:
        subject, name = self._subject()
        self._must(",")
        literal = self._literal()
        self._must(")")
        if test is Test.HAS and (subject is not Subject.ATTRIBUTE or len(literal.split()) != 1):
            self._flaw("has() looks for one word of an attribute", "write has(@class,'word')")
        return Condition(test, subject, name, literal)

    def _equation(self) -> Condition:
        subject, name = self._subject()
        if self._take("="):
            return Condition(Test.EQUALS, subject, name, self._literal())
        if self._peek("!") or self._peek("<") or self._peek(">"):
            self._flaw("Only = compares", "write not(…='…')")
        if subject is Subject.SELF:
            self._flaw("A dot alone is no condition", "write .='…' or contains(.,'…')")
        return Condition(Test.EXISTS, subject, name)

    def _checked(self, condition: Condition, is_value: bool) -> Condition:
        if is_value and condition.subject is not Subject.SELF:
            self._flaw("An attribute or a text is compared by a dot", "write contains(.,'…')")
        if not condition.literal and condition.test not in (Test.EXISTS, Test.EQUALS):
            self._flaw("An empty text is in everything: name the text that is looked for")
        return condition

    def _subject(self) -> tuple[Subject, str]:
        self._skip()
        if self._take_call("normalize-space"):
            found = self._subject()
            self._must(")")
            return found
        if self._take("@"):
            return Subject.ATTRIBUTE, self._name("the name of an attribute")
        if self._text.startswith(TEXT, self._at):
            self._at += len(TEXT)
            return Subject.TEXT, ""
        if self._take("."):
            return Subject.SELF, ""
        return Subject.CHILD, self._name("@name, text(), a dot or the name of a child")

    def _literal(self) -> str:
        self._skip()
        found = _STRING.match(self._text, self._at)
        if not found:
            self._flaw("A text in quotes is missing here", "write '…'")
        self._at = found.end()
        return found[1] if found[1] is not None else found[2]

    def _name(self, what: str) -> str:
        self._skip()
        found = _NAME.match(self._text, self._at)
        if not found:
            self._flaw(f"Here must stand {what}")
        if self._text.startswith("(", found.end()):
            self._flaw(
                f"{found[0]}() is not part of this language", did_you_mean(found[0], _KNOWN_FUNCTIONS, "{}()")
            )
        self._at = found.end()
        return found[0].lower()

    def _take_call(self, name: str) -> bool:
        self._skip()
        found = re.compile(rf"{name}\s*\(").match(self._text, self._at)
        if found:
            self._at = found.end()
        return found is not None

    def _take_word(self, word: str) -> bool:
        self._skip()
        found = re.compile(rf"{word}(?![\w-])").match(self._text, self._at)
        if found:
            self._at = found.end()
        return found is not None

    def _take(self, sign: str) -> bool:
        self._skip()
        if not self._peek(sign):
            return False
        self._at += len(sign)
        return True

    def _must(self, sign: str) -> None:
        if not self._take(sign):
            self._unexpected(f"{sign} is missing here")

    def _peek(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)

    def _skip(self) -> None:
        if found := _SPACE.match(self._text, self._at):
            self._at = found.end()

    def _unexpected(self, message: str = "") -> NoReturn:
        rest = self._text[self._at : self._at + 20]
        self._flaw(message or (f"{rest} is not understood" if rest else "The expression ends too early"))

    def _flaw(self, message: str, suggestion: str = "") -> NoReturn:
        raise ExpressionFlaw(message, self._at + 1, suggestion)
