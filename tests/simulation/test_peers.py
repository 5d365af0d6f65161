"""The interval of each peer on a small example, against what its rule says."""

from __future__ import annotations

import numpy as np
import pytest

from archiver.inspection.simulation.lockstep import Simulation
from archiver.inspection.simulation.peers import PEERS
from tests.simulation.feeds import DAY, HOUR, MINUTE, Every, feeds, span


def _waits(
    name: str, published: list[float], hours: float = 0.1, *, scale: float = 1.0, window: int = 3
) -> list[float]:
    """What a peer says at the start and at each hour after it, in minutes."""
    histories, of = feeds(published, window=window), span(hours)
    simulation = Simulation(histories, of, 1)
    peer = PEERS[name](histories, of, simulation, np.array([scale]))
    hourly = Every(60)
    simulation.play(hourly)
    return [float(peer.waits(look)[0]) / MINUTE for look in hourly.looks]


def test_fixed_is_the_scale_in_hours() -> None:
    assert _waits("fixed", [-10], scale=2.5) == [150]


def test_miniflux_divides_a_week_by_the_entries_of_a_week() -> None:
    week = 7 * DAY / MINUTE
    # One of three entries is older than a week.
    assert _waits("miniflux", [-8 * 1440, -100, -10]) == pytest.approx([week / 2])
    assert _waits("miniflux", [-8 * 1440]) == [week]


def test_miniflux_cannot_count_what_it_lost() -> None:
    week = 7 * DAY / MINUTE
    # Four new entries within the hour, of which a window of three shows three.
    found = _waits("miniflux", [-30, 10, 20, 30, 40], 1.1)
    assert found == pytest.approx([week, week / 4])


def test_commafeed_halves_the_mean_gap_between_five_minutes_and_an_hour() -> None:
    assert _waits("CommaFeed", [-140, -100, -60]) == pytest.approx([20])
    assert _waits("CommaFeed", [-14, -12, -10]) == pytest.approx([5])
    assert _waits("CommaFeed", [-2000, -1000, -10]) == pytest.approx([60])
    assert _waits("CommaFeed", [-60 * 1440, -50 * 1440]) == pytest.approx([240])


def test_stormcrawler_comes_nearer_to_the_shortest_by_a_rate_or_moves_away_by_it() -> None:
    nearer = 60 - 0.3 * 59
    assert _waits("StormCrawler", [-10, 70], 2.1) == pytest.approx(
        [nearer, nearer * 1.3, nearer * 1.3 - 0.3 * (nearer * 1.3 - 1)]
    )


def test_adaptive_ttl_is_a_share_of_the_age_of_the_newest_entry() -> None:
    assert _waits("adaptive TTL", [-100, -40], scale=0.5) == pytest.approx([20])


def test_mavsync_keeps_step_with_the_newest_entry() -> None:
    # Every 40 minutes, the last 50 minutes ago: the next in 30.
    assert _waits("MAVSync", [-130, -90, -50]) == pytest.approx([30])


def test_post_rate_waits_until_so_many_entries_are_expected() -> None:
    # Three entries in two days, evenly but for what the hours say: two thirds of a day for one.
    waits = _waits("post rate", [-2880, -2000, -1000], scale=1.5)
    assert waits == pytest.approx([1440], rel=0.01)


def test_post_rate_expects_entries_at_the_hours_at_which_they_came() -> None:
    at_noon = [-12 * 60 - day * 1440 + minute for day in range(10) for minute in (0, 10, 20, 30)]
    (wait,) = _waits("post rate", at_noon, scale=2.5, window=40)
    assert 12 * 60 < wait < 13.5 * 60


def test_square_root_polls_in_proportion_to_the_root_of_the_rate() -> None:
    rate = (3 + 0.5) / (14 + 3.5)
    assert _waits("square root", [-3000, -2000, -1000]) == pytest.approx([HOUR / MINUTE / rate**0.5])


def test_all_peers_of_the_protocol_are_there() -> None:
    assert list(PEERS) == [
        "fixed",
        "miniflux",
        "CommaFeed",
        "StormCrawler",
        "adaptive TTL",
        "MAVSync",
        "post rate",
        "square root",
    ]


@pytest.mark.parametrize("name", PEERS)
def test_a_feed_without_entries_breaks_no_peer(name: str) -> None:
    histories, of = feeds([], [-5.0, 5.0]), span(1)
    simulation = Simulation(histories, of, 1)
    simulation.play(PEERS[name](histories, of, simulation, np.ones(2)))
    assert simulation.polls_per_day()[0] > 0
