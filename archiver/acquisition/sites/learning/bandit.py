"""A sleeping bandit over clusters of paths: the strategy SB-CLASSIFIER of Gauquier, Manolescu and Senellart.

Links whose paths are alike are one arm; an arm without links sleeps. The next link is taken by chance from
the arm with the best mean reward and a bonus for arms that were seldom tried (AUER; arXiv 2602.11874). There
is no sample, and the crawl ends when no link is left. The published reward counts files of a kind; here it is
the new text of a page and of the pages that its links led to.
"""

from __future__ import annotations

import math
import random
import zlib
from bisect import insort
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from archiver.acquisition.sites.learning.graph import Grams, GraphLink, GraphPage, SiteReader

# As published: weight of the bonus, cosine from which paths are alike, places for pairs of steps.
_ALPHA = 2 * math.sqrt(2)
_ALIKE = 0.75
_PLACES = 1 << 12
# The reward of a page is measured by what nearly all pages bring at most.
_HIGH = 0.95


@dataclass(slots=True, eq=False)
class _Arm:
    centre: NDArray[np.float64]
    paths: int = 0
    pulls: int = 0
    reward: float = 0.0
    links: list[tuple[GraphLink, str | None]] = field(default_factory=list)

    def score(self, time: int, most: float) -> float:
        if not self.pulls:
            return math.inf
        return self.reward / self.pulls / most + _ALPHA * math.sqrt(math.log(time) / self.pulls)


def bandit_crawl(reader: SiteReader, seed: int) -> Iterator[str]:
    """Ask for all pages of a site, those first that pay most; the addresses in the order of asking."""
    crawl = _BanditCrawl(seed)
    crawl.add(reader.entry, None)
    while (drawn := crawl.draw()) is not None:
        arm, link, via = drawn
        yield link.url
        page = reader.read(link.url)
        crawl.credit(arm, link, via, page)
        for one in () if page is None else page.links:
            crawl.add(one, link.key)


class _BanditCrawl:
    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - a seed makes runs repeatable
        self._arms: list[_Arm] = []
        self._by_path: dict[str, _Arm] = {}
        self._known: set[str] = set()
        self._seen: Grams = np.empty(0, np.uint64)
        self._recent: list[Grams] = []
        self._time = 0
        # Of the pages that were read: the arm, and what it brought with the pages behind it.
        self._brought: dict[str, tuple[_Arm, int]] = {}
        self._gains: list[int] = []

    def add(self, link: GraphLink, via: str | None) -> None:
        if link.key not in self._known:
            self._known.add(link.key)
            self._arm_of(link.label.path).links.append((link, via))

    def draw(self) -> tuple[_Arm, GraphLink, str | None] | None:
        awake = [arm for arm in self._arms if arm.links]
        if not awake:
            return None
        self._time += 1
        most = self._usual()
        best = max(awake, key=lambda arm: arm.score(self._time, most))
        at = self._chance.randrange(len(best.links))
        best.links[at], best.links[-1] = best.links[-1], best.links[at]
        link, via = best.links.pop()
        return best, link, via

    def credit(self, arm: _Arm, link: GraphLink, via: str | None, page: GraphPage | None) -> None:
        """Count what a page brought, for its arm and for that of the page which led to it."""
        gain = 0 if page is None else self._new(page)
        insort(self._gains, gain)
        arm.pulls += 1
        arm.reward += math.log1p(gain)
        self._brought[link.key] = arm, gain
        if via in self._brought:
            above, before = self._brought[via]
            above.reward += math.log1p(before + gain) - math.log1p(before)
            self._brought[via] = above, before + gain

    def _usual(self) -> float:
        if not self._gains:
            return 1.0
        return max(1.0, math.log1p(self._gains[int(_HIGH * (len(self._gains) - 1))]))

    def _new(self, page: GraphPage) -> int:
        new = np.setdiff1d(page.grams, self._seen, assume_unique=True)
        for one in self._recent:
            new = np.setdiff1d(new, one, assume_unique=True)
        self._recent.append(new)
        if len(self._recent) > 20:  # sorted in now and then: each time would take long
            self._seen = np.unique(np.concatenate([self._seen, *self._recent]))
            self._recent = []
        return len(new)

    def _arm_of(self, path: str) -> _Arm:
        if path not in self._by_path:
            self._by_path[path] = self._nearest(_vector(path))
        return self._by_path[path]

    def _nearest(self, vector: NDArray[np.float64]) -> _Arm:
        """The arm whose paths are alike, or a new one."""
        cosines = [float(arm.centre @ vector) / _length(arm.centre) for arm in self._arms]
        best = max(range(len(cosines)), key=cosines.__getitem__, default=None)
        if best is None or cosines[best] < _ALIKE * _length(vector):
            self._arms.append(_Arm(centre=np.zeros(_PLACES)))
            best = len(self._arms) - 1
        arm = self._arms[best]
        arm.centre = (arm.centre * arm.paths + vector) / (arm.paths + 1)
        arm.paths += 1
        return arm


def _vector(path: str) -> NDArray[np.float64]:
    """Pairs of steps of a path, hashed."""
    found = np.zeros(_PLACES)
    for one, two in pairwise(["", *path.split("/")]):
        found[zlib.crc32(f"{one}/{two}".encode("utf-8", "replace")) % _PLACES] += 1
    return found


def _length(vector: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(vector)) or 1.0
