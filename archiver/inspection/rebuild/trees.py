"""Taking elements out of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# What may act, what is read otherwise than it is written, and what shows another page.
ACTIVE = frozenset({
    "applet", "audio", "embed", "frame", "frameset", "iframe", "math", "noembed", "noframes", "noscript",
    "object", "plaintext", "script", "svg", "template", "textarea", "video", "xmp",
})  # fmt: skip


def drop_active(tree: Element) -> None:
    """Take out what must not be in a page that is shown again."""
    for element in list(tree.iter(*ACTIVE)):
        drop(element)


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
