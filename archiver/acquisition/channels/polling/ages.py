"""How what is expected of a channel depends on how long its last entry is ago.

A channel with an entry a week has none for days after one; a busy one that falls silent has gone to bed. How
much so is counted for each channel, beside what holds for most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from archiver.acquisition.channels.polling.rhythm import Floats, Rhythms, SeenEntries

# Ages of the last entry, in entries that would have come since at the usual rate.
_STEPS = np.array((0.0, 0.1, 0.3, 0.6, 1.0, 1.7, 3.0))
STEPS = len(_STEPS)
# How many times as many entries come at these ages as the rate alone tells, of channels with hardly any
# entry a day and of busy ones; and at how many a day a channel is half-way between. All fitted by
# bench/polling.py on September to December of its data.
_RARE = np.array((0.1, 0.2, 0.4, 0.8, 1.4, 1.3, 0.8))
_BUSY = np.array((1.05, 1.05, 1.05, 1.0, 1.0, 0.95, 0.7))
_HALF_WAY = 2.0
# As if so many entries had come like that.
_LIKE_MOST = 4.0
_HALF_LIFE = 90 * 86400.0
# Ages are looked up in tenths, up to the last step.
_TENTHS = 31
_STEP_OF_TENTH = np.searchsorted(_STEPS, (np.arange(_TENTHS) + 0.5) / 10, side="right") - 1


def learn_ages(
    after: Rhythms, slow: Floats, now: Floats, seen: SeenEntries, expected: Floats, exposure: Floats
) -> None:
    """Count what came at which ages, beside what was foreseen without regard to them."""
    passed = np.maximum(now - after["at"], 1.0)
    is_first = after["at"] == 0
    begin = after["since"] * slow
    end = begin + exposure * slow
    # Where much was foreseen, the last entry that was known tells little; where entries were lost, nothing.
    weight = np.where(is_first | seen.is_gap, 0.0, 1 / (1 + expected))
    inside = np.minimum(end[:, None], np.append(_STEPS[1:], np.inf)) - np.maximum(begin[:, None], _STEPS)
    share = inside.clip(min=0.0) / np.maximum(end - begin, 1e-9)[:, None]
    kept = np.exp(-np.log(2) / _HALF_LIFE * np.where(is_first, 0.0, passed))[:, None]
    after["due"] = after["due"] * kept + share * (weight * expected)[:, None]
    owner = seen.owner
    part = np.clip(1 - (now[owner] - seen.published) / passed[owner], 0.0, 1.0)
    place = np.searchsorted(_STEPS, begin[owner] + (end - begin)[owner] * part, side="right") - 1
    came = np.bincount(owner * STEPS + place, weight[owner], len(after) * STEPS)
    after["came"] = after["came"] * kept + came.reshape(-1, STEPS)
    after["since"] = _since(after, slow, now, seen, exposure, is_first)


def _since(
    rhythms: Rhythms,
    slow: Floats,
    now: Floats,
    seen: SeenEntries,
    exposure: Floats,
    is_first: NDArray[np.bool_],
) -> Floats:
    """Usual days since the newest entry; where none was ever seen, as many as one takes."""
    newest = np.full(len(now), -np.inf)
    np.maximum.at(newest, seen.owner, seen.published)
    ago = np.maximum(now - newest, 0.0)
    part = np.minimum(ago / np.maximum(now - rhythms["at"], 1.0), 1.0)
    known = np.where(np.isfinite(newest), exposure * part, rhythms["since"] + exposure)
    first = np.where(np.isfinite(newest), ago / 86400.0, 1 / slow)
    return np.where(is_first, first, known)


def by_age(rhythms: Rhythms, slow: Floats) -> Floats:
    """How many times as many entries are to be expected at each tenth of an age."""
    most = _RARE + (_BUSY - _RARE) * (slow / (slow + _HALF_WAY))[:, None]
    levels = (rhythms["came"] + _LIKE_MOST * most) / (rhythms["due"] + _LIKE_MOST)
    # A channel that was never polled has no last entry.
    levels[rhythms["at"] == 0] = 1.0
    found: Floats = levels.take(_STEP_OF_TENTH, axis=1)
    return found


def aged(new: Floats, usual: Floats, since: Floats, slow: Floats, levels: Floats) -> None:
    """Correct what is expected in cells, `usual` days from now, by the age that the last entry has then."""
    age = usual[:, 1:] + usual[:, :-1]
    age += 2 * since[:, None]
    age *= 5 * slow[:, None]
    np.minimum(age, _TENTHS - 1, out=age)
    at = age.astype(np.intp)
    at += np.arange(len(at))[:, None] * _TENTHS
    factor = levels.take(at, mode="clip")
    factor -= 1
    # The age of the last known entry counts less where newer ones may have come since.
    before = np.cumsum(new, axis=1)
    before += 1
    factor /= before
    factor += 1
    new *= factor
