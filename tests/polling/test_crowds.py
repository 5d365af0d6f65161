"""Crowds: a channel that publishes at once about as much as its feed shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from archiver.acquisition.channels.polling.crowds import crowd_rates
from archiver.acquisition.channels.polling.decide import Reason, floored
from archiver.acquisition.channels.polling.rhythm import DAY, rates, unknown
from tests.polling.samples import HOUR, START, decided, even, polled, wait_of

if TYPE_CHECKING:
    from archiver.acquisition.channels.polling.rhythm import Rhythms

MINUTE = 60.0
# In the middle of an hour.
CROWD = 20.5 * HOUR
PRICE = 0.02


def crowded(count: int, *, every: float = 20.0, shown: int = 20) -> Rhythms:
    """A channel with some entries a day, and one evening with so many, so many seconds apart."""
    known = polled(unknown(1), START, even(4, 5), shown=shown)
    return polled(known, START + 22 * HOUR, START + CROWD + every * np.arange(count), shown=shown)


def test_a_crowd_is_met_at_its_hour_on_the_next_day() -> None:
    known, next_day = crowded(20), START + DAY
    waits = [wait_of(known, next_day + moment, price=PRICE) for moment in (20 * HOUR, 20.9 * HOUR)]
    assert max(waits) < 7 * MINUTE
    assert decided(known, next_day + 20 * HOUR, price=PRICE).reason[0] == Reason.WINDOW
    # Not at other hours: polls are dear.
    assert wait_of(known, next_day + 12 * HOUR, price=PRICE) > HOUR


def test_the_hour_of_a_crowd_is_not_passed_by() -> None:
    before = START + DAY + 19.9 * HOUR
    assert wait_of(crowded(20), before, price=PRICE) == pytest.approx(0.1 * HOUR + 400, rel=0.1)


def test_the_floor_gives_way_to_a_crowd_as_far_as_is_urgent() -> None:
    found = decided(crowded(20), START + DAY + 20 * HOUR, price=PRICE)
    assert floored(found, 30 * MINUTE, 5 * MINUTE)[0] == pytest.approx(400)


@pytest.mark.parametrize(("count", "every", "shown"), [(13, 20.0, 20), (20, 120.0, 20), (1, 20.0, 1)])
def test_few_entries_or_slow_ones_are_no_crowd(count: int, every: float, shown: int) -> None:
    known = crowded(count, every=every, shown=shown)
    assert crowd_rates(known, rates(known)[0]).sum() == 0


def test_where_as_many_come_as_a_rule_there_are_no_crowds() -> None:
    # An entry a minute, and 20 are shown: that is a matter of the pace.
    known = polled(unknown(1), START, START - MINUTE * np.arange(20 * 1440))
    known = polled(known, START + 20 * MINUTE, START + MINUTE * np.arange(20), is_gap=True)
    assert known["crowds"].sum() > 0
    assert crowd_rates(known, rates(known)[0]).sum() == 0


def test_a_crowd_at_the_turn_of_an_hour_counts_for_both() -> None:
    known = polled(unknown(1), START, even(4, 5))
    known = polled(known, START + 22 * HOUR, START + 20 * HOUR + 20.0 * np.arange(20))
    assert known["crowds"][0, [19, 20]].tolist() == [0.5, 0.5]


def test_crowds_are_forgotten() -> None:
    known = polled(crowded(20), START + 366 * DAY, [])
    assert wait_of(known, START + 366 * DAY + 20 * HOUR, price=PRICE) > HOUR


def test_where_polls_cost_more_than_a_crowd_none_is_watched_for() -> None:
    assert wait_of(crowded(20), START + DAY + 20 * HOUR, price=10.0) > HOUR
