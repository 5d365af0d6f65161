"""Candidates for navigation patterns: all words of labels from the root of a graph, up to some steps.

Two words that lead to the same pages over the same pages are one candidate, and what follows a set of pages
is found once. A link that leads on from pages that it led to is a paging link: its step is repeated.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.sites.learning.graph import packed, spans
from archiver.acquisition.sites.learning.patterns import NavigationPattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from archiver.acquisition.sites.learning.graph import Bits, LabelEdges, SiteGraph
    from archiver.acquisition.sites.learning.patterns import LinkStep

# Of a graph. What is reached by more is reached by fewer steps as well, or by none that are worth it.
MOST_CANDIDATES = 5000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageSet:
    """Pages that links of one label lead to from other such pages."""

    pages: NDArray[np.intp]
    page_bits: Bits
    gram_bits: Bits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelWord:
    """A pattern, and what it reaches in a graph; the root is not counted."""

    pattern: NavigationPattern
    ends: PageSet  # of the last step
    page_bits: Bits  # of all steps
    gram_bits: Bits


def label_words(graph: SiteGraph, *, steps: int, repeats: int | None = 3) -> list[LabelWord]:
    """All candidates, those of fewer steps first; a paging link is followed up to `repeats` times."""
    expansions = _Expansions(graph, repeats)
    none = np.zeros(0, np.uint64)
    root = expansions.page_set(np.zeros(1, np.intp))
    start = LabelWord(pattern=NavigationPattern(()), ends=root, page_bits=none, gram_bits=none)
    found: dict[tuple[bytes, bytes], LabelWord] = {}
    waiting = deque([start])
    while waiting and len(found) < MOST_CANDIDATES:
        before = waiting.popleft()
        for step, ends in expansions.of(before.ends):
            candidate = _extended(before, step, ends)
            key = ends.page_bits.tobytes(), candidate.page_bits.tobytes()
            if key not in found:
                found[key] = candidate
                if len(candidate.pattern.steps) < steps:
                    waiting.append(candidate)
    return list(found.values())


def _extended(before: LabelWord, step: LinkStep, ends: PageSet) -> LabelWord:
    is_first = not before.pattern.steps
    return LabelWord(
        pattern=NavigationPattern((*before.pattern.steps, step)),
        ends=ends,
        page_bits=ends.page_bits if is_first else before.page_bits | ends.page_bits,
        gram_bits=ends.gram_bits if is_first else before.gram_bits | ends.gram_bits,
    )


@dataclass(slots=True)
class _Expansions:
    """What follows sets of pages, each found once."""

    graph: SiteGraph
    repeats: int | None
    _known: dict[bytes, list[tuple[LinkStep, PageSet]]] = field(default_factory=dict)
    _sets: dict[bytes, PageSet] = field(default_factory=dict)

    def of(self, ends: PageSet) -> list[tuple[LinkStep, PageSet]]:
        key = ends.page_bits.tobytes()
        if key not in self._known:
            self._known[key] = list(self._expand(ends.pages))
        return self._known[key]

    def _expand(self, pages: NDArray[np.intp]) -> Iterator[tuple[LinkStep, PageSet]]:
        graph = self.graph
        is_among = np.zeros(graph.size, np.bool_)
        is_among[pages] = True
        labels = np.unique(spans(graph.label_starts, graph.label_numbers, pages))
        for edges in (graph.edges[number] for number in labels.tolist()):
            is_end, is_repeated = self._followed(edges, is_among)
            ends = self._without_twins(np.flatnonzero(is_end))
            if len(ends):
                yield replace(edges.label, most=None) if is_repeated else edges.label, self.page_set(ends)

    def _followed(self, edges: LabelEdges, is_among: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], bool]:
        """Where links of a label lead to: at once, and by repeating it where that leads further."""
        ends = np.zeros(self.graph.size, np.bool_)
        ends[edges.targets[is_among[edges.sources]]] = True
        known, times, is_repeated = int(np.count_nonzero(ends)), 1, False
        while self.repeats is None or times < self.repeats:
            ends[edges.targets[ends[edges.sources]]] = True
            many, times = int(np.count_nonzero(ends)), times + 1
            if many == known:
                break
            known, is_repeated = many, True
        ends[0] = False  # the root is fetched anyway
        return ends, is_repeated

    def _without_twins(self, pages: NDArray[np.intp]) -> NDArray[np.intp]:
        """Pages with the same text count once, such as those to log in."""
        return pages[np.unique(self.graph.twins[pages], return_index=True)[1]]

    def page_set(self, pages: NDArray[np.intp]) -> PageSet:
        is_page = np.zeros(self.graph.size, np.bool_)
        is_page[pages] = True
        bits = packed(is_page)
        key = bits.tobytes()
        if key not in self._sets:
            grams = packed(self.graph.grams_of(pages))
            self._sets[key] = PageSet(pages=pages, page_bits=bits, gram_bits=grams)
        return self._sets[key]
