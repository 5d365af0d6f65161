"""How a channel publishes: what its polls have shown, in a few hundred bytes, for many channels at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.ages import STEPS, learn_ages
from archiver.acquisition.channels.polling.clock_changes import begin, learn_clock, share_moved, turn
from archiver.acquisition.channels.polling.crowds import HOURS, learn_crowds

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from numpy.typing import NDArray

    from archiver.documents.feeds.model import FeedDate, FeedEntry

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]
    Rhythms = NDArray[np.void]

DAY = 86400.0
QUARTERS, WEEKDAYS, MINUTES = 96, 7, 60
# 1970-01-01 was a Thursday; weeks begin on Mondays.
_FIRST_WEEKDAY = 3

# What is kept of a channel. Counts fade with time: each has a half-life of its own.
_LAST_FORM = np.dtype(
    [
        ("at", "f8"),  # seconds since 1970 of the last poll; 0 before the first
        ("window", "f4"),  # how many entries the feed shows
        ("quarters", "f4", QUARTERS),  # entries by the quarter-hour of the day
        ("weekdays", "f4", WEEKDAYS),
        ("minutes", "f4", MINUTES),  # by the minute of the hour
        ("slow", "f4", 2),  # entries, and the days they came in, over weeks
        ("middle", "f4", 2),  # the same over days
        ("fast", "f4", 2),  # the same over hours
        ("burst", "f4", 2),  # by how much more than chance counts go astray, and from how many polls
        ("turned", "f8"),  # when clocks changed last; 0 before the first poll
        ("shift", "f4"),  # by how many quarters its day may have moved since then; 0 where that is settled
        ("odds", "f4"),  # the logarithm of how much likelier it is that it has
        ("moved", "f4"),  # 1: it has, this season
    ]
)
RHYTHM = np.dtype(
    [
        *((name, _LAST_FORM[name]) for name in _LAST_FORM.names or ()),
        ("long", "f4", 2),  # entries and days as above, over months
        ("crowds", "f4", HOURS),  # by the hour of the day
        ("since", "f4"),  # usual days from its newest entry to the last poll
        ("came", "f4", STEPS),  # entries by how long the one before them was ago,
        ("due", "f4", STEPS),  # and how many would have come if that told nothing
    ]
)

# What was kept before minutes were counted and changes of clocks known.
_OLDER = np.dtype(
    [
        ("at", "f8"),
        ("window", "f4"),
        ("quarters", "f4", QUARTERS),
        ("weekdays", "f4", WEEKDAYS),
        ("fives", "f4", 12),
        ("slow", "f4", 2),
        ("middle", "f4", 2),
        ("fast", "f4", 2),
        ("burst", "f4", 2),
    ]
)

# In days.
HALF_LIFE = {"long": 90.0, "slow": 14.0, "middle": 1.5, "fast": 0.35}
_SHAPE_HALF_LIFE = 120.0
# A channel of which nothing is known: two entries in a day.
PRIOR_ENTRIES, PRIOR_DAYS = 2.0, 1.0
# As if so many days had been as the longer view says, and so many entries had come: one entry of a rare
# channel promises no other one. Fitted by bench/polling.py on a part of its data.
_SLOW_PRIOR, _MIDDLE_PRIOR, _FAST_PRIOR = 5.0, 1.0, 1.0
_ENTRIES_TO_DIFFER = 5.0
# How much more than chance counts go astray where nothing is known yet, as if from so many polls. Much: most
# losses come in the first days, when bursts surprise. Fitted by bench/polling.py on parts of its data.
_BURST_PRIOR, _BURST_POLLS = 0.8, 2.0
_BURST_MEMORY = 0.98
# So much of that is caution, lest windows overrun: silences are not explained by it.
_CAUTION = 0.5
# Where entries were lost, the lost ones came at the pace of those that are left, but not beyond this.
_MOST_LOST = 10.0
# Seconds: a poll after a poll teaches nothing, but must not divide by nothing.
_SHORTEST = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenEntries:
    """What polls of channels showed: entries that were new, in one row for all channels."""

    # Seconds since 1970, and whose they are: places among the channels.
    published: Floats
    owner: Places
    # For each channel: how many entries were shown at all; and whether none of them was known before.
    shown: NDArray[np.int64]
    is_gap: NDArray[np.bool_]


def unknown(count: int) -> Rhythms:
    """Channels that were never polled."""
    rhythms = np.zeros(count, RHYTHM)
    rhythms["burst"] = (_BURST_PRIOR * _BURST_POLLS, _BURST_POLLS)
    return rhythms


def packed(rhythms: Rhythms, place: int = 0) -> bytes:
    kept: bytes = rhythms[place].tobytes()
    return kept


def unpacked(*kept: bytes | None) -> Rhythms:
    """What was kept; a channel of which nothing was kept, or something of another form, starts anew."""
    anew = packed(unknown(1))
    known = (_of_today(one) if one is not None else anew for one in kept)
    return np.frombuffer(bytearray().join(one or anew for one in known), RHYTHM)


def _of_today(kept: bytes) -> bytes | None:
    """What was kept, in the form of today; None where it is of no form that was ever kept."""
    if len(kept) == RHYTHM.itemsize:
        return kept
    form = next((form for form in (_LAST_FORM, _OLDER) if len(kept) == form.itemsize), None)
    if form is None:
        return None
    older, today = np.frombuffer(kept, form), unknown(1)
    for name in set(form.names or ()) & set(RHYTHM.names or ()):
        today[name] = older[name]
    if form is _OLDER:
        today["minutes"] = np.repeat(older["fives"] / 5, 5, axis=1)
    today["long"] = older["slow"]
    # When its last entry came is not known: as long ago as one takes.
    today["since"] = 1 / rates(today)[0]
    return packed(today)


def field(rhythms: Rhythms, name: str) -> Floats:
    """A part of the rhythms, exact enough to count on with."""
    values: Floats = rhythms[name].astype(np.float64)
    return values


def rates(rhythms: Rhythms) -> tuple[Floats, Floats, Floats]:
    """Entries a day as weeks, days and hours tell it, each leaning on the longer one, weeks on months."""
    long = _rate(field(rhythms, "long"), PRIOR_ENTRIES, PRIOR_DAYS)
    slow = _leaning(field(rhythms, "slow"), long, _SLOW_PRIOR)
    middle = _leaning(field(rhythms, "middle"), slow, _MIDDLE_PRIOR)
    return slow, middle, _leaning(field(rhythms, "fast"), middle, _FAST_PRIOR)


def _leaning(counted: Floats, longer: Floats, days: float) -> Floats:
    days_of_prior = np.maximum(days, _ENTRIES_TO_DIFFER / np.maximum(longer, 1e-9))
    return _rate(counted, days_of_prior * longer, days_of_prior)


def _rate(counted: Floats, entries: Floats | float, days: Floats | float) -> Floats:
    return (counted[:, 0] + entries) / (counted[:, 1] + days)


def burstiness(rhythms: Rhythms) -> Floats:
    """The variance of counts beyond chance, as a share of their square."""
    counted = field(rhythms, "burst")
    return counted[:, 0] / counted[:, 1]


def burstiness_of_silences(rhythms: Rhythms) -> Floats:
    """The same without what is assumed of new channels out of caution: a feed that stalls must be noticed."""
    counted = field(rhythms, "burst")
    # Polls outweigh what was assumed: of what they found in its place, nothing is taken away.
    least = np.minimum(counted[:, 0], (_BURST_PRIOR - _CAUTION) * _BURST_POLLS)
    return np.maximum(counted[:, 0] - _CAUTION * _BURST_POLLS, least) / counted[:, 1]


def observe(rhythms: Rhythms, now: Floats, seen: SeenEntries, expected: Floats, exposure: Floats) -> Rhythms:
    """The channels after a poll at `now`.

    `expected` is how many entries were foreseen since the last poll, `exposure` how many days of usual
    publishing have passed since then.
    """
    after = rhythms.copy()
    is_first = rhythms["at"] == 0
    counted = np.bincount(seen.owner, minlength=len(after)).astype(np.float64)
    oldest = np.full(len(after), np.inf)
    np.minimum.at(oldest, seen.owner, seen.published)
    oldest = np.minimum(oldest, now)
    _surprise(after, counted, expected, is_first)
    begin = np.where(is_first, oldest, rhythms["at"])
    passed = np.maximum(now - begin, _SHORTEST)
    days = np.where(is_first, passed / DAY, exposure)
    # The entry that opens the span of a first look is no event in it.
    weight = np.where(is_first[seen.owner] & (seen.published == oldest[seen.owner]), 0.0, 1.0)
    learn_crowds(after, counted, seen, passed)
    learn_ages(after, rates(rhythms)[0], now, seen, expected, np.where(is_first, 0.0, exposure))
    lost = np.clip(passed / np.maximum(now - oldest, 60.0), 1.0, _MOST_LOST)
    weight = weight * np.where(seen.is_gap & ~is_first, lost, 1.0)[seen.owner]
    _count(after, now, seen, weight, days=days, passed=passed)
    _shape(after, now, seen)
    after["at"] = now
    # A document may be short for once; one that has nothing in common with the last shows all it can.
    is_told = seen.is_gap & (seen.shown > 0)
    after["window"] = np.where(is_told, seen.shown, np.maximum(rhythms["window"], seen.shown))
    return after


def _surprise(after: Rhythms, counted: Floats, expected: Floats, is_first: NDArray[np.bool_]) -> None:
    """Learn how far counts stray from what was foreseen."""
    told = (expected > 0.3) & ~is_first
    foreseen = np.maximum(expected, 0.3)
    strayed = np.clip(((counted - foreseen) ** 2 - foreseen) / foreseen**2, 0.0, 10.0)
    weight = np.where(told, np.minimum(1.0, foreseen * 0.2), 0.0)
    memory = np.where(told, _BURST_MEMORY, 1.0)
    total = after["burst"][:, 1] * memory + weight
    strays = after["burst"][:, 0] * memory + strayed * weight
    # Never surer than so many polls allow: what is missing is filled up with what holds for most channels.
    missing = np.maximum(_BURST_POLLS - total, 0.0)
    after["burst"][:, 0] = strays + missing * _BURST_PRIOR
    after["burst"][:, 1] = total + missing


def _count(
    after: Rhythms, now: Floats, seen: SeenEntries, weight: Floats, *, days: Floats, passed: Floats
) -> None:
    age = (now[seen.owner] - seen.published).clip(min=0.0) / DAY
    elapsed = passed / DAY
    for view, half_life in HALF_LIFE.items():
        fading = np.log(2) / half_life
        kept = np.exp(-fading * elapsed)
        entries = np.bincount(seen.owner, weight * np.exp(-fading * age), len(after))
        after[view][:, 0] = after[view][:, 0] * kept + entries
        after[view][:, 1] = after[view][:, 1] * kept + days * (1 - kept) / (fading * elapsed)


def _shape(after: Rhythms, now: Floats, seen: SeenEntries) -> None:
    """Count the new entries by the times at which they came."""
    fading = np.log(2) / _SHAPE_HALF_LIFE / DAY
    is_first = after["at"] == 0
    # A clock that was set back makes nothing young again.
    kept = np.where(is_first, 1.0, np.exp(-fading * np.maximum(now - after["at"], 0.0)))[:, None]
    for name in ("quarters", "weekdays", "minutes"):
        after[name] *= kept
    # A first look shows entries of long ago; later ones are new.
    age = np.where(is_first[seen.owner], now[seen.owner] - seen.published, 0.0)
    weight = np.exp(-fading * age.clip(min=0.0))
    turn(after, now)
    is_before = is_first[seen.owner] & (seen.published < after["turned"][seen.owner])
    if is_before.any():
        _add_shape(after, seen, np.where(is_before, weight, 0.0))
        begin(after, np.bincount(seen.owner, is_before, len(after)) > 0)
    is_told = ~is_before
    learn_clock(after, seen.owner[is_told], _quarter(seen.published[is_told]))
    _add_shape(after, seen, np.where(is_before, 0.0, weight))


def _quarter(published: Floats) -> Places:
    # Whole seconds: of fractions, the smallest would be rounded to a place that is none.
    return np.floor(published).astype(np.intp) % 86400 // 900


def _add_shape(after: Rhythms, seen: SeenEntries, weight: Floats) -> None:
    moments, owner = np.floor(seen.published).astype(np.int64), seen.owner
    # Until it is settled whether a channel's day has moved, its day is kept as it was before.
    share, by = share_moved(after)[owner], after["shift"][owner].astype(np.intp)
    quarter = _quarter(seen.published)
    _add(after, "quarters", owner, quarter, weight * (1 - share))
    if share.any():
        _add(after, "quarters", owner, (quarter - by) % QUARTERS, weight * share)
    _add(after, "weekdays", owner, (moments // 86400 + _FIRST_WEEKDAY) % WEEKDAYS, weight)
    _add(after, "minutes", owner, moments % 3600 // 60, weight)


def _add(after: Rhythms, name: str, owner: Places, place: Places, weight: Floats) -> None:
    size = after[name].shape[1]
    added = np.bincount(owner * size + place, weight, len(after) * size)
    after[name] += added.reshape(len(after), size)


def moments_of(new: Iterable[FeedEntry], last_poll: datetime | None, now: datetime) -> list[float]:
    """The moments, in seconds since 1970, at which entries came that a poll was the first to show.

    What was not there at the last poll came after it. A date that says otherwise lags or lies, whatever the
    reason; then the entry came somewhere between the two polls. At the first poll there is no such bracket:
    what has no date by then tells nothing.
    """
    dates = [_date(entry) for entry in new]
    if last_poll is None:
        return [date.timestamp() for date in dates if date is not None and date <= now]
    middle = last_poll + (now - last_poll) / 2
    return [(date if date is not None and last_poll <= date <= now else middle).timestamp() for date in dates]


def _date(entry: FeedEntry) -> datetime | None:
    """Stamps without a time of day have no moment: as midnight it would be a lie."""
    stamp: FeedDate | None = entry.published or entry.updated
    return stamp.utc if stamp is not None else None
