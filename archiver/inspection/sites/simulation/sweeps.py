"""Figure 5.6 and table 5.2 of Faheem's thesis anew: its strategy by sample size, steps and completion."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.learning.thesis import ThesisSettings, thesis_crawl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.sites.simulation.play import SiteText, StrategyRun
    from archiver.inspection.sites.simulation.site import SimulatedSite

# Runs that differ by less than that have reached the same text.
_SAME = 0.001


class SampleSizePoint(msgspec.Struct, frozen=True, kw_only=True):
    """Runs with samples of one size."""

    sample: int
    least: float  # share of the text
    median: float
    most: float
    at_most: int  # runs that reached the most of all runs
    runs: int
    requests: int  # median


class StepsPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Runs with patterns of so many steps, chosen until so much of the sample is reached: medians."""

    steps: int
    completion: float
    requests: int
    text: float
    links: float


def by_sample_size(
    site: SimulatedSite, text: SiteText, sizes: Sequence[int], seeds: int
) -> list[SampleSizePoint]:
    runs = {
        size: [_play(site, text, ThesisSettings(sample=size), seed) for seed in range(seeds)]
        for size in sizes
    }
    best = max((one.text for some in runs.values() for one in some), default=0.0)
    return [
        SampleSizePoint(
            sample=size,
            least=min(one.text for one in some),
            median=median(one.text for one in some),
            most=max(one.text for one in some),
            at_most=sum(one.text >= best - _SAME for one in some),
            runs=len(some),
            requests=round(median(one.requests for one in some)),
        )
        for size, some in runs.items()
    ]


def by_steps(
    site: SimulatedSite,
    text: SiteText,
    steps: Sequence[int],
    completions: Sequence[float],
    *,
    sample: int,
    seeds: int,
) -> Iterator[StepsPoint]:
    for step in steps:
        for completion in completions:
            settings = ThesisSettings(sample=sample, steps=step, completion=completion)
            runs = [_play(site, text, settings, seed) for seed in range(seeds)]
            yield StepsPoint(
                steps=step,
                completion=completion,
                requests=round(median(one.requests for one in runs)),
                text=median(one.text for one in runs),
                links=median(one.links for one in runs),
            )


def _play(site: SimulatedSite, text: SiteText, settings: ThesisSettings, seed: int) -> StrategyRun:
    return text.play(site, thesis_crawl(site, seed, settings), name="thesis", seed=seed)
