"""When waiting longer costs more than a poll: the decision, for many channels at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.crowds import until_crowd
from archiver.acquisition.channels.polling.forecast import running
from archiver.acquisition.channels.polling.rhythm import DAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from archiver.acquisition.channels.polling.forecast import Forecast
    from archiver.acquisition.channels.polling.rhythm import Floats, Places

# What is expected never fills more than this share of a window.
_FULL = 0.9
# A lost entry costs as much as one that waits so many days.
_LOST_DAYS = 3.0
# How fast chances fade beyond what is expected, in deviations: slower than by a normal distribution, for
# channels surprise.
_FADING = 1.2
# Coarse steps find about where the price is reached, fine ones where exactly.
_COARSE = 30
_FIRST_STEP = 300.0
_FINE_STEPS = np.linspace(0.0, 1.0, 81)
_TOGETHER = 1000


class Reason(IntEnum):
    """What decided."""

    PRICE = 0  # the waiting of what is expected costs as much as a poll
    WINDOW = 1  # more may come than the feed shows at once
    LONGEST = 2  # nothing is expected; it is looked at all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What polls are spent for."""

    # What a poll costs, in days of waiting of one entry. One number for all channels, or one for each.
    price: float | Floats
    # The weight of a channel as such, in entries a day; with 0 entries alone count.
    fairness: float | Floats = 2.2
    shortest: float = 300.0  # seconds
    longest: float = 7 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """For each channel: how long to wait, why, and how many entries are then expected."""

    wait: Floats
    reason: NDArray[np.int64]
    expected: Floats
    # Seconds until more may have come than the feed shows at once; infinite where that is beyond the longest.
    full: Floats


def decide(forecast: Forecast, window: Floats, aim: Aim) -> Decisions:
    """How long to wait with each channel.

    The cost of waiting is the sum of the expected entries' delays. A poll is due where it reaches the price;
    of the moments up to the second poll from now, the one that spares most waiting is taken.
    """
    whole_price = np.broadcast_to(np.asarray(aim.price, np.float64), forecast.slow.shape)
    price = whole_price / (1 + aim.fairness / forecast.slow)
    # What is lost is lost, of a small channel or of a large one.
    crowd = until_crowd(forecast.crowds, forecast.now, whole_price, window, _LOST_DAYS)
    window = np.where(window > 0, window, np.inf)
    # What is worked on together fits the processor's cache.
    blocks = [slice(begin, begin + _TOGETHER) for begin in range(0, max(len(price), 1), _TOGETHER)]
    decided = [_decide(forecast.part(rows), price[rows], window[rows], crowd[rows], aim) for rows in blocks]
    wait, reason, expected, full = (np.concatenate(parts) for parts in zip(*decided, strict=True))
    return Decisions(wait=wait, reason=reason, expected=expected, full=full)


def floored(found: Decisions, floor: float | Floats, urgent: float | Floats) -> Floats:
    """The waits, none below a floor, which gives way as far as it must where a feed would overrun before."""
    return np.maximum(found.wait, np.minimum(floor, np.maximum(found.full, urgent)))


def _decide(
    forecast: Forecast, price: Floats, window: Floats, crowd: Floats, aim: Aim
) -> tuple[Floats, NDArray[np.int64], Floats, Floats]:
    horizon, about_full = _horizon(forecast, price, window, aim)
    view = _View(forecast, horizon[:, None] * _FINE_STEPS, window)
    first = view.first(view.cost + view.risk, price)
    full = np.minimum(view.full(price, window), crowd)
    best = np.where(np.isfinite(first), view.best_before(_second(view, first, price)), np.inf)
    # What coarse steps just reached, fine ones may just miss.
    wait = np.minimum(np.minimum(best, full), horizon)
    reason = np.where(full <= best, Reason.WINDOW, Reason.PRICE)
    reason = np.where(wait < aim.longest, reason, Reason.LONGEST)
    wait = np.clip(wait, aim.shortest, aim.longest)
    # Beyond the horizon nothing is decided, but what publishers wish may reach there.
    return wait, reason, view.at(wait)(view.expected), np.where(np.isfinite(full), full, about_full)


