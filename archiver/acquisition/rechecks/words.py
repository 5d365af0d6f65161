"""A channel's curve in words, as `about 0.4 edits per article, half within 2 h, nine tenths within 30 h`."""

from __future__ import annotations

from datetime import timedelta

from archiver.acquisition.rechecks.bins import MONTH
from archiver.acquisition.rechecks.curve import age_of_share, edits_between, rates_of, unpacked

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
