"""What simulations came to, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.simulation.budget import PolicyRun
    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import LockstepResult, ReplaySpan
    from archiver.inspection.simulation.run import Replay

HEAD = (
    "policy",
    "budget",
    "polls/day",
    "missed %",
    "lossy %",
    "mean",
    "median",
    "p95",
    "feed mean",
    "per entry",
)
COLUMNS = (
    "polls_per_day",
    "missed_percent",
    "lossy_feeds_percent",
    "entry_mean",
    "entry_median",
    "entry_p95",
    "feed_mean",
    "polls_per_entry",
)
_DIGITS = (2, 3, 1, 1, 1, 1, 1, 2)


def lines_of(played: Sequence[PolicyRun]) -> Iterator[str]:
    """A table, as in Markdown."""
    yield from table([HEAD, *(row(one, one.whole) for one in played)])


def brief_lines(played: Sequence[PolicyRun]) -> Iterator[str]:
    """A line for each as it is done, so that a run that is cut short was not for nothing."""
    for one in played:
        cells = row(one, one.whole)
        yield f"  {cells[0]}, {cells[1]}: missed {cells[3]} %, entry mean {cells[5]}, feed mean {cells[8]}"


def row(one: PolicyRun, outcome: LockstepResult) -> tuple[str, ...]:
    budget = "as shipped" if one.budget is None else f"{one.budget:g}"
    figures = (f"{getattr(outcome, name):.{digits}f}" for name, digits in zip(COLUMNS, _DIGITS, strict=True))
    return (one.policy, budget, *figures)


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(one[column]) for one in rows) for column in range(len(rows[0]))]
    for number, one in enumerate(rows):
        first, *others = zip(one, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"| {'-' * widths[0]} | {' | '.join('-' * (width - 1) + ':' for width in widths[1:])} |"


def json_of(played: Sequence[PolicyRun]) -> str:
    rows = [{"policy": one.policy, "budget": one.budget, **asdict(one.whole)} for one in played]
    return json.dumps(rows, indent=1) + "\n"


def sentences_of(played: Sequence[PolicyRun], replay: Replay, policy: str, other: str) -> Iterator[str]:
    """For each budget, what would have been lost with one policy and with another."""
    rows = {(one.policy, one.budget): one for one in played}
    for budget in replay.budgets:
        ours, theirs = rows[policy, budget], rows[other, budget]
        yield (
            f"With a budget of {budget:g} polls a day you would have lost {_lost(ours, replay)}, and seen "
            f"the others {late_in_words(ours.whole.entry_mean)} late on average; with {other} polling: "
            f"{_lost(theirs, replay)}, {late_in_words(theirs.whole.entry_mean)} late."
        )


def entries_within(histories: Histories, span: ReplaySpan) -> int:
    """How many entries were published in the span that is replayed."""
    published = histories.published
    return int(((published > span.start) & (published < span.end)).sum())


def _lost(one: PolicyRun, replay: Replay) -> str:
    total = entries_within(replay.histories, replay.span)
    lost = round(total * one.whole.missed_percent / 100)
    return f"{lost:,} of {total:,} entries ({one.whole.missed_percent:.2g} %)"


def late_in_words(minutes: float) -> str:
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
