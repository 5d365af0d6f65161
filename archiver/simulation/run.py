"""All policies at all budgets, in as many processes as wanted."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.simulation.budget import OURS, Played, play, play_as_shipped
from archiver.simulation.oracle import oracle
from archiver.simulation.peers import PEERS, SHIPPED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from archiver.simulation.histories import Histories
    from archiver.simulation.lockstep import Span

# What the settings come with: fair, with a floor of half an hour, at this budget.
SHIPPED_POLICY, SHIPPED_BUDGET = "ours-fair-floor-30", 12.0
ORACLE = "oracle"
POLICIES = (*OURS, *PEERS, ORACLE)
_AS_SHIPPED = "as shipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one process does at a time."""

    policy: str
    budgets: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What is replayed."""

    histories: Histories
    span: Span
    budgets: tuple[float, ...]


def simulate(
    replay: Replay,
    policies: Sequence[str] = POLICIES,
    *,
    jobs: int = 1,
    show: Callable[[str], None] = lambda _: None,
) -> list[Played]:
    """Each policy at each budget and as it comes, in the order of the policies."""
    tasks = tasks_of(replay.budgets, policies)
    found: list[Played] = []
    for number, (task, played) in enumerate(_done(replay, tasks, jobs), start=1):
        show(f"{number} of {len(tasks)}: {task.policy}, {', '.join(f'{one:g}' for one in task.budgets)}")
        found += played
    found += _ours_as_shipped(found)
    order = {name: place for place, name in enumerate(policies)}
    return sorted(found, key=lambda one: (one.budget is None, -(one.budget or 0), order.get(one.policy, 99)))


def tasks_of(budgets: Sequence[float], policies: Sequence[str]) -> list[Task]:
    """The longest first. Ours take longest, and most for the largest budgets: those are tasks of their own."""
    ordered = tuple(sorted(budgets, reverse=True))
    ours = [name for name in policies if name in OURS]
    parts = [ordered[:1], ordered[1:]]
    tasks = [Task(policy=name, budgets=part) for part in parts if part for name in ours]
    tasks += [Task(policy=name, budgets=ordered) for name in policies if name not in OURS]
    return [*tasks, Task(policy=_AS_SHIPPED, budgets=())] if any(one in PEERS for one in policies) else tasks


def _done(replay: Replay, tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, list[Played]]]:
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


def _perform_kept(task: Task) -> list[Played]:
    return perform(_kept[0], task)


def perform(replay: Replay, task: Task) -> list[Played]:
    histories, span = replay.histories, replay.span
    if task.policy == _AS_SHIPPED:
        return [play_as_shipped(name, shipped, histories, span) for name, shipped in SHIPPED.items()]
    if task.policy == ORACLE:
        outcomes = zip(task.budgets, oracle(histories, span, task.budgets), strict=True)
        return [Played(policy=ORACLE, budget=budget, whole=one) for budget, one in outcomes]
    return play(task.policy, histories, span, task.budgets)


def _ours_as_shipped(found: Sequence[Played]) -> list[Played]:
    """Its budget is a setting, and therefore one of the budgets."""
    mine = [one for one in found if one.policy == SHIPPED_POLICY and one.budget == SHIPPED_BUDGET]
    return [replace(one, budget=None, first_week=None) for one in mine]
