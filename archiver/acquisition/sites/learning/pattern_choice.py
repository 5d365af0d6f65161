"""Which navigation patterns to follow: greedily those with the most new text for each new page.

This is algorithm 5.1 of Faheem's thesis. What it does not have are switches of `ChoiceRules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.sites.learning.graph import packed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from archiver.acquisition.sites.learning.graph import Bits, SiteGraph
    from archiver.acquisition.sites.learning.label_words import LabelWord
    from archiver.acquisition.sites.learning.patterns import NavigationPattern

# A pair of words on so many pages, which were reached by so many labels, is part of the frame.
_FRAME_PAGES, _FRAME_LABELS = 3, 2
# Of all text that is reached, a pattern may hold so much alone and still be dropped.
_NOT_MISSED = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRules:
    """How patterns are chosen; the defaults are those of the thesis."""

    completion: float = 0.95  # of the text of the sample that is to be reached
    estimates_unfetched: bool = False  # pages that are known count as the others of their cluster do
    leaves_frame_out: bool = False  # text on pages of several clusters counts once for the site
    prunes: bool = False  # patterns that others make superfluous are dropped again


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPattern:
    """A pattern, with what it was chosen for."""

    pattern: NavigationPattern
    gain: float  # new pairs of words for each new page
    pages: int  # new ones of the graph


def choose(graph: SiteGraph, candidates: Sequence[LabelWord], rules: ChoiceRules) -> list[ChosenPattern]:
    """The patterns in the order of choice, until enough of the text of the graph is reached."""
    if not candidates:
        return []
    choice = _Choice(graph, candidates, rules)
    chosen: list[tuple[int, ChosenPattern]] = []
    while choice.share < rules.completion:
        gains, costs = choice.gains_and_costs()
        scores = np.divide(gains, costs, out=np.zeros(len(gains)), where=costs > 0)
        best = int(np.argmax(scores))
        if scores[best] <= 0:
            break
        found = ChosenPattern(
            pattern=candidates[best].pattern, gain=float(scores[best]), pages=int(costs[best])
        )
        chosen = [one for one in chosen if not found.pattern.begins_with(one[1].pattern)]
        chosen.append((best, found))
        choice.take(best)
    kept = _pruned(graph, candidates, dict(chosen), choice) if rules.prunes else dict(chosen)
    return list(kept.values())


class _Choice:
    """What is reached so far, and what each candidate would add."""

    def __init__(self, graph: SiteGraph, candidates: Sequence[LabelWord], rules: ChoiceRules) -> None:
        self.rules = rules
        self.grams = np.stack([one.gram_bits for one in candidates])
        self.pages = np.stack([one.page_bits for one in candidates])
        self.fetched = packed(graph.is_fetched)
        self.total = graph.total
        root = graph.grams_of(np.zeros(1, np.intp))
        self.covered = packed(root | _frame(graph) if rules.leaves_frame_out else root)
        self.taken = np.zeros_like(self.fetched)
        ends = {id(one.ends): one.ends for one in candidates}
        numbers = {key: number for number, key in enumerate(ends)}
        self.end_of = np.array([numbers[id(one.ends)] for one in candidates], np.intp)
        self.end_grams = np.stack([one.gram_bits for one in ends.values()])
        self.end_pages = np.stack([one.page_bits for one in ends.values()])

    @property
    def share(self) -> float:
        return _count(self.covered) / self.total if self.total else 1.0

    def gains_and_costs(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        gains = _counts(self.grams & ~self.covered)
        new = self.pages & ~self.taken
        if not self.rules.estimates_unfetched:
            return gains, _counts(new & self.fetched)
        ends = self.end_pages & ~self.taken
        read = _counts(ends & self.fetched)
        rates = np.divide(
            _counts(self.end_grams & ~self.covered), read, out=np.zeros(len(read)), where=read > 0
        )
        unread = _counts(ends & ~self.fetched)
        return gains + (rates * unread)[self.end_of], _counts(new)

    def take(self, number: int) -> None:
        self.covered |= self.grams[number]
        self.taken |= self.pages[number]


def _frame(graph: SiteGraph) -> NDArray[np.bool_]:
    """Pairs of words that stand on several pages of several clusters."""
    cluster = np.zeros(graph.size, np.intp)
    for number, edges in enumerate(reversed(graph.edges), 1):
        cluster[edges.targets] = number
    counts = graph.gram_starts[1:] - graph.gram_starts[:-1]
    pages = np.bincount(graph.gram_numbers, minlength=graph.total)
    many = len(graph.edges) + 1
    pairs = np.unique(graph.gram_numbers * many + np.repeat(cluster, counts))
    clusters = np.bincount(pairs // many, minlength=graph.total)
    return (pages >= _FRAME_PAGES) & (clusters >= _FRAME_LABELS)


def _pruned(
    graph: SiteGraph, candidates: Sequence[LabelWord], chosen: dict[int, ChosenPattern], choice: _Choice
) -> dict[int, ChosenPattern]:
    """Without what is not missed, the most expensive first; what is known of an open series is no measure."""
    unfetched = ~packed(graph.is_fetched)
    kept = dict(chosen)
    for number in sorted(chosen, key=lambda one: -_count(choice.pages[one])):
        others = [one for one in kept if one != number]
        is_open = any(step.is_repeated for step in candidates[number].pattern.steps) and bool(
            _count(choice.pages[number] & unfetched)
        )
        if is_open or not others:
            continue
        text = choice.grams[number] & ~np.bitwise_or.reduce(choice.grams[others], axis=0)
        pages = choice.pages[number] & ~np.bitwise_or.reduce(choice.pages[others], axis=0)
        if _count(text) < _NOT_MISSED * _count(choice.covered) and not _count(pages & unfetched):
            del kept[number]
    return kept


def _count(bits: Bits) -> int:
    return int(np.bitwise_count(bits).sum())


def _counts(bits: Bits) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.bitwise_count(bits).sum(axis=1, dtype=np.float64)
    return found
