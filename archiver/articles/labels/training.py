"""Labels that a model is trained on: one for each block, weighed by how far its sources are believed.

Sources err on whole pages, and many pages have one source alone. So a model that was fitted without a page's
site is asked as well, and what it expects is held against what the sources say: EM with a model inside.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from archiver.articles.labels.agreement import cells_of
from archiver.articles.labels.model import LabelSource, SourceRecord
from archiver.articles.labels.reliability import judged_page, pooled, usual_trusts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.labels.model import LabelledPage, Records

# So often the model is fitted anew, at most; and no more where no source moved by this much.
ROUNDS = 3
_STILL = 0.005
# Pages on which the extractor alone speaks may have this share of all weight: a model that learns from
# nothing but its predecessor drifts.
_MOST_ALONE = 0.7
# One channel may have this share, so that a feed that lies cannot teach everything.
_MOST_OF_A_CHANNEL = 0.05
_OWN = frozenset({LabelSource.CONSENSUS, LabelSource.WRAPPER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What to train on: for each page and block whether it is of the article, and how much that counts."""

    labels: Sequence[Sequence[float]]
    weights: Sequence[Sequence[float]]
    records: Records = field(default_factory=dict)


class Trainable(Protocol):
    """A model that can be trained on labels."""

    def held_out(self, targets: Targets) -> Sequence[Sequence[float]]:
        """How likely each block of each page is of the article, by a model fitted without the page's site."""
        ...


def refined(pages: Sequence[LabelledPage], model: Trainable, *, rounds: int = ROUNDS) -> Targets:
    """Labels and weights for all pages, by the sources and by what a model learns of all other sites."""
    # The first round goes by what the sources say of each other.
    targets = _targets(pages, {}, None)
    for _ in range(rounds):
        priors = model.held_out(targets)
        before, targets = targets, _targets(pages, targets.records, priors)
        if _moved(before.records, targets.records) < _STILL:
            break
    return targets


def _targets(
    pages: Sequence[LabelledPage], records: Records, priors: Sequence[Sequence[float]] | None
) -> Targets:
    labels, weights, usual = [], [], usual_trusts(pooled(records))
    found: defaultdict[tuple[LabelSource, int], SourceRecord] = defaultdict(SourceRecord)
    for place, page in enumerate(pages):
        prior = None if priors is None else priors[place]
        judged = judged_page(page, records, usual, prior)
        likely = [judged.likelihoods[cell] for cell in cells_of(page, prior)]
        labels.append([float(one >= 0.5) for one in likely])
        # The model itself must not be learned from: where no source is believed, nothing counts.
        trust = 1 - math.prod(1 - one for one in judged.soundness.values())
        weights.append([trust * abs(2 * one - 1) for one in likely])
        for source, lesson in judged.lessons.items():
            found[source, page.channel] = found[source, page.channel].plus(lesson)
    return Targets(labels=labels, weights=balanced(pages, weights), records=dict(found))


def balanced(pages: Sequence[LabelledPage], weights: Sequence[Sequence[float]]) -> list[list[float]]:
    """Weights in which neither the extractor alone nor one channel has more than its share."""
    totals = [sum(one) for one in weights]
    alone = [bool(page.labels) and _OWN.issuperset(one.source for one in page.labels) for page in pages]
    factors = _shared(totals, alone, _MOST_ALONE)
    totals = [total * factor for total, factor in zip(totals, factors, strict=True)]
    channels = Counter(page.channel for page in pages)
    most = max(_MOST_OF_A_CHANNEL, 1 / len(channels)) if channels else 1.0
    for channel in channels:
        more = _shared(totals, [page.channel == channel and channel != 0 for page in pages], most)
        factors = [one * other for one, other in zip(factors, more, strict=True)]
    return [[factor * one for one in page] for factor, page in zip(factors, weights, strict=True)]


def _shared(totals: Sequence[float], chosen: Sequence[bool], most: float) -> list[float]:
    """Factors by which the chosen pages have at most this share of everything."""
    mine = sum(total for total, is_chosen in zip(totals, chosen, strict=True) if is_chosen)
    others = sum(totals) - mine
    if not others or mine <= most * (mine + others):
        return [1.0] * len(totals)
    factor = most / (1 - most) * others / mine
    return [factor if is_chosen else 1.0 for is_chosen in chosen]


def _moved(before: Records, after: Records) -> float:
    """How far the trust of any source moved."""
    old, new = usual_trusts(pooled(before)), usual_trusts(pooled(after))
    return max(abs(old[one].soundness - new[one].soundness) for one in LabelSource)
