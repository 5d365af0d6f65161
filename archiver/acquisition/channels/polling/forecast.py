"""What is to be expected of channels: how many entries by when, from their rhythms."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.ages import aged, by_age
from archiver.acquisition.channels.polling.clock_changes import moved
from archiver.acquisition.channels.polling.crowds import crowd_rates
from archiver.acquisition.channels.polling.rhythm import (
    DAY,
    MINUTES,
    QUARTERS,
    WEEKDAYS,
    burstiness,
    field,
    rates,
)

if TYPE_CHECKING:
    from archiver.acquisition.channels.polling.rhythm import Floats, Places, Rhythms

# A silence with a chance of less than one in a hundred is told, and again when it is ten times less likely.
_ALARM_STEPS = (1e-2, 1e-3, 1e-4)

_CELLS = 1440  # minutes of a day
_MONDAY = 4 * DAY  # 1970-01-05
# What shapes are drawn towards, as if so many entries had come like that: hours to an even day, quarters to
# their hour, weekdays to an even week, five minutes to an even hour, minutes to their five.
_EVEN_DAY, _LIKE_HOUR, _EVEN_WEEK, _EVEN_HOUR, _LIKE_FIVE = 2.0, 20.0, 15.0, 12.0, 10.0
# Publishing systems are told full hours, and half ones: as if so many entries had come then.
_FULL_HOUR, _HALF_HOUR = 2.0, 0.4
_NEIGHBOURS = 0.33
# This share of the entries keeps to no rhythm: a channel may always surprise.
_ANY_TIME = 0.07
# Days after which a pace that differs from the longer view's is back to it, to the e-th part.
_DAYS_LAST, _HOURS_LAST = 3.0, 0.125


class Forecast:
    """The expected entries of channels after `now`; asked for many moments of each at once."""

    def __init__(self, rhythms: Rhythms, now: Floats) -> None:
        self.now = now
        self.slow, middle, fast = rates(rhythms)
        self._middle, self._fast = middle - self.slow, fast - middle
        self.burst = burstiness(rhythms)
        self.crowds = crowd_rates(rhythms, self.slow)
        self._since, self._by_age = field(rhythms, "since"), by_age(rhythms, self.slow)
        # Running totals over the week and over the day, each with its end: looked up, never summed again.
        days = _weekdays(rhythms)
        self._until_day = running(days)
        # Of the same width, so that one place serves both.
        self._weekday = np.append(days, days[:, :1], axis=1)
        self._until_cell = running(_cells(rhythms))

    def part(self, rows: slice) -> Forecast:
        """The forecast of some of the channels."""
        part = copy(self)
        for name, values in vars(self).items():
            setattr(part, name, values[rows])
        return part

    def usual_days(self, moments: Floats) -> Floats:
        """Days of usual publishing from a fixed Monday to these moments, one row for each channel."""
        since = moments - _MONDAY
        day = np.floor(since / DAY)
        week = np.floor(day / WEEKDAYS)
        shaped = self._through_day(since, day)
        day -= week * WEEKDAYS
        at = day.astype(np.intp)
        at += _lanes(at) * (WEEKDAYS + 1)
        shaped *= _looked_up(self._weekday, at)
        week *= WEEKDAYS
        week += _looked_up(self._until_day, at)
        shaped += week
        shaped *= 1 - _ANY_TIME
        since *= _ANY_TIME / DAY
        shaped += since
        return shaped

    def _through_day(self, since: Floats, day: Floats) -> Floats:
        """Which share of its day's entries has come by each moment."""
        cell = since - day * DAY
        # A moment just before midnight is rounded up to the next day; it is at its very beginning then.
        np.maximum(cell, 0.0, out=cell)
        cell *= _CELLS / DAY
        whole = np.floor(cell)
        cell -= whole
        at = whole.astype(np.intp)
        at += _lanes(at) * (_CELLS + 1)
        before = _looked_up(self._until_cell, at)
        at += 1
        through = _looked_up(self._until_cell, at)
        through -= before
        through *= cell
        through += before
        return through

    def pace(self, waits: Floats) -> Floats:
        """Entries a usual day, so many seconds from now: bursts and lulls pass."""
        found = self._middle[:, None] * np.exp(waits / (-DAY * _DAYS_LAST))
        found += self._fast[:, None] * np.exp(waits / (-DAY * _HOURS_LAST))
        found += self.slow[:, None]
        return found

    def passed(self, until: Floats) -> tuple[Floats, Floats]:
        """How many days of usual publishing lie between now and a later moment, and how many entries.

        Without regard to how long the last entry is ago: a silence must not explain itself.
        """
        ends = np.stack((self.now, np.maximum(until, self.now)), axis=1)
        usual = np.diff(self.usual_days(ends), axis=1)
        entries = usual * self.pace(np.diff(ends, axis=1) / 2)
        return usual[:, 0], entries[:, 0]

    def entries(self, edges: Floats) -> Floats:
        """The expected entries in each cell between these waits, in seconds from now."""
        until = self.usual_days(self.now[:, None] + edges)
        new = until[:, 1:] - until[:, :-1]
        np.maximum(new, 0.0, out=new)
        new *= self.pace((edges[:, 1:] + edges[:, :-1]) / 2)
        until -= until[:, :1].copy()
        aged(new, until, self._since, self.slow, self._by_age)
        return new


