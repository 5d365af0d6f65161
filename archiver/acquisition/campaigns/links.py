"""How promising a link is: fixed reasons from the first page on, learned ones as far as they prove right.

What is known of an address that was not fetched is its evidence: the words of all links that lead there, how
relevant the pages are on which these stand, and how relevant those pages were that the links beside them led
to. A score is a sum of parts, each of which `parts` tells by its name.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.campaigns.words import Background, likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Words that are kept of all links to an address.
_MOST_WORDS = 64
# Links beside another one on its page, in the order of reading, whose outcome says something of it.
NEIGHBOURS = 6
# The weights of the fixed parts: chosen one by one on topics of fewer than 60 pages of bench/campaigns.py.
_PARENTS, _SEVERAL, _ANCHOR, _CONTEXT, _ADDRESS = 1.0, 0.15, 3.0, 1.5, 1.0
_WORDS_LEARNED, _BESIDE = 2.0, 1.0
# How much a page that was never seen is taken to be relevant, until some were.
_PRIOR = 0.1
# A context says about half as much as the anchor, and a word counts in full once it was seen a few times.
_CONTEXT_SHARE = 0.5
_DOUBT = 1.0
# A link in navigation leads to sections rather than to what is sought.
_PLACES = {"article": 1.0, "list": 1.0, "navigation": 0.5, "boilerplate": 0.2}
NOFOLLOW = 0.5
# On a site whose software is known: content before lists before whatever else it links to. By reasoning:
# hardly any words make up for half of a score.
CONTENT, LIST, OTHER = 1.0, 0.8, 0.4
# Each page that is not relevant on the way to a link.
_TUNNEL = 0.7
# How quickly a vote follows the outcomes, and how much of it the fixed parts keep in any case.
_RATE, _FADE = 2.0, 0.995


class LinkEvidence(msgspec.Struct, kw_only=True, array_like=True):
    """What is known of an address before it is fetched."""

    anchor: list[int] = []
    context: list[int] = []
    address: list[int] = []
    parents: float = 0.0  # pages that lead there, each by the place that the link has on it
    relevance: float = 0.0  # of these pages, summed up
    beside: float = 0.0  # pages that the links beside lead to, each by its nearness
    beside_relevance: float = 0.0
    hops: int = 0  # pages that are not relevant on the best way there
    posters: int = 0  # people who posted the link
    told: str = ""  # the best anchor, for people
    worth: float = 0.0  # what the knowledge base says of it, where it knows the site; 0: nothing

    def add_words(self, anchor: Sequence[int], context: Sequence[int]) -> None:
        self.anchor += anchor[: max(0, _MOST_WORDS - len(self.anchor))]
        self.context += context[: max(0, _MOST_WORDS - len(self.context))]

    def add_parent(self, relevance: float, weight: float) -> None:
        self.parents += weight
        self.relevance += weight * relevance

    def add_worth(self, worth: float) -> None:
        """What one page shows to be content is not a list because of another."""
        self.worth = max(self.worth, worth)

    def add_neighbour(self, relevance: float, nearness: float) -> None:
        self.beside += nearness
        self.beside_relevance += nearness * relevance


def nearness(distance: int) -> float:
    """How much the outcome of a link says of another one so many places away on the same page."""
    return 1 - distance / (NEIGHBOURS + 1)


def link_weight(place: str, *, is_followed: bool = True) -> float:
    return _PLACES.get(place, 1.0) * (1.0 if is_followed else NOFOLLOW)


class LinkModel(msgspec.Struct, kw_only=True):
    """What the pages that links led to have taught: words of links, and how far it is believed."""

    # Of the links to pages that were fetched: how many of these were relevant and not, by each word.
    good: dict[int, float] = {}
    bad: dict[int, float] = {}
    good_pages: float = 0.0
    bad_pages: float = 0.0
    # Of the fixed parts alone and of all parts, by how far each was wrong.
    fixed_loss: float = 0.0
    whole_loss: float = 0.0

    @property
    def vote(self) -> float:
        """The share of the learned parts that counts: it is a half until outcomes speak for or against."""
        return 1 / (1 + math.exp(max(-30.0, min(30.0, _RATE * (self.whole_loss - self.fixed_loss)))))

    @property
    def usual(self) -> float:
        """How relevant a page is on average."""
        return (self.good_pages + _PRIOR * 3) / (self.good_pages + self.bad_pages + 3)

    def parts(
        self, evidence: LinkEvidence, topic: Mapping[int, float], background: Background
    ) -> dict[str, float]:
        """What a score consists of; the learned parts in full, before they are weighed by the vote."""
        mean = (evidence.relevance + _PRIOR) / (evidence.parents + 1)
        return {
            "parents": _PARENTS * mean,
            "several": _SEVERAL * math.log1p(evidence.relevance),
            "anchor": _ANCHOR * likeness(evidence.anchor, topic, background),
            "context": _CONTEXT * likeness(evidence.context, topic, background),
            "address": _ADDRESS * likeness(evidence.address, topic, background),
            "posters": min(0.5, 0.12 * math.log1p(evidence.posters)),
            "words": _WORDS_LEARNED * self._words(evidence),
            "beside": _BESIDE * self._beside(evidence),
        }

    def score(self, evidence: LinkEvidence, topic: Mapping[int, float], background: Background) -> float:
        """Between 0 and 1: the order in which addresses are fetched, not a probability."""
        whole = united(self.parts(evidence, topic, background), self.vote, evidence.hops)
        return whole * (evidence.worth or 1.0)

    def _words(self, evidence: LinkEvidence) -> float:
        """How much more often such words led to relevant pages than to others: a mean of log-odds."""
        if not self.good_pages and not self.bad_pages:
            return 0.0
        found = self._log_odds(evidence.anchor) + _CONTEXT_SHARE * self._log_odds(evidence.context)
        return found / (len(evidence.anchor) + _CONTEXT_SHARE * len(evidence.context) + 3)

    def _log_odds(self, words: Iterable[int]) -> float:
        found, offset = 0.0, math.log((self.bad_pages + 2) / (self.good_pages + 2))
        for word in words:
            good, bad = self.good.get(word, 0.0), self.bad.get(word, 0.0)
            if good or bad:
                sure = (good + bad) / (good + bad + _DOUBT)
                found += sure * (math.log((good + 0.5) / (bad + 0.5)) + offset)
        return found

    def _beside(self, evidence: LinkEvidence) -> float:
        usual = self.usual
        return (evidence.beside_relevance + usual) / (evidence.beside + 1) - usual

    def learn(
        self,
        evidence: LinkEvidence,
        relevance: float,
        topic: Mapping[int, float],
        background: Background,
        *,
        weight: float = 1.0,
    ) -> None:
        """Take in how relevant a page is whose evidence is known: what was foretold is judged first."""
        parts = self.parts(evidence, topic, background)
        self.fixed_loss = _FADE * self.fixed_loss + _loss(united(parts, 0.0, evidence.hops), relevance)
        self.whole_loss = _FADE * self.whole_loss + _loss(united(parts, 1.0, evidence.hops), relevance)
        share = relevance * relevance
        self.good_pages += weight * share
        self.bad_pages += weight * (1 - share)
        for word in {*evidence.anchor, *evidence.context}:
            self.good[word] = self.good.get(word, 0.0) + weight * share
            self.bad[word] = self.bad.get(word, 0.0) + weight * (1 - share)


def united(parts: Mapping[str, float], vote: float, hops: int) -> float:
    """One number between 0 and 1 of all parts."""
    learned = parts["words"] + parts["beside"]
    fixed = sum(value for name, value in parts.items() if name not in ("words", "beside"))
    return (1 - math.exp(-max(0.0, fixed + vote * learned))) * _TUNNEL**hops


def _loss(foretold: float, relevance: float) -> float:
    foretold = min(0.99, max(0.01, foretold))
    return -relevance * math.log(foretold) - (1 - relevance) * math.log(1 - foretold)
