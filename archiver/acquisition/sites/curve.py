"""How the text that a crawl has seen grew with its requests: the points that a site keeps of it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    # How many requests, and how many distinct pairs of words after them.
    CurvePoint = tuple[int, int]

# Over so many requests it is told how much was new.
LATELY = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSeen:
    """How much text was seen, and how much of it in the last requests."""

    pairs: int  # distinct pairs of words
    new: int  # of them, in the last requests
    requests: int  # that these are

    @property
    def share(self) -> float | None:
        """Of all, how much is new; None where nothing was seen before."""
        return None if not self.pairs or self.new >= self.pairs else self.new / self.pairs


def text_seen(curve: Sequence[CurvePoint], lately: int = LATELY) -> TextSeen:
    """What the points tell, up to the last of them."""
    if not curve:
        return TextSeen(pairs=0, new=0, requests=0)
    last, pairs = curve[-1]
    requests = min(lately, last)
    return TextSeen(pairs=pairs, new=max(0, pairs - pairs_after(curve, last - requests)), requests=requests)


def pairs_after(curve: Sequence[CurvePoint], requests: int) -> int:
    """How many pairs were seen after so many requests, on the line between two points."""
    place = bisect_right(curve, requests, key=lambda point: point[0])
    if place == len(curve):
        return curve[-1][1]
    (before, low), (after, high) = curve[place - 1] if place else (0, 0), curve[place]
    return round(low + (high - low) * (requests - before) / (after - before))


def together(seen: Sequence[TextSeen]) -> TextSeen:
    """Of several sites. What two of them share is counted twice."""
    return TextSeen(
        pairs=sum(one.pairs for one in seen),
        new=sum(one.new for one in seen),
        requests=sum(one.requests for one in seen),
    )
