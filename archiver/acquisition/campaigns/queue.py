"""The order of a queue: ranks, bands to explore, quotas of hosts, and what is never asked for."""

from __future__ import annotations

import fnmatch
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.acquisition.sites.traps.forms import refusal
from archiver.urls import host_of, is_web

if TYPE_CHECKING:
    from archiver.acquisition.campaigns.definition import Definition

# The best candidate has the least rank, so that one index has them in their order.
WORST = 1000
# Seeds and examples come before all else.
FIRST = 0
# What the best scores are below is asked for only to explore.
FLOOR = 0.05
# Scores from here on, for exploring: of each band equally many are drawn.
BANDS = (0.2, 0.4)
# A host may be asked for so many pages at first; twice as many each time that it gives as much as others.
FIRST_QUOTA, LEAST_QUOTA = 20, 5
# A host whose pages say nothing new in so many of them is a trap.
_STALE, _LEAST_PAGES = 0.3, 8
DICE = 1 << 30


def rank_of(score: float) -> int:
    return max(1, min(WORST, WORST - round(WORST * score)))


def score_of(rank: int) -> float:
    return (WORST - rank) / WORST


def band_of(score: float) -> int:
    """0: below the floor, never drawn."""
    return 0 if score < FLOOR else 1 + sum(score >= limit for limit in BANDS)


def quota_after(quota: int, fetched: int, fresh: int, mean: float, usual: float, most: int) -> int:
    """How many pages a host may be asked for, once it has given as many as it might."""
    if fetched >= _LEAST_PAGES and fresh < _STALE * fetched:
        return max(LEAST_QUOTA, fetched)
    if fetched < quota:
        return quota
    if mean < usual / 3:
        return max(LEAST_QUOTA, fetched)
    return min(most, 2 * quota) if mean >= usual / 2 else min(most, quota + LEAST_QUOTA)


def is_denied(url: str, definition: Definition) -> bool:
    """Whether a campaign never asks for an address: by its own rules, or since no page can be there."""
    if not is_web(url) or refusal(url) is not None:
        return True
    host = host_of(url)
    scope = definition.scope
    if any(host == name or host.endswith(f".{name}") for name in scope.hosts_deny):
        return True
    return any(_pattern(one).match(url) for one in (*scope.deny, *_NOT_PAGES))


@lru_cache(maxsize=1024)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob has no brackets here: addresses do."""
    return re.compile(fnmatch.translate(glob.replace("[", "[[]")), re.IGNORECASE)


# What is said by the end of an address: a campaign ranks pages.
_ENDINGS = "jpg jpeg png gif svg webp ico css js mp3 mp4 avi mov zip gz exe dmg woff woff2"
_NOT_PAGES = tuple(f"*.{ending}" for ending in _ENDINGS.split())
