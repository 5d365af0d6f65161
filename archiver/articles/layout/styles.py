"""The style of each element: what its page declares for it, and what it inherits."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.articles.layout.making import Inherited, Style, StyleOrigin, styled
from archiver.articles.layout.sheets import declarations

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.layout.sheets import Declarations, Sheets, StyleRule


class Context:
    """An element's style, and what those below it need: its names, and those around it."""

    __slots__ = ("_below", "_inherited", "above", "around", "names", "style", "tag")

    def __init__(self, tag: str, names: frozenset[str], style: Style, above: Context | None) -> None:
        self.tag, self.names, self.style, self.above = tag, names, style, above
        # All names and tags from the root to here: a rule that asks for another cannot hold below.
        self.around: frozenset[str] = names | {tag} | (above.around if above else frozenset())
        self._inherited = Inherited(*style[1:7])
        # Elements with the same tag, names and attributes at the same place look the same.
        self._below: dict[tuple[str | None, ...], Context] = {}

    def below(self, element: Element, sheets: Sheets) -> Context:
        get = element.get
        tag, classes, identity, style = element.tag, get("class"), get("id"), get("style")
        told = _attributes(element) if tag in _TELLING else _NONE
        key = (tag, classes, identity, style, get("hidden"), *told)
        found = self._below.get(key)
        if found is None:
            names = names_of(classes, identity)
            declared = _declared(tag, names, self, sheets, style)
            origin = StyleOrigin(tag, self.tag, self._inherited, get("hidden") is not None, *told)
            found = self._below[key] = Context(tag, names, styled(origin, declared), self)
        return found


def root_context(element: Element, sheets: Sheets) -> Context:
    return Context("", frozenset(), Style(display="block"), None).below(element, sheets)


# Elements of which attributes tell how they look.
_TELLING = frozenset({"table", "td", "th", "col", "hr", "font", "img"})
_NONE = ("", "", "")


def _attributes(element: Element) -> tuple[str, str, str]:
    get = element.get
    width = "" if element.tag in ("img", "font") else get("width") or ""
    return width, (get("align") or "").lower(), get("size") or ""


@lru_cache(maxsize=20_000)
def names_of(classes: str | None, identity: str | None) -> frozenset[str]:
    found = {f".{name}" for name in (classes or "").split()}
    return frozenset(found | {f"#{identity.strip()}"} if identity and identity.strip() else found)


def _declared(
    tag: str, names: frozenset[str], above: Context, sheets: Sheets, style: str | None
) -> Declarations:
    """What is declared for an element, the last word last."""
    fitting = [rule for rule in sheets.for_element(tag, names) if _is_below(rule, above)]
    fitting.sort(key=lambda rule: rule.rank)
    found = [pair for rule in fitting for pair in rule.declared]
    return (*found, *declarations(style)) if style else tuple(found)


def _is_below(rule: StyleRule, above: Context | None) -> bool:
    """Whether the steps above hold; a child is taken for any descendant."""
    if above is None or not rule.needed <= above.around:
        return False
    for step in rule.above:
        while above is not None and not step.holds(above.tag, above.names):
            above = above.above
        if above is None:
            return False
        above = above.above
    return True
