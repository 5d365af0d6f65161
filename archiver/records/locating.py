"""Where records are, as an expression that people can read: by names of elements, else by tags."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.model import MOST_STEPS
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import owners
from archiver.documents.pages.names import is_steady
from archiver.errors import ExpressionFlaw, OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.etree import _Element as Element

_MOST_NAMES = 3
_HIGHEST = 4  # ancestors above the parent that are tried


def expression_for(
    pages: Sequence[Element],
    wanted: Sequence[Sequence[Element]],
    is_other: Callable[[Element], bool],
) -> str:
    """The shortest expression that finds the wanted elements, and others only where they are told apart.

    Where there is none, the one that comes nearest.
    """
    best, best_rate = "", -1.0
    for text in _proposals([one for elements in wanted for one in elements]):
        rate = _rate(text, pages, wanted, is_other)
        if rate > best_rate:
            best, best_rate = text, rate
        if rate == 1:
            break
    return best


def found_by(text: str, page: Element) -> list[Element]:
    """The elements of a page that an expression leads to."""
    return owners(parse(text), page, Budget())


def _rate(
    text: str,
    pages: Sequence[Element],
    wanted: Sequence[Sequence[Element]],
    is_other: Callable[[Element], bool],
) -> float:
    """F1 of what an expression finds; nothing where it cannot be followed."""
    hits = total = 0
    for page, elements in zip(pages, wanted, strict=True):
        try:
            found = found_by(text, page)
        except (ExpressionFlaw, OverBudget):
            return 0.0
        known = set(elements)
        hits += sum(one in known for one in found)
        total += len(elements) + sum(one in known or not is_other(one) for one in found)
    return 2 * hits / max(1, total)


def _proposals(sample: Sequence[Element]) -> Iterator[str]:
    """From the element alone to what stands ever further above it."""
    own = list(_steps(sample))
    yield from (f"//{step}" for step in own if "[" in step)
    above = [_parent(one) for one in sample]
    parents = list(_steps(above))
    yield from (f"//{parent}/{step}" for parent, step in product(parents, own) if "[" in parent)
    for _ in range(_HIGHEST):
        above = [_parent(one) for one in above]
        named = [step for step in _steps(above) if "[" in step]
        for upper, parent, step in product(named, parents, own):
            yield f"//{upper}/{parent}/{step}"
            yield f"//{upper}//{parent}/{step}"
    yield from (f"//{parent}/{step}" for parent, step in product(parents, own))
    yield from dict.fromkeys(map(_tags, sample))


def _steps(elements: Sequence[Element]) -> Iterator[str]:
    """What all elements are: their tag with an id or a class that all have, then without."""
    tags = {str(one.tag) for one in elements}
    tag = tags.pop() if len(tags) == 1 else "*"
    names = set.intersection(*(set((one.get("class") or "").split()) for one in elements))
    for name in sorted(filter(is_steady, names), key=lambda name: (len(name), name))[:_MOST_NAMES]:
        yield f"{tag}[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"
    ids = {one.get("id") for one in elements}
    known = ids.pop() if len(ids) == 1 else None
    if known and is_steady(known):
        yield f"{tag}[@id='{known}']"
    yield tag


def _parent(element: Element) -> Element:
    above = element.getparent()
    return element if above is None else above


def _tags(element: Element) -> str:
    """The last tags from the root: where nothing else can be said."""
    path = [str(one.tag) for one in reversed(list(element.iterancestors()))]
    return "//" + "/".join((*path[1 - MOST_STEPS :], str(element.tag)))
