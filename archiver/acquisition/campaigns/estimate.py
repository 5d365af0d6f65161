"""How many relevant pages wait that were not fetched: told by those that were drawn by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Of a normal distribution, for an interval that holds in 90 of 100 cases.
_NINETY = 1.645
# Pages of each band that are taken to have been seen before any was: half of one relevant.
_PRIOR_GOOD, _PRIOR_ALL = 0.5, 2.0


@dataclass(frozen=True, slots=True)
class UnfetchedEstimate:
    """How many relevant pages wait, with an interval that is meant to hold in 90 of 100 cases."""

    likely: float
    low: float
    high: float
    drawn: int


def unfetched(waiting: Mapping[int, int], drawn: Sequence[tuple[int, float]]) -> UnfetchedEstimate:
    """Of each band of scores, as large a share as of what was drawn from it; the bands are independent."""
    likely = variance = 0.0
    for band, count in waiting.items():
        scores = [score for one, score in drawn if one == band]
        good, size = sum(scores) + _PRIOR_GOOD, len(scores) + _PRIOR_ALL
        mean = good / size
        likely += count * mean
        variance += count * count * mean * (1 - mean) / (size + 1)
    width = _NINETY * math.sqrt(variance)
    return UnfetchedEstimate(
        likely, max(0.0, likely - width), min(sum(waiting.values()), likely + width), len(drawn)
    )
