"""An article's own history: one that was edited often will be edited again.

How much more or less than its channel's others an article is edited has a gamma distribution, with mean one,
narrowed by what was seen of it. The number of edits in a span then is negative binomial.

Who counts changed looks counts several edits between two looks as one. The estimator is that of Cho and
Garcia-Molina (Estimating Frequency of Change, 2003), with the bias taken out for looks at even intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, log, log1p

# The shape of that distribution at first: most articles have fewer edits than the mean, some many times more.
_SPREAD = 0.6
# As if half a look more had shown no change: that is the estimator without bias, and keeps the number finite
# where every look showed one.
_HALF_A_LOOK = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A gamma distribution of the factor by which an article is edited more than others."""

    shape: float
    rate: float

    def expected(self, edits: float) -> float:
        """How many edits this article has where others have so many."""
        return edits * self.shape / self.rate

    def any_of(self, edits: float) -> float:
        """The chance that there is at least one."""
        return -expm1(-self.shape * log1p(edits / self.rate))

    def overwritten(self, edits: float) -> float:
        """How many are not seen by a single look at the end, since others came after them."""
        return self.expected(edits) - self.any_of(edits)


def own_history(*, expected_before: float, looks: int, changes: int) -> Own:
    """After so many looks, where others would have had `expected_before` edits."""
    return Own(shape=_SPREAD + likely_edits(looks, changes), rate=_SPREAD + expected_before)


def likely_edits(looks: int, changes: int) -> float:
    """How many edits there were, given how many of the looks at even intervals showed a change."""
    changes = min(max(changes, 0), looks)
    return looks * log((looks + _HALF_A_LOOK) / (looks - changes + _HALF_A_LOOK))
