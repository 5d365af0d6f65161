"""Thousands of patterns by the literals in them: those that can fire on a page are found in one pass.

In patterns of applications the path says little (`script`, `link`, `div`) and the literal nearly everything.
So patterns share literals and not prefixes of paths: collect the attributes that any pattern looks at, find
all literals in them at once, and verify only the few patterns whose literal is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import ahocorasick
from lxml.etree import _Element

from archiver.acquisition.sites.knowledge.anchors import GENERATOR, LONGEST_VALUE, rarest
from archiver.documents.expressions.model import Test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.anchors import Anchors, LiteralAnchor
    from archiver.documents.expressions.document import VirtualDocument

_T = TypeVar("_T")
# Of one kind on a page: what tells an application does not stand behind so many others.
_MOST_ELEMENTS = 20_000
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

    def found(self, values: set[str]) -> Iterator[list[_T]]:
        """The patterns of each literal that these values have."""
        if self.whole_set:
            yield from map(self.whole.__getitem__, self.whole_set & values)
        if self.words_set:
            words = self.words_set.intersection(" ".join(values).split())
            yield from map(self.words.__getitem__, words)
        if self.parts:
            yield from self._found_parts("\n".join([one for one in values if len(one) < LONGEST_VALUE]))

    def _found_parts(self, text: str) -> Iterable[list[_T]]:
        if self.automaton is None:
            return [patterns for literal, patterns in self.parts.items() if literal in text]
        return (patterns for _, patterns in self.automaton.iter(text))


class LiteralIndex(Generic[_T]):
    """Which patterns can fire on a page."""

    def __init__(self, patterns: Iterable[tuple[_T, Sequence[Anchors]]]) -> None:
        found: defaultdict[tuple[str, str], _Literals[_T]] = defaultdict(_Literals)
        every = list(patterns)
        # `meta[@name='generator']` has a literal that all have: another one tells them apart.
        shared = Counter(one for _, choices in every for anchors in choices for one in anchors)
        for pattern, choices in every:
            for anchor in rarest(choices, shared):
                found[anchor.tag, anchor.attribute].add(anchor, pattern)
        for literals in found.values():
            literals.finish()
        self._of_page: defaultdict[str, list[tuple[str, _Literals[_T]]]] = defaultdict(list)
        for (tag, attribute), literals in found.items():
            if (tag, attribute) not in _FACTS:
                self._of_page[tag].append((attribute, literals))
        self._of_facts = {pair: literals for pair, literals in found.items() if pair in _FACTS}

    def candidates(self, document: VirtualDocument) -> dict[_T, None]:
        """The patterns of which a literal is on the page, in a steady order."""
        found: dict[_T, None] = {}
        walked: dict[str, list[Element]] = {}
        for tag, attributes in self._of_page.items():
            elements = _elements(document.tree, tag, walked)
            for attribute, literals in attributes if elements else ():
                values = set(map(_Element.get, elements, repeat(attribute), repeat("")))
                for patterns in literals.found(values):
                    found.update(dict.fromkeys(patterns))
        for pair, literals in self._of_facts.items():
            for patterns in literals.found(set(_FACTS[pair](document))):
                found.update(dict.fromkeys(patterns))
        return found


def _elements(tree: Element, tag: str, walked: dict[str, list[Element]]) -> list[Element]:
    """The elements of a kind; each kind is looked for once, since a walk over the page takes longest."""
    if tag == "body":  # found without a walk
        return list(tree.iterchildren(tag))
    if tag == GENERATOR:
        return [one for one in _elements(tree, "meta", walked) if one.get("name") == "generator"]
    if tag not in walked:
        walked[tag] = list(islice(tree.iter(tag), _MOST_ELEMENTS))
    return walked[tag]


def _address(part: str) -> Callable[[VirtualDocument], Iterable[str]]:
    return lambda document: (document.address.get(part, ""),)


_FACTS: Mapping[tuple[str, str], Callable[[VirtualDocument], Iterable[str]]] = {
    ("header", "name"): lambda document: [name.lower() for name, _ in document.headers],
    ("header", "value"): lambda document: [value for _, value in document.headers],
    ("cookie", "name"): lambda document: [name for name, _ in document.cookies],
    ("cookie", "value"): lambda document: [value for _, value in document.cookies],
    ("http", "status"): lambda document: [str(document.status)],
    **{("url", part): _address(part) for part in ("scheme", "host", "path", "query")},
}
