"""Whether an element, or a value of one, is as a condition says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.expressions.model import ANY, TEXT, Subject, Test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.model import Condition, PathStep

    Spend = Callable[[int], None]


def fulfils(element: Element, condition: Condition, spend: Spend) -> bool:
    if condition.subject is Subject.ATTRIBUTE:
        return bool(with_attribute([element], condition))
    return _is_so(element, condition, spend) is not condition.negated


def _is_so(element: Element, condition: Condition, spend: Spend) -> bool:
    if condition.subject is Subject.SELF:
        return _text_compares(element, condition, spend)
    if condition.subject is Subject.TEXT:
        spend(len(element))
        texts = own_texts(element)
        return any(compares(" ".join(text.split()), condition) for text in texts)
    children = list(element.iterchildren(condition.name))
    spend(len(children))
    if condition.test is Test.EXISTS:
        return bool(children)
    return any(_text_compares(child, condition, spend) for child in children)


def with_attribute(elements: list[Element], condition: Condition) -> list[Element]:
    """Those whose attribute is as the condition says: most conditions are of this kind, on many elements."""
    name, literal = condition.name, condition.literal
    match condition.test:
        case Test.EXISTS:
            found = [one for one in elements if one.get(name) is not None]
        case Test.EQUALS:
            found = [one for one in elements if one.get(name) == literal]
        case Test.CONTAINS:
            found = [one for one in elements if literal in one.get(name, "")]
        case Test.STARTS_WITH:
            found = [one for one in elements if one.get(name, "").startswith(literal)]
        case Test.HAS:
            found = [one for one in elements if literal in one.get(name, "")]
            found = [one for one in found if literal in one.get(name, "").split()]
    if not condition.negated:
        return found
    fulfilling = set(found)
    return [one for one in elements if one not in fulfilling]


def value_fulfils(value: str, condition: Condition) -> bool:
    """Whether an attribute or a text is as a condition on `.` says."""
    return compares(value, condition) is not condition.negated


def compares(value: str, condition: Condition) -> bool:
    """Whether a value is as a condition says, before it is negated."""
    match condition.test:
        case Test.EXISTS:
            return True
        case Test.EQUALS:
            return value == condition.literal
        case Test.CONTAINS:
            return condition.literal in value
        case Test.STARTS_WITH:
            return value.startswith(condition.literal)
        case Test.HAS:
            return condition.literal in value and condition.literal in value.split()


def _text_compares(element: Element, condition: Condition, spend: Spend) -> bool:
    """Compare all text of an element, white space as one space; no more of it is read than is needed."""
    if condition.test is Test.CONTAINS:
        return condition.literal in text_of(element, spend)
    return compares(text_of(element, spend, len(condition.literal)), condition)


def text_of(element: Element, spend: Spend, most: int | None = None) -> str:
    """All text of an element, white space as one space; where there is more, at least one sign more."""
    words: list[str] = []
    length, glued = 0, False
    for piece in _pieces(element, spend):
        found = piece.split()
        if words and found and glued and not piece[:1].isspace():
            words[-1] += found.pop(0)
        words += found
        glued = not piece[-1:].isspace() if found or not piece.isspace() else False
        length += len(piece)
        if most is not None and length > most and len(" ".join(words)) > most:
            break
    return " ".join(words)


def _pieces(element: Element, spend: Spend) -> Iterator[str]:
    for _, text in _texts(element, spend):
        yield text


def texts_within(element: Element, spend: Spend) -> Iterator[Element]:
    """The elements whose texts stand within an element, once for each text, as it is read."""
    for owner, _ in _texts(element, spend):
        yield owner


def _texts(element: Element, spend: Spend) -> Iterator[tuple[Element, str]]:
    for event, one in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        spend(1)
        if event == "start" and one.text:
            yield one, one.text
        if event != "start" and one is not element and one.tail:
            yield one.getparent(), one.tail


def own_texts(element: Element) -> list[str]:
    """The texts between the children of an element."""
    texts = [element.text, *(child.tail for child in element)]
    return [text for text in texts if text]


def own_values(element: Element, step: PathStep) -> list[str]:
    """The values of an element that a last step names."""
    if step.tag == TEXT:
        return own_texts(element)
    if step.tag == f"@{ANY}":
        return [str(value) for value in element.attrib.values()]
    value = element.get(step.tag.removeprefix("@"))
    return [] if value is None else [value]
