"""Ranges as inputs: intervals that are asked for, and bisected while their answers are cut."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from archiver.acquisition.forms.model import ProbedInput, ProbedRecord

# Of a column, before its extent is relied on. Guess.
_LEAST_VALUES = 30
_MOST_PARTS = 64
_SPLIT = re.compile(r"[\W_]+")
_ENDS = frozenset(
    {"from", "to", "min", "max", "start", "end", "von", "bis", "ab", "since", "until", "de", "a"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeInterval:
    """Whole numbers from `low` to `high`, both within; None: without an end."""

    low: int | None
    high: int | None

    def inputs(self, field: ProbedInput) -> dict[str, str]:
        ends = {field.name: self.low, field.until: self.high}
        return {name: str(value) for name, value in ends.items() if value is not None}

    def has(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value < self.high + 1)

    def count(self, values: list[float]) -> int:
        """Of these values, which are sorted, those within."""
        first = 0 if self.low is None else bisect_left(values, self.low)
        last = len(values) if self.high is None else bisect_left(values, self.high + 1)
        return max(0, last - first)

    def halves(self, values: list[float]) -> tuple[RangeInterval, ...]:
        """Two intervals with about as many of these values each; none where it is one number, or open."""
        if self.low is None or self.high is None or self.low >= self.high:
            return ()
        mine = [value for value in values if self.has(value)]
        middle = int(mine[len(mine) // 2]) if mine else (self.low + self.high) // 2
        middle = min(max(middle, self.low), self.high - 1)
        return (RangeInterval(low=self.low, high=middle), RangeInterval(low=middle + 1, high=self.high))


def column_of(field: ProbedInput, records: Iterable[ProbedRecord]) -> str:
    """The column of numbers that is called like the input; empty where there is none."""
    told = {word for word in _SPLIT.split(f"{field.name} {field.label}".casefold()) if word} - _ENDS
    names: set[str] = set()
    for record in records:
        names |= record.numbers.keys()
    liked = [name for name in sorted(names) if told & set(_SPLIT.split(name.casefold()))]
    return liked[0] if liked else ""


def numbers_of(column: str, records: Mapping[str, ProbedRecord]) -> list[float]:
    found = (record.numbers.get(column) for record in records.values())
    return sorted(value for value in found if value is not None)


def first_intervals(
    field: ProbedInput, values: list[float], expected: float, most: float
) -> Iterator[RangeInterval]:
    """Intervals with at most `most` of the `expected` records each, by the values that were seen."""
    low, high = field.low, field.high
    if low is None or high is None:
        if len(values) < _LEAST_VALUES:
            return
        low, high = values[0], values[-1]
        yield RangeInterval(low=None, high=int(low) - 1)
        yield RangeInterval(low=int(high) + 1, high=None)
    parts = min(_MOST_PARTS, max(1, ceil(2 * expected / most)), int(high) - int(low) + 1)
    ends = _quantiles(values, int(low), int(high), parts)
    for begin, end in pairwise(ends):
        yield RangeInterval(low=begin, high=end - 1)


def _quantiles(values: list[float], low: int, high: int, parts: int) -> list[int]:
    if len(values) < _LEAST_VALUES:
        step = (high - low + 1) / parts
        return sorted({low + int(step * part) for part in range(parts)} | {high + 1})
    cuts = {int(values[len(values) * part // parts]) for part in range(1, parts)}
    return sorted({low, high + 1} | {one for one in cuts if low < one <= high})


def share_in(interval: RangeInterval, values: list[float], extent: float) -> float:
    """Of all values, about those within: what was seen, and, as far as little was, the width."""
    low = values[0] if interval.low is None else interval.low
    high = values[-1] if interval.high is None else interval.high
    inside = bisect_right(values, high + 0.999) - bisect_left(values, low)
    is_open = interval.low is None or interval.high is None
    width = 0.0 if is_open else (high - low + 1) / max(1.0, extent)
    return (inside + _LEAST_VALUES * width) / (len(values) + _LEAST_VALUES)
