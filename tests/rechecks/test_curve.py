"""A channel's curve is learned from looks that do not see everything, and leans on that of all channels."""

from __future__ import annotations

from datetime import timedelta
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.rechecks.curve import (
    BINS,
    MONTH,
    TOO_FEW,
    USUAL_EDITS,
    USUAL_RATES,
    Look,
    age_of_share,
    curve_in_words,
    days_in_bins,
    edits_between,
    learn,
    rates_of,
    unpacked,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
AGES = st.floats(0, 400, allow_nan=False)


def watched(curve: bytes | None, *, articles: int, edited: int, prior: bytes | None = None) -> bytes:
    """So many articles looked at once an hour after publication, and a month after."""
    for number in range(articles):
        changed = number < edited
        first = Look(age_before=timedelta(), age_now=HOUR, changed=changed)
        later = Look(age_before=HOUR, age_now=30 * DAY, changed=False, looks=1, changes=int(changed))
        curve = learn(learn(curve, first, prior), later, prior)
    assert curve is not None
    return curve


def test_what_is_built_in_has_the_shape_that_is_told_of_it() -> None:
    assert edits_between(USUAL_RATES, 0.0, MONTH) == pytest.approx(USUAL_EDITS, rel=0.01)
    assert age_of_share(USUAL_RATES, 0.5, MONTH) == pytest.approx(3 / 24, rel=0.1)
    assert age_of_share(USUAL_RATES, 0.9, MONTH) == pytest.approx(2.0, rel=0.1)
    assert rates_of(None, None) == USUAL_RATES


def test_days_fall_into_bins_and_none_is_lost() -> None:
    assert sum(days_in_bins(0.1, 100.0)) == pytest.approx(99.9)
    assert days_in_bins(70.0, 80.0)[-1] == pytest.approx(10.0)
    assert days_in_bins(0.0, 1 / 24)[:4] == pytest.approx([1 / 96, 1 / 96, 1 / 48, 0.0])


def test_a_quiet_channel_is_soon_known_to_be_quiet_and_a_busy_one_to_be_busy() -> None:
    usual = edits_between(USUAL_RATES, 0.0, MONTH)
    assert edits_between(rates_of(watched(None, articles=30, edited=0)), 0.0, MONTH) < 0.3 * usual
    assert edits_between(rates_of(watched(None, articles=30, edited=30)), 0.0, HOUR / DAY) > 1.0


def test_a_channel_of_which_little_is_known_is_as_all_are() -> None:
    quiet = watched(None, articles=200, edited=1)
    assert rates_of(None, quiet) == pytest.approx(rates_of(quiet))
    channel = learn(None, Look(age_before=timedelta(), age_now=HOUR, changed=False), quiet)
    everywhere = edits_between(rates_of(None, quiet), 0.0, MONTH)
    assert edits_between(rates_of(channel, quiet), 0.0, MONTH) == pytest.approx(everywhere, rel=0.1)


def test_a_channel_that_is_known_keeps_to_itself() -> None:
    quiet, busy = watched(None, articles=500, edited=0), watched(None, articles=500, edited=400)
    alone, among = (edits_between(rates_of(busy, prior), 0.0, 1.0) for prior in (None, quiet))
    assert among == pytest.approx(alone, rel=0.15)


def test_old_observations_fade() -> None:
    curve = watched(None, articles=3000, edited=3000)
    before = edits_between(rates_of(curve), 0.0, HOUR / DAY)
    curve = watched(curve, articles=3000, edited=0)
    assert edits_between(rates_of(curve), 0.0, HOUR / DAY) < 0.1 * before
    # In the first bin as many quarters of an hour as are remembered, and no more.
    assert unpacked(curve).watched[0] == pytest.approx(1000 / 96, rel=0.06)


def test_what_is_of_another_form_starts_anew() -> None:
    kept = watched(None, articles=3, edited=1)
    assert unpacked(kept[:-1]) == unpacked(b"\0" + kept[1:]) == unpacked(None)
    assert len(kept) < 130


def test_a_look_at_no_time_teaches_nothing() -> None:
    kept = watched(None, articles=3, edited=1)
    for begin, end in ((HOUR, HOUR), (DAY, HOUR), (-HOUR, DAY)):
        assert learn(kept, Look(age_before=begin, age_now=end, changed=True)) == kept


@given(st.lists(st.tuples(AGES, AGES, st.booleans(), st.integers(0, 50), st.integers(0, 50)), max_size=60))
def test_counts_and_rates_stay_finite(looks: list[tuple[float, float, bool, int, int]]) -> None:
    curve = None
    for begin, end, changed, number, changes in looks:
        look = Look(age_before=begin * DAY, age_now=end * DAY, changed=changed, looks=number, changes=changes)
        curve = learn(curve, look)
    counted = unpacked(curve)
    assert all(isfinite(one) and one >= 0 for one in (*counted.watched, *counted.edits))
    assert all(isfinite(rate) and rate > 0 for rate in rates_of(curve))
    assert len(counted.edits) == len(BINS)


def test_a_curve_in_words() -> None:
    assert curve_in_words(None) == TOO_FEW
    assert curve_in_words(watched(None, articles=9, edited=3)) == TOO_FEW
    quiet = curve_in_words(watched(None, articles=100, edited=0))
    assert quiet.startswith("about 0.0")
    assert "half" not in quiet
    busy = curve_in_words(watched(None, articles=100, edited=60))
    assert busy == "about 2.1 edits per article, half within 20 min, nine tenths within 58 min"
