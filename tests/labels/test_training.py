"""Labels for training: a model and the sources correct each other, and no source has more than its share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.articles.labels.model import BlockLabels, LabelledPage, LabelSource
from archiver.articles.labels.reliability import source_trust
from archiver.articles.labels.training import Targets, balanced, refined

if TYPE_CHECKING:
    from collections.abc import Sequence


def page(number: int, channel: int = 0, **said: Sequence[int]) -> LabelledPage:
    labels = tuple(
        BlockLabels(source=LabelSource(name), blocks=tuple(blocks)) for name, blocks in said.items()
    )
    return LabelledPage(url="", site=f"s{number % 7}", channel=channel, words=(30,) * 8, labels=labels)


class MeanOfOthers:
    """A model that knows the place of a block alone: what is usual there on other sites."""

    def __init__(self, pages: Sequence[LabelledPage]) -> None:
        self._pages = pages

    def held_out(self, targets: Targets) -> list[list[float]]:
        return [[self._usual(targets, page.site, place) for place in range(8)] for page in self._pages]

    def _usual(self, targets: Targets, site: str, place: int) -> float:
        others = [number for number, page in enumerate(self._pages) if page.site != site]
        weight = sum(targets.weights[one][place] for one in others)
        return sum(targets.labels[one][place] * targets.weights[one][place] for one in others) / weight


def test_pages_of_one_source_that_is_broken_now_and_then_are_found_out() -> None:
    pages = [page(one, consensus=range(8) if one % 5 == 0 else range(4)) for one in range(50)]
    pages += [page(one, feed=range(4)) for one in range(20)]
    targets = refined(pages, MeanOfOthers(pages))
    sound = [sum(targets.weights[one]) for one in range(50) if one % 5]
    broken = [sum(targets.weights[one]) for one in range(0, 50, 5)]
    assert max(broken) < 0.5 * min(sound)
    assert source_trust(LabelSource.CONSENSUS, targets.records).soundness == pytest.approx(0.8, abs=0.06)
    assert source_trust(LabelSource.FEED, targets.records).soundness > 0.9


def test_the_extractor_alone_has_at_most_seven_tenths_of_all_weight() -> None:
    pages = [page(one, consensus=range(4)) for one in range(90)]
    pages += [page(one, feed=range(4)) for one in range(10)]
    weights = [sum(one) for one in balanced(pages, [[1.0] * 8 for _ in pages])]
    assert sum(weights[:90]) == pytest.approx(0.7 * sum(weights))


def test_one_channel_has_at_most_a_twentieth() -> None:
    pages = [page(one, channel=1, feed=range(4)) for one in range(200)]
    pages += [page(one, channel=2 + one, feed=range(4)) for one in range(40)]
    weights = [sum(one) for one in balanced(pages, [[1.0] * 8 for _ in pages])]
    assert sum(weights[:200]) == pytest.approx(0.05 * sum(weights))


def test_without_pages_there_is_nothing_to_train_on() -> None:
    assert refined([], MeanOfOthers([])).labels == []
