"""Where on a page a value stands."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from lxml import etree

from archiver.acquisition.sites.adaptation.slots import SlotValue
from archiver.acquisition.sites.adaptation.values import agreement, are_same, date_value, link_value, own_text
from archiver.digests import folded
from archiver.documents.pages.dom import absolute_url
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.typed_page import TypedPage

# Longer ones are looked for as bodies.
_LONGEST_TEXT = 400
# A body may stand within something with a little more text.
_LARGER = 1.3
_ALIKE = 0.9
# Where dates are written for machines.
_DATE_ATTRIBUTES = ("datetime", "content", "title", "data-time", "data-date")
_NOT_SHOWN = frozenset({"html", "head", "body", "script", "style", "noscript", "template", "title", "meta"})
# An element, and the attribute in which the value stands; empty: in its text.
Spot = tuple["Element", str]


class PageIndex:
    """The texts, links and dates of a page: made once, asked for many values."""

    def __init__(self, known: TypedPage) -> None:
        self.known = known

    def spots(self, slot: ActionSlot, value: str) -> list[Spot]:
        """The elements that hold a value, in the order of the page; the smallest is not preferred."""
        if slot.kind is SlotValue.LINK:
            return [(one, "href") for one in self._links.get(value, ())]
        if slot.kind is SlotValue.DATE:
            return list(self._dated(slot, value))
        if slot.kind is SlotValue.BODY:
            return [(one, "") for one in self.holders(value)]
        return [(one, "") for one in self._texts.get(value, ())]

    def holders(self, text: str) -> list[Element]:
        """The elements whose text is nearly this one."""
        if len(text) <= _LONGEST_TEXT and text in self._texts:
            return list(self._texts[text])
        sized = (
            one for one, size in self._sizes.items() if len(text) / _LARGER <= size <= len(text) * _LARGER
        )
        return [one for one in sized if agreement(folded(own_text(one, between=" ")), text) >= _ALIKE]

    def small_texts(self) -> Iterator[tuple[Element, str]]:
        """The short texts of the page, each with the innermost elements that have it."""
        for text, elements in self._texts.items():
            around = {one.getparent() for one in elements}
            yield from ((one, text) for one in elements if one not in around)

    def series_links(self) -> Iterator[str]:
        """The pages that links lead to which readers follow."""
        for value, elements in self._links.items():
            if any(self._leads_on(one, value) for one in elements):
                yield value

    def _leads_on(self, link: Element, value: str) -> bool:
        """Not one that only carries a parameter along, nor the address of something on this very page."""
        url = absolute_url(self.known.page.base, link.get("href") or "") or ""
        place = url.partition("#")[2]
        is_here = any(sign.isdigit() for sign in place) and place in self._ids
        return (
            not is_here
            and same_page_key(url) == value
            and "nofollow" not in (link.get("rel") or "").lower().split()
        )

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset(name for one in self._shown if (name := one.get("id")))

    @cached_property
    def _shown(self) -> list[Element]:
        tree = self.known.page.tree
        return [one for one in tree.iter(etree.Element) if one.tag not in _NOT_SHOWN]

    @cached_property
    def _sizes(self) -> dict[Element, int]:
        """How much text each element holds."""
        sizes: dict[Element, int] = {}
        for one in reversed(self._shown):  # children come before what holds them
            sizes[one] = len((one.text or "").strip()) + sum(
                sizes.get(child, 0) + 1 + len((child.tail or "").strip()) for child in one
            )
        return sizes

    @cached_property
    def _texts(self) -> Mapping[str, Sequence[Element]]:
        found: defaultdict[str, list[Element]] = defaultdict(list)
        for one in self._shown:
            if 0 < self._sizes[one] <= _LONGEST_TEXT and (text := folded(own_text(one))):
                found[text].append(one)
        return found

    @cached_property
    def _links(self) -> Mapping[str, Sequence[Element]]:
        found: defaultdict[str, list[Element]] = defaultdict(list)
        for one in self.known.page.tree.iter("a"):
            if value := link_value(self.known, one.get("href") or ""):
                found[value].append(one)
        return found

    @cached_property
    def _dates(self) -> Sequence[tuple[Element, str, str]]:
        """Attributes that may be dates: the element, the attribute, the text."""
        return [
            (one, name, text)
            for one in self._shown
            for name in _DATE_ATTRIBUTES
            if (text := one.get(name)) and any(sign.isdigit() for sign in text)
        ]

    def _dated(self, slot: ActionSlot, value: str) -> Iterator[Spot]:
        for one, name, text in self._dates:
            if are_same(SlotValue.DATE, date_value(slot, folded(text)), value):
                yield one, name
        for text, elements in self._texts.items():
            if any(sign.isdigit() for sign in text) and are_same(
                SlotValue.DATE, date_value(slot, text), value
            ):
                yield from ((one, "") for one in elements)
