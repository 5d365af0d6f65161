"""What simulations came to, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.simulation.budget import Played
    from archiver.inspection.simulation.lockstep import Outcome

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


def lines_of(played: Sequence[Played]) -> Iterator[str]:
    """A table, as in Markdown."""
    yield from table([HEAD, *(row(one, one.whole) for one in played)])


def brief_lines(played: Sequence[Played]) -> Iterator[str]:
    """A line for each as it is done, so that a run that is cut short was not for nothing."""
    for one in played:
        cells = row(one, one.whole)
        yield f"  {cells[0]}, {cells[1]}: missed {cells[3]} %, entry mean {cells[5]}, feed mean {cells[8]}"


def row(one: Played, outcome: Outcome) -> tuple[str, ...]:
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


def json_of(played: Sequence[Played]) -> str:
    rows = [{"policy": one.policy, "budget": one.budget, **asdict(one.whole)} for one in played]
    return json.dumps(rows, indent=1) + "\n"
