"""Crowds: a channel that publishes about as much at once as its feed shows.

No forecast meets a crowd of ten minutes, but many come at the same hours of the day: in these hours the
channel is polled so often that a poll falls into the crowd.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from archiver.acquisition.channels.polling.rhythm import Floats, Rhythms, SeenEntries

HOURS = 24
_DAY, _HOUR = 86400.0, 3600.0
# A crowd has this share of what the feed shows, within so many seconds.
_SHARE, _SPAN = 0.7, 900.0
_HALF_LIFE = 60 * _DAY
# It begins a little before and ends a little after: what the neighbouring hour must be watched for.
_AROUND = (-300.0, 900.0)
# How much of what the feed shows is lost in a crowd without a poll, and how many polls an hour takes.
# Fitted by bench/polling.py on September to December of its data.
_LOSES, _POLLS, _WAIT = 0.09, 9.0, 400.0


def learn_crowds(after: Rhythms, counted: Floats, seen: SeenEntries, passed: Floats) -> None:
    """Note at which hours crowds came."""
    after["crowds"] *= np.exp(-np.log(2) / _HALF_LIFE * passed)[:, None]
    least = np.maximum(np.ceil(_SHARE * np.maximum(after["window"], seen.shown)), 2.0)
    # Few channels have any: looked for one by one.
    for lane in np.flatnonzero(counted >= least):
        for begin in _begins(np.sort(seen.published[seen.owner == lane]), int(least[lane])):
            for moment in _AROUND:
                after["crowds"][lane, int((begin + moment) % _DAY // _HOUR)] += 1 / len(_AROUND)


def _begins(moments: Floats, least: int) -> list[float]:
    early = moments[: len(moments) - least + 1]
    found: list[float] = []
    for begin in early[moments[least - 1 :] - early <= _SPAN].tolist():
        if not found or begin - found[-1] > _SPAN:
            found.append(begin)
    return found


def crowd_rates(rhythms: Rhythms, slow: Floats) -> Floats:
    """Crowds a day, in each hour of the day; none where so many come as a rule."""
    is_usual = slow * _SPAN / _DAY >= _SHARE * rhythms["window"] / 2
    rates: Floats = rhythms["crowds"] / (rhythms["long"][:, 1:] + 1)
    rates[is_usual] = 0.0
    return rates


def until_crowd(crowds: Floats, now: Floats, price: Floats, window: Floats, lost_days: float) -> Floats:
    """Seconds until a poll is due lest a crowd be lost; infinite where none is worth the polls."""
    found = np.full(len(now), np.inf)
    known = np.flatnonzero(crowds.any(axis=1))
    if not len(known):
        return found
    saved = crowds[known] * (_LOSES * lost_days * window[known])[:, None]
    is_watched = (saved >= _POLLS * price[known, None]) & (crowds[known] > 0)
    watched = is_watched.any(axis=1)
    lanes, is_watched = known[watched], is_watched[watched]
    hour, into = np.divmod(now[lanes] % _DAY, _HOUR)
    # From this hour on to the same one tomorrow.
    ahead = (hour.astype(np.intp)[:, None] + np.arange(HOURS + 1)) % HOURS
    wait = np.take_along_axis(is_watched, ahead, axis=1).argmax(axis=1)
    found[lanes] = np.where(wait > 0, wait * _HOUR - into, 0.0) + _WAIT
    return found
