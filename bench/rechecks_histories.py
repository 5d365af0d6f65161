"""Histories of edits for `rechecks.py`: made up with what is known of how news are edited, or read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

DAY = 86400.0
# Of a normal distribution nine tenths lie below this.
_NINE_TENTHS = 1.2816


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """An article: when it was published and first captured, in days, and the edits after that, by age."""

    channel: str
    published: float
    captured: float
    edits: tuple[float, ...]

    def is_seen(self, edit: int, look: float) -> bool:
        """Whether a look at this age is in time for an edit."""
        return edit + 1 == len(self.edits) or look < self.edits[edit + 1]


def made_up(options: Namespace, seed: int) -> list[History]:
    """Articles of several channels, each with its own number of edits and its own pace."""
    chance = np.random.default_rng(seed)
    names = [f"channel-{number}" for number in range(options.channels)]
    histories = [history for name in names for history in _channel(name, options, chance)]
    return sorted(histories, key=lambda history: history.published)


def _channel(name: str, options: Namespace, chance: np.random.Generator) -> list[History]:
    # Logarithms of ages are spread as by a normal distribution: by channel around the middle, and within.
    spread = log(options.nine_tenths / options.half) / _NINE_TENTHS
    within = sqrt(max(spread**2 - options.pace_spread**2, 0.01))
    middle = options.half / 24 * exp(chance.normal(0.0, options.pace_spread))
    edits = options.edits * _factors(chance, options.channel_spread, 1)[0]
    means = edits * _factors(chance, options.article_spread, options.articles)
    published = chance.uniform(0.0, options.days, options.articles)
    captured = chance.exponential(options.captured / 1440, options.articles)
    counts = chance.poisson(means)
    return [
        History(
            channel=name,
            published=float(published[number]),
            captured=float(captured[number]),
            edits=_ages(chance, middle, within, int(counts[number]), captured[number], options.until),
        )
        for number in range(options.articles)
    ]


def _factors(chance: np.random.Generator, spread: float, count: int) -> np.ndarray:
    """Mean one, with a heavy tail: some have many times the usual."""
    return chance.lognormal(-(spread**2) / 2, spread, count)


def _ages(
    chance: np.random.Generator, middle: float, within: float, count: int, first: float, last: float
) -> tuple[float, ...]:
    ages = np.sort(middle * np.exp(chance.normal(0.0, within, count)))
    return tuple(ages[(ages > first) & (ages < last)].tolist())


def read(path: Path, until: float) -> list[History]:
    """A line an article: `{"channel", "published", "captured", "edits": […]}`, in seconds since 1970."""
    histories = [_read(json.loads(line), until) for line in path.read_text("utf-8").splitlines() if line]
    first = min(history.published for history in histories)
    return sorted(
        (
            History(
                channel=one.channel, published=one.published - first, captured=one.captured, edits=one.edits
            )
            for one in histories
        ),
        key=lambda history: history.published,
    )


def _read(row: dict, until: float) -> History:
    published = row["published"]
    captured = max(row.get("captured", published) - published, 0.0) / DAY
    ages = sorted((edit - published) / DAY for edit in row["edits"])
    return History(
        channel=str(row["channel"]),
        published=published / DAY,
        captured=captured,
        edits=tuple(age for age in ages if captured < age < until),
    )


def shares(histories: list[History], ages: tuple[float, ...]) -> list[float]:
    """How many of the edits fall before each age."""
    edits = np.array([edit for history in histories for edit in history.edits])
    return [float(np.mean(edits < age)) for age in ages]


def soonest(histories: list[History], within: float) -> float:
    """How many of the edits are followed by the next one of their article within this many days."""
    gaps = [after - before for history in histories for before, after in pairwise(history.edits)]
    edits = sum(len(history.edits) for history in histories)
    return sum(gap < within for gap in gaps) / edits
