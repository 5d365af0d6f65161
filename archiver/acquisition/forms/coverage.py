"""How many records there are behind a form, estimated from what its answers showed."""

from __future__ import annotations

from collections import Counter
from math import exp
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Of an estimate by samples, whatever their spread: words are not drawn quite as they are taken to be. Guess.
_LEAST_ERROR = 0.05
# What sites claim is now and then rounded, or counts what is not shown.
_CLAIM_SLACK = 0.02


class RecordSample(msgspec.Struct, frozen=True):
    """The records that a word drawn by chance found, weighted: all of them, those seen before, and how many
    records had been seen in all by then."""

    weight: float
    seen: float
    before: int


class Coverage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was seen, and how many records there may be: an estimate, and an interval of 95 %."""

    seen: int = 0
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    # The three ways, each by itself: what the site claims, Chao's from how often records were seen, and
    # recaptures by words drawn by chance.
    claimed: int | None = None
    chao: float | None = None
    recaptured: float | None = None
    samples: int = 0

    @property
    def share(self) -> float | None:
        """Of all records, those that were seen."""
        return None if not self.estimate else min(1.0, self.seen / self.estimate)

    @property
    def lacks(self) -> int | None:
        """How many records that the site claims were not seen; None: it claims nothing that can be true."""
        return None if self.claimed is None or self.estimate != self.claimed else self.claimed - self.seen

    @property
    def width(self) -> float:
        """The upper end of the interval in terms of the lower one."""
        return self.high / self.low if self.low and self.high else float("inf")


def estimated(
    times_seen: Iterable[int], samples: Sequence[RecordSample], claimed: int | None = None
) -> Coverage:
    """The estimate that the evidence allows; what the site itself claims comes first, if it can be true."""
    counts = Counter(times_seen)
    seen = counts.total()
    recaptured = schnabel(samples)
    found = Coverage(
        seen=seen, claimed=claimed, chao=chao(counts), recaptured=recaptured, samples=len(samples)
    )
    if recaptured is None:
        return _by_claim(found) if claimed is not None and claimed >= seen else found
    low, high = interval(samples)
    found = msgspec.structs.replace(
        found, estimate=max(seen, recaptured), low=max(seen, low), high=max(seen, high)
    )
    can_be_true = claimed is not None and max(seen, 0.5 * low) <= claimed <= 2 * high
    return _by_claim(found) if can_be_true else found


def _by_claim(found: Coverage) -> Coverage:
    claimed = found.claimed or 0
    low, high = claimed * (1 - _CLAIM_SLACK), claimed * (1 + _CLAIM_SLACK)
    return msgspec.structs.replace(
        found, estimate=float(claimed), low=max(float(found.seen), low), high=max(float(found.seen), high)
    )


def chao(counts: Counter[int]) -> float | None:
    """Chao1, bias-corrected: from how many records were seen once and twice. Lists have an order, so that
    the first ones are seen more often: it tells too few rather than too many."""
    seen = counts.total()
    once, twice = counts[1], counts[2]
    return seen + once * (once - 1) / (2 * (twice + 1)) if seen else None


def schnabel(samples: Sequence[RecordSample]) -> float | None:
    """Capture and recapture, with as many recaptures as there are samples."""
    recaptured = sum(one.seen for one in samples)
    if recaptured <= 0 or sum(one.weight > 0 for one in samples) < 3:
        return None
    return sum(one.weight * one.before for one in samples) / recaptured


def interval(samples: Sequence[RecordSample]) -> tuple[float, float]:
    """Of 95 %, by the spread of the samples, each as a whole: the records of one word are not independent of
    each other. The logarithm of the estimate is taken to be distributed as Student's t."""
    estimate, count = schnabel(samples), len(samples)
    if estimate is None:
        return 0.0, float("inf")
    total = sum(one.weight * one.before for one in samples)
    spread = sum((one.weight * one.before - estimate * one.seen) ** 2 for one in samples)
    error = max(_LEAST_ERROR, (count / (count - 1) * spread) ** 0.5 / total)
    width = exp(_student(count - 1) * error)
    return estimate / width, estimate * width


def _student(degrees: int) -> float:
    """The quantile of Student's t that 2.5 % are above (Cornish and Fisher)."""
    z = 1.96
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
