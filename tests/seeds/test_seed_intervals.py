"""Intervals as a person writes them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.seeds import parse_interval
from archiver.acquisition.seeds.model import interval_text


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("2h", timedelta(hours=2)),
        ("30m", timedelta(minutes=30)),
        ("1d", timedelta(days=1)),
        ("90s", timedelta(seconds=90)),
        ("1h30m", timedelta(minutes=90)),
        (" 1D12H ", timedelta(hours=36)),
        ("60s", timedelta(minutes=1)),
        ("30d", timedelta(days=30)),
    ],
)
def test_numbers_with_units_are_read(text: str, interval: timedelta) -> None:
    assert parse_interval(text) == interval


@pytest.mark.parametrize("text", ["", "2", "h", "2 h", "1m1h", "-1h", "1.5h", "2w", "٢h", "9" * 5000 + "d"])
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match=r"not an interval: write numbers with units, such as 90s"):
        parse_interval(text)


@pytest.mark.parametrize("text", ["0s", "59s", "30d1s", "9999999d"])
def test_the_range_is_one_minute_to_thirty_days(text: str) -> None:
    with pytest.raises(ValueError, match=r"from 1m \(one minute\) to 30d \(thirty days\)"):
        parse_interval(text)


@given(st.integers(60, 30 * 24 * 3600))
def test_what_is_written_is_read_back(seconds: int) -> None:
    assert parse_interval(interval_text(timedelta(seconds=seconds))) == timedelta(seconds=seconds)
