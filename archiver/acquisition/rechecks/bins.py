"""The ages by which edits are counted, and how edits fall into them where nothing is known yet."""

from __future__ import annotations

from itertools import pairwise
from math import erf, log, sqrt

# In days: from a quarter of an hour each is twice the one before; what is older than the last is as the last.
HOUR = 1 / 24
EDGES = (0.0, *(HOUR / 4 * 2**number for number in range(13)), 64.0)
BINS = tuple(pairwise(EDGES))
WIDTHS = tuple(end - begin for begin, end in BINS)

# An article of which nothing is known: so many edits in its first month, half of them within three hours of
# publication and nine tenths within two days.
USUAL_EDITS = 0.7
_HALF, _NINE_TENTHS = 3 * HOUR, 2.0
MONTH = 30.0
# Between these two the logarithm of age is spread as by a normal distribution, whose nine tenths lie here.
_SPREAD = log(_NINE_TENTHS / _HALF) / 1.2816


def _share_before(age: float) -> float:
    return (1 + erf(log(age / _HALF) / _SPREAD / sqrt(2))) / 2 if age > 0 else 0.0


_EDITS = USUAL_EDITS / _share_before(MONTH)
# Edits a day and article in each bin.
USUAL_RATES = tuple(
    _EDITS * (_share_before(end) - _share_before(begin)) / (end - begin) for begin, end in BINS
)
