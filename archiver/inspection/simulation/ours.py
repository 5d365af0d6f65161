"""Our own policies, with the very functions that a crawl decides with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.decide import Aim, decide, floored
from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import Seen, observe, unknown

if TYPE_CHECKING:
    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import Floats, Look, Span


class Ours:
    """Each lane has its price, its fairness and its floor; that gives way to overruns, to the span's own."""

    def __init__(
        self, histories: Histories, span: Span, *, price: Floats, fairness: Floats, floor: Floats
    ) -> None:
        self._histories, self._span = histories, span
        self._price, self._fairness, self._floor = price, fairness, floor
        self._rhythms = unknown(len(price))
        self._usual = np.zeros(len(price))
        self._expected = np.zeros(len(price))

    def waits(self, look: Look) -> Floats:
        lane = look.lane
        seen = Seen(
            published=self._histories.published[look.entry],
            owner=look.owner,
            shown=look.newest - look.oldest,
            is_gap=look.is_gap,
        )
        rhythms = observe(self._rhythms[lane], look.now, seen, self._expected[lane], self._usual[lane])
        self._rhythms[lane] = rhythms
        forecast = Forecast(rhythms, look.now)
        aim = Aim(
            price=self._price[lane],
            fairness=self._fairness[lane],
            shortest=self._span.shortest,
            longest=self._span.longest,
        )
        found = decide(forecast, rhythms["window"].astype(np.float64), aim)
        wait = floored(found, self._floor[lane], self._span.shortest)
        self._usual[lane], self._expected[lane] = forecast.passed(look.now + wait)
        return wait
