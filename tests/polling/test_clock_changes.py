"""Channels that move with the clock on the wall, and channels that do not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from archiver.acquisition.channels.polling.clock_changes import changes
from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import DAY, unknown
from tests.polling.samples import HOUR, polled

if TYPE_CHECKING:
    from archiver.acquisition.channels.polling.rhythm import Rhythms

EUROPE = datetime(2026, 10, 25, 1, tzinfo=UTC).timestamp()
AMERICA = datetime(2026, 11, 1, 8, tzinfo=UTC).timestamp()
MIDNIGHT = EUROPE - HOUR


def test_clocks_change_four_times_a_year() -> None:
    moments, by = changes()
    told = [str(datetime.fromtimestamp(moment, UTC).date()) for moment in moments]
    of_year = [(day, move) for day, move in zip(told, by, strict=True) if day.startswith("2026")]
    assert of_year == [("2026-03-08", -4), ("2026-03-29", -4), ("2026-10-25", 4), ("2026-11-01", 4)]


def daily(days: range, hour: float, known: Rhythms | None = None) -> Rhythms:
    """A channel with one entry a day at an hour, polled each midnight; days count from Europe's change."""
    known = unknown(1) if known is None else known
    for day in days:
        begin = MIDNIGHT + day * DAY
        known = polled(known, begin + DAY, [begin + hour * HOUR + 60])
    return known


def share_at(known: Rhythms, day: float, hour: float) -> float:
    """Which share of a day's entries is expected in an hour."""
    begin = MIDNIGHT + day * DAY
    edges = np.array([[begin, begin + hour * HOUR, begin + (hour + 1) * HOUR, begin + DAY]])
    usual = np.diff(Forecast(known, np.array([begin])).usual_days(edges))[0]
    return float(usual[1] / usual.sum())


BEFORE = range(-60, 0)


def test_a_change_makes_both_hours_likely_until_entries_tell() -> None:
    known = daily(BEFORE, 9)
    assert share_at(known, 0, 9) > 0.5
    assert share_at(known, 0, 10) < 0.2
    after = polled(known, MIDNIGHT + 2 * HOUR, [])
    assert share_at(after, 0, 9) > 0.25
    assert share_at(after, 0, 10) > 0.25


@pytest.mark.parametrize("hour", [9, 10])
def test_a_few_entries_tell_whether_a_channel_has_moved(hour: int) -> None:
    after = daily(range(4), hour, daily(BEFORE, 9))
    assert after["shift"][0] == 0
    assert after["moved"][0] == (hour == 10)
    # What was learned for weeks is not learned anew.
    assert share_at(after, 5, hour) > 0.5
    assert share_at(after, 5, 19 - hour) < 0.2


def test_a_channel_that_moves_a_week_later_is_found_out_as_well() -> None:
    known = daily(range(7), 9, daily(BEFORE, 9))
    assert known["moved"][0] == 0
    after = daily(range(7, 12), 10, known)
    assert after["moved"][0] == 1
    assert share_at(after, 13, 10) > 0.5


def test_one_that_has_moved_does_not_move_again_in_that_season() -> None:
    known = daily(range(7), 10, daily(BEFORE, 9))
    after = daily(range(7, 8), 10, known)
    assert after["turned"][0] == AMERICA
    assert after["shift"][0] == 0
    assert share_at(after, 9, 10) > 0.5


def test_a_channel_that_was_not_polled_for_years_goes_on() -> None:
    known = daily(BEFORE, 9)
    after = polled(known, EUROPE + 1000 * DAY, [EUROPE + 999 * DAY])
    assert np.isfinite(after["quarters"]).all()
    assert after["turned"][0] > AMERICA


def test_a_first_look_across_a_change_learns_from_both_sides() -> None:
    before = [MIDNIGHT + day * DAY + 9 * HOUR + 60 for day in range(-20, 0)]
    after = [MIDNIGHT + day * DAY + 10 * HOUR + 60 for day in range(4)]
    known = polled(unknown(1), MIDNIGHT + 4 * DAY, [*before, *after])
    assert known["moved"][0] == 1
    assert share_at(known, 5, 10) > 0.5
