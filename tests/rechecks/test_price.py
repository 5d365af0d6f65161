"""Rechecks stay within their share, by a price."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from archiver.acquisition.channels.polling.price import PERIOD
from archiver.acquisition.rechecks.price import HIGHEST_PRICE, LOWEST_PRICE, RecheckPrice, steered

NOW = datetime(2026, 3, 2, tzinfo=UTC)
PRICE = RecheckPrice(share=0.5, value=0.02, since=NOW)


@pytest.mark.parametrize(
    ("rechecks", "others", "factor"),
    [(10, 10, 1.0), (30, 10, 1.5**0.15), (10, 30, 0.5**0.15), (0, 30, 0.5), (0, 0, 1.0)],
)
def test_too_many_rechecks_raise_the_price_and_too_few_lower_it(
    rechecks: int, others: int, factor: float
) -> None:
    after = steered(replace(PRICE, rechecks=rechecks, others=others), NOW + PERIOD)
    assert after.value == pytest.approx(0.02 * factor)
    assert (after.since, after.rechecks, after.others) == (NOW + PERIOD, 0, 0)
    assert (after.rechecks_before, after.others_before) == (rechecks, others)


def test_what_was_requested_before_counts_less_and_less() -> None:
    after = steered(replace(PRICE, rechecks_before=100, others_before=10), NOW + timedelta(hours=18))
    assert after.rechecks_before == pytest.approx(47.2, abs=0.1)
    assert after.value > PRICE.value


def test_a_pause_says_nothing_about_the_price() -> None:
    after = steered(replace(PRICE, rechecks=9, rechecks_before=100), NOW + timedelta(days=30))
    assert after == replace(PRICE, since=NOW + timedelta(days=30))


@pytest.mark.parametrize(("rechecks", "bound"), [(10**9, HIGHEST_PRICE), (0, LOWEST_PRICE)])
def test_the_price_stays_within_bounds(rechecks: int, bound: float) -> None:
    price = PRICE
    for number in range(1, 150):
        price = steered(replace(price, rechecks=rechecks, others=10), NOW + number * PERIOD)
    assert price.value == bound


def test_without_a_share_looks_become_as_dear_as_can_be() -> None:
    assert steered(replace(PRICE, share=0.0, rechecks=5), NOW + PERIOD).value == 0.04


def test_a_clock_that_was_set_back_does_no_harm() -> None:
    after = steered(replace(PRICE, rechecks=10, others=10), NOW - timedelta(days=2))
    assert after.value == PRICE.value


def test_steering_settles_at_the_share() -> None:
    """Where looks go with the inverse square root of the price, half of a hundred requests are rechecks."""
    price, made = replace(PRICE, value=0.5), 0.0
    for number in range(1, 200):
        made = 5 * price.value**-0.5
        price = steered(replace(price, rechecks=round(made), others=50), NOW + number * PERIOD)
    assert made == pytest.approx(50, rel=0.1)
