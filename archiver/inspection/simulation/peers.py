"""What other programs do, from what is known of them; each with a scale that brings it to a budget."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.simulation.lockstep import Floats, LanePolls, ReplaySpan, Simulation

DAY = 86400.0
HOUR = 3600.0
WEEK = 7 * DAY


class Peer(ABC):
    """Lanes of one peer, each with its scale."""

    def __init__(self, histories: Histories, span: ReplaySpan, simulation: Simulation, scale: Floats) -> None:
        self.histories, self.span = histories, span
        self.feed, self.run, self.scale = simulation.feed, simulation.run, scale

    def waits(self, look: LanePolls) -> Floats:
        self.learn(look)
        return self.wait(look)

    def learn(self, look: LanePolls) -> None:  # noqa: B027 - not all have something to learn
        """Most look at what a feed shows and remember nothing."""

    @abstractmethod
    def wait(self, look: LanePolls) -> Floats:
        """Seconds until the next poll of each lane."""

    def scales(self, look: LanePolls) -> Floats:
        return self.scale[look.lane]

    def newest(self, look: LanePolls) -> Floats:
        """When the newest entry was published; the start where there is none."""
        has_any = look.newest > look.oldest
        place = np.where(has_any, look.newest - 1, 0)
        return np.where(has_any, self.histories.published[place], self.span.start)

    def mean_gap(self, look: LanePolls) -> Floats:
        """Between the entries that the feed shows; infinite where there are not two."""
        count = look.newest - look.oldest
        oldest = self.histories.published[np.minimum(look.oldest, len(self.histories.published) - 1)]
        return np.where(count > 1, (self.newest(look) - oldest) / np.maximum(count - 1, 1), np.inf)


class Counting(Peer):
    """A peer that counts the entries it saw lately; what was lost it cannot count."""

    def __init__(self, histories: Histories, span: ReplaySpan, simulation: Simulation, scale: Floats) -> None:
        super().__init__(histories, span, simulation, scale)
        runs = int(self.run.max(initial=0)) + 1
        # How many entries of its feed had been seen, up to each one and with it.
        self._up_to = np.zeros((runs, len(histories.published) + 1), np.int32)
        self._total = np.zeros(len(scale), np.int32)
        self._end = histories.first[self.feed].astype(np.intp)

    def learn(self, look: LanePolls) -> None:
        lane = look.lane
        count = np.bincount(look.owner, minlength=len(lane))
        before = np.cumsum(count) - count
        rank = np.arange(len(look.entry)) - before[look.owner] + 1
        run = self.run[lane]
        self._up_to[run[look.owner], look.entry] = self._total[lane][look.owner] + rank
        begin = np.where(count > 0, look.newest - count, look.newest)
        for place in np.flatnonzero(begin > self._end[lane]):
            self._up_to[run[place], self._end[lane[place]] : begin[place]] = self._total[lane[place]]
        self._total[lane] += count.astype(np.int32)
        self._end[lane] = look.newest

    def count_since(self, look: LanePolls, days: float) -> Floats:
        """How many entries of the last days were seen."""
        lane = look.lane
        earliest = self.histories.until(self.feed[lane], look.now - days * DAY)
        has_older = earliest > self.histories.first[self.feed[lane]]
        older = np.where(has_older, self._up_to[self.run[lane], earliest - 1], 0)
        return (self._total[lane] - older).astype(np.float64)


class Fixed(Peer):
    """The same interval for all."""

    def wait(self, look: LanePolls) -> Floats:
        return self.scales(look) * HOUR


class Miniflux(Counting):
    """One week divided by the entries in the last week and by a factor."""

    def wait(self, look: LanePolls) -> Floats:
        count = self.count_since(look, 7)
        return np.where(count > 0, self.scales(look) * WEEK / np.maximum(count, 1), self.span.longest)


class CommaFeed(Peer):
    """Half the mean gap between entries, within 5 minutes and an hour; up to 4 hours where nothing comes."""

    def wait(self, look: LanePolls) -> Floats:
        age = look.now - self.newest(look)
        longest = np.where(age > 14 * DAY, 4 * HOUR, HOUR)
        wait = np.clip(self.mean_gap(look) / 2, 300.0, longest)
        return self.scales(look) * np.where(age > 30 * DAY, 4 * HOUR, wait)


class StormCrawler(Peer):
    """Changed: nearer to the shortest by a rate; unchanged: longer by it."""

    _RATE, _SHORTEST = 0.3, 60.0

    def __init__(self, histories: Histories, span: ReplaySpan, simulation: Simulation, scale: Floats) -> None:
        super().__init__(histories, span, simulation, scale)
        self._interval = np.full(len(scale), HOUR)

    def wait(self, look: LanePolls) -> Floats:
        has_changed = np.bincount(look.owner, minlength=len(look.lane)) > 0
        before = self._interval[look.lane]
        shorter = before - self._RATE * (before - self._SHORTEST)
        interval = np.minimum(np.where(has_changed, shorter, before * (1 + self._RATE)), WEEK)
        self._interval[look.lane] = interval
        return self.scales(look) * interval


class AdaptiveTtl(Peer):
    """A factor times the age of the newest entry."""

    def wait(self, look: LanePolls) -> Floats:
        return self.scales(look) * (look.now - self.newest(look))


class MavSync(Peer):
    """The mean gap between entries, in step with the newest entry's date."""

    def wait(self, look: LanePolls) -> Floats:
        step = np.maximum(self.mean_gap(look) * self.scales(look), self.span.shortest)
        step = np.minimum(step, 10 * self.span.longest)
        age = look.now - self.newest(look)
        return (np.floor(age / step) + 1) * step - age


