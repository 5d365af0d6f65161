"""Other ways to order a queue: breadth first, OPIC, parent's cosine, parent and anchor, a classifier."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, ClassVar

from archiver.acquisition.campaigns.words import Background

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.focused.web import Web, WebTopic


class BreadthFirst:
    name = "breadth-first"

    def __init__(self, web: Web, topic: WebTopic, seeds: list[int]) -> None:  # noqa: ARG002 - as all policies
        self._web = web
        self._queue: dict[int, None] = {}
        self._known = set(seeds)

    def fetched(self, number: int) -> None:
        for to in self._web.targets(number):
            if to not in self._known:
                self._known.add(to)
                self._queue[to] = None

    def next(self) -> int | None:
        found = next(iter(self._queue), None)
        if found is not None:
            del self._queue[found]
        return found


class Opic:
    """Each page hands its cash on to where it leads; the richest is fetched first."""

    name = "opic"

    def __init__(self, web: Web, topic: WebTopic, seeds: list[int]) -> None:  # noqa: ARG002 - as all policies
        self._web = web
        self._cash: dict[int, float] = defaultdict(float, dict.fromkeys(seeds, 1.0))
        self._done: set[int] = set()

    def fetched(self, number: int) -> None:
        self._done.add(number)
        cash, targets = self._cash.pop(number, 0.0), self._web.targets(number)
        for to in targets:
            self._cash[to] += cash / len(targets)

    def next(self) -> int | None:
        waiting = [one for one in self._cash if one not in self._done]
        return max(waiting, key=lambda one: (self._cash[one], -one), default=None)


class ParentCosine:
    """The likeness of a page to the examples, for every link on it (Shark search, Nutch)."""

    name = "parent-cosine"
    own: ClassVar[float] = 0.0  # the share of what a link says itself

    def __init__(self, web: Web, topic: WebTopic, seeds: list[int]) -> None:  # noqa: ARG002 - as all policies
        self._web = web
        self._seeds = frozenset(seeds)
        self._background = Background()
        self._raw: dict[int, float] = defaultdict(float)
        for seed in seeds:
            for word, value in web.page(seed).words.unit().items():
                self._raw[word] += value
        self._scores: dict[int, float] = {}
        self._done: set[int] = set()

    def _rarity(self, word: int) -> float:
        return math.log((self._background.pages + 1) / (self._background.counts.get(word, 0) + 1)) + 1

    def fetched(self, number: int) -> None:
        page = self._web.page(number)
        self._done.add(number)
        self._scores.pop(number, None)
        self._background.add(page.words.counts)
        topic = _unit({word: value * self._rarity(word) for word, value in self._raw.items()})
        own = {word: value * self._rarity(word) for word, value in page.words.unit().items()}
        parent = 1.0 if number in self._seeds else _dot(_unit(own), topic)
        for link in page.links:
            if link.to not in self._done and link.to not in self._seeds:
                said = self._likeness(link.anchor, topic) + 0.5 * self._likeness(link.context, topic)
                score = (1 - self.own) * parent + self.own * said
                self._scores[link.to] = max(score, self._scores.get(link.to, -1.0))

    def _likeness(self, words: Sequence[int], topic: Mapping[int, float]) -> float:
        return _dot(_unit({word: self._rarity(word) for word in words}), topic) if self.own else 0.0

    def next(self) -> int | None:
        return max(self._scores, key=lambda one: (self._scores[one], -one), default=None)


class ParentAndAnchor(ParentCosine):
    name = "parent-anchor"
    own = 0.5


class OnlineClassifier(ParentAndAnchor):
    """In the manner of ACHE: a classifier of links, trained anew at intervals by the pages that they led to.

    Until the first training the order is that of its baseline, parent and anchor. ACHE trains each 1,000
    pages; here after 10, then after each tenth more, since whole crawls have some 200.
    """

    name = "online-classifier"

    def __init__(self, web: Web, topic: WebTopic, seeds: list[int]) -> None:
        super().__init__(web, topic, seeds)
        self._links: dict[int, set[int]] = defaultdict(set)
        self._taught: list[tuple[set[int], bool]] = []
        self._good: dict[int, float] = {}
        self._next_training = 10
        self._bias = 0.0
        self._likenesses: list[float] = []

    def fetched(self, number: int) -> None:
        page = self._web.page(number)
        topic = _unit({word: value * self._rarity(word) for word, value in self._raw.items()})
        if number not in self._seeds:
            own = {word: value * self._rarity(word) for word, value in page.words.unit().items()}
            likeness = _dot(_unit(own), topic)
            self._likenesses.append(likeness)
            middle = sorted(self._likenesses)[len(self._likenesses) // 2]
            self._taught.append((self._links.pop(number, set()), likeness > middle))
        super().fetched(number)
        for link in page.links:
            if link.to not in self._done:
                self._links[link.to].update(link.anchor, link.context)
        if len(self._taught) >= self._next_training:
            self._train()
            self._next_training = math.ceil(1.1 * len(self._taught))

    def _train(self) -> None:
        """A Bayes classifier of the words of links, as ACHE has it by default."""
        good, bad = defaultdict[int, int](int), defaultdict[int, int](int)
        count = sum(label for _, label in self._taught)
        for words, label in self._taught:
            for word in words:
                (good if label else bad)[word] += 1
        others = len(self._taught) - count
        self._good = {
            word: math.log((good[word] + 1) / (count + 2)) - math.log((bad[word] + 1) / (others + 2))
            for word in {*good, *bad}
        }

    def next(self) -> int | None:
        if not self._good:
            return super().next()
        return max(self._scores, key=lambda one: (self._foretold(one), self._scores[one]), default=None)

    def _foretold(self, number: int) -> float:
        """ACHE puts links into bins by probability: within one, the baseline decides."""
        total = sum(self._good.get(word, 0.0) for word in self._links[number])
        return round(10 / (1 + math.exp(-max(-30.0, min(30.0, total)))))


def _unit(vector: Mapping[int, float]) -> dict[int, float]:
    size = math.sqrt(sum(value * value for value in vector.values()))
    return {word: value / size for word, value in vector.items()} if size else {}


def _dot(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return sum(value * many[word] for word, value in few.items() if word in many)


PEERS = (BreadthFirst, Opic, ParentCosine, ParentAndAnchor, OnlineClassifier)
