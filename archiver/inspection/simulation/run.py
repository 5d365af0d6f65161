"""All policies at all budgets, in as many processes as wanted."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from archiver.inspection.simulation.budget import OURS, PolicyRun, play, play_as_shipped, play_ours
from archiver.inspection.simulation.peers import PEERS, SHIPPED
from archiver.inspection.simulation.table import brief_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import LockstepResult, ReplaySpan

# What the settings come with: fair, with a floor of half an hour that gives way to overruns, at this budget.
SHIPPED_POLICY, SHIPPED_BUDGET = "ours-fair-floor-30", 12.0
POLICIES = (*OURS, *PEERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What one process does at a time."""

    policies: tuple[str, ...]
    budgets: tuple[float, ...] = ()
    as_shipped: bool = False

    def __str__(self) -> str:
        return f"{', '.join(self.policies)}{' as shipped' if self.as_shipped else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What is replayed."""

    histories: Histories
    span: ReplaySpan
    budgets: tuple[float, ...]
    # Further policies by their names, which a caller brings along.
    others: Mapping[str, Callable[[Histories, ReplaySpan, Sequence[float]], list[LockstepResult]]] = field(
        default_factory=dict
    )


def simulate(
    replay: Replay,
    policies: Sequence[str] = POLICIES,
    *,
    jobs: int = 1,
    show: Callable[[str], None] = lambda _: None,
) -> list[PolicyRun]:
    """Each policy at each budget and as it comes, in the order of the policies."""
    tasks = tasks_of(replay.budgets, policies)
    found: list[PolicyRun] = []
    for number, (task, played) in enumerate(_done(replay, tasks, jobs), start=1):
        show(f"{number} of {len(tasks)} done: {task}")
        for line in brief_lines(played):
            show(line)
        found += played
    found += _ours_as_shipped(found)
    order = {name: place for place, name in enumerate(policies)}
    return sorted(found, key=lambda one: (one.budget is None, -(one.budget or 0), order.get(one.policy, 99)))


def tasks_of(budgets: Sequence[float], policies: Sequence[str]) -> list[Play]:
    """The longest first: ours, those of one aim together, for that saves time."""
    ordered = tuple(sorted(budgets, reverse=True))
    ours = [name for name in policies if name in OURS]
    aims = dict.fromkeys(OURS[name].fairness for name in ours)
    groups = [tuple(name for name in ours if OURS[name].fairness == aim) for aim in aims]
    others = [(name,) for name in policies if name not in OURS]
    shipped = tuple(name for name, one in SHIPPED.items() if one.policy in policies)
    tasks = [Play(policies=group, budgets=ordered) for group in (*groups, *reversed(others))]
    return [*tasks, Play(policies=shipped, as_shipped=True)] if shipped else tasks


def _done(replay: Replay, tasks: Sequence[Play], jobs: int) -> Iterator[tuple[Play, list[PolicyRun]]]:
    if jobs < 2:
        yield from ((task, perform(replay, task)) for task in tasks)
        return
    # Not forked: a parent may have threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _keep, (replay,)) as pool:
        going = {pool.submit(_perform_kept, task): task for task in tasks}
        try:
            for future in as_completed(going):
                yield going[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


_kept: list[Replay] = []


def _keep(replay: Replay) -> None:
    _kept[:] = [replay]


def _perform_kept(task: Play) -> list[PolicyRun]:
    return perform(_kept[0], task)


def perform(replay: Replay, task: Play) -> list[PolicyRun]:
    histories, span, budgets = replay.histories, replay.span, task.budgets
    if task.as_shipped:
        return [play_as_shipped(name, SHIPPED[name], histories, span) for name in task.policies]
    if task.policies[0] in OURS:
        return play_ours(task.policies, histories, span, budgets)
    if task.policies[0] in PEERS:
        return play(task.policies[0], histories, span, budgets)
    (name,) = task.policies
    outcomes = zip(budgets, replay.others[name](histories, span, budgets), strict=True)
    return [PolicyRun(policy=name, budget=budget, whole=one) for budget, one in outcomes]


def _ours_as_shipped(found: Sequence[PolicyRun]) -> list[PolicyRun]:
    """Its budget is a setting, and therefore one of the budgets."""
    mine = [one for one in found if one.policy == SHIPPED_POLICY and one.budget == SHIPPED_BUDGET]
    return [replace(one, budget=None, first_week=None) for one in mine]
