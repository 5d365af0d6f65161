"""How relevant a page is: keywords, names, examples, time and language in one number."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.words import Background, PageWords, cosine, topic_vector

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.acquisition.campaigns.signals import Signals

RELEVANT = 0.5
# A page that is stuffed with what is sought is this relevant at most.
_STUFFED = 0.1
# A prior by reasoning: keywords on every measure make a page relevant alone, examples or names almost.
_BIAS = -4.0
WEIGHTS = {"keywords": 4.5, "entities": 3.0, "examples": 3.5, "time": 1.5, "language": 2.0}
# What a signal is measured from: an unknown time and a listed language neither add nor take away.
CENTRES = {"time": 0.6, "language": 1.0}
# How alike two examples of one subject usually are, where there is only one.
_USUAL_LIKENESS = 0.35
_LEAST_LIKENESS = 0.1
# The likeness of pages that are not about it: the lower quarter of what was fetched.
_KEPT_LIKENESSES = 500
# The topic is made anew once so much more was fetched: how rare words are changes slowly.
_GROWTH = 1.1


def relevance(signals: Signals, shifts: Mapping[str, float] | None = None) -> float:
    """Between 0 and 1, by a logistic model; `shifts` is what judgements have taught."""
    if signals.excluded:
        return 0.0
    total = max(-30.0, min(30.0, logit_of(signals, shifts)))
    found = 1 / (1 + math.exp(-total)) * 0.5 ** len(signals.missing)
    return min(found, _STUFFED) if signals.is_stuffed else found


def logit_of(signals: Signals, shifts: Mapping[str, float] | None = None) -> float:
    """What the logistic model is of: a signal that is not asked for counts as half."""
    moved = shifts or {}
    total = _BIAS + moved.get("bias", 0.0)
    for name, usual in WEIGHTS.items():
        value = getattr(signals, name)
        if value is not None:
            total += (usual + moved.get(name, 0.0)) * (value - CENTRES.get(name, 0.0))
        elif name not in CENTRES:
            total += usual / 2
    return total


@dataclass(slots=True, kw_only=True)
class TopicModel:
    """What examples say of a subject: their words, and how alike pages of it are."""

    like: Sequence[PageWords]
    unlike: Sequence[PageWords] = ()
    # Words of the definition with their weights.
    said: Mapping[int, float] = field(default_factory=dict)
    background: Background
    likenesses: list[float] = field(default_factory=list)
    vector: dict[int, float] = field(init=False)
    usual: float = field(init=False)  # likeness of a page that is about it
    _made_at: int = field(init=False)

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        self.vector = topic_vector(self.like, self.unlike, self.said, self.background)
        self.usual = self._usual_likeness()
        self._made_at = self.background.pages

    def _usual_likeness(self) -> float:
        """Each example held against the others: against itself it would look better than any page can."""
        if len(self.like) < 2:
            return _USUAL_LIKENESS
        found = []
        for number, page in enumerate(self.like):
            others = [*self.like[:number], *self.like[number + 1 :]]
            vector = topic_vector(others, self.unlike, self.said, self.background)
            found.append(cosine(page.unit(self.background), vector))
        return max(_LEAST_LIKENESS, sum(found) / len(found))

    def likeness(self, page: PageWords) -> float:
        """Between 0, as unlike as most of the Web, and 1, as alike as the examples are."""
        measured = cosine(page.unit(self.background), self.vector)
        low = self._low()
        return max(0.0, min(1.0, (measured - low) / max(0.05, self.usual - low)))

    def _low(self) -> float:
        known = sorted(self.likenesses)
        return min(known[len(known) // 4], self.usual / 2) if len(known) >= 20 else 0.0

    def note(self, page: PageWords) -> None:
        """Take in a page that was fetched: how common its words are."""
        self.likenesses.append(cosine(page.unit(self.background), self.vector))
        del self.likenesses[:-_KEPT_LIKENESSES]
        self.background.add(page.counts)
        if self.background.pages > _GROWTH * self._made_at + 5:
            self._make()
