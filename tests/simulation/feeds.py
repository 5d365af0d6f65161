"""Tiny histories, and a policy that polls when it is told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from archiver.inspection.simulation.histories import History, histories_of
from archiver.inspection.simulation.lockstep import LanePolls, ReplaySpan, Simulation

if TYPE_CHECKING:
    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import Floats

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
# A Monday, at midnight.
START = 1_725_840_000.0


def feeds(*published: list[float], window: int = 2) -> Histories:
    """Feeds with entries at so many minutes after the start."""
    return histories_of(
        History(published=[START + minute * MINUTE for minute in one], window=window) for one in published
    )


def span(hours: float, shortest: float = 300.0) -> ReplaySpan:
    return ReplaySpan(start=START, end=START + hours * HOUR, shortest=shortest)


class Every:
    """Polls each lane at its own interval, and keeps what it was shown."""

    def __init__(self, *minutes: float) -> None:
        self._waits = np.array(minutes) * MINUTE
        self.looks: list[LanePolls] = []

    def waits(self, look: LanePolls) -> Floats:
        self.looks.append(look)
        return self._waits[look.lane]


def played(histories: Histories, hours: float, *minutes: float) -> tuple[Simulation, list[LanePolls]]:
    simulation = Simulation(histories, span(hours), 1)
    policy = Every(*minutes)
    simulation.play(policy)
    return simulation, policy.looks
