"""The limit, against all plans there are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from bench.simulation.oracle import _delays, _planned, oracle
from tests.simulation.feeds import START, feeds, span


def _least(times: np.ndarray, window: int, price: float) -> float:
    """Of all choices of entries to poll at, that keep every entry, the cheapest."""
    last = len(times) - 1
    costs = []
    for size in range(len(times)):
        for others in combinations(range(last), size):
            polls = [*others, last]
            if all(b - a <= window for a, b in zip([-1, *polls], polls, strict=False)):
                waited = sum(
                    (times[min(p for p in polls if p >= one)] - times[one]) / 60 for one in range(last)
                )
                costs.append(waited + price * len(polls))
    return min(costs)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("price", [0.5, 7.0, 40.0, 500.0])
def test_no_plan_is_cheaper(seed: int, price: float) -> None:
    random = np.random.default_rng(seed)
    times = START + np.sort(random.integers(0, 7200, 8)).astype(float)
    window = int(random.integers(1, 6))
    came_from, polls = _planned(times, window, np.array([price, 1e-6]))
    late = _delays(times, came_from[:, 0])
    assert late.sum() + price * polls[0] == pytest.approx(_least(times, window, price))


def test_nothing_is_lost_and_the_budget_is_kept() -> None:
    histories = feeds(list(range(10, 1400, 7)), [100, 900], window=4)
    (plenty, scarce) = oracle(histories, span(24), (500, 40))
    assert plenty.entry_mean == 0
    assert plenty.missed_percent == scarce.missed_percent == 0
    assert 30 <= scarce.polls_per_day <= 40
    assert scarce.entry_mean > 0
