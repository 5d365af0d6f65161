"""What a recheck costs: one number for all articles, steered so that rechecks stay within their share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

# In edits missed.
USUAL_PRICE = 0.008
# Where there is room, rechecks are made for less, but not for next to nothing. At the highest there are none.
LOWEST_PRICE, HIGHEST_PRICE = 0.002, 4.0
# Thought over this often, by the requests of about the last day, as the price of polls is.
PERIOD = timedelta(hours=2)
_REMEMBERED = 1.0  # days
_TOWARDS = 0.15
_MOST_AT_ONCE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckPrice:
    """What a recheck costs, and the requests by which that was found."""

    # The most of all requests that may be rechecks.
    share: float
    value: float = USUAL_PRICE
    since: datetime
    # Requests since then; those of before, fading.
    rechecks: int = 0
    others: int = 0
    rechecks_before: float = 0.0
    others_before: float = 0.0


def steered(price: RecheckPrice, now: datetime) -> RecheckPrice:
    """The price that brings rechecks closer to their share."""
    passed = (now - price.since).total_seconds() / 86400
    if passed > _REMEMBERED:
        # Nobody was there to look: that says nothing about the price.
        return replace(price, since=now, rechecks=0, others=0, rechecks_before=0.0, others_before=0.0)
    kept = exp(-max(passed, 0.0) / _REMEMBERED)
    rechecks = price.rechecks_before * kept + price.rechecks
    others = price.others_before * kept + price.others
    return RecheckPrice(
        share=price.share,
        value=_bounded(price.value * _factor(rechecks, others, price.share)),
        since=now,
        rechecks_before=rechecks,
        others_before=others,
    )


def _factor(rechecks: float, others: float, share: float) -> float:
    wanted = (rechecks + others) * share
    if wanted <= 0:
        return _MOST_AT_ONCE if rechecks > 0 else 1.0
    # None at all are too few, too.
    factor: float = (rechecks / wanted) ** _TOWARDS
    return min(max(factor, 1 / _MOST_AT_ONCE), _MOST_AT_ONCE)


def _bounded(price: float) -> float:
    return min(max(price, LOWEST_PRICE), HIGHEST_PRICE)
