"""The statistic behind the lists: intervals that hold, and chance that makes no list."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from archiver.inspection.terms.odds import chance_of_fewer, chance_of_more, log_odds, surest


def odds_of(now: float, before: float, articles: int = 100, articles_before: int = 1000) -> tuple[float, ...]:
    found = log_odds(np.array([now]), np.array([before]), articles, articles_before)
    return float(found.low[0]), float(found.ratio[0]), float(found.high[0])


def test_no_change_is_nought_and_more_is_surer() -> None:
    low, middle, high = odds_of(10, 100)
    assert middle == pytest.approx(0, abs=0.01)
    assert low < 0 < high
    assert odds_of(30, 100)[0] > 0
    assert odds_of(1, 200)[2] < 0
    # Three times as often is less sure of a rare term.
    assert odds_of(3, 10)[0] < 0 < odds_of(30, 100)[0]


def test_a_rare_term_is_drawn_towards_no_change() -> None:
    assert 0 < odds_of(1, 0)[1] < odds_of(10, 0)[1] < odds_of(50, 0)[1]


def test_intervals_hold_in_nineteen_of_twenty_where_nothing_changes() -> None:
    random = np.random.default_rng(1)
    share = random.uniform(0.002, 0.1, 20_000)
    now, before = random.binomial(1000, share).astype(float), random.binomial(13_000, share).astype(float)
    found = log_odds(now, before, 1000, 13_000)
    covered = np.mean((found.low <= 0) & (found.high >= 0))
    assert 0.94 < covered < 0.97


@pytest.mark.parametrize(("now", "before", "share"), [(3, 1, 0.1), (5, 40, 0.07), (12, 0, 0.5), (1, 9, 0.1)])
def test_chances_are_those_of_the_binomial_distribution(now: int, before: int, share: float) -> None:
    every = now + before
    each = [comb(every, count) * share**count * (1 - share) ** (every - count) for count in range(every + 1)]
    assert chance_of_more(now, before, share) == pytest.approx(sum(each[now:]))
    assert chance_of_fewer(now, before, share) == pytest.approx(sum(each[: now + 1]))


def test_chance_makes_no_list() -> None:
    random = np.random.default_rng(2)
    share = random.pareto(1.0, 5000) / 2000
    share = np.minimum(share, 0.1)
    lists = 0
    for _ in range(10):
        now, before = random.binomial(200, share).astype(float), random.binomial(2600, share).astype(float)
        score = log_odds(now, before, 200, 2600).score

        def chances(place: int, now: np.ndarray = now, before: np.ndarray = before) -> float:
            return chance_of_more(int(now[place]), int(before[place]), 200 / 2800)

        lists += bool(len(surest(score, chances, len(score))))
    assert lists <= 2
