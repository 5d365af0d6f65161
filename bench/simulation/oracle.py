"""The limit: what a poller could do that knew the future."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from archiver.inspection.simulation.lockstep import LockstepResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import Floats, Places, ReplaySpan

# Prices of a poll in minutes of waiting: next to nothing, and more than any budget needs.
_LEAST, _MOST = 1e-6, 1e6
_COARSE, _FINE, _ROUNDS = 24, 6, 2


def oracle(
    histories: Histories,
    span: ReplaySpan,
    budgets: Sequence[float],
    done: Callable[[], None] = lambda: None,
) -> list[LockstepResult]:
    """Polls at the very moments of entries, placed by dynamic programming so that none is lost."""
    feeds = [_published(histories, span, feed) for feed in range(len(histories))]
    windows = [int(size) for size in histories.window]
    prices = np.concatenate(([_LEAST], np.geomspace(1e-2, _MOST, _COARSE)))
    tried = dict(zip(prices, _polls(feeds, windows, prices), strict=True))
    done()
    for _ in range(_ROUNDS):
        prices = np.concatenate([_between(tried, budget * len(feeds) * span.days) for budget in budgets])
        tried |= dict(zip(prices, _polls(feeds, windows, prices), strict=True))
        done()
    chosen = np.array([_cheapest(tried, budget * len(feeds) * span.days) for budget in budgets])
    return _outcomes(feeds, windows, chosen, span)


def _published(histories: Histories, span: ReplaySpan, feed: int) -> Floats:
    times = histories.of(feed)
    return times[(times > span.start) & (times < span.end)]


def _cheapest(tried: dict[float, float], polls: float) -> float:
    """The least price that keeps to the budget."""
    return min((price for price, count in tried.items() if count <= polls), default=_MOST)


def _between(tried: dict[float, float], polls: float) -> Floats:
    high = _cheapest(tried, polls)
    low = max((price for price in tried if price < high), default=high)
    return np.geomspace(low, high, _FINE + 2)[1:-1]


def _polls(feeds: Sequence[Floats], windows: Sequence[int], prices: Floats) -> Floats:
    total = np.zeros(len(prices))
    for times, window in zip(feeds, windows, strict=True):
        total += _planned(times, window, prices)[1]
    return total


def _planned(times: Floats, window: int, prices: Floats) -> tuple[Places, Floats]:
    """For each price the cheapest plan: from which entry on each poll at an entry finds; and its polls."""
    count, runs = len(times), np.arange(len(prices))
    minutes = (times - times[0]) / 60 if count else times
    total = np.concatenate(([0.0], np.cumsum(minutes)))
    cost, polls = np.zeros((count + 1, len(prices))), np.zeros((count + 1, len(prices)))
    came_from = np.zeros((count + 1, len(prices)), np.intp)
    sizes = np.arange(window, 0, -1)
    for end in range(1, count + 1):
        begin = max(end - window, 0)
        waited = sizes[window - end + begin :] * minutes[end - 1] - (total[end] - total[begin:end])
        options = cost[begin:end] + waited[:, None]
        best = options.argmin(axis=0)
        cost[end] = options[best, runs] + prices
        came_from[end] = best + begin
        polls[end] = polls[came_from[end], runs] + 1
    return came_from, polls[count]


def _outcomes(
    feeds: Sequence[Floats], windows: Sequence[int], prices: Floats, span: ReplaySpan
) -> list[LockstepResult]:
    late: list[list[Floats]] = [[] for _ in prices]
    polls = np.zeros(len(prices))
    for times, window in zip(feeds, windows, strict=True):
        came_from, count = _planned(times, window, prices)
        polls += count
        for run, found in enumerate(late):
            found.append(_delays(times, came_from[:, run]))
    return [_outcome(found, float(count), span) for found, count in zip(late, polls, strict=True)]


def _delays(times: Floats, came_from: Places) -> Floats:
    late, end = np.zeros(len(times)), len(times)
    while end > 0:
        begin = int(came_from[end])
        late[begin:end] = (times[end - 1] - times[begin:end]) / 60
        end = begin
    return late


def _outcome(delays: Sequence[Floats], polls: float, span: ReplaySpan) -> LockstepResult:
    late = np.concatenate(delays)
    some = late if len(late) else np.zeros(1)
    return LockstepResult(
        polls_per_day=polls / (len(delays) * span.days),
        missed_percent=0.0,
        lossy_feeds_percent=0.0,
        entry_mean=float(some.mean()),
        entry_median=float(np.median(some)),
        entry_p95=float(np.percentile(some, 95)),
        feed_mean=float(np.mean([one.mean() for one in delays if len(one)] or [0.0])),
        polls_per_entry=polls / max(len(late), 1),
    )