def running(parts: Floats) -> Floats:
    """The sums up to each part, from nothing to all of them."""
    total = np.empty((parts.shape[0], parts.shape[1] + 1))
    total[:, 0] = 0.0
    np.cumsum(parts, axis=1, out=total[:, 1:])
    return total


def _lanes(at: Places) -> Places:
    return np.arange(len(at))[:, None]


def _looked_up(table: Floats, at: Places) -> Floats:
    # Places are never outside; to be told so takes longer than the rest.
    return table.take(at, mode="clip")


def _weekdays(rhythms: Rhythms) -> Floats:
    """The shape of a week, with a mean of one."""
    counts = field(rhythms, "weekdays")
    even = _EVEN_WEEK + _unwatched(rhythms, WEEKDAYS)
    return (counts * WEEKDAYS + even) / (_total(counts) + even)


def _unwatched(rhythms: Rhythms, days: float) -> Floats:
    """Entries that would have come on the days without a poll, one row for each channel."""
    slow, _, _ = rates(rhythms)
    missing = np.clip(days - field(rhythms, "slow")[:, 1], 0.0, days)
    return (slow * missing)[:, None]


def _cells(rhythms: Rhythms) -> Floats:
    """The shape of a day in minutes: their shares of its entries."""
    quarters = moved(field(rhythms, "quarters"), rhythms)
    count, total = len(quarters), _total(quarters)
    hours = quarters[:, 0::4] + quarters[:, 1::4] + quarters[:, 2::4] + quarters[:, 3::4]
    around = np.concatenate((hours[:, -1:], hours, hours[:, :1]), axis=1)
    smooth = (1 - 2 * _NEIGHBOURS) * hours + _NEIGHBOURS * (around[:, :-2] + around[:, 2:])
    even = _EVEN_DAY + _unwatched(rhythms, 1.0)
    hourly = (smooth * 24 + even) / (total + even)
    # Only shares count, so nothing is divided by what is common to all.
    quarters *= QUARTERS / _LIKE_HOUR
    quarters += np.repeat(hourly, 4, axis=1)
    quarters /= _total(quarters)
    # Hour by hour: the shape of an hour holds for each.
    cells = np.repeat(quarters, 15, axis=1).reshape(count, 24, MINUTES)
    cells *= _minutes(rhythms)[:, None, :]
    return cells.reshape(count, _CELLS)


def _minutes(rhythms: Rhythms) -> Floats:
    """The shape of an hour: of each minute, the share in the entries of its quarter."""
    minutes = field(rhythms, "minutes")
    count = len(minutes)
    fives = minutes.reshape(count, 12, 5).sum(axis=2) + _EVEN_HOUR / 12
    fives /= _total(fives)
    minutes += np.repeat(fives * (_LIKE_FIVE / 5), 5, axis=1)
    minutes[:, 0] += _FULL_HOUR
    minutes[:, 30] += _HALF_HOUR
    quarters = minutes.reshape(count, 4, 15)
    quarters /= quarters.sum(axis=2, keepdims=True)
    return minutes


def _total(counts: Floats) -> Floats:
    total: Floats = counts.sum(axis=1, keepdims=True)
    return total


def chance_of_silence(expected: float, burst: float) -> float:
    """How likely it is that nothing came where so many entries were expected.

    Entries come in bursts: by how much more than chance their numbers vary, silences are more likely.
    """
    spread = max(burst, 1e-6)
    return float((1 + spread * max(expected, 0.0)) ** (-1 / spread))


def is_alarming(before: float, after: float) -> bool:
    """Whether a silence, by its chance, has just passed a step at which it is told."""
    return any(after < step <= before for step in _ALARM_STEPS)


def is_overdue(chance: float) -> bool:
    return chance < _ALARM_STEPS[0]


def chance_in_words(chance: float) -> str:
    """`1 in 250`."""
    return f"1 in {1 / max(chance, 1e-6):,.0f}"
