"""Ranges of a form as probes: intervals, each with the records that it has and those that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.ranges import RangeInterval, column_of, first_intervals, numbers_of, share_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.acquisition.forms.ledger import AnswerLedger
    from archiver.acquisition.forms.model import ProbedInput


class RangeChoices:
    """Knows the intervals that were made of each range."""

    def __init__(self, inputs: Sequence[ProbedInput], ledger: AnswerLedger) -> None:
        self._fields = {one.name: one for one in inputs if one.kind == "range"}
        self._ledger = ledger
        self._intervals: dict[str, list[RangeInterval]] = {}
        self._values: dict[str, list[float]] = {}
        self._seen = 0

    def probes(self, field: ProbedInput, expected: float, most: float) -> Iterator[Probe]:
        """Intervals that were not asked for yet; `most`: records that an answer shows."""
        if field.name not in self._intervals:
            found = list(first_intervals(field, self._numbers(field), expected, most))
            if found:
                self._intervals[field.name] = found
        for interval in self._intervals.get(field.name, ()):
            probe = Probe(inputs=interval.inputs(field), chosen_by="range")
            if probe.query not in self._ledger.queries:
                yield probe

    def bisect(self, inputs: Mapping[str, str], expected: float, most: float) -> None:
        """Halve an interval whose answer is cut, until no part is expected to be."""
        found = self._interval_of(inputs)
        if found is None:
            return
        (field, interval), parts = found, list[RangeInterval]()
        values = self._numbers(field)
        halves = list(interval.halves(values))
        while halves:
            half = halves.pop()
            smaller = half.halves(values) if self._share(field, half) * expected > most else ()
            halves.extend(smaller)
            parts.extend([] if smaller else [half])
        self._intervals.setdefault(field.name, []).extend(parts)

    def size(self, inputs: Mapping[str, str], expected: float) -> float | None:
        """How many records an interval may have; None for inputs that are no interval."""
        found = self._interval_of(inputs)
        if found is None:
            return None
        return max(1.0, float(self.known(inputs) or 0), expected * self._share(*found))

    def known(self, inputs: Mapping[str, str]) -> int | None:
        """The records within that were seen; None as above."""
        found = self._interval_of(inputs)
        return None if found is None else found[1].count(self._numbers(found[0]))

    def _share(self, field: ProbedInput, interval: RangeInterval) -> float:
        values = self._numbers(field)
        if not values:
            return 1 / max(1, len(self._intervals.get(field.name, ())))
        return share_in(interval, values, values[-1] - values[0] + 1)

    def _interval_of(self, inputs: Mapping[str, str]) -> tuple[ProbedInput, RangeInterval] | None:
        for field in self._fields.values():
            names = (field.name, field.until)
            if inputs and inputs.keys() <= set(names):
                low, high = (int(inputs[name]) if name in inputs else None for name in names)
                return field, RangeInterval(low=low, high=high)
        return None

    def _numbers(self, field: ProbedInput) -> list[float]:
        if self._seen != self._ledger.seen:
            self._values, self._seen = {}, self._ledger.seen
        if field.name not in self._values:
            column = column_of(field, self._ledger.records.values())
            self._values[field.name] = numbers_of(column, self._ledger.records) if column else []
        return self._values[field.name]
