"""Channels that were looked at, for the tests of rhythms, forecasts and decisions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.decide import Aim, decide
from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import DAY, SeenEntries, observe, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.channels.polling.decide import Decisions
    from archiver.acquisition.channels.polling.rhythm import Floats, Rhythms

HOUR = 3600.0
# A Monday, midnight.
START = datetime(2026, 3, 2, tzinfo=UTC).timestamp()


def seen(*published: Sequence[float] | Floats, shown: int = 20, is_gap: bool = False) -> SeenEntries:
    """What polls of so many channels showed."""
    counts = [len(one) for one in published]
    return SeenEntries(
        published=np.concatenate([np.asarray(one, np.float64) for one in published]),
        owner=np.repeat(np.arange(len(published)), counts),
        shown=np.full(len(published), shown),
        is_gap=np.full(len(published), is_gap),
    )


def looked_at(rhythms: Rhythms, now: float, showed: SeenEntries) -> Rhythms:
    """The channels after a poll, with what was foreseen at the last one, as a crawl keeps it."""
    moments = np.full(len(rhythms), now)
    before = np.where(rhythms["at"] == 0, now, rhythms["at"])
    usual, expected = Forecast(rhythms, before).passed(moments)
    return observe(rhythms, moments, showed, expected, usual)


def polled(
    rhythms: Rhythms,
    now: float,
    published: Sequence[float] | Floats,
    *,
    shown: int = 20,
    is_gap: bool = False,
) -> Rhythms:
    """One channel after a poll."""
    return looked_at(rhythms, now, seen(published, shown=shown, is_gap=is_gap))


def decided(rhythms: Rhythms, now: float, *, price: float = 0.03, **aim: float) -> Decisions:
    forecast = Forecast(rhythms, np.full(len(rhythms), now))
    return decide(forecast, rhythms["window"].astype(np.float64), Aim(price=price, **aim))


def wait_of(rhythms: Rhythms, now: float, **aim: float) -> float:
    return float(decided(rhythms, now, **aim).wait[0])


def even(a_day: float, days: float, until: float = START) -> Floats:
    """Entries that come evenly, at no favourite hour or minute."""
    number = np.arange(int(a_day * days))
    return until - (number + number * 0.618034 % 1) * (DAY / a_day)


def steady(a_day: float, *, days: float = 40, shown: int = 100_000) -> Rhythms:
    """A channel that was looked at once, at the start, after so many days of the same."""
    return polled(unknown(1), START, even(a_day, days), shown=shown)
