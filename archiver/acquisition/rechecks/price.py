"""What a recheck costs: one number for all articles, steered so that rechecks stay within their share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.polling.price import MOST_AT_ONCE, factor_towards, still_counted

if TYPE_CHECKING:
    from datetime import datetime

# In edits missed.
USUAL_PRICE = 0.008
# Where there is room, rechecks are made for less, but not for next to nothing. At the highest there are none.
LOWEST_PRICE, HIGHEST_PRICE = 0.002, 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckPrice:
    """What a recheck costs, and the requests by which that was found."""

    # The most of all requests that may be rechecks.
    share: float
    value: float = USUAL_PRICE
    since: datetime
    # Requests since then; earlier ones, fading.
    rechecks: int = 0
    others: int = 0
    rechecks_before: float = 0.0
    others_before: float = 0.0


def steered(price: RecheckPrice, now: datetime) -> RecheckPrice:
    """The price that brings rechecks closer to their share."""
    kept = still_counted(price.since, now)
    if kept is None:
        return replace(price, since=now, rechecks=0, others=0, rechecks_before=0.0, others_before=0.0)
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
        return MOST_AT_ONCE if rechecks > 0 else 1.0
    # None at all are too few, too.
    return factor_towards(rechecks, wanted)


def _bounded(price: float) -> float:
    return min(max(price, LOWEST_PRICE), HIGHEST_PRICE)
