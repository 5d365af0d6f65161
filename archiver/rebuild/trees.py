"""Taking elements out of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


def drop(element: Element) -> None:
    """Take an element out with all that is in it, and leave the text that stands after it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def all_text(element: Element) -> str:
    return "".join(map(str, element.itertext()))
