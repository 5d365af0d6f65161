"""When channels are polled: where waiting longer costs more than a poll, and before entries are lost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.decide import Aim, Reason, decide
from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import DAY, unknown
from tests.polling.samples import HOUR, START, decided, even, looked_at, polled, seen, steady, wait_of

NEVER = 1e9  # a price that nothing is worth
DATES = st.lists(st.floats(START - 40 * DAY, START + 10 * DAY) | st.floats(-1e9, 1e11), max_size=40)
MOMENTS = st.floats(1.0, 1e10) | st.sampled_from(
    # A leap second, both days of the clock changes, the 29th of February, the end of a week.
    [1483228799.0, 1774746000.0, 1792890000.0, 1835395200.0, START + 7 * DAY, float(np.nextafter(START, 0))]
)
PRICES = st.floats(1e-6, 1e4)


def test_a_daily_channel_is_polled_just_after_its_hour() -> None:
    known = polled(unknown(1), START, START - DAY * np.arange(1, 61) + 9 * HOUR)
    assert 9 * HOUR < wait_of(known, START, fairness=0.0) < 9.5 * HOUR


def test_an_unknown_channel_is_polled_as_one_with_two_entries_a_day() -> None:
    # 2 t² / 2 = price / (1 + 6 / 2): 0.0866 days, less what coming at the best moment brings.
    decision = decided(unknown(1), START, fairness=6.0)
    assert decision.wait[0] == pytest.approx(0.0866 * DAY, rel=0.01)
    # A little more than 2 t: entries are likelier in the first minutes of the hours in between.
    assert decision.expected[0] == pytest.approx(0.179, rel=0.01)
    assert decision.reason[0] == Reason.PRICE


@pytest.mark.parametrize("a_day", [3.0, 24.0, 100.0])
def test_at_four_times_the_price_a_steady_channel_is_polled_half_as_often(a_day: float) -> None:
    cheap, dear = (wait_of(steady(a_day), START, price=price, fairness=0.0) for price in (0.05, 0.2))
    assert dear / cheap == pytest.approx(2.0, rel=0.2)


def test_the_wait_costs_as_much_as_a_poll() -> None:
    # With 100 a day, the entries of t days wait 100 t² / 2 days in all.
    wait = wait_of(steady(100), START, price=0.2, fairness=0.0)
    assert 100 * (wait / DAY) ** 2 / 2 == pytest.approx(0.2, rel=0.15)


def test_a_burst_brings_the_next_poll_closer() -> None:
    now = START + HOUR
    burst = polled(steady(24), now, START + np.arange(1, 40) * 90.0)
    usual = polled(steady(24), now, [START + 1800])
    assert wait_of(burst, now) < 0.8 * wait_of(usual, now)


def test_silence_lengthens_the_wait() -> None:
    known, waits = steady(24), [wait_of(steady(24), START)]
    for day in (1, 3, 9, 30):
        known = polled(known, START + day * DAY, [])
        waits.append(wait_of(known, START + day * DAY))
    assert waits == sorted(waits)
    assert waits[-1] > 2 * waits[0]


@pytest.mark.parametrize("price", [0.01, 1.0, NEVER])
def test_a_small_window_is_never_let_run_over(price: float) -> None:
    """With 100 entries a day, ten of which are shown."""
    known = polled(unknown(1), START, even(100, 0.1), shown=10)
    for hour in range(1, 49):
        now = START + 2 * hour * HOUR
        known = polled(known, now, even(100, 0.1, now), shown=10, is_gap=True)
        assert decided(known, now, price=price).expected[0] <= 9.0 + 1e-6


def test_a_window_of_ten_is_full_when_nine_have_come() -> None:
    # Of a hundred a day, nine come in 2.2 hours.
    decision = decided(steady(100, shown=10), START, price=NEVER)
    assert decision.wait[0] == pytest.approx(0.09 * DAY, rel=0.2)
    assert decision.expected[0] == pytest.approx(9.0, rel=2e-3)


def test_the_reason_says_when_the_window_decided() -> None:
    small = polled(unknown(1), START, even(100, 10), shown=10)
    decision = decided(small, START, price=NEVER)
    assert decision.reason[0] == Reason.WINDOW
    assert decision.full[0] == decision.wait[0]


def test_when_the_window_may_be_full_is_told_where_it_is_in_view() -> None:
    small = polled(unknown(1), START, even(100, 10), shown=10)
    cheap = decided(small, START, price=0.5)
    assert cheap.wait[0] <= cheap.full[0] < 0.1 * DAY
    assert decided(steady(100), START, price=0.5).full[0] == math.inf


def test_a_window_that_is_not_known_yet_decides_nothing() -> None:
    never_seen = polled(unknown(1), START, [], shown=0)
    assert decided(never_seen, START, price=NEVER).reason[0] == Reason.LONGEST
    assert wait_of(never_seen, START, price=NEVER) == 7 * DAY


def test_bursty_channels_keep_further_from_the_edge_of_their_window() -> None:
    bursty = polled(unknown(1), START, even(100, 10), shown=30)
    regular = bursty.copy()
    bursty["burst"], regular["burst"] = (20.0, 10.0), (0.1, 10.0)
    assert wait_of(bursty, START, price=5.0) < wait_of(regular, START, price=5.0)


def test_fairness_gives_small_channels_more_of_the_polls() -> None:
    def share(fairness: float) -> float:
        small, large = (wait_of(steady(rate), START, price=0.5, fairness=fairness) for rate in (1.0, 50.0))
        return large / small

    assert share(6.0) > 1.5 * share(0.0)


def test_prices_may_differ_from_channel_to_channel() -> None:
    both = np.concatenate((steady(24), steady(24)))
    forecast = Forecast(both, np.full(2, START))
    aim = Aim(price=np.array([0.05, 0.5]), fairness=np.array([0.0, 0.0]))
    waits = decide(forecast, both["window"].astype(np.float64), aim).wait
    alone = [wait_of(steady(24), START, price=price, fairness=0.0) for price in (0.05, 0.5)]
    assert list(waits) == alone


def test_of_nobody_nothing_is_decided() -> None:
    assert len(decided(unknown(0), START).wait) == 0


@given(st.lists(st.tuples(MOMENTS, DATES, st.integers(0, 10**6)), min_size=1, max_size=4), PRICES)
def test_every_wait_is_within_its_bounds(polls: list[tuple[float, list[float], int]], price: float) -> None:
    """Also with clocks that jump either way, years without a poll, and dates of any kind."""
    known = unknown(1)
    for now, dates, shown in polls:
        known = polled(known, now, dates, shown=shown, is_gap=shown % 2 == 1)
        decision = decided(known, now, price=price, shortest=1800.0, longest=3 * DAY)
        assert 1800.0 <= decision.wait[0] <= 3 * DAY
        assert math.isfinite(decision.expected[0])
        assert decision.expected[0] >= 0
        assert decision.full[0] >= 0  # which NaN is not


@given(DATES, PRICES, st.floats(1.0, 100.0), st.floats(0.0, 50.0), st.integers(0, 50))
def test_a_higher_price_never_polls_much_sooner(
    dates: list[float], price: float, factor: float, fairness: float, shown: int
) -> None:
    """A little sooner it may: of the moments before the second poll the best is taken, on a grid."""
    known = polled(unknown(1), START, dates, shown=shown)
    low, high = (wait_of(known, START, price=one, fairness=fairness) for one in (price, price * factor))
    assert high >= 0.6 * low - 300.0


@given(st.lists(DATES, min_size=1, max_size=5), PRICES)
def test_channels_are_decided_together_as_they_are_alone(dates: list[list[float]], price: float) -> None:
    together = decided(looked_at(unknown(len(dates)), START, seen(*dates)), START, price=price)
    for place, one in enumerate(dates):
        alone = decided(polled(unknown(1), START, one), START, price=price)
        assert together.wait[place] == pytest.approx(alone.wait[0], rel=1e-9)
        assert together.reason[place] == alone.reason[0]


def test_more_channels_than_are_worked_on_together_keep_their_order() -> None:
    rates_a_day = np.linspace(1, 60, 2500)
    known = looked_at(unknown(2500), START, seen(*(even(rate, 5) for rate in rates_a_day)))
    waits = decided(known, START, price=0.5).wait
    for place in (0, 999, 1000, 2499):
        assert waits[place] == pytest.approx(wait_of(known[place : place + 1], START, price=0.5), rel=1e-9)


@pytest.mark.parametrize("longest", [60.0, 300.0, 600.0, HOUR])
def test_a_short_longest_wait_is_kept(longest: float) -> None:
    decision = decided(steady(2), START, price=NEVER, shortest=10.0, longest=longest)
    assert decision.wait[0] == longest
    assert decision.reason[0] == Reason.LONGEST


def test_summer_time_changes_nothing() -> None:
    # The last Sunday of March, and the one before: the same waits at the same hours.
    known = polled(unknown(1), START, START - DAY * np.arange(1, 400) + 9 * HOUR)
    sunday = START + 27 * DAY
    assert wait_of(known, sunday) == pytest.approx(wait_of(known, sunday - 7 * DAY), rel=1e-6)
