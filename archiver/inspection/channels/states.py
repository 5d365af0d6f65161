"""How channels do: one word for each channel, and what the word means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from archiver.acquisition.channels.polling.forecast import chance_of_silence, is_overdue
from archiver.acquisition.channels.polling.rhythm import burstiness_of_silences, unpacked
from archiver.acquisition.outcome_words import FAILURES, in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Row

ChannelState = Literal["healthy", "failing", "silent", "unpolled", "paused", "retired", "unlisted", "merged"]
# Those that are not polled keep the word for their status, as `scrapy channels` shows it.
STATES: Mapping[ChannelState, str] = {
    "healthy": "the last poll succeeded, and it publishes as usual",
    "failing": "the last poll failed",
    "silent": "by its rhythm it should have published by now",
    "unpolled": "not polled yet",
    "paused": "paused by hand",
    "retired": "gone for good, or failing for so long that it is hardly asked any more",
    "unlisted": "no seeds file names it any more, or it was removed by hand",
    "merged": "the same as another channel, which is polled in its place",
}


def states_of(rows: Iterable[Row[Any]]) -> dict[int, ChannelState]:
    """The state of each channel, by its number."""
    found = list(rows)
    # For all at once: numpy takes as long for one rhythm as for a thousand.
    bursts = burstiness_of_silences(unpacked(*(row.rhythm for row in found))) if found else ()
    return {row.id: _state(row, float(burst)) for row, burst in zip(found, bursts, strict=True)}


def _state(row: Row[Any], burst: float) -> ChannelState:
    if row.status != "active":
        status: ChannelState = row.status
        return status
    if row.failures:
        return "failing"
    if row.last_poll is None:
        return "unpolled"
    is_silent = row.rhythm is not None and is_overdue(chance_of_silence(row.overdue, burst))
    return "silent" if is_silent else "healthy"


def state_in_words(row: Row[Any], state: ChannelState) -> str:
    """What there is to know of its state in a few words: of a failure, which."""
    if state == "failing" and row.outcome:
        return in_words(row.outcome, FAILURES)
    return STATES[state]
