"""Equal budgets, the rows that come of them, and what is claimed of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from archiver.inspection.simulation.budget import NEAR, OURS, PolicyRun, Search, play, play_ours
from archiver.inspection.simulation.lockstep import LockstepResult
from archiver.inspection.simulation.peers import PEERS
from archiver.inspection.simulation.plot import plot_of
from archiver.inspection.simulation.run import (
    POLICIES,
    SHIPPED_POLICY,
    Replay,
    simulate,
    tasks_of,
)
from archiver.inspection.simulation.table import json_of, lines_of
from bench.simulation.claims import claims_of, cold_claims_of, fixed_alike
from bench.simulation.oracle import oracle
from tests.simulation.feeds import feeds, span

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEYS = [
    "policy",
    "budget",
    "polls_per_day",
    "missed_percent",
    "lossy_feeds_percent",
    "entry_mean",
    "entry_median",
    "entry_p95",
    "feed_mean",
    "polls_per_entry",
]
_NOTHING = LockstepResult(**dict.fromkeys(_KEYS[2:], 0.0))


def _two_days() -> Replay:
    return Replay(histories=feeds(*_moments((90, 60, 40, 9)), window=10), span=span(48), budgets=(12.0, 4.0))


def _four_days() -> Replay:
    histories = feeds(*_moments((180, 120, 80, 18), end=5760), window=10)
    return Replay(histories=histories, span=span(96), budgets=(12.0, 4.0))


def _moments(counts: Sequence[int], end: float = 2880) -> list[list[float]]:
    random = np.random.default_rng(1)
    return [np.sort(random.uniform(-2000, end, count)).tolist() for count in counts]


def _play(name: str, replay: Replay) -> list[PolicyRun]:
    if name in OURS:
        return play_ours([name], replay.histories, replay.span, replay.budgets)
    return play(name, replay.histories, replay.span, replay.budgets)


@pytest.mark.parametrize("name", ["fixed", "miniflux", "square root", "post rate", "ours", "ours-fair"])
def test_each_policy_is_brought_to_its_budgets(name: str) -> None:
    found = _play(name, _four_days())
    assert [one.budget for one in found] == [12, 4]
    for one in found:
        # Of so few polls, one more or less is much.
        assert one.whole.polls_per_day == pytest.approx(one.budget, rel=0.08)


@pytest.mark.parametrize("power", [0.3, 0.5, 1.0, 3.0])
def test_the_search_finds_any_power_law(power: float) -> None:
    search = Search("fixed", 12.0, 1.0)
    off = [search.learn(50 * search.scale**-power) for _ in range(12)]
    assert min(off) < NEAR


def test_the_search_comes_to_an_end_where_polls_jump() -> None:
    search = Search("fixed", 12.0, 1.0)
    off = [search.learn(20.0 if search.scale < 3 else 10.0) for _ in range(30)]
    assert search.scale == pytest.approx(3)
    assert search.is_stuck
    assert min(off) == pytest.approx(np.log(12 / 10))


@pytest.mark.zoo
def test_the_floor_is_kept_where_nothing_is_lost_by_it() -> None:
    replay = _two_days()
    roomy = feeds(*_moments((90, 60, 40, 9)), window=100)
    (found,) = play_ours(["ours-floor-30"], roomy, replay.span, (60,))
    # Every 30 minutes is 48 times a day.
    assert 40 < found.whole.polls_per_day <= 48.5
    (free,) = play_ours(["ours"], replay.histories, replay.span, (60,))
    assert free.whole.polls_per_day == pytest.approx(60, rel=0.02)


@pytest.mark.zoo
def test_the_floor_gives_way_where_entries_would_be_lost() -> None:
    """A window is full after 20 minutes: of 30 entries between two polls, 10 would be lost."""
    busy = feeds([float(minute) for minute in range(-3000, 1440)], window=20)
    (found,) = play_ours(["ours-floor-30"], busy, span(24), (200,))
    assert found.whole.polls_per_day == pytest.approx(200, rel=0.05)
    assert found.whole.missed_percent < 10


def test_json_has_a_row_for_each_policy_and_budget_with_the_agreed_keys() -> None:
    found = simulate(replace(_two_days(), others={"oracle": oracle}), ("fixed", "ours", "oracle"))
    rows = json.loads(json_of(found))
    assert all(list(row) == _KEYS for row in rows)
    assert [(row["policy"], row["budget"]) for row in rows] == [
        ("fixed", 12),
        ("ours", 12),
        ("oracle", 12),
        ("fixed", 4),
        ("ours", 4),
        ("oracle", 4),
        ("fixed 1 h", None),
        ("fixed 12 h", None),
    ]
    assert len(list(lines_of(found))) == len(rows) + 2
    assert plot_of(found).count("<polyline") == 9


def test_two_processes_find_what_one_does() -> None:
    replay = _two_days()
    assert simulate(replay, ("fixed", "square root"), jobs=2) == simulate(replay, ("fixed", "square root"))


def test_all_policies_have_tasks_and_the_longest_come_first() -> None:
    tasks = tasks_of((3, 24, 12), POLICIES)
    assert {name for task in tasks if not task.as_shipped for name in task.policies} == {*POLICIES}
    assert [task.policies for task in tasks[:2]] == [
        ("ours", "ours-floor-30"),
        ("ours-fair", "ours-fair-floor-30"),
    ]
    assert {task.budgets for task in tasks if not task.as_shipped} == {(24, 12, 3)}


def _row(policy: str, **figures: float) -> PolicyRun:
    outcome = replace(_NOTHING, **figures)
    return PolicyRun(policy=policy, budget=6.0, whole=outcome, first_week=outcome)


def test_a_claim_fails_where_any_peer_is_better() -> None:
    peers = [_row(name, missed_percent=1.0, entry_mean=50, feed_mean=90) for name in PEERS]
    peers[0] = _row("fixed", missed_percent=1.0, entry_mean=60, feed_mean=40)
    ours = _row("ours", missed_percent=0.5, entry_mean=50, feed_mean=200)
    fair = _row("ours-fair", missed_percent=1.5, entry_mean=50, feed_mean=80)
    shipped = _row(SHIPPED_POLICY, missed_percent=1.5, entry_mean=50, feed_mean=80)
    found = {(one.policy, one.figure): one.holds for one in claims_of([*peers, ours, fair, shipped])}
    # As good is not better; and small feeds are seen sooner by fixed polling, when there are few polls.
    assert found == {
        ("ours", "missed %"): True,
        ("ours", "entry mean"): False,
        ("ours-fair", "missed %"): False,
        ("ours-fair", "feed mean"): True,
        (SHIPPED_POLICY, "missed %"): False,
        (SHIPPED_POLICY, "feed mean"): True,
    }
    cold = {(one.policy, one.figure): one.holds for one in cold_claims_of([ours, fair], [peers[0]] * 2)}
    assert cold["ours", "first week, missed %"]
    assert not cold["ours-fair", "first week, feed mean"]
    # With very few polls it is said of losses alone.
    (claim,) = cold_claims_of([replace(fair, budget=3.0)], peers[:1])
    assert claim.figure == "first week, missed %"
    assert len(list(cold_claims_of([ours, fair], [peers[0]] * 2, only_missed=True))) == 2


def test_losses_are_held_against_every_peer_also_against_fixed_polling() -> None:
    peers = [_row(name, missed_percent=0.4 if name == "fixed" else 1.0) for name in PEERS]
    shipped = _row(SHIPPED_POLICY, missed_percent=0.5)
    lost = next(one for one in claims_of([*peers, shipped]) if one.figure == "missed %")
    assert (lost.holds, lost.peer) == (False, "fixed")


def test_a_first_week_is_held_against_fixed_polling_with_as_many_polls() -> None:
    replay = _two_days()
    ours = play_ours(["ours"], replay.histories, replay.span, (12.0,))
    (fixed,) = fixed_alike(replay, [replace(ours[0], first_week=replace(_NOTHING, polls_per_day=6.0))])
    assert fixed.policy == "fixed, as ours"
    assert fixed.whole.polls_per_day == pytest.approx(6 + 1 / 7, rel=0.1)
