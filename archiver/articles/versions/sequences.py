"""Which items two sequences have in common, in order, and in bounded time however hostile they are."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Pairs = list[tuple[int, int]]
# From and to in the one, from and to in the other.
Gap = tuple[int, int, int, int]

# The table of the exact way has a bit for each pair of items: two megabytes.
MOST_CELLS = 16_000_000
# A tenth of a second for all gaps together.
MOST_WORK = 400_000_000
# What looking for unique items costs, in the same measure.
_SEARCH = 200


def common_pairs(before: Sequence[str], now: Sequence[str]) -> Pairs:
    """Places of items that stayed: a longest common subsequence where that is small enough to be found.

    Where it is not, what occurs only once on each side leads the way, and what is between is found by itself.
    """
    found: Pairs = []
    work = 0
    waiting = [(0, len(before), 0, len(now))]
    while waiting:
        gap, same = _trimmed(before, now, waiting.pop())
        found += same
        low, high, start, end = gap
        cells = (high - low) * (end - start)
        if not cells or work >= MOST_WORK:
            continue
        if cells <= MOST_CELLS:
            work += cells
            pairs = _moved(longest_common(before[low:high], now[start:end]), low, start)
        else:
            work += _SEARCH * (high - low + end - start)
            pairs = _moved(_anchors(before[low:high], now[start:end]), low, start)
            waiting += _between(gap, pairs)
        found += pairs
    return sorted(found)


def _trimmed(before: Sequence[str], now: Sequence[str], gap: Gap) -> tuple[Gap, Pairs]:
    """The gap without what is the same at its ends."""
    low, high, start, end = gap
    same: Pairs = []
    while low < high and start < end and before[low] == now[start]:
        same.append((low, start))
        low, start = low + 1, start + 1
    while low < high and start < end and before[high - 1] == now[end - 1]:
        high, end = high - 1, end - 1
        same.append((high, end))
    return (low, high, start, end), same


def _moved(pairs: Pairs, low: int, start: int) -> Pairs:
    return [(low + left, start + right) for left, right in pairs]


def _between(gap: Gap, pairs: Pairs) -> list[Gap]:
    """The gaps between pairs, if there are any pairs."""
    low, high, start, end = gap
    begins = [(low, start), *((left + 1, right + 1) for left, right in pairs)]
    ends = [*pairs, (high, end)]
    gaps = [(left, until, right, to) for (left, right), (until, to) in zip(begins, ends, strict=True)]
    return gaps if pairs else []


def longest_common(before: Sequence[str], now: Sequence[str]) -> Pairs:
    """A longest common subsequence, by bits: a row of the table is one number, as Crochemore showed."""
    places: dict[str, int] = {}
    for place, item in enumerate(before):
        places[item] = places.get(item, 0) | 1 << place
    every = (1 << len(before)) - 1
    row, rows = every, []
    for item in now:
        matches = row & places.get(item, 0)
        row = (row + matches | row - matches) & every
        rows.append(row)
    return _traced(rows, len(before))


def _traced(rows: Sequence[int], width: int) -> Pairs:
    """The way back through the table: a bit that is not set is where the common part grew."""
    found: Pairs = []
    place, number = width, len(rows)
    while place and number:
        if rows[number - 1] >> place - 1 & 1:
            place -= 1
        elif number > 1 and not rows[number - 2] >> place - 1 & 1:
            number -= 1
        else:
            place, number = place - 1, number - 1
            found.append((place, number))
    return found[::-1]


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """Places of a longest rising subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    links: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        links.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [number]
        ends[length : length + 1] = [place]
    found = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = links[place]
    return found[::-1]


def _anchors(before: Sequence[str], now: Sequence[str]) -> Pairs:
    """Items that occur once on each side, as many of them as are in the same order."""
    counts, others = Counter(before), Counter(now)
    places = {item: place for place, item in enumerate(before) if counts[item] == 1 == others[item]}
    pairs = [(places[item], place) for place, item in enumerate(now) if item in places]
    return [pairs[one] for one in longest_rising([left for left, _ in pairs])]
