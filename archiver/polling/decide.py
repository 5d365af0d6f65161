"""When waiting longer costs more than a poll: the decision, for many channels at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from archiver.polling.rhythm import DAY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from archiver.polling.forecast import Forecast
    from archiver.polling.rhythm import Floats

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
_FINE_STEPS = np.linspace(0.0, 1.0, 41)


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
    fairness: float | Floats = 6.0
    shortest: float = 300.0  # seconds
    longest: float = 7 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """For each channel: how long to wait, why, and how many entries are then expected."""

    wait: Floats
    reason: NDArray[np.int64]
    expected: Floats
    # Seconds until the window may be full; infinite where that is not in view.
    full: Floats


def decide(forecast: Forecast, window: Floats, aim: Aim) -> Decisions:
    """How long to wait with each channel.

    The cost of waiting is the sum of the expected entries' delays. A poll is due where it reaches the price;
    of the moments up to the second poll from now, the one that spares most waiting is taken.
    """
    price = aim.price / (1 + aim.fairness / forecast.slow)
    window = np.where(window > 0, window, np.inf)
    horizon = _horizon(forecast, price, window, aim)
    edges = horizon[:, None] * _FINE_STEPS
    view = _View(forecast, edges, window)
    first = _first(edges, view.cost + view.risk, price)
    full = np.minimum(_first(edges, view.risk, price), _first(edges, view.expected, _FULL * window))
    second = _second(view, first, price)
    best = np.where(np.isfinite(first), _best_between(edges, view.expected, second), np.inf)
    # What coarse steps just reached, fine ones may just miss.
    wait = np.minimum(np.minimum(best, full), horizon)
    reason = np.where(full <= best, Reason.WINDOW, Reason.PRICE)
    reason = np.where(wait < aim.longest, reason, Reason.LONGEST)
    wait = np.clip(wait, aim.shortest, aim.longest)
    return Decisions(wait=wait, reason=reason, expected=_at(edges, view.expected, wait), full=full)


class _View:
    """What is to come up to each edge: entries, the days they will have waited, what losing some costs."""

    def __init__(self, forecast: Forecast, edges: Floats, window: Floats) -> None:
        self.edges = edges
        days = np.diff(edges, axis=1) / DAY
        new = forecast.entries(edges)
        self.expected = _running(new)
        self.cost = _running((self.expected[:, :-1] + new / 2) * days)
        self.risk = _LOST_DAYS * _lost(self.expected, window, forecast.burst)


def _running(parts: Floats) -> Floats:
    total = np.zeros((parts.shape[0], parts.shape[1] + 1))
    np.cumsum(parts, axis=1, out=total[:, 1:])
    return total


def _lost(expected: Floats, window: Floats, burst: Floats) -> Floats:
    """How many entries are likely to be lost, where so many are expected."""
    strays = np.sqrt(expected + burst[:, None] * expected**2) / _FADING + 1e-9
    return strays * np.log1p(np.exp(np.minimum((expected - window[:, None]) / strays, 50.0)))


def _horizon(forecast: Forecast, price: Floats, window: Floats, aim: Aim) -> Floats:
    """How far to look closely: to the second poll, or to where the window may be full."""
    steps = np.geomspace(_FIRST_STEP, aim.longest, _COARSE)
    edges = np.broadcast_to(np.concatenate(([0.0], steps)), (len(price), _COARSE + 1))
    view = _View(forecast, edges, window)
    first = _edge(edges, view.cost + view.risk >= price[:, None])
    second = _edge(edges, _anew(view, first) >= price[:, None])
    second = np.minimum(second, 3 * first + 3600.0)
    full = _edge(edges, (view.risk >= price[:, None]) | (view.expected >= _FULL * window[:, None]))
    return np.minimum(np.where(full <= first, full, second), aim.longest)


def _anew(view: _View, since: Floats) -> Floats:
    """The cost of waiting for those who were polled at `since`."""
    known = _at(view.edges, view.expected, since)[:, None]
    later = view.cost - _at(view.edges, view.cost, since)[:, None]
    later -= known * (view.edges - since[:, None]) / DAY
    return np.where(view.edges > since[:, None], later, 0.0)


def _edge(edges: Floats, reached: NDArray[np.bool_]) -> Floats:
    """The first edge at which something is reached; the last one where it never is."""
    at = np.where(reached.any(axis=1), reached.argmax(axis=1), edges.shape[1] - 1)
    return edges[np.arange(len(edges)), at]


def _first(edges: Floats, rising: Floats, level: Floats) -> Floats:
    """When something that rises reaches a level; infinite where it does not."""
    reached = rising >= level[:, None]
    at = reached.argmax(axis=1).clip(min=1)
    lanes = np.arange(len(edges))
    low, high = rising[lanes, at - 1], rising[lanes, at]
    part = (level - low) / np.maximum(high - low, 1e-300)
    found = edges[lanes, at - 1] + np.clip(part, 0.0, 1.0) * (edges[lanes, at] - edges[lanes, at - 1])
    return np.where(reached.any(axis=1), found, np.inf)


def _at(edges: Floats, rising: Floats, waits: Floats) -> Floats:
    """The value at these waits."""
    inside = np.minimum(waits, edges[:, -1])[:, None]
    at = (edges < inside).sum(axis=1).clip(min=1)
    lanes = np.arange(len(edges))
    low, high = edges[lanes, at - 1], edges[lanes, at]
    part = (inside[:, 0] - low) / np.maximum(high - low, 1e-9)
    return rising[lanes, at - 1] + part * (rising[lanes, at] - rising[lanes, at - 1])


def _second(view: _View, first: Floats, price: Floats) -> Floats:
    """When the price is reached once more after a first poll; the end of the view where it is not."""
    end = view.edges[:, -1]
    start = np.where(np.isfinite(first), first, end)
    return np.minimum(_first(view.edges, _anew(view, start), price), end)


def _best_between(edges: Floats, expected: Floats, second: Floats) -> Floats:
    """Of the moments before a second poll, the one whose poll spares most waiting."""
    spared = expected * (second[:, None] - edges)
    return edges[np.arange(len(edges)), spared.argmax(axis=1)]
