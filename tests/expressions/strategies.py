"""Small pages and expressions about them, made up by Hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from lxml import etree

from archiver.documents.expressions.model import (
    LAST,
    Axis,
    Condition,
    Expression,
    PathStep,
    Position,
    Route,
    Subject,
    Test,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

TAGS = st.sampled_from(["a", "b", "p", "ul"])
NAMES = st.sampled_from(["x", "y", "x-y", "xx"])
CLASSES = st.lists(NAMES, max_size=3).map(" ".join)
TEXTS = st.sampled_from(["", "x", " x ", "y x", "xy", "\n"])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> Element:
    element = etree.Element(draw(TAGS))
    if names := draw(CLASSES):
        element.set("class", names)
    if draw(st.booleans()):
        element.set("href", draw(NAMES))
    element.text = draw(TEXTS) or None
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        child = draw(trees(depth=depth - 1))
        child.tail = draw(TEXTS) or None
        element.append(child)
    return element


@st.composite
def pages(draw: st.DrawFn) -> Element:
    html = etree.Element("html")
    html.append(draw(trees()))
    html.append(draw(trees()))
    return html


def conditions(*, is_value: bool) -> st.SearchStrategy[Condition]:
    own = st.builds(
        Condition,
        st.sampled_from([Test.EQUALS, Test.CONTAINS, Test.STARTS_WITH]),
        st.just(Subject.SELF),
        literal=NAMES,
        negated=st.booleans(),
    )
    if is_value:
        return own
    attribute = st.builds(
        Condition,
        st.sampled_from([Test.EQUALS, Test.CONTAINS, Test.STARTS_WITH, Test.HAS]),
        st.just(Subject.ATTRIBUTE),
        st.sampled_from(["class", "href"]),
        NAMES,
        st.booleans(),
    )
    beside = st.builds(
        Condition,
        st.sampled_from([Test.EQUALS, Test.CONTAINS]),
        st.just(Subject.CHILD),
        TAGS,
        NAMES,
        st.booleans(),
    )
    texts = st.builds(
        Condition, st.just(Test.EQUALS), st.just(Subject.TEXT), literal=NAMES, negated=st.booleans()
    )
    exists = st.builds(
        Condition, st.just(Test.EXISTS), st.just(Subject.ATTRIBUTE), st.just("href"), negated=st.booleans()
    )
    return st.one_of(own, attribute, beside, texts, exists)


POSITIONS = st.builds(Position, st.sampled_from([1, 2, 3, LAST]))


@st.composite
def steps(draw: st.DrawFn, *, is_first: bool = False) -> PathStep:
    axis = draw(st.sampled_from([Axis.CHILD, Axis.DESCENDANT] if is_first else list(Axis)))
    if axis is Axis.PARENT:
        return PathStep(axis=axis, tag="")
    predicates = draw(st.lists(st.one_of(conditions(is_value=False), POSITIONS), max_size=3))
    if axis is Axis.FOLLOWING:
        predicates.append(Position(draw(st.integers(1, 3))))
    return PathStep(axis=axis, tag=draw(st.one_of(TAGS, st.just("*"))), predicates=tuple(predicates))


@st.composite
def routes(draw: st.DrawFn) -> Route:
    found = [draw(steps(is_first=True)), *draw(st.lists(steps(), max_size=2))]
    if draw(st.booleans()):
        found.append(draw(values()))
    if draw(st.integers(0, 4)) == 0:
        number = draw(st.integers(0, len(found) - 1))
        found[number] = PathStep(
            axis=found[number].axis,
            tag=found[number].tag,
            predicates=found[number].predicates,
            pick=draw(st.sampled_from([1, 2, LAST])),
        )
    return Route(steps=tuple(found), absolute=draw(st.booleans()))


@st.composite
def values(draw: st.DrawFn) -> PathStep:
    tag = draw(st.sampled_from(["@href", "@class", "text()"]))
    beside = [Axis.FOLLOWING_SIBLING] if tag == "text()" else []
    axis = draw(st.sampled_from([Axis.CHILD, Axis.DESCENDANT, *beside]))
    predicates: list[Condition | Position] = [*draw(st.lists(conditions(is_value=True), max_size=2))]
    if tag == "text()" and draw(st.booleans()):
        predicates.append(draw(POSITIONS))
    return PathStep(axis=axis, tag=tag, predicates=tuple(predicates))


EXPRESSIONS = st.builds(Expression, st.tuples(routes()))
