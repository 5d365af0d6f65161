"""Policies brought to equal budgets: each is scaled until it polls as often as all others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.decide import Aim, decide, floored
from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import SeenEntries, observe, unknown
from archiver.inspection.simulation.lockstep import DAY, Simulation
from archiver.inspection.simulation.peers import FIRST_SCALES, PEERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import Floats, LanePolls, LockstepResult, ReplaySpan
    from archiver.inspection.simulation.peers import Shipped


class Ours:
    """Each lane has its price, its fairness and its floor; that gives way to overruns, to the span's own."""

    def __init__(
        self, histories: Histories, span: ReplaySpan, *, price: Floats, fairness: Floats, floor: Floats
    ) -> None:
        self._histories, self._span = histories, span
        self._price, self._fairness, self._floor = price, fairness, floor
        self._rhythms = unknown(len(price))
        self._usual = np.zeros(len(price))
        self._expected = np.zeros(len(price))

    def waits(self, look: LanePolls) -> Floats:
        lane = look.lane
        seen = SeenEntries(
            published=self._histories.published[look.entry],
            owner=look.owner,
            shown=look.newest - look.oldest,
            is_gap=look.is_gap,
        )
        rhythms = observe(self._rhythms[lane], look.now, seen, self._expected[lane], self._usual[lane])
        self._rhythms[lane] = rhythms
        forecast = Forecast(rhythms, look.now)
        aim = Aim(
            price=self._price[lane],
            fairness=self._fairness[lane],
            shortest=self._span.shortest,
            longest=self._span.longest,
        )
        found = decide(forecast, rhythms["window"].astype(np.float64), aim)
        wait = floored(found, self._floor[lane], self._span.shortest)
        self._usual[lane], self._expected[lane] = forecast.passed(look.now + wait)
        return wait


# How far a policy may be from its budget.
NEAR = 0.005
_MOST_ROUNDS = 12
# How far a rehearsal may be from it.
_ABOUT = 0.03
# Less than this, as a logarithm, is no difference.
_SAME = 1e-3
# Waits grow with about the root of a price.
_SLOPE = 2.0
# Prices are first tried on so many days: that takes a fraction of the time and comes near.
_REHEARSAL = 28 * DAY
_HALF_HOUR = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OurPolicy:
    """A policy of ours: what it aims at, its floor, and what a poll costs at 12 a day, to begin with."""

    fairness: float
    first_price: float
    floor: float = 0.0


