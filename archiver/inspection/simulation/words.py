"""What simulations came to, told in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.simulation.budget import Played
    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import Span
    from archiver.inspection.simulation.run import Replay


def sentences_of(played: Sequence[Played], replay: Replay, policy: str, other: str) -> Iterator[str]:
    """For each budget, what would have been lost with one policy and with another."""
    rows = {(one.policy, one.budget): one for one in played}
    for budget in replay.budgets:
        ours, theirs = rows[policy, budget], rows[other, budget]
        yield (
            f"With a budget of {budget:g} polls a day you would have lost {_lost(ours, replay)}, and seen "
            f"the others {late_in_words(ours.whole.entry_mean)} late on average; with {other} polling: "
            f"{_lost(theirs, replay)}, {late_in_words(theirs.whole.entry_mean)} late."
        )


def entries_within(histories: Histories, span: Span) -> int:
    """How many entries were published in the span that is replayed."""
    published = histories.published
    return int(((published > span.start) & (published < span.end)).sum())


def _lost(one: Played, replay: Replay) -> str:
    total = entries_within(replay.histories, replay.span)
    lost = round(total * one.whole.missed_percent / 100)
    return f"{lost:,} of {total:,} entries ({one.whole.missed_percent:.2g} %)"


def late_in_words(minutes: float) -> str:
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
