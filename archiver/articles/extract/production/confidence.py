"""How surely the article was found: the F1 that as much agreement came with on sites never seen before."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from archiver.articles.extract.production.judge import weights

if TYPE_CHECKING:
    from archiver.articles.extract.production.consensus import Verdict


# What to expect of a voter with which none agreed, since the others found nothing at all.
ALONE = 0.5


def confidence_of(verdict: Verdict) -> float:
    return ALONE if verdict.is_alone else round(expected(mean_agreement(verdict)), 4)


def mean_agreement(verdict: Verdict) -> float:
    """How far the other voters agree with the winner."""
    return fmean(share for voter, share in verdict.agreement.items() if voter != verdict.winner.voter)


def expected(agreement: float) -> float:
    """On the fitted curve, which only rises; below its first point it falls to nothing."""
    for (low, low_value), (high, value) in pairwise(_curve()):
        if agreement <= high:
            return low_value + (value - low_value) * (agreement - low) / (high - low)
    return _curve()[-1][1]


@lru_cache(maxsize=1)
def _curve() -> list[tuple[float, float]]:
    return [(0.0, 0.0), *weights()["confidence"]]
