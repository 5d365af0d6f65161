"""The strategies that can be simulated, by name: each gives the addresses that it asks for, in order."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.bandit import bandit_crawl
from archiver.acquisition.sites.learning.pattern_search import SearchSettings, pattern_crawl
from archiver.acquisition.sites.learning.thesis import ThesisSettings, thesis_crawl
from archiver.inspection.sites.simulation.learned import learned_crawl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from archiver.acquisition.sites.learning.graph import GraphLink
    from archiver.inspection.sites.simulation.site import SimulatedSite

    # Of a site, with a seed for what is left to chance, and at most so many requests.
    SimulatedStrategy = Callable[[SimulatedSite, int, int | None], Iterator[str]]


def _blind(site: SimulatedSite, _seed: int, _limit: int | None) -> Iterator[str]:
    """All links, breadth first."""
    waiting: deque[GraphLink] = deque([site.entry])
    known = {site.entry.key}
    while waiting:
        link = waiting.popleft()
        yield link.url
        page = site.read(link.url)
        for one in () if page is None else page.links:
            if one.key not in known:
                known.add(one.key)
                waiting.append(one)


def _sitemap(site: SimulatedSite, _seed: int, _limit: int | None) -> Iterator[str]:
    asked, named = site.lists()
    yield site.url
    yield from asked
    keys = {site.entry.key}
    for link in named:
        if link.key not in keys:
            keys.add(link.key)
            yield link.url


def _learned(site: SimulatedSite, seed: int, _limit: int | None) -> Iterator[str]:
    return learned_crawl(site, seed)


def _thesis(site: SimulatedSite, seed: int, _limit: int | None) -> Iterator[str]:
    return thesis_crawl(site, seed, ThesisSettings())


def _patterns(site: SimulatedSite, seed: int, _limit: int | None) -> Iterator[str]:
    return pattern_crawl(site, seed, SearchSettings())


def _bandit(site: SimulatedSite, seed: int, _limit: int | None) -> Iterator[str]:
    return bandit_crawl(site, seed)


STRATEGIES: Mapping[str, SimulatedStrategy] = {
    "blind": _blind,
    "learned": _learned,
    "sitemap": _sitemap,
    "thesis": _thesis,
    "patterns": _patterns,
    "bandit": _bandit,
}
# Those that leave nothing to chance are played once.
STEADY = frozenset({"blind", "sitemap"})
