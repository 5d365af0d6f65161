"""Where the text of a page is: the element whose children are the blocks of its article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.dom import UNSEEN, is_comments_zone
from archiver.documents.pages.text import one_line, text_of
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

# What may hold blocks; a paragraph is one itself.
_CONTAINERS = frozenset({
    "article", "body", "center", "div", "form", "main", "section", "span", "table", "tbody", "td", "tr",
})  # fmt: skip
# Of the text around it: one child with so much of it holds the article.
_MOST_OF = 0.6
_HELD = 0.75
# What text is cut into, as far as it says something; one with very many children is not a paragraph.
_BLOCKS = ("p", "div", "li", "blockquote", "td", "pre")
_LEAST_WORDS = 8
_MANY_CHILDREN = 100
_BESIDE = frozenset({"nav", "aside", "footer", "header", "a"})
_HEADINGS = ("h2", "h3")
# From so many on, a page announces articles and is none.
_LIST = 3
# No template puts its text deeper; each level is weighed as a whole.
_DEEPEST = 60


def zone_with(tree: Element, text: str) -> Element | None:
    """The smallest element with most of the blocks that this text has; None where they are not elements."""
    wanted = {line for line in text.split("\n") if len(line.split()) >= _LEAST_WORDS}
    weights: dict[Element, int] = {}
    whole = 0
    for block in tree.iter(*_BLOCKS):
        is_leaf = len(block) < _MANY_CHILDREN and not any(child.tag in _BLOCKS for child in block)
        words = one_line(text_of(block)) if is_leaf else ""
        if words in wanted:
            whole += len(words.split())
            for around in block.iterancestors():
                weights[around] = weights.get(around, 0) + len(words.split())
    held = [one for one, words in weights.items() if words >= _HELD * whole and one.tag in _CONTAINERS]
    return max(held, key=_depth, default=None)


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())


def zone_of(tree: Element) -> Element | None:
    """The element in which most of the page's own text is, block beside block."""
    here = tree.find("body")
    for _ in range(_DEEPEST):
        if here is None:
            break
        weights = {child: weight(child) for child in here}
        whole = sum(weights.values()) + len((here.text or "").split())
        best = max(weights, key=weights.__getitem__, default=None)
        if best is None or best.tag not in _CONTAINERS or weights[best] < _MOST_OF * max(whole, 1):
            return here
        here = best
    return here


def counterpart(zone: Element, tree: Element) -> Element | None:
    """The same element of another page of the same template; else where most of that one's text is."""
    for names in ({"id": zone.get("id"), "class": zone.get("class")}, {"class": zone.get("class")}):
        if not any(names.values()):
            continue
        found = [one for one in tree.iter(zone.tag) if all(one.get(key) == names[key] for key in names)]
        if found and (best := max(found, key=weight)) is not None and weight(best):
            return best
    return zone_of(tree)


def weight(element: Element) -> int:
    """How many words it shows that are no links, menus or comments."""
    return sum(len(text.split()) for text in _texts(element))


def _texts(element: Element) -> Iterator[str]:
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if one is not element and one.tail:
            yield str(one.tail)
        if one.tag in UNSEEN or one.tag in _BESIDE or is_comments_zone(one):
            continue
        yield str(one.text or "")
        waiting += reversed(one)


def words_of(zone: Element) -> list[str]:
    """The words of a zone that no menu has."""
    return tokens(one_line(text_of(zone, lambda one: one.tag in UNSEEN or one.tag in _BESIDE)))


def is_list(zone: Element) -> bool:
    """Whether a zone announces other articles, one after the other."""
    marked = sum(1 for _ in zone.iter("article"))
    linked = sum(any(map(_leads_away, heading.iter("a"))) for heading in zone.iter(*_HEADINGS))
    return marked >= _LIST or linked >= _LIST


def _leads_away(link: Element) -> bool:
    """Not to a heading of the same page."""
    return "#" not in link.get("href", "#")
