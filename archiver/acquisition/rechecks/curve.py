"""How the articles of a channel change with age: what rechecks have shown, in a hundred bytes.

A recheck tells whether there was an edit since the last look, not how many there were nor when. So the number
is taken that is expected of the article if there was at least one, spread over the ages between the two looks
as the curve itself has it. Repeated look by look this leads to the most likely curve.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise, takewhile
from math import erf, log, sqrt
from typing import TYPE_CHECKING

from archiver.acquisition.rechecks.own import own_history

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Rates = tuple[float, ...]

# In days: from a quarter of an hour each is twice the one before; what is older than the last is as the last.
HOUR = 1 / 24
EDGES = (0.0, *(HOUR / 4 * 2**number for number in range(13)), 64.0)
BINS = tuple(pairwise(EDGES))
WIDTHS = tuple(end - begin for begin, end in BINS)

# An article of which nothing is known: so many edits in its first month, half of them within three hours of
# publication and nine tenths within two days.
USUAL_EDITS = 0.7
_HALF, _NINE_TENTHS = 3 * HOUR, 2.0
MONTH = 30.0
# Between these two the logarithm of age is spread as by a normal distribution, whose nine tenths lie here.
_SPREAD = log(_NINE_TENTHS / _HALF) / 1.2816


def _share_before(age: float) -> float:
    return (1 + erf(log(age / _HALF) / _SPREAD / sqrt(2))) / 2 if age > 0 else 0.0


_EDITS = USUAL_EDITS / _share_before(MONTH)
# Edits a day and article in each bin.
USUAL_RATES = tuple(
    _EDITS * (_share_before(end) - _share_before(begin)) / (end - begin) for begin, end in BINS
)

_DAY = timedelta(days=1)
_FORM = 1
_PACKING = struct.Struct(f"<Bf{2 * len(BINS)}f")
# What was seen of this many articles is remembered: what later ones show takes the place of the oldest.
_REMEMBERED = 1000.0
# How surely a channel is as all channels together: as if so many edits had been seen that say how many there
# are, and so many in each bin that say when.
_LEVEL_EDITS, _SHAPE_EDITS = 2.0, 2.0
# No article is edited more often: once a minute.
_MOST_A_DAY = 1440.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A recheck of an article: its age at the last look and now, and whether it changed in between."""

    age_before: timedelta
    age_now: timedelta
    changed: bool
    # Of the article before this recheck: how often it had been rechecked, and how often that showed a change.
    looks: int = 0
    changes: int = 0
    # Its age at the first capture.
    first_age: timedelta = timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A curve unpacked: rechecks, the days that articles were watched at each age, and edits then; fading."""

    looks: float = 0.0
    watched: Rates = (0.0,) * len(BINS)
    edits: Rates = (0.0,) * len(BINS)


def packed(counted: Counted) -> bytes:
    return _PACKING.pack(_FORM, counted.looks, *counted.watched, *counted.edits)


def unpacked(curve: bytes | None) -> Counted:
    """What was kept; where nothing was kept, or something of another form, counting starts anew."""
    if curve is None or len(curve) != _PACKING.size or curve[0] != _FORM:
        return Counted()
    _, looks, *counts = _PACKING.unpack(curve)
    return Counted(looks=looks, watched=tuple(counts[: len(BINS)]), edits=tuple(counts[len(BINS) :]))


def rates_of(curve: bytes | None, prior: bytes | None = None) -> Rates:
    """Edits a day and article in each bin: the channel's as far as it is known, that of all channels behind.

    `prior` is the curve of all channels together, which leans on what is built in.
    """
    everywhere = _leaning(unpacked(prior), USUAL_RATES) if prior is not None else USUAL_RATES
    return _leaning(unpacked(curve), everywhere) if curve is not None else everywhere


def _leaning(counted: Counted, usual: Rates) -> Rates:
    """First how many edits there are, which is soon known; then when, which takes longer to learn."""
    foreseen = sum(days * rate for days, rate in zip(counted.watched, usual, strict=True))
    level = (sum(counted.edits) + _LEVEL_EDITS) / (foreseen + _LEVEL_EDITS)
    rates = (
        (edits + _SHAPE_EDITS) / (days + _SHAPE_EDITS / (level * rate))
        for edits, days, rate in zip(counted.edits, counted.watched, usual, strict=True)
    )
    return tuple(min(rate, _MOST_A_DAY) for rate in rates)


def learn(curve: bytes | None, look: Look, prior: bytes | None = None) -> bytes:
    """The curve after a recheck. That of all channels together is learned by the same, without a prior."""
    begin, end = look.age_before / _DAY, look.age_now / _DAY
    counted = unpacked(curve)
    if not 0 <= begin < end:
        return packed(counted)
    rates = rates_of(curve, prior)
    parts = days_in_bins(begin, end)
    expected = [days * rate for days, rate in zip(parts, rates, strict=True)]
    edits = _edits(sum(expected), rates, look) / sum(expected) if look.changed else 0.0
    kept = [1 - min(days / width / _REMEMBERED, 1.0) for days, width in zip(parts, WIDTHS, strict=True)]
    return packed(
        Counted(
            looks=counted.looks * (1 - 1 / _REMEMBERED / 10) + 1,
            watched=_added(counted.watched, kept, parts),
            edits=_added(counted.edits, kept, [edits * one for one in expected]),
        )
    )


def _edits(expected: float, rates: Rates, look: Look) -> float:
    """How many edits there were, since there was one."""
    before = edits_between(rates, look.first_age / _DAY, look.age_before / _DAY)
    own = own_history(expected_before=before, looks=look.looks, changes=look.changes)
    return own.expected(expected) / own.any_of(expected)


def _added(counts: Sequence[float], kept: Sequence[float], more: Sequence[float]) -> Rates:
    return tuple(count * share + added for count, share, added in zip(counts, kept, more, strict=True))


def days_in_bins(begin: float, end: float) -> list[float]:
    """How many of the days between two ages fall into each bin; the last has all that is older."""
    last = len(BINS) - 1
    return [
        max(min(end, high if number < last else end) - max(begin, low), 0.0)
        for number, (low, high) in enumerate(BINS)
    ]


def edits_between(rates: Rates, begin: float, end: float) -> float:
    """How many edits an article of the channel has between two ages, in days."""
    return sum(days * rate for days, rate in zip(days_in_bins(begin, end), rates, strict=True))


def pieces(rates: Rates, begin: float, end: float) -> Iterator[tuple[float, float]]:
    """From one age to another: for how many days, at how many edits a day."""
    for days, rate in zip(days_in_bins(begin, end), rates, strict=True):
        if days > 0:
            yield days, rate


def age_of_share(rates: Rates, share: float, end: float) -> float:
    """The age, in days, by which this share of the edits up to `end` have happened."""
    wanted = share * edits_between(rates, 0.0, end)
    full = [
        edge for edge in takewhile(lambda edge: edge < end, EDGES) if edits_between(rates, 0.0, edge) < wanted
    ]
    begin = full[-1] if full else 0.0
    place = EDGES.index(begin)
    return begin + (wanted - edits_between(rates, 0.0, begin)) / rates[min(place, len(rates) - 1)]


TOO_FEW = "too few rechecks to tell"

# Fewer rechecks say nothing; fewer edits than these say how many, but not when.
_FEWEST_LOOKS, _FEWEST_EDITS = 20.0, 5.0
_HARDLY = 0.01


def curve_in_words(curve: bytes | None, prior: bytes | None = None) -> str:
    """How often an article of the channel is edited in its first month, and when."""
    counted = unpacked(curve)
    if counted.looks < _FEWEST_LOOKS:
        return TOO_FEW
    rates = rates_of(curve, prior)
    edits = edits_between(rates, 0.0, MONTH)
    often = f"about {_number(edits)} edits per article" if edits >= _HARDLY else "hardly any edits"
    if sum(counted.edits) < _FEWEST_EDITS:
        return often
    half, most = (_span(age_of_share(rates, share, MONTH)) for share in (0.5, 0.9))
    return f"{often}, half within {half}, nine tenths within {most}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 9.5 else f"{value:.2g}"


def _span(days: float) -> str:
    span = timedelta(days=days)
    minutes = span / timedelta(minutes=1)
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.0f} h" if minutes < 48 * 60 else f"{days:.0f} days"
