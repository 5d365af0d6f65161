"""The zones of a page that hold comments: by their names, or behind a heading."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import UNSEEN, is_comments_zone
from archiver.documents.pages.text import one_line
from archiver.lexicon.comment_names import ELSEWHERE, HEADING, HEADING_NAME, ZONE
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

_BLOCKS = frozenset({
    "div", "section", "aside", "ol", "ul", "dl", "li", "article", "footer", "table", "tbody", "tr", "td",
    "dt", "dd", "p", "blockquote", "span", "figure", "details",
})  # fmt: skip
_ROOTS = frozenset({"html", "body", "main", "head"})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Headings and anchors that are looked at.
_MOST_HEADINGS = 5000
# Elements around one that may say that it is elsewhere.
_NEAR = 6


def names_of(element: Element) -> str:
    """Its identifier and classes, with hyphens between their words."""
    return hyphened(f"{element.get('id', '')} {element.get('class', '')}")


# Elements have ever the same names.
@lru_cache(maxsize=50_000)
def hyphened(names: str) -> str:
    return _CAMEL.sub("-", names)


def zones_of(tree: Element) -> list[list[Element]]:
    """The outermost elements that are called so, those with most in them first."""
    found: list[Element] = []
    waiting = [tree]
    while waiting:
        element = waiting.pop()
        if not isinstance(element.tag, str) or element.tag in UNSEEN or element.tag == "nav":
            continue
        names = names_of(element) if element.tag not in _ROOTS else ""
        if names.strip() and is_of_others(element):
            continue
        if names.strip() and (is_comments_zone(element) or _is_zone(element, names)):
            found.append(element)
            continue
        waiting += reversed(element)
    return _joined(found)


def _is_zone(element: Element, names: str) -> bool:
    return element.tag in _BLOCKS and ZONE.search(names) is not None and element.find(".//h1") is None


def _joined(zones: Sequence[Element]) -> list[list[Element]]:
    """Zones side by side are one: some pages have a zone for each comment."""
    by_parent: dict[Element | None, list[Element]] = {}
    for zone in zones:
        by_parent.setdefault(zone.getparent(), []).append(zone)
    return sorted(by_parent.values(), key=lambda some: -sum(1 for one in some for _ in one.iter()))


def headed(tree: Element) -> Iterator[list[Element]]:
    """What follows a heading or an anchor that is called so."""
    for element in islice(tree.iter(*HEADINGS, "a", "p", "span"), _MOST_HEADINGS):
        is_anchor = HEADING_NAME.fullmatch(element.get("id") or element.get("name") or "")
        words = one_line("".join(map(str, element.itertext()))) if element.tag in HEADINGS else ""
        is_heading = words and HEADING.fullmatch(words)
        if is_anchor or is_heading:
            behind = [one for one in element.itersiblings() if isinstance(one.tag, str)]
            if behind and not is_elsewhere(element):
                yield behind


def is_elsewhere(element: Element) -> bool:
    around = islice(element.iterancestors(), _NEAR)
    return any(one.tag == "nav" or is_of_others(one) for one in around)


def is_of_others(element: Element) -> bool:
    """Whether an element holds what is said elsewhere; not where it holds the page, with or without it."""
    return _says_elsewhere(names_of(element)) and element.find(".//h1") is None


@lru_cache(maxsize=50_000)
def _says_elsewhere(names: str) -> bool:
    return ELSEWHERE.search(names) is not None
