"""The product's scores as a crawl of the bench: every part is imported from it."""

from __future__ import annotations

from collections import defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.campaigns.definition import Definition, Keyword
from archiver.acquisition.campaigns.links import NEIGHBOURS, LinkEvidence, LinkModel, nearness
from archiver.acquisition.campaigns.matching import MatchedText, Matcher
from archiver.acquisition.campaigns.relevance import TopicModel, relevance
from archiver.acquisition.campaigns.words import Background
from bench.focused.web import LANGUAGE

if TYPE_CHECKING:
    from bench.focused.web import Web, WebTopic


# The best of the queue, which the product scores anew as well before it hands one out.
HEADS = 32


class Ours:
    """Scores every address that is known, and moves it when more is known of it."""

    name = "ours"
    learns = True

    def __init__(self, web: Web, topic: WebTopic, seeds: list[int]) -> None:
        self._web = web
        definition = Definition(
            campaign="bench", keywords=tuple(Keyword(term=word) for word in topic.keywords.split())
        )
        self._matcher = Matcher(definition, (), LANGUAGE)
        like = [web.page(seed).words for seed in seeds]
        self._background = Background()
        self._topic = TopicModel(like=like, said=self._matcher.said, background=self._background)
        self._links = LinkModel()
        self._seeds = frozenset(seeds)
        self._waiting: dict[int, LinkEvidence] = {}
        # As they were when something of them changed last; the best are scored anew before one is taken.
        self._scores: dict[int, float] = {}
        self._relevance: dict[int, float] = {}
        # Of each page that was fetched, where it leads; of each address, where it stands on which page.
        self._order: dict[int, list[int]] = {}
        self._stands: dict[int, list[tuple[int, int]]] = defaultdict(list)

    def next(self) -> int | None:
        if not self._scores:
            return None
        heads = nlargest(HEADS, self._scores, key=self._scores.__getitem__)
        for one in heads:
            self._score(one)
        return max(heads, key=self._scores.__getitem__)

    def _score(self, number: int) -> None:
        evidence = self._waiting[number]
        self._scores[number] = self._links.score(evidence, self._topic.vector, self._background)

    def fetched(self, number: int) -> None:
        page = self._web.page(number)
        evidence = self._waiting.pop(number, None)
        self._scores.pop(number, None)
        found = 1.0 if number in self._seeds else self._judged(number)
        self._relevance[number] = found
        if evidence is not None and self.learns:
            self._links.learn(evidence, found, self._topic.vector, self._background)
        if number not in self._seeds:
            self._topic.note(page.words)
        for one in {*self._tell_neighbours(number, found), *self._note_links(number, found)}:
            self._score(one)

    def _judged(self, number: int) -> float:
        page = self._web.page(number)
        text = MatchedText(title=page.title, headings=(), text=page.text, language=LANGUAGE)
        signals = self._matcher.signals(text)
        return relevance(msgspec.structs.replace(signals, examples=self._topic.likeness(page.words)))

    def _note_links(self, number: int, found: float) -> set[int]:
        order = list(dict.fromkeys(link.to for link in self._web.page(number).links))
        self._order[number] = order
        known = set()
        for link in self._web.page(number).links:
            if link.to in self._relevance:
                continue
            evidence = self._waiting.setdefault(link.to, LinkEvidence())
            evidence.add_words(link.anchor, link.context)
            if link.to not in known:
                known.add(link.to)
                evidence.add_parent(found, 1.0)
        for place, to in enumerate(order):
            self._stands[to].append((number, place))
            if to in self._relevance:
                self._spread(number, place, self._relevance[to])
        return known

    def _tell_neighbours(self, number: int, found: float) -> set[int]:
        told: set[int] = set()
        if self.learns:
            for page, place in self._stands.pop(number, ()):
                told |= self._spread(page, place, found)
        return told

    def _spread(self, page: int, place: int, found: float) -> set[int]:
        order, told = self._order[page], set()
        for other in range(max(0, place - NEIGHBOURS), min(len(order), place + NEIGHBOURS + 1)):
            evidence = self._waiting.get(order[other])
            if evidence is not None and other != place:
                evidence.add_neighbour(found, nearness(abs(other - place)))
                told.add(order[other])
        return told


class OursWithoutLearning(Ours):
    name = "ours-fixed"
    learns = False
