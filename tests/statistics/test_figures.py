"""Means, quartiles and deviations, held against what was worked out by hand."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.inspection.statistics.figures import (
    Bin,
    Frequent,
    average_mean,
    cumulated,
    histogram_of,
    pooled_deviation,
    share_up_to,
    spread_of,
)

SPANS = st.lists(st.floats(0, 1e8), min_size=2, max_size=40)


def test_a_series_by_hand() -> None:
    spread = spread_of([4, 1, 3, 10, 2])
    assert spread is not None
    assert (spread.count, spread.mean) == (5, 4)
    # Squares of 0, 3, 1, 6 and 2: 50 over four.
    assert spread.deviation == pytest.approx(math.sqrt(12.5))
    quartiles = (spread.minimum, spread.first_quartile, spread.median, spread.third_quartile, spread.maximum)
    assert quartiles == (1, 2, 3, 4, 10)


def test_quartiles_between_two_values_are_taken_in_proportion() -> None:
    spread = spread_of([0, 10, 20, 30])
    assert spread is not None
    assert (spread.first_quartile, spread.median, spread.third_quartile) == (7.5, 15, 22.5)


def test_one_interval_has_no_deviation_and_none_have_no_spread() -> None:
    spread = spread_of([7])
    assert spread is not None
    assert (spread.mean, spread.deviation, spread.minimum, spread.median, spread.maximum) == (
        7,
        None,
        7,
        7,
        7,
    )
    assert spread_of([]) is None


@given(SPANS)
def test_any_series_agrees_with_the_textbook(values: list[float]) -> None:
    spread = spread_of(values)
    assert spread is not None
    assert spread.mean == pytest.approx(statistics.fmean(values))
    assert spread.deviation == pytest.approx(statistics.stdev(values), abs=1e-3)
    first, median, third = statistics.quantiles(values, n=4, method="inclusive")
    assert (spread.first_quartile, spread.median, spread.third_quartile) == pytest.approx(
        (first, median, third)
    )


def test_each_feed_counts_once_in_the_average_mean_and_by_its_intervals_in_the_deviation() -> None:
    often, seldom, once = spread_of([1, 1, 1, 5]), spread_of([10, 30]), spread_of([100])
    assert often
    assert seldom
    assert once
    # Means of 2, 20 and 100. Squares of 12 over three degrees of freedom, of 200 over one.
    assert average_mean([often, seldom, once]) == pytest.approx(122 / 3)
    assert pooled_deviation([often, seldom, once]) == pytest.approx(math.sqrt(212 / 4))
    assert pooled_deviation([once]) is None
    assert (average_mean([]), pooled_deviation([])) == (None, None)


def test_feeds_far_apart_have_no_deviation_as_long_as_each_is_regular() -> None:
    spreads = [spread_of([60, 60, 60]), spread_of([86400, 86400])]
    assert pooled_deviation([one for one in spreads if one]) == 0


def test_a_histogram_ends_its_bars_at_round_numbers() -> None:
    found = histogram_of([10, 10, 10, 29, 30, 100, 101, 5000])
    assert [one for one in found.bins if one.feeds] == [
        Bin(first=6, last=10, feeds=3),
        Bin(first=26, last=30, feeds=2),
        Bin(first=96, last=100, feeds=1),
        Bin(first=101, last=200, feeds=1),
        Bin(first=1001, last=None, feeds=1),
    ]
    assert (found.feeds, found.median, found.below_30) == (8, 29.5, 0.5)
    assert found.most_frequent[:2] == (Frequent(entries=10, feeds=3), Frequent(entries=29, feeds=1))


def test_a_histogram_begins_with_feeds_of_no_entries_only_if_there_are_some() -> None:
    assert histogram_of([0, 3]).bins == (Bin(first=0, last=0, feeds=1), Bin(first=1, last=5, feeds=1))
    assert histogram_of([3]).bins == (Bin(first=1, last=5, feeds=1),)
    empty = histogram_of([])
    assert (empty.feeds, empty.median, empty.below_30, empty.bins) == (0, None, None, ())


@given(st.lists(st.integers(0, 3000)))
def test_every_feed_is_in_one_bar(values: list[int]) -> None:
    assert sum(one.feeds for one in histogram_of(values).bins) == len(values)


def test_shares_are_cumulated() -> None:
    values = [1, 2, 2, 8]
    assert cumulated(values) == ((1, 0.25), (2, 0.75), (8, 1.0))
    assert [share_up_to(values, limit) for limit in (0.5, 2, 7.9, 8)] == [0, 0.75, 0.75, 1]
    assert (cumulated([]), share_up_to([], 1)) == ((), None)


def test_of_many_values_some_stand_for_all_with_their_true_shares() -> None:
    values = sorted(float(number // 3) for number in range(5000))
    points = cumulated(values, most=50)
    assert len(points) == 50
    assert points[-1] == (values[-1], 1.0)
    assert all(share == share_up_to(values, value) for value, share in points)
