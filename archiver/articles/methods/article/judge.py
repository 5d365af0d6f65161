"""How likely each block is of the article: two regressions, the second in the light of the first."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from math import exp, log, log1p
from operator import mul
from typing import TYPE_CHECKING, Any

from archiver.articles.methods.article.evidence import FLAG_SETS, NUMBERS
from archiver.articles.methods.article.selection import choose
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from archiver.articles.methods.article.evidence import BlockEvidence
    from archiver.documents.pages.blocks import Node, Outline

_NEIGHBOURS = (-2, -1, 1, 2)
_WINDOWS = (3, 8)
_ANCESTORS = 3
CONTEXT = (
    "first", "mean of the type in the group", "mean of the type",
    *(f"first {by:+d}" for by in _NEIGHBOURS),
    *(f"mean within {reach}" for reach in _WINDOWS),
    *(f"mean of ancestor {level}" for level in range(_ANCESTORS)),
    "in the chosen node", "before it", "after it", "log words", "link share", "heading", "list item",
)  # fmt: skip


class Regression:
    """Weights for numbers, and for flags, whose sums are remembered: the same ones come again and again."""

    def __init__(self, bias: float, numbers: Sequence[float], flags: Mapping[str, Sequence[float]]) -> None:
        self._bias = bias
        self._numbers = tuple(numbers)
        self._sums = {name: lru_cache(maxsize=20_000)(_summing(weights)) for name, weights in flags.items()}

    def first(self, evidence: BlockEvidence) -> float:
        sums = self._sums
        flags = sums["flags"](evidence.flags) + sums["places"](evidence.places)
        names = sums["around"](evidence.around) + sums["own"](evidence.own)
        return _squashed(self._bias + sum(map(mul, self._numbers, evidence.numbers)) + flags + names)

    def second(self, numbers: Sequence[float]) -> float:
        return _squashed(self._bias + sum(map(mul, self._numbers, numbers)))


def _summing(weights: Sequence[float]) -> Callable[[int], float]:
    def total(flags: int) -> float:
        return sum(weight for place, weight in enumerate(weights) if flags >> place & 1)

    return total


def _squashed(value: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))


@lru_cache(maxsize=1)
def weights() -> dict[str, Any]:
    """What was fitted, and on what."""
    found: dict[str, Any] = json.loads(
        files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    )
    return found


@lru_cache(maxsize=1)
def fitted() -> tuple[Regression, Regression]:
    """Both regressions."""
    first, second = weights()["first"], weights()["second"]
    flags = {name: [first[flag] for flag in names] for name, names in FLAG_SETS.items()}
    return (
        Regression(first["bias"], [first[name] for name in NUMBERS], flags),
        Regression(second["bias"], [second[name] for name in CONTEXT], {}),
    )


def contributions(evidence: BlockEvidence) -> dict[str, float]:
    """What each piece of evidence adds to the first look: its weight, times its value."""
    first = weights()["first"]
    held = [
        flag
        for name, flags in FLAG_SETS.items()
        for place, flag in enumerate(flags)
        if getattr(evidence, name) >> place & 1
    ]
    return {name: first[name] for name in held} | dict(
        zip(NUMBERS, map(mul, (first[name] for name in NUMBERS), evidence.numbers), strict=True)
    )


def context_contributions(numbers: Sequence[float]) -> dict[str, float]:
    """The same for the second look."""
    second = weights()["second"]
    return {name: second[name] * number for name, number in zip(CONTEXT, numbers, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPage:
    """A page with the likelihood of each of its blocks, at the first look and at the second."""

    first: Sequence[float]
    second: Sequence[float]


def judge(outlines: Sequence[Outline], evidence: Sequence[Sequence[BlockEvidence]]) -> list[JudgedPage]:
    """Judge the pages of a group together: one type of element is mostly one thing on all of them."""
    by_evidence, by_context = fitted()
    firsts = [[by_evidence.first(one) for one in page] for page in evidence]
    contexts = context_of(outlines, firsts)
    return [
        JudgedPage(first=first, second=[by_context.second(numbers) for numbers in context])
        for first, context in zip(firsts, contexts, strict=True)
    ]


def context_of(outlines: Sequence[Outline], firsts: Sequence[Sequence[float]]) -> list[list[list[float]]]:
    """The numbers of CONTEXT for each block of each page."""
    group = _means_by_type(zip(outlines, firsts, strict=True))
    return [
        _Context(outline, first, group).numbers() for outline, first in zip(outlines, firsts, strict=True)
    ]


def _means_by_type(pages: Iterable[tuple[Outline, Sequence[float]]]) -> dict[str, float]:
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for outline, first in pages:
        for block, likelihood in zip(outline.blocks, first, strict=True):
            total = sums[block.node.type]
            total[0] += likelihood * len(block.words)
            total[1] += len(block.words)
    return {kind: total[0] / total[1] for kind, total in sums.items()}


class _Context:
    def __init__(self, outline: Outline, first: Sequence[float], group: Mapping[str, float]) -> None:
        self._outline = outline
        self._first = first
        self._group = group
        self._own = _means_by_type([(outline, first)])
        counts = [len(block.words) for block in outline.blocks]
        self._words = [0, *accumulate(counts)]
        self._sums: list[float] = [0.0, *accumulate(map(mul, first, counts))]
        chosen = choose(outline, first)
        self._start, self._end = (chosen.start, chosen.end) if chosen else (0, 0)

    def _mean(self, low: int, high: int) -> float:
        return (self._sums[high] - self._sums[low]) / (self._words[high] - self._words[low] or 1)

    def numbers(self) -> list[list[float]]:
        first, size = self._first, len(self._first)
        found = []
        for place, block in enumerate(self._outline.blocks):
            likelihood, kind, tag = first[place], block.node.type, block.node.tag
            others = [first[place + by] if 0 <= place + by < size else 0.0 for by in _NEIGHBOURS]
            around = [self._mean(max(0, place - reach), min(size, place + reach + 1)) for reach in _WINDOWS]
            found.append([
                log(likelihood / (1 - likelihood)), self._group[kind], self._own[kind],
                *others, *around, *self._ancestors(block.node),
                float(self._start <= place < self._end), float(place < self._start),
                float(place >= self._end),
                log1p(len(block.words)), block.linked / len(block.words),
                float(tag in HEADINGS and tag != "h1"), float(tag == "li"),
            ])  # fmt: skip
        return found

    def _ancestors(self, node: Node) -> list[float]:
        found: list[float] = []
        above = node.parent
        for _ in range(_ANCESTORS):
            found.append(self._mean(above.start, above.end) if above else 0.0)
            above = above.parent if above else None
        return found