OURS = {
    "ours": OurPolicy(fairness=1.0, first_price=0.0131),
    "ours-fair": OurPolicy(fairness=2.2, first_price=0.017),
    "ours-floor-30": OurPolicy(fairness=1.0, first_price=0.012, floor=_HALF_HOUR),
    "ours-fair-floor-30": OurPolicy(fairness=2.2, first_price=0.0165, floor=_HALF_HOUR),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRun:
    """A policy at a budget; None: as it comes. The first week apart, where there was one."""

    policy: str
    budget: float | None
    whole: LockstepResult
    first_week: LockstepResult | None = None


def play(name: str, histories: Histories, span: ReplaySpan, budgets: Sequence[float]) -> list[PolicyRun]:
    """A peer at each budget."""
    less = [12 / budget for budget in budgets]
    searches = [
        Search(name, budget, FIRST_SCALES[name] * one) for budget, one in zip(budgets, less, strict=True)
    ]
    return _brought(searches, histories, span)


def play_ours(
    names: Sequence[str], histories: Histories, span: ReplaySpan, budgets: Sequence[float]
) -> list[PolicyRun]:
    """Policies of ours at each budget, all of them together: many decisions at once take less time."""
    searches = [
        Search(name, budget, OURS[name].first_price * (12 / budget) ** _SLOPE, slope=_SLOPE)
        for name in names
        for budget in budgets
    ]
    return _brought(_rehearsed(searches, histories, span), histories, span)


def play_as_shipped(name: str, shipped: Shipped, histories: Histories, span: ReplaySpan) -> PolicyRun:
    bounds = replace(span, shortest=shipped.shortest, longest=shipped.longest)
    simulation = _run([Search(shipped.policy, 0.0, shipped.scale)], histories, bounds)
    return PolicyRun(policy=name, budget=None, whole=simulation.outcome(0))


def _rehearsed(searches: Sequence[Search], histories: Histories, span: ReplaySpan) -> list[Search]:
    """Begun anew with what fits some weeks in the middle, where that is much shorter than all of the span."""
    if span.end - span.start >= 3 * _REHEARSAL:
        start = (span.start + span.end - _REHEARSAL) / 2
        _brought(searches, histories, replace(span, start=start, end=start + _REHEARSAL), _ABOUT)
    return [Search(one.policy, one.budget, one.scale, slope=one.slope) for one in searches]


def _brought(
    searches: Sequence[Search], histories: Histories, span: ReplaySpan, near: float = NEAR
) -> list[PolicyRun]:
    """The nearest round of each; those that are near enough are not played again."""
    best: dict[Search, tuple[float, PolicyRun]] = {}
    for _ in range(_MOST_ROUNDS):
        going = [one for one in searches if one not in best or (best[one][0] >= near and not one.is_stuck)]
        if not going:
            break
        simulation = _run(going, histories, span)
        for run, search in enumerate(going):
            off = search.learn(float(simulation.polls_per_day()[run]))
            if search not in best or off < best[search][0]:
                best[search] = (off, _played(search, simulation, run))
    return [best[search][1] for search in searches]


def _played(search: Search, simulation: Simulation, run: int) -> PolicyRun:
    return PolicyRun(
        policy=search.policy,
        budget=search.budget,
        whole=simulation.outcome(run),
        first_week=simulation.first_week(run),
    )


def _run(runs: Sequence[Search], histories: Histories, span: ReplaySpan) -> Simulation:
    """A run for each; all are of ours, or all are of one peer."""
    simulation = Simulation(histories, span, len(runs))

    def lanes(values: Sequence[float]) -> Floats:
        return np.repeat(np.asarray(values, np.float64), len(histories))

    scales = lanes([one.scale for one in runs])
    if runs[0].policy in PEERS:
        simulation.play(PEERS[runs[0].policy](histories, span, simulation, scales))
        return simulation
    policies = [OURS[one.policy] for one in runs]
    fairness = lanes([one.fairness for one in policies])
    floor = lanes([one.floor for one in policies])
    simulation.play(Ours(histories, span, price=scales, fairness=fairness, floor=floor))
    return simulation


class Search:
    """A scale that comes closer to its budget: between what was too little and what was too much."""

    def __init__(self, policy: str, budget: float, scale: float, *, slope: float = 1.0) -> None:
        self.policy, self.budget, self.scale = policy, budget, scale
        # By which power of the excess a scale must grow, as far as is known.
        self.slope = slope
        self._tried: list[tuple[float, float]] = []

    @property
    def is_stuck(self) -> bool:
        """Polls no longer heed the scale: a floor is reached, or they jump past the budget."""
        if len(self._tried) < 2:
            return False
        (before, was), (after, off) = self._tried[-2:]
        return abs(was - off) < _SAME or abs(before - after) < _SAME

    def learn(self, polls: float) -> float:
        """What the scale gave; how far that was from the budget, as a logarithm."""
        off = float(np.log(max(polls, 1e-9) / self.budget))
        self._tried.append((float(np.log(self.scale)), off))
        self._learn_slope()
        self.scale = float(np.exp(self._next()))
        return abs(off)

    def _next(self) -> float:
        over = [one for one in self._tried if one[1] > 0]
        under = [one for one in self._tried if one[1] <= 0]
        if not over or not under:
            at, off = max(over) if over else min(under)
            return at + 1.02 * off * self.slope
        (low, much), (high, little) = max(over), min(under)
        part = much / (much - little) if much != little else 0.5
        return low + (high - low) * min(max(part, 0.05), 0.95)

    def _learn_slope(self) -> None:
        """From the two nearest; within bounds, for polls may hardly heed a scale, or jump."""
        if len(self._tried) < 2:
            return
        (first, much), (second, little) = sorted(self._tried, key=lambda one: abs(one[1]))[:2]
        if much != little:
            self.slope = min(max((second - first) / (much - little), 0.5), 8.0)
