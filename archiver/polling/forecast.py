"""What is to be expected of channels: how many entries by when, from their rhythms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from archiver.polling.rhythm import DAY, FIVES, QUARTERS, WEEKDAYS, burstiness, rates

if TYPE_CHECKING:
    from archiver.polling.rhythm import Floats, Rhythms

_CELLS = 288  # of five minutes in a day
_WEEK = WEEKDAYS * DAY
_MONDAY = 4 * DAY  # 1970-01-05
# What shapes are drawn towards, as if so many entries had come like that: hours to an even day, quarters to
# their hour, weekdays to an even week, five minutes to an even hour.
_EVEN_DAY, _LIKE_HOUR, _EVEN_WEEK, _EVEN_HOUR = 2.0, 20.0, 40.0, 12.0
_NEIGHBOURS = 0.33
# This share of the entries keeps to no rhythm: a channel may always surprise.
_ANY_TIME = 0.1
# Days after which a pace that differs from the longer view's is back to it, to the e-th part.
_DAYS_LAST, _HOURS_LAST = 3.0, 0.125


class Forecast:
    """The expected entries of channels after `now`; asked for many moments of each at once."""

    def __init__(self, rhythms: Rhythms, now: Floats) -> None:
        self.now = now
        self.slow, middle, fast = rates(rhythms)
        self._middle, self._fast = middle - self.slow, fast - middle
        self.burst = burstiness(rhythms)
        days = _weekdays(rhythms)
        # Running totals over the week and over the day, each with its end: looked up, never summed again.
        self._weekday = days
        self._until_day = _running(days)
        self._until_cell = _running(_cells(rhythms) / _CELLS)
        self._lane = np.arange(len(rhythms))[:, None]

    def usual_days(self, moments: Floats) -> Floats:
        """Days of usual publishing from a fixed Monday to these moments, one row for each channel."""
        since = moments - _MONDAY
        weeks, within = np.divmod(since, _WEEK)
        day = (within // DAY).astype(np.intp)
        cell, part = np.divmod((within - day * DAY) * (_CELLS / DAY), 1.0)
        at = self._lane * (_CELLS + 1) + cell.astype(np.intp)
        before = self._until_cell.take(at)
        through = before + (self._until_cell.take(at + 1) - before) * part
        in_week = self._until_day.take(self._lane * (WEEKDAYS + 1) + day)
        shaped = weeks * WEEKDAYS + in_week + self._weekday.take(self._lane * WEEKDAYS + day) * through
        return (1 - _ANY_TIME) * shaped + _ANY_TIME * since / DAY

    def pace(self, waits: Floats) -> Floats:
        """Entries a usual day, so many seconds from now: bursts and lulls pass."""
        days = waits / DAY
        passing = self._middle[:, None] * np.exp(-days / _DAYS_LAST)
        return self.slow[:, None] + passing + self._fast[:, None] * np.exp(-days / _HOURS_LAST)

    def passed(self, until: Floats) -> tuple[Floats, Floats]:
        """How many days of usual publishing lie between now and a later moment, and how many entries."""
        ends = np.stack((self.now, np.maximum(until, self.now)), axis=1)
        usual = np.diff(self.usual_days(ends), axis=1)
        entries = usual * self.pace(np.diff(ends, axis=1) / 2)
        return usual[:, 0], entries[:, 0]

    def entries(self, edges: Floats) -> Floats:
        """The expected entries in each cell between these waits, in seconds from now."""
        usual = np.diff(self.usual_days(self.now[:, None] + edges), axis=1)
        return np.maximum(usual, 0.0) * self.pace((edges[:, 1:] + edges[:, :-1]) / 2)


def _running(parts: Floats) -> Floats:
    total = np.zeros((parts.shape[0], parts.shape[1] + 1))
    np.cumsum(parts, axis=1, out=total[:, 1:])
    return total


def _weekdays(rhythms: Rhythms) -> Floats:
    counts = rhythms["weekdays"].astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    return (counts * WEEKDAYS + _EVEN_WEEK) / (total + _EVEN_WEEK)


def _cells(rhythms: Rhythms) -> Floats:
    """The shape of a day in cells of five minutes, with a mean of one."""
    quarters = rhythms["quarters"].astype(np.float64)
    total = quarters.sum(axis=1, keepdims=True)
    hours = quarters.reshape(len(rhythms), 24, 4).sum(axis=2)
    smooth = (1 - 2 * _NEIGHBOURS) * hours + _NEIGHBOURS * (np.roll(hours, 1, 1) + np.roll(hours, -1, 1))
    hourly = (smooth * 24 + _EVEN_DAY) / (total + _EVEN_DAY)
    shaped = (quarters * QUARTERS + _LIKE_HOUR * np.repeat(hourly, 4, axis=1)) / (total + _LIKE_HOUR)
    shaped /= shaped.mean(axis=1, keepdims=True)
    within = np.tile(_fives(rhythms), (1, 24)).reshape(len(rhythms), QUARTERS, 3)
    return (shaped[:, :, None] * within).reshape(len(rhythms), _CELLS)


def _fives(rhythms: Rhythms) -> Floats:
    """The shape of an hour; each of its quarters has a mean of one."""
    counts = rhythms["fives"].astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    shaped = ((counts * FIVES + _EVEN_HOUR) / (total + _EVEN_HOUR)).reshape(len(rhythms), 4, 3)
    return (shaped / shaped.mean(axis=2, keepdims=True)).reshape(len(rhythms), FIVES)
