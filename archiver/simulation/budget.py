"""Policies brought to equal budgets: each is scaled until it polls as often as all others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from archiver.simulation.lockstep import DAY, Outcome, Simulation, Span
from archiver.simulation.ours import Ours
from archiver.simulation.peers import FIRST_SCALES, PEERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.simulation.histories import Histories
    from archiver.simulation.lockstep import Floats, Policy
    from archiver.simulation.peers import Shipped

    Build = Callable[[Histories, Span, Simulation, Floats], Policy]

# How far a policy may be from its budget.
NEAR = 0.005
_MOST_ROUNDS = 12
# Prices are first tried on so many days: that takes a fraction of the time and comes near.
_REHEARSAL = 28 * DAY
_HALF_HOUR = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OurPolicy:
    """A policy of ours: what it aims at, its floor, and what a poll costs at 12 a day, to begin with."""

    fairness: float
    first_price: float
    shortest: float | None = None


OURS = {
    "ours": OurPolicy(fairness=1.0, first_price=0.0131),
    "ours-fair": OurPolicy(fairness=6.0, first_price=0.026),
    "ours-floor-30": OurPolicy(fairness=1.0, first_price=0.012, shortest=_HALF_HOUR),
    "ours-fair-floor-30": OurPolicy(fairness=6.0, first_price=0.024, shortest=_HALF_HOUR),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A policy at a budget; None: as it comes. The first week apart, where there was one."""

    policy: str
    budget: float | None
    whole: Outcome
    first_week: Outcome | None = None


def play(name: str, histories: Histories, span: Span, budgets: Sequence[float]) -> list[Played]:
    """A policy at each budget."""
    scales = _first_scales(name, budgets)
    if name in OURS:
        floor = OURS[name].shortest
        span = replace(span, shortest=max(floor, span.shortest)) if floor else span
        scales = _rehearsed(name, histories, span, budgets, scales)
    return _brought(name, histories, span, budgets, scales)[0]


def play_as_shipped(name: str, shipped: Shipped, histories: Histories, span: Span) -> Played:
    bounds = replace(span, shortest=shipped.shortest, longest=shipped.longest)
    simulation = _run(_build(shipped.policy), histories, bounds, np.array([shipped.scale]))
    return Played(policy=name, budget=None, whole=simulation.outcome(0))


def _build(name: str) -> Build:
    if name not in OURS:
        return PEERS[name]
    fairness = OURS[name].fairness

    def ours(histories: Histories, span: Span, _: Simulation, scale: Floats) -> Policy:
        return Ours(histories, span, price=scale, fairness=np.full(len(scale), fairness))

    return ours


def _first_scales(name: str, budgets: Sequence[float]) -> Floats:
    """Waits are in proportion to the scale of most policies, and to the root of a price."""
    less = 12 / np.asarray(budgets, np.float64)
    return OURS[name].first_price * less**2 if name in OURS else FIRST_SCALES[name] * less


def _rehearsed(
    name: str, histories: Histories, span: Span, budgets: Sequence[float], scales: Floats
) -> Floats:
    """Scales that fit some weeks in the middle of the span, where that is much shorter than all of it."""
    if span.end - span.start < 3 * _REHEARSAL:
        return scales
    start = (span.start + span.end - _REHEARSAL) / 2
    short = replace(span, start=start, end=start + _REHEARSAL)
    return _brought(name, histories, short, budgets, scales)[1]


def _brought(
    name: str, histories: Histories, span: Span, budgets: Sequence[float], scales: Floats
) -> tuple[list[Played], Floats]:
    """Each budget's nearest round; those that are near enough are not played again."""
    searches = [Search(budget, scale) for budget, scale in zip(budgets, scales, strict=True)]
    best: dict[float, tuple[float, Played]] = {}
    for _ in range(_MOST_ROUNDS):
        going = [one for one in searches if not one.is_found]
        if not going:
            break
        simulation = _run(_build(name), histories, span, np.array([one.scale for one in going]))
        for run, search in enumerate(going):
            off = search.learn(float(simulation.polls_per_day()[run]))
            if search.budget not in best or off < best[search.budget][0]:
                best[search.budget] = (off, _played(name, search.budget, simulation, run))
    return [best[budget][1] for budget in budgets], np.array([one.nearest for one in searches])


def _played(name: str, budget: float, simulation: Simulation, run: int) -> Played:
    return Played(
        policy=name, budget=budget, whole=simulation.outcome(run), first_week=simulation.first_week(run)
    )


def _run(build: Build, histories: Histories, span: Span, scales: Floats) -> Simulation:
    simulation = Simulation(histories, span, len(scales))
    simulation.play(build(histories, span, simulation, np.repeat(scales, len(histories))))
    return simulation


class Search:
    """A scale that comes closer to its budget: between what was too little and what was too much."""

    def __init__(self, budget: float, scale: float) -> None:
        self.budget, self.scale = budget, scale
        self._tried: list[tuple[float, float]] = []

    @property
    def is_found(self) -> bool:
        return any(abs(off) < NEAR for _, off in self._tried)

    @property
    def nearest(self) -> float:
        return float(np.exp(min(self._tried, key=lambda one: abs(one[1]))[0]))

    def learn(self, polls: float) -> float:
        """What the scale gave; how far that was from the budget, as a logarithm."""
        off = float(np.log(max(polls, 1e-9) / self.budget))
        self._tried.append((float(np.log(self.scale)), off))
        self.scale = float(np.exp(self._next()))
        return abs(off)

    def _next(self) -> float:
        tried = sorted(self._tried)
        at, off = min(tried, key=lambda one: abs(one[1]))
        over = [one for one in tried if one[1] > 0]
        under = [one for one in tried if one[1] <= 0]
        if not over or not under:
            return at + off * (1.0 if len(tried) == 1 else self._slope(tried))
        (low, much), (high, little) = max(over), min(under)
        part = much / (much - little) if much != little else 0.5
        return low + (high - low) * min(max(part, 0.1), 0.9)

    @staticmethod
    def _slope(tried: Sequence[tuple[float, float]]) -> float:
        """How far to go on for a given excess, from the two nearest; never much further than that."""
        (first, much), (second, little) = sorted(tried, key=lambda one: abs(one[1]))[:2]
        slope = (second - first) / (much - little) if much != little else 4.0
        return min(max(1.05 * slope, 0.5), 8.0)
