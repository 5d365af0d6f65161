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

# A window is never let fill beyond this share of it, counting so many deviations above what is expected.
_FULL = 0.9
_DEVIATIONS = 3.0
# Coarse steps find about where the price is reached, fine ones where exactly.
_COARSE, _FINE = 36, 48
_FIRST_STEP = 300.0


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


def decide(forecast: Forecast, window: Floats, aim: Aim) -> Decisions:
    """How long to wait with each channel.

    The cost of waiting is the sum of the expected entries' delays. A poll is due where it reaches the price;
    of the moments up to the second poll from now, the one that spares most waiting is taken.
    """
    price = aim.price / (1 + aim.fairness / forecast.slow)
    room = np.where(window > 0, window * _FULL, np.inf)
    horizon = _horizon(forecast, price, room, aim)
    edges = horizon[:, None] * np.linspace(0.0, 1.0, _FINE + 1)
    expected, cost = _running(forecast, edges)
    full = _first(edges, _likely_most(expected, forecast.burst), room)
    first = _first(edges, cost, price)
    second = _second(edges, expected, cost, first, price)
    best = _best_between(edges, expected, second)
    chosen = np.where(np.isfinite(first), best, np.inf)
    # What coarse steps just reached, fine ones may just miss.
    wait = np.minimum(np.minimum(chosen, full), horizon)
    reason = np.where(full <= chosen, Reason.WINDOW, Reason.PRICE)
    reason = np.where(wait < aim.longest, reason, Reason.LONGEST)
    wait = np.clip(wait, aim.shortest, aim.longest)
    return Decisions(wait=wait, reason=reason, expected=_at(edges, expected, wait))


def _running(forecast: Forecast, edges: Floats) -> tuple[Floats, Floats]:
    """Expected entries, and the days they will have waited, up to each edge."""
    days = np.diff(edges, axis=1) / DAY
    new = forecast.entries(edges)
    expected = np.zeros_like(edges)
    np.cumsum(new, axis=1, out=expected[:, 1:])
    cost = np.zeros_like(edges)
    np.cumsum((expected[:, :-1] + new / 2) * days, axis=1, out=cost[:, 1:])
    return expected, cost


def _horizon(forecast: Forecast, price: Floats, room: Floats, aim: Aim) -> Floats:
    """How far to look closely: to the second poll, or to where the window may be full."""
    steps = np.geomspace(_FIRST_STEP, aim.longest, _COARSE)
    edges = np.broadcast_to(np.concatenate(([0.0], steps)), (len(price), _COARSE + 1))
    expected, cost = _running(forecast, edges)
    first = _edge(edges, cost >= price[:, None])
    at_first = _at(edges, expected, first)[:, None], _at(edges, cost, first)[:, None]
    later = cost - at_first[1] - at_first[0] * (edges - first[:, None]) / DAY
    second = _edge(edges, (later >= price[:, None]) & (edges > first[:, None]))
    second = np.minimum(second, 3 * first + 3600.0)
    full = _edge(edges, _likely_most(expected, forecast.burst) > room[:, None])
    return np.minimum(np.where(full <= first, full, second), aim.longest)


def _likely_most(expected: Floats, burst: Floats) -> Floats:
    """More entries than this are unlikely."""
    return expected + _DEVIATIONS * np.sqrt(expected + burst[:, None] * expected**2)


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


def _second(edges: Floats, expected: Floats, cost: Floats, first: Floats, price: Floats) -> Floats:
    """When the price is reached once more after a first poll; the end of the view where it is not."""
    start = np.where(np.isfinite(first), first, edges[:, -1])
    later = cost - _at(edges, cost, start)[:, None]
    later -= _at(edges, expected, start)[:, None] * (edges - start[:, None]) / DAY
    later[edges <= start[:, None]] = 0.0
    return np.minimum(_first(edges, later, price), edges[:, -1])


def _best_between(edges: Floats, expected: Floats, second: Floats) -> Floats:
    """Of the moments before a second poll, the one whose poll spares most waiting."""
    spared = expected * (second[:, None] - edges)
    return edges[np.arange(len(edges)), spared.argmax(axis=1)]
