"""What a poll costs: one number for all channels, steered so that polls meet the budget."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

# In days of waiting of one entry. Without a budget: about 12 polls a day for each of many kinds of channels.
USUAL_PRICE = 0.026
_LOWEST, _HIGHEST = 1e-7, 100.0
# Rhythms let polls be placed better than at even intervals: half of what even ones would cost.
_PLACED = 0.5
# Twice the polls are a quarter of the price; a correction goes most of that way, and never far at once.
_TOWARDS = 1.5
_MOST_AT_ONCE = 4.0
# Fewer polls than this are chance.
_TELLING = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a poll costs, and the polls since that was last thought over."""

    budget: float
    value: float
    since: datetime
    polls: int = 0


def first_price(rates: Sequence[float], budget: float, fairness: float) -> float:
    """For channels of these entries a day, by what even intervals would cost."""
    if not rates:
        return _bounded(USUAL_PRICE * (12 / budget) ** 2)
    mean = sum(sqrt(rate + fairness) for rate in rates) / len(rates)
    return _bounded(_PLACED * (mean / budget) ** 2 / 2)


def steered(price: Price, channels: int, now: datetime) -> float:
    """The price that brings polls closer to the budget, after what was counted since."""
    days = (now - price.since).total_seconds() / 86400
    wanted = price.budget * channels * days
    if wanted <= 0:
        return price.value
    factor = (max(price.polls, 0.25) / wanted) ** _TOWARDS
    return _bounded(price.value * min(max(factor, 1 / _MOST_AT_ONCE), _MOST_AT_ONCE))


def is_to_be_steered(price: Price, channels: int, now: datetime, *, at_least: timedelta) -> bool:
    """Whether enough time has passed, and enough was to be polled in it, for counts to tell something."""
    passed = now - price.since
    wanted = price.budget * channels * passed.total_seconds() / 86400
    return passed >= at_least and wanted >= _TELLING


def _bounded(price: float) -> float:
    return min(max(price, _LOWEST), _HIGHEST)
