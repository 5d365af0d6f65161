"""Scales of plots: spans of time on a logarithmic axis, numbers of feeds on an even one."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Spans that people know, each two to ten times the one before.
_SPANS = {
    1.0: "1 s",
    10.0: "10 s",
    60.0: "1 min",
    600.0: "10 min",
    3600.0: "1 h",
    6 * 3600.0: "6 h",
    86400.0: "1 d",
    7 * 86400.0: "7 d",
    30 * 86400.0: "30 d",
    365 * 86400.0: "1 y",
    3652 * 86400.0: "10 y",
    36525 * 86400.0: "100 y",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanAxis:
    """From one known span to another; what is shorter, as no time at all, stands at its beginning."""

    first: float
    last: float

    def place(self, seconds: float) -> float:
        """Where a span stands, from 0 to 1."""
        held = min(max(seconds, self.first), self.last)
        return math.log(held / self.first) / math.log(self.last / self.first)

    def at(self, place: float) -> float:
        """The span that stands there."""
        return self.first * math.exp(place * math.log(self.last / self.first))

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Places and names."""
        known = [span for span in _SPANS if self.first <= span <= self.last]
        return [(self.place(span), _SPANS[span]) for span in known]


def span_axis(values: Iterable[float]) -> SpanAxis:
    """The axis on which all of these have their place."""
    some = [value for value in values if value > 0] or [3600.0]
    spans = list(_SPANS)
    first = max([span for span in spans if span <= min(some)], default=spans[0])
    last = min([span for span in spans if span >= max(some)], default=spans[-1])
    return SpanAxis(first=first, last=last) if first < last else SpanAxis(first=first / 60, last=last * 60)


def share_at(points: Sequence[tuple[float, float]], seconds: float) -> float:
    """What a cumulative curve has reached at this span."""
    # Points at this very span are reached, whatever their share.
    place = bisect_left(points, (seconds, math.inf))
    return points[place - 1][1] if place else 0.0


def count_ticks(highest: int, most: int = 6) -> list[int]:
    """Round numbers from 0 up to at least the highest."""
    step = 1
    while highest / step > most - 1:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return list(range(0, (math.ceil(highest / step) if highest else 1) * step + 1, step))
