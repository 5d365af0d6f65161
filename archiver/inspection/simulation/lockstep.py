"""Polling replayed on posting histories: all feeds of many runs step by step together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from archiver.inspection.simulation.histories import Histories

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

DAY = 86400.0
# The first week, reported apart: every policy starts knowing no more than one window of each feed.
COLD = 7 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySpan:
    """When is replayed, and the bounds of intervals in seconds."""

    start: float
    end: float
    shortest: float = 300.0
    longest: float = 7 * DAY

    @property
    def days(self) -> float:
        return (self.end - self.start) / DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class LanePolls:
    """What polls showed: one row for each lane, and the entries seen in one row for all lanes."""

    lane: Places
    now: Floats
    # Entries seen for the first time: their places in the histories, and the place of their lane in `lane`.
    entry: Places
    owner: Places
    # The newest entries that each feed shows: places from `oldest` up to `newest`.
    oldest: Places
    newest: Places
    is_gap: NDArray[np.bool_]


class Policy(Protocol):
    """Decides the waits of lanes; a lane is one feed in one run."""

    def waits(self, look: LanePolls) -> Floats: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LockstepResult:
    """What a run came to."""

    polls_per_day: float
    missed_percent: float
    lossy_feeds_percent: float
    entry_mean: float
    entry_median: float
    entry_p95: float
    feed_mean: float
    polls_per_entry: float


class Simulation:
    """Runs of one policy, each with a scale of its own, over the same feeds."""

    def __init__(self, histories: Histories, span: ReplaySpan, runs: int) -> None:
        self._histories, self._span, self._runs = histories, span, runs
        self.feed: Places = np.tile(np.arange(len(histories)), runs)
        self.run: Places = np.repeat(np.arange(runs), len(histories))
        self._polls = np.zeros(len(self.feed))
        self._early_polls = np.zeros(len(self.feed))
        # Minutes; negative where an entry was not seen, whether lost or yet to come.
        self._delay = np.full((runs, len(histories.published)), -1.0, np.float32)
        self._begun = histories.until(self.feed, np.full(len(self.feed), span.start))
        self._seen = self._begun.copy()

    def play(self, policy: Policy) -> None:
        lane = np.arange(len(self.feed))
        now = np.full(len(lane), self._span.start)
        look = self._first_look(lane, now)
        while len(lane):
            waits = np.clip(policy.waits(look), self._span.shortest, self._span.longest)
            now = now + waits
            goes_on = now < self._span.end
            lane, now = lane[goes_on], now[goes_on]
            look = self._poll(lane, now)

    def _first_look(self, lane: Places, now: Floats) -> LanePolls:
        """One window of each feed: all that is known at first."""
        feed = self.feed[lane]
        newest = self._begun[lane]
        oldest = np.maximum(newest - self._histories.window[feed], self._histories.first[feed])
        self._polls[lane] += 1
        return self._look(lane, now, oldest, newest, shown_from=oldest, is_gap=np.zeros(len(lane), bool))

    def _poll(self, lane: Places, now: Floats) -> LanePolls:
        feed, known = self.feed[lane], self._seen[lane]
        newest = self._histories.until(feed, now)
        shown_from = np.maximum(newest - self._histories.window[feed], self._histories.first[feed])
        oldest = np.maximum(known, shown_from)
        is_gap = (newest > known) & (shown_from >= known) & (known > self._histories.first[feed])
        self._polls[lane] += 1
        self._early_polls[lane] += now < self._span.start + COLD
        self._seen[lane] = newest
        look = self._look(lane, now, oldest, newest, shown_from=shown_from, is_gap=is_gap)
        late = look.now[look.owner] - self._histories.published[look.entry]
        self._delay[self.run[lane][look.owner], look.entry] = late / 60
        return look

    def _look(
        self,
        lane: Places,
        now: Floats,
        oldest: Places,
        newest: Places,
        *,
        shown_from: Places,
        is_gap: NDArray[np.bool_],
    ) -> LanePolls:
        count = newest - oldest
        owner = np.repeat(np.arange(len(lane)), count)
        ends = np.cumsum(count)
        entry = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - count - oldest, count)
        return LanePolls(
            lane=lane,
            now=now,
            entry=entry,
            owner=owner,
            oldest=shown_from,
            newest=newest,
            is_gap=is_gap,
        )

    def polls_per_day(self) -> Floats:
        total = np.bincount(self.run, self._polls, self._runs)
        return total / (len(self._histories) * self._span.days)

    def outcome(self, run: int) -> LockstepResult:
        mine = self.run == run
        return self._outcome(run, self._seen[mine], self._polls[mine], self._span.days)

    def first_week(self, run: int) -> LockstepResult:
        """The figures of the entries of the first week, in which nothing is known but one window."""
        mine = self.run == run
        until = np.full(mine.sum(), self._span.start + COLD)
        seen = np.minimum(self._seen[mine], self._histories.until(self.feed[mine], until))
        return self._outcome(run, seen, self._early_polls[mine], COLD / DAY)

    def _outcome(self, run: int, seen: Places, polls: Floats, days: float) -> LockstepResult:
        mine = self.run == run
        feeds, begun = self.feed[mine], self._begun[mine]
        count = np.maximum(seen - begun, 0)
        place = np.repeat(begun - np.cumsum(count) + count, count) + np.arange(count.sum())
        feed = np.repeat(feeds, count)
        delay = self._delay[run, place].astype(np.float64)
        was_seen = delay >= 0
        lost = np.bincount(feed[~was_seen], minlength=len(feeds))
        waited = np.bincount(feed[was_seen], delay[was_seen], len(feeds))
        found = np.bincount(feed[was_seen], minlength=len(feeds))
        late = delay[was_seen] if was_seen.any() else np.zeros(1)
        return LockstepResult(
            polls_per_day=float(polls.sum()) / (len(feeds) * days),
            missed_percent=100 * float(lost.sum()) / max(len(place), 1),
            lossy_feeds_percent=100 * float((lost > 0).mean()),
            entry_mean=float(late.mean()),
            entry_median=float(np.median(late)),
            entry_p95=float(np.percentile(late, 95)),
            feed_mean=float((waited[found > 0] / found[found > 0]).mean()) if found.any() else 0.0,
            polls_per_entry=float(polls.sum()) / max(len(place), 1),
        )
