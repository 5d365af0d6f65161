"""A page as arrays, on which hundreds of candidates are tried: its elements by number, in their order."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.documents.expressions.budget import Budget
from archiver.fields.elements import text_at
from archiver.fields.types import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field

_KEPT = "_page_index"
# Types for which an element says something else than its text.
_OTHER_TEXTS = frozenset({"html", "url", "image", "date", "moment"})


def index_of(document: VirtualDocument) -> PageArrays:
    """The index of a page, made once and kept with it, as its other indexes are."""
    kept = vars(document)
    if _KEPT not in kept:
        kept[_KEPT] = PageArrays(document)
    index: PageArrays = kept[_KEPT]
    return index


class PageArrays:
    """The elements of a page by number; `ends` has the number behind the last one within each."""

    def __init__(self, document: VirtualDocument) -> None:
        self.document = document
        self.base = document.base_url
        self.elements: list[Element] = list(document.tree.iter())
        self.tags = [one.tag if isinstance(one.tag, str) else "" for one in self.elements]
        self.numbers = {one: number for number, one in enumerate(self.elements)}
        self.parents = [self._parent(one) for one in self.elements]
        self.ends = self._ends()
        self.own_texts: list[list[str]] = [[] for _ in self.elements]
        # The texts of the page in its order, and for each element which of them are in it.
        self._pieces: list[str] = []
        self._piece_bounds = self._read_texts()
        self._texts: dict[int, str] = {}
        self._shown: dict[tuple[int, str], str] = {}

    def _parent(self, element: Element) -> int:
        around = element.getparent()
        return -1 if around is None else self.numbers[around]

    def _ends(self) -> list[int]:
        ends = list(range(1, len(self.elements) + 1))
        for number in range(len(ends) - 1, 0, -1):
            around = self.parents[number]
            ends[around] = max(ends[around], ends[number])
        return ends

    def _read_texts(self) -> list[tuple[int, int]]:
        starts, stops = [0] * len(self.elements), [0] * len(self.elements)
        within: list[int] = []
        for number, element in enumerate(self.elements):
            while within and self.ends[within[-1]] <= number:
                self._close(within.pop(), stops)
            starts[number] = len(self._pieces)
            within.append(number)
            if self.tags[number] and element.text:
                self._pieces.append(element.text)
                self.own_texts[number].append(element.text)
        while within:
            self._close(within.pop(), stops)
        return list(zip(starts, stops, strict=True))

    def _close(self, number: int, stops: list[int]) -> None:
        stops[number] = len(self._pieces)
        tail = self.elements[number].tail
        if tail and self.parents[number] >= 0:
            self._pieces.append(tail)
            self.own_texts[self.parents[number]].append(tail)

    def text(self, number: int) -> str:
        """All text of an element, white space as one space."""
        found = self._texts.get(number)
        if found is None:
            start, stop = self._piece_bounds[number]
            found = self._texts[number] = " ".join("".join(self._pieces[start:stop]).split())
        return found

    def shown(self, number: int, field: Field) -> str:
        """What execution takes for the text of an element, white space as one space."""
        # All types that show the text of an element share it.
        key = number, field.type if field.type in _OTHER_TEXTS else "text"
        found = self._shown.get(key)
        if found is None:
            is_long = self.length(number) > MOST_CHARACTERS
            found = "" if is_long else text_at(self.elements[number], field, self.base, Budget())
            found = self._shown[key] = " ".join(found.split())
        return found

    def attributes(self, number: int) -> list[tuple[str, str]]:
        """The attributes of an element, which have plain names and values in pages."""
        items = self.elements[number].items() if self.tags[number] else ()
        return [(str(name), str(value)) for name, value in items]

    def length(self, number: int) -> int:
        """How long the text of an element is at most."""
        start, stop = self._piece_bounds[number]
        return sum(map(len, self._pieces[start:stop]))

    @cached_property
    def by_tag(self) -> Mapping[str, Sequence[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, tag in enumerate(self.tags):
            if tag:
                found[tag].append(number)
        found["*"] = [number for number, tag in enumerate(self.tags) if tag]
        return found

    @cached_property
    def by_attribute(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """The elements with an attribute of this value; of classes, with this one among them."""
        found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number in range(len(self.elements)):
            for name, value in self.attributes(number):
                for word in dict.fromkeys(value.split()) if name == "class" else (value,):
                    found[name, word].append(number)
        return found

    @cached_property
    def by_own_text(self) -> Mapping[str, Sequence[int]]:
        """The elements that have this text, white space as one space, between their children."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, texts in enumerate(self.own_texts):
            for text in dict.fromkeys(" ".join(one.split()) for one in texts):
                if text:
                    found[text].append(number)
        return found

    @cached_property
    def children(self) -> Sequence[Sequence[int]]:
        found: list[list[int]] = [[] for _ in self.elements]
        for number, around in enumerate(self.parents):
            if around >= 0 and self.tags[number]:
                found[around].append(number)
        return found

    def texts_behind(self, number: int) -> list[tuple[int, str]]:
        """The texts behind an element in what is around it, each with the element right before it."""
        around = self.parents[number]
        beside = (one for one in self.elements[number].itersiblings()) if around >= 0 else ()
        found = [(number, self.elements[number].tail)] if around >= 0 else []
        found += [(self.numbers[one], one.tail) for one in beside]
        return [(one, text) for one, text in found if text]
