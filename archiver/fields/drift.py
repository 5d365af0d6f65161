"""When a field stops working: its rates page by page, and an alarm with a stated rate of false ones.

A chart follows one rate of a field: how many pages have a value, how many of these read as the field's type,
how many differ from the value of the page before. It adds the log-likelihood ratio of "the rate has fallen"
against "the rate is as it was", page by page, never below zero (a one-sided CUSUM), and raises an alarm when
the sum reaches a limit. Simulated: 9,000 pages or more between two false alarms of a chart, at rates from .3
to 1, and four to nine pages from a total failure to its alarm where nine pages in ten had a value.
tests/fields/test_drift.py holds it.
"""

from __future__ import annotations

import math
from datetime import datetime  # noqa: TC003 - msgspec reads it at run time
from typing import Literal

import msgspec

from archiver.fields.model import FieldReading  # noqa: TC001 - read at run time

AlarmKind = Literal["filled", "typed", "varied", "missed"]

# Pages from which the reference is learned before there is an alarm.
LEARNED_PAGES = 10
# Later pages move the reference as if it had been learned from so many.
_REFERENCE_PAGES = 500
# The sum at which there is an alarm; fitted with the next two by the simulation.
_LIMIT = 7.0
# A reference is not believed to be above this: one bad page would weigh too much.
_HIGHEST_RATE = 0.95
# Standard errors by which the reference is taken to be lower than it was seen.
_DOUBT = 1.3
# What is noticed: the rate falls by this much, or by a third.
_LEAST_FALL = 0.2
_LOWEST_RATE = 0.01
# Values that repeat by nature, such as the name of a court, say nothing where they repeat once more.
_LEAST_VARIED = 0.8
# Pages on which a known value still stands and no rule finds it.
_SURELY_MISSED = 2

ALARM_WORDS: dict[AlarmKind, str] = {
    "filled": "values are missing",
    "typed": "texts do not read as its type",
    "varied": "all pages have the same value",
    "missed": "known values stand on pages where no rule finds them",
}


class RateChart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rate of a field, and how surely it has fallen."""

    # What the reference is made of, and the pages since the sum was last zero, which are not part of it.
    good: float = 0.0
    pages: float = 0.0
    recent_good: int = 0
    recent_pages: int = 0
    sum: float = 0.0
    # The first page since the sum was last zero.
    since: datetime | None = None

    @property
    def reference(self) -> float:
        """The rate as it was, taken to be rather lower: Wilson's bound."""
        if not self.pages:
            return 0.0
        rate, square = self.good / self.pages, _DOUBT**2 / self.pages
        middle = rate + square / 2
        spread = math.sqrt(square * (rate * (1 - rate) + square / 4))
        return min(_HIGHEST_RATE, (middle - spread) / (1 + square))

    @property
    def is_alarmed(self) -> bool:
        return self.sum >= _LIMIT

    @property
    def is_learned(self) -> bool:
        return self.pages >= LEARNED_PAGES


def charted(chart: RateChart, *, is_good: bool, at: datetime) -> RateChart:
    """The chart after one more page."""
    if not chart.is_learned:
        return msgspec.structs.replace(chart, good=chart.good + is_good, pages=chart.pages + 1)
    moved = min(_LIMIT, max(0.0, chart.sum + _evidence(chart.reference, is_good=is_good)))
    good, pages = chart.recent_good + is_good, chart.recent_pages + 1
    if moved:
        since = chart.since or at
        return msgspec.structs.replace(chart, sum=moved, recent_good=good, recent_pages=pages, since=since)
    # Only whole excursions become part of the reference: leaving out bad pages alone would raise it.
    kept = min(1.0, _REFERENCE_PAGES / (chart.pages + pages))
    return RateChart(good=(chart.good + good) * kept, pages=(chart.pages + pages) * kept)


def _evidence(reference: float, *, is_good: bool) -> float:
    """How much more likely a page is if the rate has fallen, as a logarithm."""
    fallen = max(_LOWEST_RATE, reference - max(_LEAST_FALL, reference / 3))
    if fallen >= reference:
        return 0.0
    return math.log(fallen / reference) if is_good else math.log((1 - fallen) / (1 - reference))


class FieldWatch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a field from page to page."""

    filled: RateChart = RateChart()
    typed: RateChart = RateChart()
    varied: RateChart = RateChart()
    last: tuple[str, ...] = ()
    # Pages in a row on which a known value stood and was not found, and the first of them.
    missed: int = 0
    missed_since: datetime | None = None

    @property
    def alarm(self) -> FieldAlarm | None:
        """The alarm that has been on for longest."""
        charts: dict[AlarmKind, RateChart] = {"filled": self.filled, "typed": self.typed}
        if self.varied.reference >= _LEAST_VARIED:
            charts["varied"] = self.varied
        found = [
            FieldAlarm(kind=kind, since=chart.since)
            for kind, chart in charts.items()
            if chart.is_alarmed and chart.since is not None
        ]
        if self.missed >= _SURELY_MISSED and self.missed_since is not None:
            found.append(FieldAlarm(kind="missed", since=self.missed_since))
        return min(found, key=lambda alarm: alarm.since, default=None)


class FieldAlarm(msgspec.Struct, frozen=True, kw_only=True):
    """A field that no longer works, and since which page."""

    kind: AlarmKind
    since: datetime


def watched(watch: FieldWatch, reading: FieldReading, at: datetime, *, is_new: bool = True) -> FieldWatch:
    """What is known of the field after one more page; one that was read before may repeat its value."""
    values = tuple(one.value for one in reading.values)
    filled = charted(watch.filled, is_good=bool(values), at=at)
    typed, varied = watch.typed, watch.varied
    if values or reading.mistyped:
        typed = charted(typed, is_good=bool(values), at=at)
    if values and watch.last and is_new:
        varied = charted(varied, is_good=values != watch.last, at=at)
    last = values or watch.last
    return msgspec.structs.replace(watch, filled=filled, typed=typed, varied=varied, last=last)


def missed(watch: FieldWatch, *, is_found: bool, at: datetime) -> FieldWatch:
    """What is known after a page on which a value of an older version still stands, found or not.

    `at` is when the page was captured: it has been read since, and its values may be wrong.
    """
    if is_found:
        return msgspec.structs.replace(watch, missed=0, missed_since=None)
    since = min(watch.missed_since or at, at)
    return msgspec.structs.replace(watch, missed=watch.missed + 1, missed_since=since)


def begun_again(watch: FieldWatch) -> FieldWatch:
    """The field with other rules: what is expected stays, what was held against the old ones does not."""
    return FieldWatch(
        filled=_at_rest(watch.filled), typed=_at_rest(watch.typed), varied=_at_rest(watch.varied)
    )


def _at_rest(chart: RateChart) -> RateChart:
    return RateChart(good=chart.good, pages=chart.pages)
