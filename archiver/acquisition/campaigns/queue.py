"""The order of a queue: ranks, bands to explore, quotas of hosts, and what is never asked for."""

from __future__ import annotations

import fnmatch
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.acquisition.sites.traps.forms import refusal
from archiver.urls import host_of, is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.acquisition.campaigns.definition import Definition

# The best candidate has the least rank, so that one index has them in their order. A host whose best has this
# one, a score of 0, is asked only by chance.
WORST = 1000
# Seeds and examples come before all else.
FIRST = 0
# Scores below this are a band of their own, of whose addresses the smallest part is drawn by chance. As the
# best, they are asked for once nothing better may be.
LOWEST_BAND = 0.05
# Further bands begin at these scores, for exploring.
BANDS = (0.2, 0.4, 0.6)
ALL_BANDS = range(len(BANDS) + 2)
# How uncertain an address of each band is, the lowest included: by the scores, a deviation of 0 or 1.
_UNCERTAIN = (0.2, 0.33, 0.46, 0.5, 0.45)
# No band that has any is drawn from less often.
_LEAST_SHARE = 0.04
# A host may be asked for so many pages at first; twice as many each time that it gives as much as others.
FIRST_QUOTA, LEAST_QUOTA = 20, 5
# In no host: the rest of an address, or a pattern.
_HOST = re.compile(r"[^\s/:@?#*]+|\[[0-9a-fA-F:.]+\]")
# A host whose pages say nothing new in so many of them is a trap.
_STALE, _LEAST_PAGES = 0.3, 8
DICE = 1 << 30


def rank_of(score: float) -> int:
    return max(1, min(WORST, WORST - round(WORST * score)))


def score_of(rank: int) -> float:
    return (WORST - rank) / WORST


def band_of(score: float) -> int:
    """0 is the lowest band."""
    return 0 if score < LOWEST_BAND else 1 + sum(score >= limit for limit in BANDS)


def band_shares(waiting: Mapping[int, int]) -> dict[int, float]:
    """How often a draw is of each band: the more there are and the less is known of them (Neyman)."""
    found = {band: count * _UNCERTAIN[band] for band, count in waiting.items() if count}
    total = sum(found.values())
    return {band: max(_LEAST_SHARE, share / total) for band, share in found.items()}


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
    if not is_web(url) or refusal(url) is not None or _NOT_PAGES.search(url):
        return True
    return is_out_of_scope(url, host_of(url), definition)


def is_out_of_scope(url: str, host: str, definition: Definition) -> bool:
    """Whether a campaign's own rules keep it from asking for an address."""
    scope = definition.scope
    names = filter(None, map(denied_host, scope.hosts_deny))
    if any(host == name or host.endswith(f".{name}") for name in names):
        return True
    return any(_pattern(one).match(url) for one in scope.deny)


@lru_cache(maxsize=1024)
def denied_host(name: str) -> str:
    """A host as addresses have it, in small letters and ASCII; empty where it cannot be one."""
    url = f"http://{name}/"
    return host_of(request_url(url)) if is_web(url) and _HOST.fullmatch(name) else ""


@lru_cache(maxsize=1024)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob has no brackets here: addresses do."""
    return re.compile(fnmatch.translate(glob.replace("[", "[[]")), re.IGNORECASE)


# What is said by the end of an address: a campaign ranks pages.
_ENDINGS = "jpg jpeg png gif svg webp ico css js mp3 mp4 avi mov zip gz exe dmg woff woff2"
_NOT_PAGES = re.compile(rf"\.(?:{'|'.join(_ENDINGS.split())})\Z", re.IGNORECASE)
