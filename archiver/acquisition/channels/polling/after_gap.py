"""A channel that lost entries is polled sooner for a while."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.channels.polling.schedule import NextPoll

# Bursts come again: for so long after a gap the channel is polled up to twice as often.
WHILE = timedelta(days=7)
SHARE = 0.5
# What publishers accept; an interval that is shorter already stays.
FLOOR = timedelta(minutes=30)


def after_gap(decision: NextPoll, now: datetime, last_gap: datetime | None) -> NextPoll:
    """The decision, sooner where entries were lost lately."""
    if last_gap is None or not now - WHILE <= last_gap <= now:
        return decision
    wait = decision.at - now
    sooner = max(wait * SHARE, min(wait, FLOOR))
    if sooner == wait:
        return decision
    why = f"{decision.why}; sooner, since entries were missing on {last_gap:%Y-%m-%d}"
    return replace(decision, at=now + sooner, why=why)
