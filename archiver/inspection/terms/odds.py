"""How sure it is that a term rises or falls: log-odds ratio with an informative Dirichlet prior.

After Monroe, Colaresi and Quinn, Fightin' Words (2008), for articles in place of words: one that repeats a
word a hundred times is one article. The prior is the share of a term over all of both times, worth so many
articles; rare terms are drawn towards no change, and no chance makes them first.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

# guess: as many articles as a small channel has in a month.
PRIOR_ARTICLES = 20.0
_INTERVAL = NormalDist().inv_cdf(0.975)


class LogOdds(NamedTuple):
    """Of each term: the logarithm of its odds against those before, and the standard deviation of that."""

    ratio: Numbers
    deviation: Numbers

    @property
    def low(self) -> Numbers:
        return self.ratio - _INTERVAL * self.deviation

    @property
    def high(self) -> Numbers:
        return self.ratio + _INTERVAL * self.deviation

    @property
    def score(self) -> Numbers:
        return self.ratio / self.deviation


def log_odds(now: Numbers, before: Numbers, articles: int, articles_before: int) -> LogOdds:
    """Of counts of articles in which each term is, among so many."""
    share = (now + before + 0.5) / (articles + articles_before + 1.0)
    prior, rest = PRIOR_ARTICLES * share, PRIOR_ARTICLES * (1 - share)
    with_it, with_it_before = now + prior, before + prior
    without, without_before = articles - now + rest, articles_before - before + rest
    ratio = np.log(with_it / without) - np.log(with_it_before / without_before)
    variance = 1 / with_it + 1 / without + 1 / with_it_before + 1 / without_before
    return LogOdds(ratio, np.sqrt(variance))


def surest(score: Numbers, chances: Callable[[int], float], tests: int) -> NDArray[np.intp]:
    """The places of those that are too much for chance, the highest score first; of so many that were tested.

    By Benjamini and Hochberg (1995): of all that are returned, one in twenty is chance.
    """
    order = np.argsort(-score, kind="stable")[:_MOST]
    found = np.array([chances(int(place)) for place in order])
    allowed = _CHANCE * (1 + np.arange(len(found))) / max(tests, 1)
    below = np.nonzero(np.sort(found) <= allowed)[0]
    return order[found <= allowed[below[-1]]] if len(below) else order[:0]


def chance_of_more(now: int, before: int, share: float) -> float:
    """How likely so many or more of a term's articles are of a time that has this share of all articles.

    Exactly, by the binomial distribution: a normal one would find rare terms too sure.
    """
    if now <= 0:
        return 1.0
    every = now + before
    term = _point(now, every, share)
    total, odds = term, share / (1 - share)
    for count in range(now, every):
        term *= (every - count) / (count + 1) * odds
        total += term
        if term < total * _NEGLIGIBLE:
            break
    return min(total, 1.0)


def chance_of_fewer(now: int, before: int, share: float) -> float:
    """The same for so many or fewer."""
    return chance_of_more(before, now, 1 - share)


def _point(count: int, every: int, share: float) -> float:
    ways = lgamma(every + 1) - lgamma(count + 1) - lgamma(every - count + 1)
    return exp(ways + count * log(share) + (every - count) * log1p(-share))


_CHANCE = 0.05
_NEGLIGIBLE = 1e-9
# Of thousands of terms these are the first: with the others no list is filled.
_MOST = 2000
