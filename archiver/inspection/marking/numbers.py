"""The elements of a page by number: a browser names one, and the same page read again has it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element as Element

# What the page itself says there is overwritten.
NUMBER = "data-n"


def number_elements(tree: Element) -> None:
    """Write its number to each element of a page that was just parsed."""
    for number, element in enumerate(tree.iter("*")):
        element.set(NUMBER, str(number))


def element_numbered(tree: Element, number: int) -> Element:
    """The element with this number. Raises ConfigurationError where the page has fewer."""
    found = next(islice(tree.iter("*"), number, None), None)
    if found is None:
        raise ConfigurationError(f"The page has no element {number}: load it again, and mark it anew")
    return found


def numbers_of(tree: Element, wanted: Iterable[Element]) -> list[int]:
    """The numbers of some elements of a page, in its order."""
    chosen = set(wanted)
    return [number for number, element in enumerate(tree.iter("*")) if element in chosen] if chosen else []
