"""How often something changes that is only looked at now and then.

Who counts changed looks and divides by the time counts several edits between two looks as one. The estimators
are those of Cho and Garcia-Molina (Estimating Frequency of Change, 2003): with the bias taken out for looks
at even intervals, and by the greatest likelihood for looks at any.
"""

from __future__ import annotations

from math import expm1, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# As if half a look more had shown no change. For even intervals that is just the estimator without bias, and
# it keeps the rate finite where every look showed one.
_HALF_A_LOOK = 0.5
_LARGEST_EXPONENT = 700.0
_STEPS = 200
_EXACT = 1e-12


def likely_edits(looks: int, changes: int) -> float:
    """How many edits there were, where so many of the looks at even intervals showed a change."""
    changes = min(max(changes, 0), looks)
    return looks * log((looks + _HALF_A_LOOK) / (looks - changes + _HALF_A_LOOK))


def rate_of_even_looks(looks: int, changes: int, interval: float) -> float:
    """Edits in a unit of time, from looks at even intervals."""
    return likely_edits(looks, changes) / (looks * interval) if looks else 0.0


def rate_of_looks(intervals: Sequence[float], changed: Sequence[bool]) -> float:
    """Edits in a unit of time, from looks at any intervals: the time since the one before, what it showed.

    The likelihood is greatest where Σ t / (exp(r t) - 1) over the looks that showed a change is the sum of
    the intervals of the others.
    """
    found = [span for span, is_changed in zip(intervals, changed, strict=True) if is_changed and span > 0]
    if not found:
        return 0.0
    total = sum(intervals)
    silent = total - sum(found) + _HALF_A_LOOK * total / len(intervals)
    return _root(found, silent)


def _root(found: Sequence[float], silent: float) -> float:
    # exp(x) - 1 >= x: the sum is at most (number of looks) / rate, so that the root is no higher than this.
    low, high = 0.0, len(found) / silent
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if sum(map(_weight, found, [middle] * len(found))) > silent:
            low = middle
        else:
            high = middle
        if high - low <= _EXACT * high:
            break
    return (low + high) / 2


def _weight(span: float, rate: float) -> float:
    return span / expm1(min(span * rate, _LARGEST_EXPONENT))
