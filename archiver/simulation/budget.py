"""Policies brought to equal budgets: each is scaled until it polls as often as all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from archiver.simulation.ours import Ours
from archiver.simulation.peers import FIRST_SCALES, PEERS
from archiver.simulation.lockstep import DAY, Outcome, Simulation, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.simulation.histories import Histories
    from archiver.simulation.lockstep import Floats, Policy

    Build = Callable[[Histories, Span, Simulation, Floats], Policy]

# How far a policy may be from its budget.
_NEAR = 0.005
_MOST_ROUNDS = 12
# Prices are first tried on so many days: that takes a fraction of the time and comes near.
_REHEARSAL = 28 * DAY
OURS = {"ours": 1.0, "ours-fair": 6.0}
# What a poll costs at 12 polls a day, to begin with.
_FIRST_PRICE = {"ours": 0.014, "ours-fair": 0.026}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A policy at a budget; None: as it comes."""

    policy: str
    budget: float | None
    whole: Outcome
    first_week: Outcome


def play(name: str, histories: Histories, span: Span, budgets: Sequence[float]) -> list[Played]:
    """A policy at each budget."""
    scales = _first_scales(name, budgets)
    if name in OURS and span.end - span.start > 2 * _REHEARSAL:
        short = Span(
            start=span.start, end=span.start + _REHEARSAL, shortest=span.shortest, longest=span.longest
        )
        _, scales = _brought(build(name), histories, short, budgets, scales)
    simulation, _ = _brought(build(name), histories, span, budgets, scales)
    return [
        Played(
            policy=name, budget=budget, whole=simulation.outcome(run), first_week=simulation.first_week(run)
        )
        for run, budget in enumerate(budgets)
    ]


def play_as_shipped(name: str, histories: Histories, span: Span, scale: float) -> Played:
    simulation = _run(build(name), histories, span, np.array([scale]))
    return Played(policy=name, budget=None, whole=simulation.outcome(0), first_week=simulation.first_week(0))


def build(name: str) -> Build:
    if name not in OURS:
        return PEERS[name]
    fairness = OURS[name]

    def ours(histories: Histories, span: Span, _: Simulation, scale: Floats) -> Policy:
        return Ours(histories, span, price=scale, fairness=np.full(len(scale), fairness))

    return ours


def _first_scales(name: str, budgets: Sequence[float]) -> Floats:
    """Waits are in proportion to the scale of most policies, and to the root of a price."""
    less = 12 / np.asarray(budgets, np.float64)
    return _FIRST_PRICE[name] * less**2 if name in OURS else FIRST_SCALES[name] * less


def _brought(
    build: Build, histories: Histories, span: Span, budgets: Sequence[float], scales: Floats
) -> tuple[Simulation, Floats]:
    wanted = np.asarray(budgets, np.float64)
    search = _Search(scales)
    for _ in range(_MOST_ROUNDS):
        simulation = _run(build, histories, span, search.scales)
        polls = simulation.polls_per_day()
        if (abs(polls / wanted - 1) < _NEAR).all():
            break
        search.learn(polls / wanted)
    return simulation, search.scales


def _run(build: Build, histories: Histories, span: Span, scales: Floats) -> Simulation:
    simulation = Simulation(histories, span, len(scales))
    simulation.play(build(histories, span, simulation, np.repeat(scales, len(histories))))
    return simulation


class _Search:
    """Scales that come closer to their budgets: between what was too little and what was too much."""

    def __init__(self, scales: Floats) -> None:
        self.scales = scales
        self._tried: list[tuple[Floats, Floats]] = []

    def learn(self, excess: Floats) -> None:
        """`excess` is how many times too many polls the scales gave."""
        self._tried.append((np.log(self.scales), np.log(excess)))
        self.scales = np.exp([self._next(run) for run in range(len(self.scales))])

    def _next(self, run: int) -> float:
        tried = sorted((scale[run], excess[run]) for scale, excess in self._tried)
        at, off = min(tried, key=lambda one: abs(one[1]))
        if abs(off) < _NEAR / 2:
            return at
        over = [one for one in tried if one[1] > 0]
        under = [one for one in tried if one[1] <= 0]
        if not over or not under:
            return at + 1.7 * off
        (low, much), (high, little) = max(over), min(under)
        return low + (high - low) * np.clip(much / (much - little), 0.1, 0.9)