class _View:
    """What is to come up to each edge: entries, the days they will have waited, what losing some costs."""

    def __init__(self, forecast: Forecast, edges: Floats, window: Floats) -> None:
        new = forecast.entries(edges)
        self.expected = running(new)
        new /= 2
        new += self.expected[:, :-1]
        new *= (edges[:, 1:] - edges[:, :-1]) / DAY
        self.cost = running(new)
        self.risk = _lost(self.expected, window, forecast.burst)
        self.risk *= _LOST_DAYS
        # The same edges may serve all channels.
        self.edges = np.broadcast_to(edges, self.cost.shape)
        self._lanes = np.arange(len(self.cost))

    def edge(self, reached: NDArray[np.bool_]) -> Floats:
        """The first edge at which something is reached; the last one where it never is."""
        at = np.where(reached.any(axis=1), reached.argmax(axis=1), reached.shape[1] - 1)
        return self._of(self.edges, at)

    def first(self, rising: Floats, level: Floats) -> Floats:
        """When something that rises reaches a level; infinite where it does not."""
        reached = rising >= level[:, None]
        at = reached.argmax(axis=1).clip(min=1)
        low, high = self._of(rising, at - 1), self._of(rising, at)
        part = np.clip((level - low) / np.maximum(high - low, 1e-30), 0.0, 1.0)
        begin = self._of(self.edges, at - 1)
        return np.where(reached.any(axis=1), begin + part * (self._of(self.edges, at) - begin), np.inf)

    def full(self, price: Floats, window: Floats) -> Floats:
        """When more may have come than the feed shows."""
        return np.minimum(self.first(self.risk, price), self.first(self.expected, _FULL * window))

    def at(self, waits: Floats) -> Callable[[Floats], Floats]:
        """What gives the values of something at these waits."""
        inside = np.minimum(waits, self.edges[:, -1])
        at = np.count_nonzero(self.edges < inside[:, None], axis=1).clip(min=1)
        low, high = self._of(self.edges, at - 1), self._of(self.edges, at)
        part = (inside - low) / np.maximum(high - low, 1e-9)

        def value(rising: Floats) -> Floats:
            before = self._of(rising, at - 1)
            return before + part * (self._of(rising, at) - before)

        return value

    def cost_since(self, poll: Floats) -> Floats:
        """The cost of waiting for those who are polled once before."""
        value = self.at(poll)
        # What was known by then waits no more, and nor does what it had waited.
        since = self.edges - poll[:, None]
        later = self.cost - value(self.cost)[:, None]
        later -= (value(self.expected) / DAY)[:, None] * since
        later *= since > 0
        return later

    def best_before(self, second: Floats) -> Floats:
        """Of the moments before a second poll, the one whose poll spares most waiting."""
        spared = second[:, None] - self.edges
        spared *= self.expected
        return self._of(self.edges, spared.argmax(axis=1))

    def _of(self, values: Floats, at: Places) -> Floats:
        one_each: Floats = values[self._lanes, at]
        return one_each


def _lost(expected: Floats, window: Floats, burst: Floats) -> Floats:
    """How many entries are likely to be lost, where so many are expected."""
    strays = burst[:, None] * expected
    strays += 1
    strays *= expected
    np.sqrt(strays, out=strays)
    strays /= _FADING
    strays += 1e-9
    over = expected - window[:, None]
    over /= strays
    np.minimum(over, 50.0, out=over)
    np.exp(over, out=over)
    np.log1p(over, out=over)
    over *= strays
    return over


def _horizon(forecast: Forecast, price: Floats, window: Floats, aim: Aim) -> tuple[Floats, Floats]:
    """How far to look closely: to the second poll, or to where the window may be full; and when that is."""
    steps = np.geomspace(min(_FIRST_STEP, aim.longest / 2), aim.longest, _COARSE)
    view = _View(forecast, np.concatenate(([0.0], steps))[None, :], window)
    level = price[:, None]
    first = view.edge(view.cost + view.risk >= level)
    second = np.minimum(view.edge(view.cost_since(first) >= level), 3 * first + 3600.0)
    full = view.edge((view.risk >= level) | (view.expected >= _FULL * window[:, None]))
    horizon = np.minimum(np.where(full <= first, full, second), aim.longest)
    return horizon, np.maximum(view.full(price, window), horizon)


def _second(view: _View, first: Floats, price: Floats) -> Floats:
    """When the price is reached once more after a first poll; the end of the view where it is not."""
    end = view.edges[:, -1]
    start = np.where(np.isfinite(first), first, end)
    return np.minimum(view.first(view.cost_since(start), price), end)
