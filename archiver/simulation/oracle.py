"""The limit: what a poller could do that knew the future."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from archiver.simulation.lockstep import Outcome

if TYPE_CHECKING:
    from archiver.simulation.histories import Histories
    from archiver.simulation.lockstep import Floats, Span

_NEAR = 0.005
_MOST_ROUNDS = 20


def oracle(histories: Histories, span: Span, budget: float) -> Outcome:
    """Polls at the very moments of entries, placed by dynamic programming so that none is lost."""
    feeds = [_published(histories, span, feed) for feed in range(len(histories))]
    low, high = 0.0, 7 * 24 * 60.0  # the price of a poll, in minutes of waiting
    delays = [_delays(times, int(histories.window[feed]), low) for feed, times in enumerate(feeds)]
    for _ in range(_MOST_ROUNDS):
        polls = sum(count for _, count in delays) / (len(feeds) * span.days)
        if polls <= budget and (low == 0.0 or polls >= budget * (1 - _NEAR)):
            break
        middle = (low + high) / 2 if low or high else 0.0
        low, high = (middle, high) if polls > budget else (low, middle)
        price = (low + high) / 2
        delays = [_delays(times, int(histories.window[feed]), price) for feed, times in enumerate(feeds)]
    return _outcome([late for late, _ in delays], sum(count for _, count in delays), span, len(feeds))


def _published(histories: Histories, span: Span, feed: int) -> Floats:
    times = histories.published[histories.first[feed] : histories.first[feed + 1]]
    return times[(times > span.start) & (times < span.end)]


def _delays(times: Floats, window: int, price: float) -> tuple[Floats, int]:
    """The least of waiting and polls together: each entry's delay in minutes, and the number of polls."""
    count = len(times)
    minutes = (times - times[0]) / 60 if count else times
    total = np.concatenate(([0.0], np.cumsum(minutes)))
    cost = np.zeros(count + 1)
    came_from = np.zeros(count + 1, np.intp)
    for end in range(1, count + 1):
        begin = max(end - window, 0)
        size = np.arange(end - begin, 0, -1)
        waited = size * minutes[end - 1] - (total[end] - total[begin:end])
        options = cost[begin:end] + waited
        best = int(options.argmin())
        cost[end], came_from[end] = options[best] + price, begin + best
    return _traced(minutes, came_from)


def _traced(minutes: Floats, came_from: np.ndarray) -> tuple[Floats, int]:
    late, polls, end = np.zeros(len(minutes)), 0, len(minutes)
    while end > 0:
        begin = came_from[end]
        late[begin:end] = minutes[end - 1] - minutes[begin:end]
        end, polls = begin, polls + 1
    return late, polls


def _outcome(delays: list[Floats], polls: int, span: Span, feeds: int) -> Outcome:
    late = np.concatenate(delays) if delays else np.zeros(0)
    some = late if len(late) else np.zeros(1)
    return Outcome(
        polls_per_day=polls / (feeds * span.days),
        missed_percent=0.0,
        lossy_feeds_percent=0.0,
        entry_mean=float(some.mean()),
        entry_median=float(np.median(some)),
        entry_p95=float(np.percentile(some, 95)),
        feed_mean=float(np.mean([one.mean() for one in delays if len(one)] or [0.0])),
        polls_per_entry=polls / max(len(late), 1),
    )
