"""How many relevant pages wait that were not fetched, told by what was drawn by chance.

The population is every address that waits, was never tried, and is of a host that may still give pages. How
likely one is to be relevant depends on its score, by a logistic curve: `logit p = shift + slope *
logit(score)`. What was drawn by chance is a fair sample of the population; each draw counts for as many
addresses of its band as there are for each draw, so that the total is right whatever the form of the curve.
What was chosen as the best is not a fair sample: the better ones came first, and what is left is worse. It
counts with an advantage, which has a prior of its own: so the pages that were fetched say where the curve
lies, and the draws move it to where the rest is.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.campaigns.queue import band_of, score_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    _Numbers = NDArray[np.float64]

# Of a normal distribution, for an interval that holds in 90 of 100 cases.
_NINETY = 1.645
# Shift, slope, and the advantage of the best: means and deviations of their priors. Those of the advantage
# were chosen on webs of tests/crawl/known_web: 20 without HTTP, 36 candidates at once, and seven real crawls.
_MEANS = np.array([-0.5, 1.0, 1.5])
_DEVIATIONS = np.array([2.0, 0.3, 0.45])
_LEAST_SCORE = 0.02
# Addresses of pages that were fetched before: so many are taken to have been seen, of so many.
_TWINS, _TWIN_PAGES = 0.5, 10.0
# How far the form of the curve, and the prior of what is taken off, may be wrong, as a share.
_MODEL = 0.16
_STEPS, _CLOSE = 30, 1e-8


@dataclass(frozen=True, slots=True)
class TriedCandidate:
    """An address that was fetched, or tried in vain."""

    rank: int  # that it had
    is_relevant: bool  # whether or not its page says the same as another
    by_chance: bool
    is_twin: bool = False


@dataclass(frozen=True, slots=True)
class UnfetchedEstimate:
    """How many relevant pages wait, with an interval that is meant to hold in 90 of 100 cases."""

    likely: float
    low: float
    high: float
    drawn: int


def unfetched(waiting: Mapping[int, int], tried: Sequence[TriedCandidate]) -> UnfetchedEstimate:
    """`waiting` is how many wait at each rank; `tried` is in the order of time."""
    draws = [one for one in tried if one.by_chance]
    if not waiting:
        return UnfetchedEstimate(0.0, 0.0, 0.0, len(draws))
    found, spread = _fitted(tried, _weights(waiting, draws))
    counts = np.array(list(waiting.values()), dtype=float)
    rows = np.array([[1.0, _logit(rank), 0.0] for rank in waiting])
    chance = _logistic(rows @ found)
    addresses, noise = float(counts @ chance), float(counts @ (chance * (1 - chance)))
    slope = rows.T @ (counts * chance * (1 - chance)) / addresses
    width = _NINETY * math.sqrt(float(slope @ spread @ slope) + noise / addresses**2 + _MODEL**2)
    likely = addresses * _share_of_pages(addresses, tried)
    high = min(float(counts.sum()), likely * math.exp(width))
    return UnfetchedEstimate(likely, likely * math.exp(-width), high, len(draws))


def _share_of_pages(addresses: float, tried: Sequence[TriedCandidate]) -> float:
    """Pages that were not fetched, for each address that leads to a relevant page.

    An address may lead to a page that was fetched, as often as those that were drawn by chance did: the best
    are linked to more often, and so have more addresses. Of few draws, all that was tried is the prior. It
    may lead to one that another address leads to that waits, the more likely the more of them there are.
    """
    relevant = [one for one in tried if one.is_relevant]
    usual = (sum(one.is_twin for one in relevant) + _TWINS) / (len(relevant) + _TWIN_PAGES)
    drawn = [one for one in relevant if one.by_chance]
    again = (sum(one.is_twin for one in drawn) + usual * _TWIN_PAGES) / (len(drawn) + _TWIN_PAGES)
    among = min(0.5, again * min(1.0, addresses / max(1, len(relevant))))
    return (1 - again) * (1 - among)


def _weights(waiting: Mapping[int, int], draws: Sequence[TriedCandidate]) -> _Numbers:
    """How much each draw counts, by its band; uneven weights are worth fewer draws (Kish)."""
    counts: Counter[int] = Counter()
    for rank, count in waiting.items():
        counts[band_of(score_of(rank))] += count
    bands = [band_of(score_of(one.rank)) for one in draws]
    drawn = Counter(bands)
    found = np.array([counts[band] / drawn[band] for band in bands])
    squares = float(found @ found)
    return found * float(found.sum()) / squares if squares else found


def _fitted(tried: Sequence[TriedCandidate], of_draws: _Numbers) -> tuple[_Numbers, _Numbers]:
    """The most likely curve, and how sure it is: Newton's method, and the curvature where it ends."""
    rows = np.array([[1.0, _logit(one.rank), float(not one.by_chance)] for one in tried]).reshape(-1, 3)
    labels = np.array([float(one.is_relevant) for one in tried])
    weights = np.ones(len(tried))
    weights[[one.by_chance for one in tried]] = of_draws
    certainty = np.diag(_DEVIATIONS**-2.0)
    found = _MEANS.copy()
    for _ in range(_STEPS):
        chance = _logistic(rows @ found)
        bend = (rows * (weights * chance * (1 - chance))[:, None]).T @ rows + certainty
        slope = rows.T @ (weights * (labels - chance)) - certainty @ (found - _MEANS)
        step = np.linalg.solve(bend, slope)
        found = found + np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max()) < _CLOSE:
            break
    return found, np.linalg.inv(bend)


def _logit(rank: int) -> float:
    score = min(1 - _LEAST_SCORE, max(_LEAST_SCORE, score_of(rank)))
    return math.log(score / (1 - score))


def _logistic(values: _Numbers) -> _Numbers:
    found: _Numbers = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return found
