"""Policies of rechecks for `rechecks.py`, played on histories of edits: ours, and those that never learn."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from math import ceil, exp, log, log1p
from statistics import fmean, median
from typing import TYPE_CHECKING

from archiver.acquisition.rechecks.curve import Look, learn
from archiver.acquisition.rechecks.schedule import ArticleState, next_recheck

if TYPE_CHECKING:
    from collections.abc import Callable

    from rechecks_histories import History

    from archiver.acquisition.rechecks.schedule import RecheckPolicy

_TWO_DAYS = 2.0
_STEPS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a policy came to: shares in per cent, delays in hours."""

    policy: str
    found: float
    requests: float
    mean_delay: float
    median_delay: float
    # Edits found for each request.
    per_request: float = 0.0


class Tally:
    """Looks and what they found."""

    def __init__(self, histories: list[History]) -> None:
        self._articles = len(histories)
        self._edits = sum(len(history.edits) for history in histories)
        self.requests = 0
        self.delays: list[float] = []

    def result(self, policy: str) -> Result:
        return Result(
            policy=policy,
            found=100 * len(self.delays) / self._edits,
            requests=self.requests / self._articles,
            mean_delay=24 * fmean(self.delays or [0.0]),
            median_delay=24 * median(self.delays or [0.0]),
            per_request=len(self.delays) / max(self.requests, 1),
        )


# ── Policies that never learn: when a look is due is known beforehand ────────────────────────────────────


def fixed(interval: float, until: float, histories: list[History], name: str) -> Result:
    """Every article every so many days, up to an age."""
    tally = Tally(histories)
    for history in histories:
        looks = max(int((until - history.captured) / interval), 0)
        tally.requests += looks
        for number, edit in enumerate(history.edits):
            place = ceil((edit - history.captured) / interval)
            look = history.captured + place * interval
            if place <= looks and history.is_seen(number, look):
                tally.delays.append(look - edit)
    return tally.result(name)


def two_days(interval: float, until: float, histories: list[History], name: str) -> Result:
    """Every so many days up to an age of two, and once more at the end."""
    tally = Tally(histories)
    for history in histories:
        looks = max(int((min(_TWO_DAYS, until) - history.captured) / interval), 0)
        tally.requests += looks + 1
        for number, edit in enumerate(history.edits):
            place = ceil((edit - history.captured) / interval)
            look = history.captured + place * interval if place <= looks else until
            if history.is_seen(number, look):
                tally.delays.append(look - edit)
    return tally.result(name)


def backing_off(first: float, factor: float, until: float, histories: list[History], name: str) -> Result:
    """Each wait so many times the one before, with a last look at the end."""
    tally = Tally(histories)
    for history in histories:
        # The waits so far are a geometric series: how many fit is known.
        looks = int(log1p(max(until - history.captured, 0.0) * (factor - 1) / first) / log(factor))
        tally.requests += looks + 1
        for number, edit in enumerate(history.edits):
            place = ceil(log1p((edit - history.captured) * (factor - 1) / first) / log(factor))
            passed = first * (factor**place - 1) / (factor - 1)
            look = history.captured + passed if place <= looks else until
            if history.is_seen(number, look):
                tally.delays.append(look - edit)
    return tally.result(name)


def alike(play: Callable[[float], Result], found: float, low: float, high: float) -> Result | None:
    """The policy with the interval by which it finds the same share; None where it never does."""
    if play(low).found < found:
        return None
    for _ in range(_STEPS):
        middle = exp((log(low) + log(high)) / 2)
        low, high = (middle, high) if play(middle).found >= found else (low, middle)
    return play(low)


# ── Ours: learns from its own looks, in the order of time ────────────────────────────────────────────────


@dataclass(slots=True)
class Watched:
    """An article while it is rechecked."""

    history: History
    last: float
    looks: int = 0
    changes: int = 0
    is_captured: bool = False

    def state(self) -> ArticleState:
        age = timedelta(days=self.last)
        return ArticleState(
            age=age,
            last_look_age=age,
            first_age=timedelta(days=self.history.captured),
            looks=self.looks,
            changes=self.changes,
        )


class Ours:
    """The crawl's own functions, with a curve for each channel and one for all."""

    def __init__(self, policy: RecheckPolicy, *, learns: bool = True) -> None:
        self.policy = policy
        self.learns = learns
        self.curves: dict[str, bytes] = {}
        self.all: bytes | None = None

    def play(self, histories: list[History], name: str) -> Result:
        tally, order = Tally(histories), count()
        queue: list[tuple[float, int, Watched]] = []
        for history in histories:
            # Each is first thought of when it is captured: what is learned until then counts.
            watched = Watched(history, history.captured)
            queue.append((history.published + history.captured, next(order), watched))
        heapq.heapify(queue)
        while queue:
            now, _, watched = heapq.heappop(queue)
            age = now - watched.history.published
            if watched.is_captured:
                self._look(watched, age, tally)
            watched.is_captured = True
            wait = self._next(watched)
            if wait is not None:
                heapq.heappush(queue, (now + wait, next(order), watched))
        return tally.result(name)

    def _next(self, watched: Watched) -> float | None:
        curve = self.curves.get(watched.history.channel)
        decision = next_recheck(watched.state(), curve, self.all, self.policy)
        return None if decision.wait is None else decision.wait / timedelta(days=1)

    def _look(self, watched: Watched, age: float, tally: Tally) -> None:
        history = watched.history
        unseen = [edit for edit in history.edits if watched.last < edit <= age]
        tally.requests += 1
        if unseen:
            tally.delays.append(age - unseen[-1])
        if self.learns:
            self._learn(watched, age, changed=bool(unseen))
        watched.last, watched.looks = age, watched.looks + 1
        watched.changes += bool(unseen)

    def _learn(self, watched: Watched, age: float, *, changed: bool) -> None:
        name = watched.history.channel
        look = Look(
            age_before=timedelta(days=watched.last),
            age_now=timedelta(days=age),
            first_age=timedelta(days=watched.history.captured),
            changed=changed,
            looks=watched.looks,
            changes=watched.changes,
        )
        self.curves[name] = learn(self.curves.get(name), look, self.all)
        self.all = learn(self.all, look)
