"""What polls teach of a channel's rhythm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.rhythm import (
    _OLDER,
    DAY,
    RHYTHM,
    burstiness,
    burstiness_of_silences,
    packed,
    rates,
    unknown,
    unpacked,
)
from tests.polling.samples import HOUR, START, even, looked_at, polled, seen, steady

# Dates as feeds have them: past, long past, future, before 1970.
DATES = st.floats(-1e10, 1e11) | st.floats(START - 30 * DAY, START + 30 * DAY)
JUMPS = st.sampled_from([-60 * 365 * DAY, -DAY, -1.0, 0.0, 1e-3, 1.0, 900.0, DAY, 400 * DAY, 60 * 365 * DAY])


def test_a_rhythm_takes_a_few_hundred_bytes() -> None:
    assert len(packed(unknown(1))) == RHYTHM.itemsize == 880


def test_a_channel_of_which_nothing_is_known_has_two_entries_a_day() -> None:
    slow, middle, fast = rates(unknown(1))
    assert (slow[0], middle[0], fast[0]) == (2.0, 2.0, 2.0)
    # New channels may surprise; a new channel that is silent should not be excused for as long.
    assert burstiness(unknown(1))[0] == pytest.approx(0.8)
    assert burstiness_of_silences(unknown(1))[0] == pytest.approx(0.3)


def test_what_polls_found_of_bursts_explains_silences_as_it_is() -> None:
    known = unknown(2)
    # Of one that began with less caution; and of one whose polls nothing surprised.
    known["burst"] = [(0.6, 2.0), (0.2, 50.0)]
    assert burstiness_of_silences(known) == pytest.approx(burstiness(known))


def test_what_is_kept_comes_back() -> None:
    known = polled(unknown(1), START, [START - HOUR, START - DAY])
    both = unpacked(None, packed(known))
    assert packed(both, 1) == packed(known)
    assert packed(both, 0) == packed(unknown(1))
    assert len(unpacked()) == 0


@pytest.mark.parametrize("foreign", [b"", b"\0" * 503, b"\xff" * 505, b"\xff" * 717])
def test_what_an_older_archiver_kept_starts_anew(foreign: bytes) -> None:
    assert packed(unpacked(foreign)) == packed(unknown(1))


def test_what_was_kept_before_minutes_were_counted_is_still_known() -> None:
    known = polled(unknown(1), START, [START - HOUR + 720, START - DAY])
    older = np.zeros(1, _OLDER)
    for name in set(older.dtype.names) - {"fives"}:
        older[name] = known[name]
    older["fives"][0, 2] = 10.0
    again = unpacked(older.tobytes())
    assert again["quarters"].tolist() == known["quarters"].tolist()
    assert again["minutes"][0, 10:15].tolist() == [2.0] * 5
    assert again["minutes"].sum() == 10.0
    # It is polled on as before, and knows of the changes of clocks from then on.
    assert polled(again, START + DAY, [])["turned"][0] > 0


def test_what_is_read_back_can_be_learned_from() -> None:
    again = polled(unpacked(packed(steady(24))), START + HOUR, [START + 60])
    assert again["at"][0] == START + HOUR


def test_the_first_look_learns_the_rate_from_dates() -> None:
    # 24 a day for 20 half-lives: beside the months that count, nothing is left of the prior.
    slow, middle, _ = rates(steady(24, days=280))
    assert slow[0] == pytest.approx(24, rel=0.01)
    assert middle[0] == pytest.approx(24, rel=0.05)


def test_the_oldest_entry_of_a_first_look_only_opens_the_span() -> None:
    # Two entries, a day apart: one in a day. And the prior's, two in a day, make one and a half over months,
    # which count for five days beside what weeks tell.
    known = polled(unknown(1), START, [START, START - DAY])
    assert rates(known)[0][0] == pytest.approx((1 + 5 * 1.5) / (1 + 5), rel=0.03)


def test_a_burst_shows_in_hours_first_and_in_weeks_hardly() -> None:
    slow, middle, fast = rates(polled(steady(24), START + HOUR, START + np.arange(30) * 100.0))
    assert slow[0] < 26 < middle[0] < fast[0]


def test_silence_lowers_every_rate() -> None:
    before, after = steady(24), polled(steady(24), START + 3 * DAY, [])
    assert all(late[0] < early[0] for early, late in zip(rates(before), rates(after), strict=True))


def test_where_entries_were_lost_those_that_are_left_count_for_them() -> None:
    # Two days passed; what the feed shows is of the last quarter of a day.
    left = START + 2 * DAY - np.arange(1, 21) * (DAY / 4 / 20)
    whole = polled(steady(24), START + 2 * DAY, left)
    gap = polled(steady(24), START + 2 * DAY, left, is_gap=True)
    added = gap["slow"][0, 0] - steady(24)["slow"][0, 0]
    assert gap["slow"][0, 1] == whole["slow"][0, 1]
    assert added > 6 * (whole["slow"][0, 0] - steady(24)["slow"][0, 0])


def test_lost_entries_never_count_beyond_ten_times_those_left() -> None:
    gap = polled(unknown(1), START, [START - DAY, START - 1])
    before = float(gap["slow"][0, 0])
    after = polled(gap, START + 300 * DAY, [START + 300 * DAY - 1], is_gap=True)
    assert float(after["slow"][0, 0]) <= before + 10.001


def test_the_window_is_the_most_that_was_ever_shown() -> None:
    known = unknown(1)
    for shown in (10, 25, 3):
        known = polled(known, START + shown, [START], shown=shown)
    assert known["window"][0] == 25


def test_a_gap_shows_how_small_a_window_has_become() -> None:
    known = polled(unknown(1), START, [START - HOUR], shown=100)
    known = polled(known, START + DAY, [START + HOUR] * 10, shown=10, is_gap=True)
    assert known["window"][0] == 10


def test_times_are_counted_by_the_clock_of_the_world() -> None:
    # Wednesday, 2026-03-04 09:20 UTC.
    known = polled(unknown(1), START + 3 * DAY, [START + 2 * DAY + 9 * HOUR + 1200])
    assert known["quarters"][0].argmax() == 9 * 4 + 1
    assert known["weekdays"][0].argmax() == 2
    assert known["minutes"][0].argmax() == 20


def test_counts_that_stray_make_a_channel_bursty_and_regular_ones_do_not() -> None:
    bursty = regular = steady(24)
    for day in range(1, 30):
        now = START + day * DAY
        bursty = polled(bursty, now, [now - 60.0] * (100 if day % 4 == 0 else 0))
        regular = polled(regular, now, even(24, 1, now))
    assert burstiness(regular)[0] < 0.05
    assert burstiness(bursty)[0] > 0.5


@given(st.lists(DATES, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(dates: list[float], random: object) -> None:
    shuffled = list(dates)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # a Random
    one, other = (polled(unknown(1), START, published) for published in (dates, shuffled))
    for name in RHYTHM.names or ():
        assert np.allclose(one[name], other[name], rtol=1e-5)


@given(st.lists(st.tuples(JUMPS, st.lists(DATES, max_size=10), st.booleans()), min_size=1, max_size=8))
def test_nothing_makes_a_rhythm_anything_but_numbers(polls: list[tuple[float, list[float], bool]]) -> None:
    """Also clocks that jump, years without a poll, and dates of any kind."""
    known, now = unknown(1), START
    for jump, dates, is_gap in polls:
        now = max(now + jump, 1.0)
        known = polled(known, now, dates, is_gap=is_gap)
        for name in RHYTHM.names or ():
            assert np.isfinite(known[name]).all()
            assert name in ("shift", "odds") or (known[name] >= 0).all()
    assert all(rate[0] > 0 for rate in rates(known))


@pytest.mark.parametrize("date", [START, START - DAY, START + 400 * DAY])
def test_a_million_entries_at_once_are_counted(date: float) -> None:
    first = polled(unknown(1), START, np.full(1_000_000, date), shown=1_000_000)
    again = polled(first, START + HOUR, np.full(1_000_000, date), shown=1_000_000)
    assert all(np.isfinite(again[name]).all() for name in RHYTHM.names or ())
    assert again["quarters"].sum() == pytest.approx(2_000_000, rel=0.02)
    assert rates(again)[0][0] > 1000


def test_channels_learn_together_as_they_do_alone() -> None:
    dates = [even(24, 3), [], [START - HOUR], even(2, 20)]
    later = [[START + 60], [START + HOUR], [], [START + 100, START + 200]]
    together = looked_at(looked_at(unknown(4), START, seen(*dates)), START + DAY, seen(*later))
    for place, (first, second) in enumerate(zip(dates, later, strict=True)):
        alone = polled(polled(unknown(1), START, first), START + DAY, second)
        assert packed(together, place) == packed(alone)