class PostRate(Peer):
    """Until the expected number of entries, by the hours of the day, reaches a constant."""

    def __init__(self, histories: Histories, span: ReplaySpan, simulation: Simulation, scale: Floats) -> None:
        super().__init__(histories, span, simulation, scale)
        self._hours = np.zeros((len(scale), 24))
        self._since = np.full(len(scale), np.inf)

    def learn(self, look: LanePolls) -> None:
        published = self.histories.published[look.entry]
        lane = look.lane[look.owner]
        np.add.at(self._hours, (lane, (published // HOUR % 24).astype(np.intp)), 1.0)
        np.minimum.at(self._since, lane, published)

    def wait(self, look: LanePolls) -> Floats:
        hours = self._hours[look.lane]
        total = hours.sum(axis=1)
        days = np.maximum((look.now - np.minimum(self._since[look.lane], look.now)) / DAY, 1.0)
        # Entries in each hour of a day.
        rate = (hours + 0.5) * (total / days / (total + 12))[:, None]
        return _until(rate, look.now, self.scales(look), self.span.longest)


def _until(rate: Floats, now: Floats, wanted: Floats, longest: float) -> Floats:
    """When so many entries are expected, by rates for each hour of the day."""
    lanes = np.arange(len(now))
    a_day = rate.sum(axis=1)
    in_day = np.concatenate((np.zeros((len(now), 1)), np.cumsum(rate, axis=1)), axis=1)
    hour, part = np.divmod(now % DAY / HOUR, 1.0)
    hour = hour.astype(np.intp)
    so_far = in_day[lanes, hour] + part * rate[lanes, hour]
    days, rest = np.divmod(so_far + wanted, np.maximum(a_day, 1e-12))
    last = np.minimum((in_day[:, 1:] <= rest[:, None]).sum(axis=1), 23)
    within = (rest - in_day[lanes, last]) / np.maximum(rate[lanes, last], 1e-12)
    end = np.minimum(days, 1e6) * DAY + (last + np.clip(within, 0.0, 1.0)) * HOUR
    return np.where(a_day > 0, end - now % DAY, longest)


class SquareRoot(Counting):
    """Polls in proportion to the square root of the rate."""

    def wait(self, look: LanePolls) -> Floats:
        rate = (self.count_since(look, 14) + 0.5) / (14 + 3.5)
        return self.scales(look) * HOUR / np.sqrt(rate)


PEERS: dict[str, Callable[[Histories, ReplaySpan, Simulation, Floats], Peer]] = {
    "fixed": Fixed,
    "miniflux": Miniflux,
    "CommaFeed": CommaFeed,
    "StormCrawler": StormCrawler,
    "adaptive TTL": AdaptiveTtl,
    "MAVSync": MavSync,
    "post rate": PostRate,
    "square root": SquareRoot,
}
# Scales that give about 12 polls a day, to begin with.
FIRST_SCALES = {
    "fixed": 2.0,
    "miniflux": 0.8,
    "CommaFeed": 3.2,
    "StormCrawler": 5.0,
    "adaptive TTL": 0.9,
    "MAVSync": 1.6,
    "post rate": 0.8,
    "square root": 3.6,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A policy as it comes, with bounds of its own in seconds."""

    policy: str
    scale: float = 1.0
    shortest: float = 300.0
    longest: float = WEEK


# Where nothing is said of a factor, it is one; polls by the square root have no such thing.
SHIPPED = {
    "fixed 1 h": Shipped(policy="fixed"),
    "fixed 12 h": Shipped(policy="fixed", scale=12.0),
    "miniflux": Shipped(policy="miniflux", longest=DAY),
    "CommaFeed": Shipped(policy="CommaFeed"),
    "StormCrawler": Shipped(policy="StormCrawler"),
    "adaptive TTL": Shipped(policy="adaptive TTL"),
    "MAVSync": Shipped(policy="MAVSync"),
    "post rate": Shipped(policy="post rate"),
}
