"""One channel's rhythm, kept as bytes: learned from a poll, and asked when to poll next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.decide import Reason, decide
from archiver.acquisition.channels.polling.forecast import Forecast, chance_of_silence
from archiver.acquisition.channels.polling.rhythm import (
    SeenEntries,
    burstiness_of_silences,
    observe,
    packed,
    rates,
    unpacked,
)
from archiver.acquisition.channels.polling.words import rhythm_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.channels.polling.decide import Aim

# Fewer expected entries than this are not worth a number.
_HARDLY = 0.05
# The longest wait that a date can be moved by.
_FAR = 3650 * 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PollPlan:
    """When to poll, why then, and from when on entries may be lost."""

    at: datetime
    why: str
    loses: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The rhythm after a poll, and how many entries had been expected of it."""

    rhythm: bytes
    expected: float


def learn(
    kept: bytes | None, published: Sequence[float], *, shown: int, is_gap: bool, now: datetime
) -> Learned:
    """What a poll taught that was the first to show entries of these moments."""
    rhythm = unpacked(kept)
    until = np.array([now.timestamp()])
    before = Forecast(rhythm, rhythm["at"])
    usual, expected = before.passed(until)
    seen = SeenEntries(
        published=np.asarray(published, np.float64),
        owner=np.zeros(len(published), np.intp),
        shown=np.array([shown]),
        is_gap=np.array([is_gap]),
    )
    after = observe(rhythm, until, seen, expected, usual)
    return Learned(rhythm=packed(after), expected=float(expected[0]) if rhythm["at"][0] else 0.0)


def plan(kept: bytes, aim: Aim, now: datetime) -> PollPlan:
    rhythm = unpacked(kept)
    forecast = Forecast(rhythm, np.array([now.timestamp()]))
    found = decide(forecast, rhythm["window"].astype(np.float64), aim)
    wait = timedelta(seconds=float(found.wait[0]))
    full = timedelta(seconds=min(float(found.full[0]), _FAR))
    why = _why(Reason(int(found.reason[0])), float(found.expected[0]), int(rhythm["window"][0]))
    return PollPlan(at=now + wait, why=why, loses=now + full)


def _why(reason: Reason, expected: float, window: int) -> str:
    if reason is Reason.WINDOW:
        return f"by then all {window} entries that it shows may be new"
    if reason is Reason.LONGEST:
        return "nothing is expected, and this is the longest wait"
    if expected < _HARDLY:
        return "hardly any new entry is expected by then"
    return f"about {expected:.1f} new entries are expected by then"


def rhythm_in_words(kept: bytes | None) -> str:
    """`about 9 a day, mostly 7–18 h UTC on weekdays`."""
    rhythm = unpacked(kept)
    hours = rhythm["quarters"][0].reshape(24, 4).sum(axis=1)
    slow, _, _ = rates(rhythm)
    return rhythm_words(float(slow[0]), hours.tolist(), rhythm["weekdays"][0].tolist())


def last_look(kept: bytes | None) -> datetime | None:
    """When the channel was last seen, by the schedule's clock."""
    at = float(unpacked(kept)["at"][0])
    return datetime.fromtimestamp(at, UTC) if at else None


def silence(kept: bytes | None, expected: float) -> float:
    """The chance that a channel with this rhythm shows nothing where so many entries were expected."""
    return chance_of_silence(expected, float(burstiness_of_silences(unpacked(kept))[0]))


def rate_of(kept: bytes) -> float:
    """Entries a day."""
    return float(rates(unpacked(kept))[0][0])
