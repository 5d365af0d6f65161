"""XPaths to an element that hold over the pages of a template: by names that people gave, not programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.documents.pages.names import is_steady

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Node

_PLAIN_TAG = re.compile(r"[a-z][a-z0-9.-]*", re.IGNORECASE)


def paths_to(node: Node) -> list[str]:
    """XPaths that lead to an element: by its own names, and by those of the closest elements around it."""
    own = _step(node.element)
    if "[" in own:
        return [f"//{_step(node.parent.element)}{_way(node)}{own}" if node.parent else f"//{own}", f"//{own}"]
    path, below = own, node
    while below.parent is not None:
        step = _step(below.parent.element)
        path, below = f"{step}{_way(below)}{path}", below.parent
        if "[" in step:
            break
    return [f"//{path}"]


def _way(node: Node) -> str:
    """From what is around a node to it: inline elements may stand between, which make no node."""
    is_child = node.parent is not None and node.element.getparent() is node.parent.element
    return "/" if is_child else "//"


def _step(element: Element) -> str:
    """A step of an XPath: the tag and the first name that holds."""
    # Pages have tags that no XPath can say.
    tag = element.tag if _PLAIN_TAG.fullmatch(element.tag) else "*"
    for attribute in ("class", "id", "itemprop", "role"):
        value = element.get(attribute) or ""
        name = next(filter(is_steady, value.split()), None)
        if name is not None and name == value and attribute != "class":
            return f"{tag}[@{attribute}='{name}']"
        if name is not None:
            return f"{tag}[contains(concat(' ', normalize-space(@{attribute}), ' '), ' {name} ')]"
    return tag
