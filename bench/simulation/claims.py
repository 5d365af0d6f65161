"""What is claimed of our policies, checked against the figures of one run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.inspection.simulation.budget import play
from archiver.inspection.simulation.lockstep import COLD, DAY
from archiver.inspection.simulation.peers import PEERS
from archiver.inspection.simulation.run import SHIPPED_POLICY
from archiver.inspection.simulation.table import HEAD, row, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.simulation.budget import PolicyRun
    from archiver.inspection.simulation.run import Replay

# Which of them never look at what a feed does.
BLIND = frozenset({"fixed"})
# Each entry counts the same; each feed does; and so as the settings come.
CLAIMED = ("ours", "ours-fair", SHIPPED_POLICY)
# From so many polls a day on, small feeds too are seen sooner than by fixed polling.
_PLENTY = 12
# The same of the first week, in which nothing is known yet: with fewer, small feeds are behind fixed polling.
_PLENTY_COLD = 6
_FIGURES = {
    "missed_percent": "missed %",
    "entry_mean": "entry mean",
    "feed_mean": "feed mean",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A comparison with the best of those that are to be beaten."""

    policy: str
    budget: float
    figure: str
    ours: float
    best: float
    peer: str
    # Where nothing is missed, nobody can miss less.
    ties_hold: bool = False

    @property
    def holds(self) -> bool:
        return self.ours < self.best or (self.ties_hold and self.ours == self.best)

    def __str__(self) -> str:
        told = f"{self.policy} at {self.budget:g}: {self.figure} {self.ours:.3f}"
        return f"{'holds' if self.holds else 'FAILS'}  {told}, best peer {self.peer} {self.best:.3f}"


def fixed_alike(replay: Replay, played: Sequence[PolicyRun]) -> list[PolicyRun]:
    """Fixed polling in the first week, with just as many polls as each of these made in it."""
    week = replace(replay.span, end=min(replay.span.start + COLD, replay.span.end))
    found = []
    for one in played:
        # The first look is not counted among the polls of the first week.
        polls = (one.first_week.polls_per_day if one.first_week else 0.0) + DAY / COLD
        (fixed,) = play("fixed", replay.histories, week, (polls,))
        found.append(replace(fixed, policy=f"fixed, as {one.policy}", budget=one.budget))
    return found


def first_week_lines(played: Sequence[PolicyRun]) -> Iterator[str]:
    """The first week alone, in which nothing is known but one window of each feed."""
    yield from table([HEAD, *(row(one, one.first_week) for one in played if one.first_week)])


def claims_of(played: Sequence[PolicyRun], *, only_missed: bool = False) -> Iterator[Claim]:
    """All that can be held against these figures."""
    rows = {(one.policy, one.budget): one for one in played if one.budget is not None}
    for budget in sorted({budget for _, budget in rows}, reverse=True):
        peers = [rows[name, budget] for name in PEERS if (name, budget) in rows]
        adaptive = [one for one in peers if one.policy not in BLIND]
        for policy in CLAIMED:
            if (policy, budget) not in rows or not adaptive:
                continue
            ours = rows[policy, budget]
            yield _claim(ours, peers, "missed_percent")
            if not only_missed:
                against = peers if policy == "ours" or budget >= _PLENTY else adaptive
                yield _claim(ours, against, "entry_mean" if policy == "ours" else "feed_mean")


def cold_claims_of(
    played: Sequence[PolicyRun], fixed: Sequence[PolicyRun], *, only_missed: bool = False
) -> Iterator[Claim]:
    """The first week is no worse than with fixed polling that makes as many polls in it."""
    for ours, theirs in zip(played, fixed, strict=True):
        yield _claim(ours, [theirs], "missed_percent", first_week=True)
        if only_missed:
            continue
        if ours.policy == "ours":
            yield _claim(ours, [theirs], "entry_mean", first_week=True)
        elif (ours.budget or 0.0) >= _PLENTY_COLD:
            yield _claim(ours, [theirs], "feed_mean", first_week=True)


def _claim(ours: PolicyRun, peers: Sequence[PolicyRun], figure: str, *, first_week: bool = False) -> Claim:
    def value(one: PolicyRun) -> float:
        return float(getattr((one.first_week if first_week else None) or one.whole, figure))

    best = min(peers, key=value)
    return Claim(
        policy=ours.policy,
        budget=ours.budget or 0.0,
        figure=("first week, " if first_week else "") + _FIGURES[figure],
        ours=value(ours),
        best=value(best),
        peer=best.policy,
        ties_hold=first_week or value(best) == 0.0,
    )
