"""What a poll costs: one number for all channels, steered so that polls meet the budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from math import exp, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

# In days of waiting of one entry. Without a budget: about 12 polls a day for each of many kinds of channels.
USUAL_PRICE = 0.0165
_USUAL_BUDGET = 12.0
_LOWEST, _HIGHEST = 1e-7, 100.0
# Rhythms let polls be placed better than at even intervals: half of what even ones would cost.
_PLACED = 0.5
# The price is thought over this often, by the polls of about the last day: a day has its ups and downs, which
# are what polls are placed by, and no reason for another price.
PERIOD = timedelta(hours=2)
_REMEMBERED = 1.0  # days
_TOWARDS = 0.15
MOST_AT_ONCE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a poll costs, and the polls by which that was found."""

    budget: float
    value: float
    since: datetime
    # Polls since then; earlier ones and the days they were made in, both fading.
    polls: int = 0
    before: float = 0.0
    days: float = 0.0


def first_price(rates: Sequence[float], budget: float, fairness: float) -> float:
    """For channels of these entries a day, by what even intervals would cost."""
    if not rates:
        return _bounded(USUAL_PRICE * (_USUAL_BUDGET / budget) ** 2)
    mean = sum(sqrt(rate + fairness) for rate in rates) / len(rates)
    return _bounded(_PLACED * (mean / budget) ** 2 / 2)


def steered(price: Price, channels: int, now: datetime) -> Price:
    """The price that brings polls closer to the budget."""
    kept = still_counted(price.since, now)
    if kept is None:
        return replace(price, since=now, polls=0, before=0.0, days=0.0)
    passed = (now - price.since).total_seconds() / 86400
    polls, days = price.before * kept + price.polls, price.days * kept + passed
    wanted = price.budget * channels * days
    factor = factor_towards(polls, wanted) if wanted > 0 and polls > 0 else 1.0
    value = _bounded(price.value * factor)
    return replace(price, value=value, since=now, polls=0, before=polls, days=days)


def still_counted(since: datetime, now: datetime) -> float | None:
    """The share that still counts of what was done before; None after a pause, which says nothing."""
    passed = (now - since).total_seconds() / 86400
    return exp(-max(passed, 0.0) / _REMEMBERED) if passed <= _REMEMBERED else None


def factor_towards(made: float, wanted: float) -> float:
    """What a price is multiplied by where so many were made and so many wanted: a little at a time."""
    factor: float = (made / wanted) ** _TOWARDS
    return min(max(factor, 1 / MOST_AT_ONCE), MOST_AT_ONCE)


def _bounded(price: float) -> float:
    return min(max(price, _LOWEST), _HIGHEST)
