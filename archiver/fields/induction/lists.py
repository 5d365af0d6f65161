"""Where the records of a list are, from those that a person pointed at; and values, relative to them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import owners
from archiver.documents.pages.names import is_steady
from archiver.errors import ExpressionFlaw, OverBudget

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.model import Expression

_MOST_NAMES = 3
_HIGHEST = 4  # ancestors that an expression begins with
_LONGEST_TEXT = 40
# What one expression costs that is longer, and what one more place in a record costs.
_LENGTH_COST, _SURPLUS_COST = 0.002, 0.2
# What a class, an id or a property of the element itself is worth against a bare tag, which says little.
_NAMED = 0.5


def record_nodes(marked: Sequence[Element]) -> list[Element]:
    """The elements of the list that marks stand for: those that are made alike, below one parent.

    Of one mark, the nearest element around it that has neighbours like it. Of several, what is between them
    and what they have in common.
    """
    if len(marked) > 1 and (parts := _parts(marked)):
        kinds = {_kind(one) for one in parts}
        return [one for one in _children(parts[0]) if _kind(one) in kinds]
    for element in (marked[0], *marked[0].iterancestors()):
        alike = [one for one in _children(element) if _kind(one) == _kind(element)]
        if len(alike) > 1:
            return alike
    return []


def _parts(marked: Sequence[Element]) -> list[Element]:
    """The children of what several elements have in common, on the way to each."""
    ways = [[one, *one.iterancestors()][::-1] for one in marked]
    for level in zip(*ways, strict=False):
        if len(set(level)) > 1:
            return list(dict.fromkeys(level))
    return []


def _children(element: Element) -> list[Element]:
    above = element.getparent()
    return [one for one in above if isinstance(one.tag, str)] if above is not None else [element]


def _kind(element: Element) -> tuple[str, str]:
    names = [one for one in (element.get("class") or "").split() if is_steady(one)]
    return str(element.tag), names[0] if names else ""


def within(node: Element, records: Sequence[Element]) -> Element | None:
    """The record that an element stands in; None: in none."""
    known = set(records)
    return next((one for one in (node, *node.iterancestors()) if one in known), None)


def relative_path(marked: Sequence[Element], records: Sequence[Element]) -> Expression | None:
    """The expression that leads from a record to what was marked in it, and to one place in most records."""
    best, best_rate = None, 0.0
    pairs = [(one, record) for one in marked if (record := within(one, records)) is not None]
    for text in _relative(*pairs[0]) if pairs else ():
        rate = _rate(text, pairs, records)
        if rate > best_rate:
            best, best_rate = parse(text), rate
    return best


def _rate(text: str, pairs: Sequence[tuple[Element, Element]], records: Sequence[Element]) -> float:
    """How well an expression does: nothing where it leads elsewhere than to what was marked."""
    try:
        found = {record: owners(parse(text), record, Budget()) for record in records}
    except (ExpressionFlaw, OverBudget):
        return 0.0
    if any(one not in found[record] for one, record in pairs):
        return 0.0
    firsts = sum(found[record][0] is one for one, record in pairs) / len(pairs)
    filled = sum(bool(one) for one in found.values()) / len(records)
    surplus = sum(max(0, len(one) - 1) for one in found.values()) / len(records)
    named = _NAMED if "@" in text.rpartition("/")[2] else 0.0
    return firsts + filled + named - _SURPLUS_COST * min(surplus, 5) - _LENGTH_COST * len(text)


def _relative(element: Element, record: Element) -> Iterator[str]:
    if element is record:
        yield "."
        return
    own = list(_steps(element))
    yield from own
    above = element.getparent()
    while above is not None and above is not record:
        yield from (f"{parent}//{step}" for parent, step in product(_steps(above), own))
        yield from (
            f"{parent}/{step}" for parent, step in product(_steps(above), own) if above is element.getparent()
        )
        above = above.getparent()
    tree = element.getroottree()
    yield f".{tree.getpath(element).removeprefix(tree.getpath(record))}"


def page_path(element: Element) -> Expression | None:
    """An expression that leads to an element of a page first: by what it is, says, or stands in."""
    tree = element.getroottree().getroot()
    for text in _of_page(element):
        try:
            found = owners(parse(text), tree, Budget())
        except (ExpressionFlaw, OverBudget):
            continue
        if found and found[0] is element:
            return parse(text)
    return None


def _of_page(element: Element) -> Iterator[str]:
    own = list(_steps(element))
    text = " ".join("".join(map(str, element.itertext())).split())
    said = f"{element.tag}[.='{text}']" if 0 < len(text) <= _LONGEST_TEXT and "'" not in text else ""
    for name in ("rel", "role", "name"):
        value = element.get(name) or ""
        if value and "'" not in value and is_steady(value):
            yield f"{element.tag}[@{name}='{value}']"
    yield from (step for step in own if step != element.tag)
    if said:
        yield said
    for above in list(element.iterancestors())[:_HIGHEST]:
        yield from (
            f"{upper}//{step}"
            for upper, step in product(_steps(above), (said, *own))
            if step and upper != above.tag
        )
    yield str(element.tag)
    yield element.getroottree().getpath(element)


def _steps(element: Element) -> Iterator[str]:
    """What an element is: its tag with an id or a class, then alone."""
    tag = str(element.tag)
    known = element.get("id") or ""
    if known and is_steady(known) and "'" not in known:
        yield f"{tag}[@id='{known}']"
    names = [one for one in (element.get("class") or "").split() if is_steady(one)]
    yield from (f"{tag}[has(@class,'{name}')]" for name in names[:_MOST_NAMES] if "'" not in name)
    if prop := element.get("itemprop"):
        yield f"{tag}[@itemprop='{prop}']"
    yield tag
