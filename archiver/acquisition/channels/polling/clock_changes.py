"""Summer time in a rhythm: publishers keep to the clock on the wall, rhythms to UTC.

When clocks change in Europe or in North America, a channel either goes on as before or comes an hour sooner
or later. Which it does is not known of a channel: until its entries tell, its day is taken to be both.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from archiver.acquisition.channels.polling.rhythm import Floats, Places, Rhythms

# Quarters by which a day moves; clocks that are set back make it come later in UTC.
_AN_HOUR = 4
_YEARS = range(1995, 2100)
# A week apart in autumn, three in spring: a channel that moved at the first does not move at the second.
_ONE_SEASON = 60 * 86400.0
# Log-odds: from which on it is taken for certain; and that a channel has moved by the end of a season, since
# three of four did. Fitted by bench/polling.py on a part of its data.
_CERTAIN, _MOST_MOVE = 3.0, 1.0
# What one entry may tell at most, and how many it takes to fill a quarter that had none, in entries.
_MOST_TOLD, _AT_LEAST = 1.5, 0.25


@lru_cache(maxsize=1)
def changes() -> tuple[Floats, Floats]:
    """When clocks change, in seconds since 1970, and by how many quarters days move in UTC."""
    found = sorted(_changes())
    return np.array([moment for moment, _ in found]), np.array([float(by) for _, by in found])


def _changes() -> Iterator[tuple[float, int]]:
    for year in _YEARS:
        yield _sunday(year, 3, last=31, hour=1), -_AN_HOUR  # Europe: the last Sundays of March and October
        yield _sunday(year, 10, last=31, hour=1), _AN_HOUR
        yield _sunday(year, 3, last=14, hour=8), -_AN_HOUR  # North America: the second of March, …
        yield _sunday(year, 11, last=7, hour=8), _AN_HOUR  # … the first of November


def _sunday(year: int, month: int, *, last: int, hour: int) -> float:
    """The last Sunday up to a day of a month."""
    day = datetime(year, month, last, hour, tzinfo=UTC)
    return (day - timedelta(days=(day.weekday() + 1) % 7)).timestamp()


def turn(rhythms: Rhythms, now: Floats) -> None:
    """Note the last change of clocks where the last poll did not know of it."""
    moments, by = changes()
    latest = _latest(moments, now)
    at = np.where(rhythms["at"] > 0, rhythms["at"], now)
    # What an older archiver kept says nothing of it, and nor does a channel that was never polled.
    known = np.where(rhythms["turned"] > 0, rhythms["turned"], moments[_latest(moments, at)])
    is_new, is_season = moments[latest] > known, moments[latest] - known < _ONE_SEASON
    waits = rhythms["shift"] != 0
    _settle(rhythms, is_new & ~is_season & waits)
    begins = is_new & ~(is_season & (rhythms["moved"] > 0))
    # What spoke against the first change of a season does not speak against the second.
    kept = np.where(is_season & waits, np.maximum(rhythms["odds"], _MOST_MOVE), 0.0)
    rhythms["odds"] = np.where(begins, kept, rhythms["odds"])
    rhythms["shift"] = np.where(begins, by[latest], rhythms["shift"])
    rhythms["moved"] = np.where(is_new & ~is_season, 0.0, rhythms["moved"])
    rhythms["turned"] = np.maximum(moments[latest], known)


def begin(rhythms: Rhythms, chosen: NDArray[np.bool_]) -> None:
    """Have channels wait to be told about the last change: their first look shows entries from before it."""
    moments, by = changes()
    rhythms["shift"] = np.where(chosen, by[_latest(moments, rhythms["turned"])], rhythms["shift"])
    rhythms["odds"] = np.where(chosen, _MOST_MOVE, rhythms["odds"])


def _latest(moments: Floats, at: Floats) -> Places:
    """The place of the last change up to each moment."""
    return np.maximum(np.searchsorted(moments, at, side="right") - 1, 0)


def share_moved(rhythms: Rhythms) -> Floats:
    """How likely it is that a channel has moved with its clock since that changed; 0 where it is settled."""
    odds = rhythms["odds"].astype(np.float64)
    return np.where(rhythms["shift"] != 0, 1 / (1 + np.exp(-odds)), 0.0)


def moved(quarters: Floats, rhythms: Rhythms) -> Floats:
    """The day of channels by the clocks of today: where that is not settled, both."""
    waits = np.flatnonzero(rhythms["shift"] != 0)
    if not len(waits):
        return quarters
    share = share_moved(rhythms)[waits, None]
    found = quarters.copy()
    found[waits] = (1 - share) * quarters[waits] + share * _rolled(quarters[waits], rhythms["shift"][waits])
    return found


def _rolled(quarters: Floats, by: Floats) -> Floats:
    places = np.arange(quarters.shape[1])[None, :] - by.astype(np.intp)[:, None]
    rolled: Floats = np.take_along_axis(quarters, places % quarters.shape[1], axis=1)
    return rolled


def learn_clock(rhythms: Rhythms, owner: Places, quarter: Places) -> None:
    """Let new entries tell whether their channel has moved; what is certain is settled."""
    waits = rhythms["shift"] != 0
    if not waits.any():
        return
    quarters = rhythms["quarters"].astype(np.float64)
    near = quarters + np.roll(quarters, -1, axis=1) + np.roll(quarters, 1, axis=1) + _AT_LEAST
    before = (quarter - rhythms["shift"][owner].astype(np.intp)) % quarters.shape[1]
    told = np.clip(np.log(near[owner, before] / near[owner, quarter]), -_MOST_TOLD, _MOST_TOLD)
    added = np.bincount(owner, told, len(rhythms))
    rhythms["odds"] = np.where(waits, rhythms["odds"] + added, 0.0)
    _settle(rhythms, waits & (np.abs(rhythms["odds"]) >= _CERTAIN))


def _settle(rhythms: Rhythms, chosen: NDArray[np.bool_]) -> None:
    """Take what is likelier for certain."""
    goes = np.flatnonzero(chosen)
    has_moved = goes[rhythms["odds"][goes] > 0]
    if len(has_moved):
        rhythms["quarters"][has_moved] = _rolled(rhythms["quarters"][has_moved], rhythms["shift"][has_moved])
        rhythms["moved"][has_moved] = 1.0
    rhythms["shift"][goes] = 0.0
    rhythms["odds"][goes] = 0.0
