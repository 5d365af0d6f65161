"""Thousands of patterns by the literals in them: those that can fire on a page are found in one pass.

In patterns of applications the path says little (`script`, `link`, `div`) and the literal nearly everything.
So patterns share literals and not prefixes of paths: collect the attributes that any pattern looks at, find
all literals in them at once, and verify only the few patterns whose literal is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import ahocorasick
from lxml.etree import _Element

from archiver.acquisition.sites.knowledge.anchors import GENERATOR, OF_FACTS, rarest
from archiver.documents.expressions.model import Test
from archiver.documents.pages.dom import writable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.anchors import Anchors, LiteralAnchor
    from archiver.documents.expressions.document import VirtualDocument

_T = TypeVar("_T")
# So many parts are found sooner one by one than by an automaton (bench/detection.py).
_FEW = 8


@dataclass(slots=True)
class _Literals(Generic[_T]):
    """All literals that are looked for in one attribute of one kind of element."""

    whole: defaultdict[str, list[_T]] = field(default_factory=lambda: defaultdict(list))
    words: defaultdict[str, list[_T]] = field(default_factory=lambda: defaultdict(list))
    parts: defaultdict[str, list[_T]] = field(default_factory=lambda: defaultdict(list))
    # Their literals as sets: most values are in none, which a set tells from less memory than a dictionary.
    whole_set: frozenset[str] = frozenset()
    words_set: frozenset[str] = frozenset()
    # Aho–Corasick: all parts in one pass over a text.
    automaton: Any = None

    def add(self, anchor: LiteralAnchor, pattern: _T) -> None:
        kinds = {Test.EQUALS: self.whole, Test.HAS: self.words}
        kinds.get(anchor.test, self.parts)[anchor.literal].append(pattern)

    def finish(self) -> None:
        self.whole_set, self.words_set = frozenset(self.whole), frozenset(self.words)
        if len(self.parts) > _FEW:
            self.automaton = ahocorasick.Automaton()
            for literal, patterns in self.parts.items():
                self.automaton.add_word(literal, patterns)
            self.automaton.make_automaton()

    def note(self, values: list[str], found: dict[_T, None]) -> None:
        """Note the patterns of each literal that these values have."""
        if self.whole_set and not self.whole_set.isdisjoint(values):
            _note(found, map(self.whole.__getitem__, self.whole_set.intersection(values)))
        if self.words_set and not self.words_set.isdisjoint(words := " ".join(set(values)).split()):
            _note(found, map(self.words.__getitem__, self.words_set.intersection(words)))
        if self.parts and (text := "\n".join(set(values))):
            _note(found, self._parts_in(text))

    def _parts_in(self, text: str) -> Iterable[list[_T]]:
        if self.automaton is None:
            return [patterns for literal, patterns in self.parts.items() if literal in text]
        return [patterns for _, patterns in self.automaton.iter(text)]


def _note(found: dict[_T, None], lists: Iterable[list[_T]]) -> None:
    for patterns in lists:
        found.update(dict.fromkeys(patterns))


class LiteralIndex(Generic[_T]):
    """Which patterns can fire on a page."""

    def __init__(self, patterns: Iterable[tuple[_T, Sequence[Anchors]]]) -> None:
        found: defaultdict[tuple[str, str], _Literals[_T]] = defaultdict(_Literals)
        every = list(patterns)
        # `meta[@name='generator']` has a literal that all have: another one tells them apart.
        shared = Counter(one for _, choices in every for anchors in choices for one in anchors)
        for pattern, choices in every:
            for anchor in map(_as_looked_for, rarest(choices, shared)):
                found[anchor.tag, anchor.attribute].add(anchor, pattern)
        for literals in found.values():
            literals.finish()
        self._of_facts = found.pop(_ALL_FACTS, None)
        self._of_page: defaultdict[str, list[tuple[str, _Literals[_T]]]] = defaultdict(list)
        for (tag, attribute), literals in found.items():
            self._of_page[tag].append((attribute, literals))

    def candidates(self, document: VirtualDocument) -> dict[_T, None]:
        """The patterns of which a literal is on the page, in a steady order."""
        found: dict[_T, None] = {}
        metas = list(document.tree.iter("meta"))
        for tag, attributes in self._of_page.items():
            elements = _elements(document.tree, tag, metas)
            if len(attributes) > 1:  # else each is let go as soon as it was looked at
                elements = list(elements)
            for attribute, literals in attributes:
                literals.note(list(map(_Element.get, elements, repeat(attribute), repeat(""))), found)
        if self._of_facts is not None:
            self._of_facts.note(_facts(document), found)
        return found


def _elements(tree: Element, tag: str, metas: list[Element]) -> Iterable[Element]:
    if tag == GENERATOR:
        return [one for one in metas if one.get("name") == "generator"]
    if tag == "body":  # found without a walk
        return tree.iterchildren(tag)
    return metas if tag == "meta" else tree.iter(tag)


# What the server and the address say is short: all literals are looked for in all of it at once.
_ALL_FACTS = ("", "")


def _as_looked_for(anchor: LiteralAnchor) -> LiteralAnchor:
    if not anchor.tag.startswith(OF_FACTS):
        return anchor
    tag, attribute = _ALL_FACTS
    return replace(anchor, tag=tag, attribute=attribute, test=Test.CONTAINS)


def _facts(document: VirtualDocument) -> list[str]:
    """A text that has all that the server and the address say."""
    url = document.url
    # Taken apart only where its parts are not as they stand in it, such as a host in capitals.
    address = [url] if url.islower() and url.isprintable() else document.address.values()
    headers = [f"{name.lower()} {value}" for name, value in document.headers]
    return [writable(" ".join([*address, str(document.status), *headers]))]
