"""Replays of tiny histories, against figures that were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from archiver.inspection.simulation.histories import History, histories_of
from archiver.inspection.simulation.lockstep import ReplaySpan, Simulation
from bench.simulation.files import default_span
from tests.simulation.feeds import DAY, HOUR, START, Every, feeds, played, span


def test_delays_are_from_publication_to_the_first_poll_that_shows_an_entry() -> None:
    simulation, _ = played(feeds([10, 70, 75]), 3, 60)
    found = simulation.outcome(0)
    # Polls at 0, 60 and 120 minutes: the entries wait 50, 50 and 45.
    assert found.entry_mean == pytest.approx(145 / 3)
    assert found.entry_median == pytest.approx(50)
    assert found.polls_per_day == pytest.approx(3 / (3 / 24))
    assert found.polls_per_entry == pytest.approx(1)
    assert found.missed_percent == 0
    assert found.lossy_feeds_percent == 0


def test_what_left_the_window_between_two_polls_is_missed() -> None:
    simulation, looks = played(feeds([10, 20, 30, 40], [10]), 2, 60, 60)
    found = simulation.outcome(0)
    # A window of two shows the last two of four, after 30 and 20 minutes; the other feed's entry waits 50.
    assert found.missed_percent == pytest.approx(100 * 2 / 5)
    assert found.lossy_feeds_percent == 50
    assert found.entry_mean == pytest.approx(100 / 3)
    assert looks[1].owner.tolist() == [0, 0, 1]


def test_each_feed_counts_alike_in_the_mean_over_feeds() -> None:
    simulation, _ = played(feeds([10, 20], [30]), 2, 60, 60)
    assert simulation.outcome(0).entry_mean == pytest.approx((50 + 40 + 30) / 3)
    assert simulation.outcome(0).feed_mean == pytest.approx((45 + 30) / 2)


def test_the_first_look_shows_one_window_and_counts_none_of_it() -> None:
    simulation, looks = played(feeds([-300, -200, -100, 30]), 2, 60)
    first = looks[0]
    assert (first.newest - first.oldest).tolist() == [2]
    assert first.entry.tolist() == [1, 2]
    assert not first.is_gap.any()
    assert simulation.outcome(0).entry_mean == pytest.approx(30)
    assert simulation.outcome(0).polls_per_entry == pytest.approx(2)


def test_no_overlap_with_the_last_look_is_a_gap() -> None:
    _, looks = played(feeds([-10, 10, 20], [-10, 10]), 2, 60, 60)
    assert looks[1].is_gap.tolist() == [True, False]


def test_waits_are_kept_within_the_bounds() -> None:
    simulation = Simulation(feeds([10]), span(1), 1)
    policy = Every(0)
    simulation.play(policy)
    assert np.diff([look.now[0] for look in policy.looks]).tolist() == [300.0] * 11


def test_runs_over_the_same_feeds_do_not_mix() -> None:
    simulation = Simulation(feeds([10]), span(2), 2)
    simulation.play(Every(60, 30))
    assert [simulation.outcome(run).entry_mean for run in (0, 1)] == pytest.approx([50, 20])
    assert simulation.polls_per_day().tolist() == [24, 48]


def test_the_first_week_is_told_apart() -> None:
    weeks = feeds([10.0, 8 * 24 * 60 + 50.0])
    simulation = Simulation(weeks, span(24 * 14), 1)
    simulation.play(Every(60))
    assert simulation.first_week(0).entry_mean == pytest.approx(50)
    assert simulation.outcome(0).entry_mean == pytest.approx(30)


def test_a_replay_begins_a_week_after_most_feeds_do_and_ends_with_the_last_day() -> None:
    steady = [History(published=np.arange(START + 100, START + 30 * DAY - 100, HOUR), window=5)] * 10
    old = History(published=[START - 90 * DAY], window=5)
    assert default_span(histories_of([*steady, old])) == ReplaySpan(
        start=START + 7 * DAY, end=START + 30 * DAY
    )


def test_of_little_time_half_is_replayed() -> None:
    few = histories_of([History(published=[START, START + DAY], window=5)])
    assert default_span(few) == ReplaySpan(start=START + DAY / 2, end=START + DAY)
