"""XPaths to an element that hold over the pages of a template: by names that people gave, not programs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Node

_PLAIN_TAG = re.compile(r"[a-z][a-z0-9.-]*", re.IGNORECASE)
# What programs that write style sheets put before the digest of a style.
_MADE = re.compile(
    r"(?:css|sc|jss|jsx|svelte|emotion|chakra|mui|glamor|astro|linaria)-+[a-z]+", re.IGNORECASE
)
# The last part of a name, which such programs make unique: `body` and `fDORXM` of `body__fDORXM`.
_LAST_PART = re.compile(r"[A-Za-z]+$")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
# Digests are cut to about this many letters.
_SHORTEST_DIGEST, _LONGEST_DIGEST = 5, 8


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


@lru_cache(maxsize=10_000)
def is_steady(name: str) -> bool:
    """Whether a name is likely the same on the next page, and after the next change of a style sheet."""
    if not name.isprintable() or any(one.isdigit() or one in "'\"" for one in name):
        return False
    return not (_MADE.fullmatch(name) or _is_digest(name))


def _is_digest(name: str) -> bool:
    """Whether a name ends in letters of both cases that are no words: `feoRWP`, but not `storyBody`."""
    last = _LAST_PART.search(name)
    if last is None or not _SHORTEST_DIGEST <= len(last[0]) <= _LONGEST_DIGEST:
        return False
    if last[0].islower() or last[0].isupper() or last[0].istitle():
        return False
    return any(len(word) == 1 or not _VOWEL.search(word) for word in _WORDS.findall(last[0]))
