"""The estimate of what was not fetched holds the truth, whatever the form of the curve of relevance is."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.campaigns.estimate import TriedCandidate, unfetched
from archiver.acquisition.campaigns.queue import band_of, band_shares, rank_of, score_of

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 40


def _steady(score: float) -> float:
    return 0.7 * score


def _late(score: float) -> float:
    """Flat, then steep: as it is on webs where links say little."""
    return 0.25 if score < 0.5 else 0.25 + 1.3 * (score - 0.5)


def _played(
    curve: Callable[[float], float], chance: random.Random, draws: int
) -> tuple[Counter[int], list[TriedCandidate], int]:
    """A queue from the top of which the best were taken, with draws by bands."""
    scores = sorted((chance.betavariate(2, 2.5) for _ in range(1000)), reverse=True)
    pages = [(rank_of(score), chance.random() < curve(score)) for score in scores]
    tried = [
        TriedCandidate(rank, good or chance.random() < 0.65, by_chance=False) for rank, good in pages[:150]
    ]
    rest = pages[150:]
    for _ in range(draws):
        bands: dict[int, list[tuple[int, bool]]] = {}
        for one in rest:
            bands.setdefault(band_of(score_of(one[0])), []).append(one)
        shares = band_shares({band: len(some) for band, some in bands.items()})
        (band,) = chance.choices(list(shares), list(shares.values()))
        drawn = chance.choice(bands[band])
        rest.remove(drawn)
        tried.append(TriedCandidate(*drawn, by_chance=True))
    return Counter(rank for rank, _ in rest), tried, sum(good for _, good in rest)


@pytest.mark.parametrize("curve", [_steady, _late])
def test_the_interval_holds_the_truth_and_narrows_with_draws(curve: Callable[[float], float]) -> None:
    ratios = {}
    for draws in (16, 64):
        chance, held, ratios[draws] = random.Random(11), 0, 0.0
        for _ in range(RUNS):
            waiting, tried, truth = _played(curve, chance, draws)
            found = unfetched(waiting, tried)
            assert found.drawn == draws
            assert found.low <= found.likely <= found.high <= sum(waiting.values())
            held += found.low <= truth <= found.high
            ratios[draws] += found.high / found.low / RUNS
        assert held >= 0.85 * RUNS
    assert ratios[64] < 0.8 * ratios[16]
    assert ratios[64] < 2.5


def test_addresses_of_pages_that_were_fetched_are_not_counted() -> None:
    waiting = {500: 100}
    draws = [TriedCandidate(500, number % 2 == 0, by_chance=True) for number in range(40)]
    twins = [TriedCandidate(500, number % 2 == 0, by_chance=True, is_twin=True) for number in range(40)]
    assert unfetched(waiting, twins).likely < 0.4 * unfetched(waiting, draws).likely


def test_an_empty_queue_has_nothing() -> None:
    assert unfetched({}, []).high == 0
    alone = unfetched({500: 10}, [])
    assert 0 < alone.low < alone.high <= 10
