"""Polls meet the budget, by a price that does not follow every up and down of a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from archiver.acquisition.channels.polling.price import PERIOD, USUAL_PRICE, Price, first_price, steered

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def test_twice_the_budget_is_a_quarter_of_the_price() -> None:
    assert first_price([5.0, 50.0], 24, 6) == pytest.approx(first_price([5.0, 50.0], 12, 6) / 4)
    assert first_price([], 12, 6) == USUAL_PRICE
    assert first_price([], 24, 6) == USUAL_PRICE / 4


def test_busy_channels_make_polls_dear() -> None:
    assert first_price([100.0] * 9, 12, 6) > first_price([1.0] * 9, 12, 6)


@pytest.mark.parametrize(("polls", "factor"), [(10, 1.0), (20, 2**0.15), (5, 0.5**0.15), (0, 1.0)])
def test_too_many_polls_raise_the_price_and_too_few_lower_it(polls: int, factor: float) -> None:
    price = Price(budget=12, value=0.02, since=NOW, polls=polls)
    after = steered(price, 10, NOW + PERIOD)
    assert after.value == pytest.approx(0.02 * factor)
    assert (after.since, after.polls, after.before, after.days) == (NOW + PERIOD, 0, polls, 1 / 12)


def test_what_was_polled_before_counts_less_and_less() -> None:
    price = Price(budget=12, value=0.02, since=NOW, polls=0, before=120, days=1.0)
    after = steered(price, 10, NOW + timedelta(hours=18))
    assert after.before == pytest.approx(120 * 0.472, rel=0.01)
    assert after.value < price.value


def test_a_pause_says_nothing_about_the_price() -> None:
    price = Price(budget=12, value=0.02, since=NOW, polls=1, before=120, days=1.0)
    after = steered(price, 10, NOW + timedelta(days=30))
    assert (after.value, after.before, after.days, after.polls) == (0.02, 0, 0, 0)


def test_the_price_stays_within_bounds() -> None:
    price = Price(budget=12, value=90.0, since=NOW, polls=10**9)
    for number in range(50):
        price = steered(replace(price, polls=10**9), 1, NOW + (number + 1) * PERIOD)
    assert price.value == 100.0


def test_an_archive_without_channels_has_a_price() -> None:
    assert steered(Price(budget=12, value=0.02, since=NOW), 0, NOW + PERIOD).value == 0.02
