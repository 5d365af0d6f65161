"""A rhythm in words says what the numbers bear, and no more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.words import TOO_FEW, rate_words, rhythm_of, rhythm_words

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
EVEN_HOURS, EVEN_DAYS = [10] * 24, [10] * 7


def hours(*wanted: int, each: float = 10) -> list[float]:
    return [each if hour in wanted else 0 for hour in range(24)]


def days(*wanted: int, each: float = 10) -> list[float]:
    return [each if day in wanted else 0 for day in range(7)]


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (2000, "about 83 an hour"),
        (48, "about 2 an hour"),
        (47, "about 47 a day"),
        (9.4, "about 9 a day"),
        (1.2, "about one a day"),
        (0.5, "about 4 a week"),
        (1 / 7, "about one a week"),
        (0.1, "about 3 a month"),
        (1 / 60, "about 6 a year"),
        (1 / 365, "about one a year"),
        (1 / 1000, "less than one a year"),
        (1_234_567, "about 51,000 an hour"),
    ],
)
def test_a_rate_is_told_by_the_period_that_suits_it(rate: float, words: str) -> None:
    assert rate_words(rate) == words


def test_office_hours_on_weekdays() -> None:
    words = rhythm_words(9, hours(*range(7, 18)), days(0, 1, 2, 3, 4))
    assert words == "about 9 a day, mostly 7–17 h UTC on weekdays"


@pytest.mark.parametrize(
    ("by_hour", "by_weekday", "words"),
    [
        (hours(6, each=40), EVEN_DAYS, "mostly 6–7 h UTC"),
        (hours(22, 23, 0, 1), EVEN_DAYS, "mostly 22–2 h UTC"),
        (hours(20, 21, 22, 23), EVEN_DAYS, "mostly 20–24 h UTC"),
        (EVEN_HOURS, days(1), "mostly on Tuesdays (UTC)"),
        (EVEN_HOURS, days(1, 4), "mostly on Tuesdays and Fridays (UTC)"),
        (EVEN_HOURS, days(0, 2, 4), "mostly on Mondays, Wednesdays and Fridays (UTC)"),
        (EVEN_HOURS, days(5, 6), "mostly on weekends (UTC)"),
        (EVEN_HOURS, days(*range(5)), "mostly on weekdays (UTC)"),
        (hours(9, each=50), days(6, each=50), "mostly 9–10 h UTC on Sundays"),
    ],
)
def test_when_it_is_mostly_published(by_hour: list[float], by_weekday: list[float], words: str) -> None:
    assert rhythm_words(9, by_hour, by_weekday) == f"about 9 a day, {words}"


def test_an_even_spread_only_has_a_rate() -> None:
    assert rhythm_words(9, EVEN_HOURS, EVEN_DAYS) == "about 9 a day"


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_no_rate_is_no_rhythm(rate: float) -> None:
    assert rhythm_words(rate, EVEN_HOURS, EVEN_DAYS) == TOO_FEW


def test_few_entries_are_too_few_to_tell() -> None:
    assert rhythm_words(1, hours(6, each=4), days(0, each=4)) == TOO_FEW
    assert rhythm_of([]) == rhythm_of([MONDAY]) == rhythm_of([MONDAY] * 50) == TOO_FEW


def test_shares_need_the_number_of_entries_behind_them() -> None:
    by_hour, by_weekday = hours(6, each=1.0), days(0, each=1.0)
    assert rhythm_words(1, by_hour, by_weekday) == TOO_FEW
    assert rhythm_words(1, by_hour, by_weekday, seen=3) == TOO_FEW
    told = rhythm_words(1, by_hour, by_weekday, seen=30)
    assert told == "about one a day, mostly 6–7 h UTC on Mondays"


def test_times_in_any_order_and_the_scale_of_their_span() -> None:
    daily = [MONDAY + timedelta(days=day, hours=6, minutes=5) for day in range(40)]
    Random(1).shuffle(daily)
    assert rhythm_of(daily) == "about one a day, mostly 6–7 h UTC"


def test_chance_is_seldom_taken_for_a_rhythm() -> None:
    chance = Random(7)
    mistaken = 0
    for number in range(600):
        count = (5, 10, 30)[number % 3]
        times = [MONDAY + timedelta(minutes=chance.randrange(8 * 7 * 24 * 60)) for _ in range(count)]
        mistaken += "mostly" in rhythm_of(times)
    assert mistaken < 600 * 0.06


@given(
    st.floats(allow_nan=True, allow_infinity=True),
    st.lists(st.floats(0, 1e9), min_size=24, max_size=24),
    st.lists(st.floats(0, 1e9), min_size=7, max_size=7),
)
def test_any_numbers_give_words(rate: float, by_hour: list[float], by_weekday: list[float]) -> None:
    words = rhythm_words(rate, by_hour, by_weekday)
    assert words == TOO_FEW or words.startswith(("about ", "less than one a year"))
