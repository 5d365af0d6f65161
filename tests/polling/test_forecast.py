"""What is to be expected of channels, and by when."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import DAY, unknown
from tests.polling.samples import HOUR, START, polled, steady

DAILY_AT_NINE = START - DAY * np.arange(1, 200) + 9 * HOUR + 60


def forecast_of(rhythms: np.ndarray, now: float = START) -> Forecast:
    return Forecast(rhythms, np.full(len(rhythms), now))


def entries_between(forecast: Forecast, *hours: float) -> list[float]:
    return list(forecast.entries(np.array([hours]) * HOUR)[0])


def test_of_an_unknown_channel_two_entries_a_day_are_expected_at_any_time() -> None:
    forecast = forecast_of(unknown(1))
    assert entries_between(forecast, 0, 6, 12, 24, 48) == pytest.approx([0.5, 0.5, 1.0, 2.0])


def test_what_comes_at_nine_is_expected_at_nine() -> None:
    forecast = forecast_of(polled(unknown(1), START, DAILY_AT_NINE))
    night, morning, rest = entries_between(forecast, 0, 8.5, 9.75, 24)
    assert morning > 0.6
    assert morning > 4 * (night + rest) * 1.25 / 22.75  # its share, if it were like the rest
    assert night + morning + rest == pytest.approx(1.0, rel=0.15)


def test_within_the_hour_the_usual_minute_is_known() -> None:
    hourly = START - HOUR * np.arange(1, 500) + 60  # at one minute past
    forecast = forecast_of(polled(unknown(1), START, hourly))
    first, later = entries_between(forecast, 0, 1 / 12, 1)
    assert first > 2 * later


def test_a_channel_that_rests_on_sundays_is_expected_to_rest() -> None:
    days = START - DAY * np.arange(1, 300)
    dates = np.concatenate([days[np.arange(1, 300) % 7 != 1] + hour * HOUR for hour in range(0, 24, 4)])
    forecast = forecast_of(polled(unknown(1), START, dates))
    saturday, sunday = entries_between(forecast, 5 * 24, 6 * 24, 7 * 24)
    assert saturday > 4 * sunday


def test_a_burst_passes() -> None:
    burst = forecast_of(polled(steady(24), START + HOUR, START + np.arange(40) * 80.0), START + HOUR)
    now, tomorrow, weeks_on = burst.pace(np.array([[0.0, DAY, 60 * DAY]]))[0]
    assert now > tomorrow > weeks_on
    assert weeks_on == pytest.approx(burst.slow[0], rel=1e-3)


def test_the_past_of_a_moment_that_lies_before_now_is_empty() -> None:
    usual, entries = forecast_of(steady(24)).passed(np.array([START - DAY]))
    assert (usual[0], entries[0]) == (0.0, 0.0)


def test_what_passed_is_what_was_foreseen() -> None:
    forecast = forecast_of(unknown(1))
    usual, entries = forecast.passed(np.array([START + 3 * DAY]))
    assert (usual[0], entries[0]) == (pytest.approx(3.0), pytest.approx(6.0))


@given(st.floats(1.0, 1e10), st.lists(st.floats(0, 60 * DAY), min_size=2, max_size=20))
def test_more_time_never_holds_fewer_entries(now: float, waits: list[float]) -> None:
    known = polled(unknown(1), START, DAILY_AT_NINE)
    edges = np.sort(np.array([waits]))
    usual = forecast_of(known, now).usual_days(now + edges)
    assert np.isfinite(usual).all()
    assert (np.diff(usual) >= -1e-6).all()


@given(st.floats(1e9, 4e9))
def test_a_week_of_anybody_has_seven_usual_days(moment: float) -> None:
    forecast = forecast_of(polled(unknown(1), START, DAILY_AT_NINE))
    week = np.diff(forecast.usual_days(np.array([[moment, moment + 7 * DAY]])))
    assert week[0, 0] == pytest.approx(7.0, rel=1e-6)


@pytest.mark.parametrize("midnight", [START, START + DAY, START + 6 * DAY, 4 * DAY])
def test_nothing_jumps_at_midnight(midnight: float) -> None:
    forecast = forecast_of(polled(unknown(1), START, DAILY_AT_NINE))
    around = np.array([[np.nextafter(midnight, 0), midnight, np.nextafter(midnight, np.inf)]])
    assert np.abs(np.diff(forecast.usual_days(around))).max() < 1e-6


def test_a_part_of_a_forecast_is_that_of_its_channels() -> None:
    both = np.concatenate((unknown(1), steady(24)))
    edges = np.array([[0.0, HOUR, DAY]])
    alone = forecast_of(steady(24)).entries(edges)
    assert np.array_equal(forecast_of(both).part(slice(1, 2)).entries(edges), alone)


def test_days_that_nobody_watched_are_not_taken_for_silent_ones() -> None:
    """Known from Monday to Thursday, a busy channel is expected to be busy on Friday."""
    friday = START + 4 * DAY
    forecast = forecast_of(polled(unknown(1), friday, friday - DAY / 100 * np.arange(1, 400)), friday)
    assert entries_between(forecast, 0, 24)[0] > 40
