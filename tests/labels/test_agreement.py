"""Sources of labels are weighed against each other: who is alone is doubted, and what is learned is kept."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.articles.labels.agreement import agreement_of, cells_of, masses_of
from archiver.articles.labels.model import BlockLabels, LabelledPage, LabelSource, SourceRecord, SourceTrust
from archiver.articles.labels.reliability import (
    MEMORY,
    USER_TRUST,
    after_page,
    channel_trust,
    faded,
    judged_page,
    pooled,
    usual_trusts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.labels.agreement import PageAgreement
    from archiver.articles.labels.model import Records

FEED, STATEMENT, CONSENSUS, USER = (
    LabelSource.FEED,
    LabelSource.STATEMENT,
    LabelSource.CONSENSUS,
    LabelSource.USER,
)
ARTICLE = tuple(range(2, 9))
TEASER = (2,)
WHOLE = tuple(range(12))


def judged(one: LabelledPage, records: Records, priors: Sequence[float] | None = None) -> PageAgreement:
    return judged_page(one, records, usual_trusts(pooled(records)), priors)


def soundness(source: LabelSource, channel: int, records: Records) -> float:
    return channel_trust(source, channel, records, usual_trusts(pooled(records))).soundness


def page(channel: int = 1, **said: tuple[int, ...]) -> LabelledPage:
    labels = tuple(BlockLabels(source=LabelSource(name), blocks=blocks) for name, blocks in said.items())
    return LabelledPage(
        url="https://a.example/1", site="a.example", channel=channel, words=(40,) * 12, labels=labels
    )


def test_sources_that_agree_are_sound() -> None:
    found = judged(page(feed=ARTICLE, statement=ARTICLE, consensus=ARTICLE), {})
    assert min(found.soundness.values()) > 0.95


@pytest.mark.parametrize("wrong", [TEASER, WHOLE, (0, 1, 9, 10, 11)])
def test_a_source_that_two_others_contradict_is_broken(wrong: tuple[int, ...]) -> None:
    found = judged(page(feed=wrong, statement=ARTICLE, consensus=ARTICLE), {})
    assert found.soundness[FEED] < 0.2
    assert found.soundness[CONSENSUS] > 0.9


def test_two_that_contradict_each_other_are_doubted_alike() -> None:
    found = judged(page(feed=TEASER, consensus=ARTICLE), {})
    assert found.soundness[FEED] == pytest.approx(found.soundness[CONSENSUS], abs=0.05)


def test_what_people_mark_outweighs_two_others() -> None:
    found = judged(page(user=ARTICLE, feed=WHOLE, consensus=WHOLE), {})
    likely = {cell.votes: chance for cell, chance in found.likelihoods.items()}
    assert likely[False, True, True] < 0.5 < likely[True, True, True]


def test_one_source_alone_teaches_nothing() -> None:
    assert judged(page(feed=TEASER), {}).lessons == {}


def test_with_a_model_one_source_alone_is_judged() -> None:
    expected = [0.9 if place in ARTICLE else 0.1 for place in range(12)]
    assert judged(page(feed=TEASER), {}, expected).soundness[FEED] < 0.3
    assert judged(page(feed=ARTICLE), {}, expected).soundness[FEED] > 0.95


def test_a_channel_whose_feed_carries_teasers_is_found_within_twenty_pages() -> None:
    records: dict[tuple[LabelSource, int], SourceRecord] = {}
    for _ in range(20):
        for channel, feed in ((1, TEASER), (2, ARTICLE), (3, ARTICLE)):
            one = page(channel, feed=feed, statement=ARTICLE, consensus=ARTICLE)
            records |= after_page(records, channel, judged(one, records).lessons)
    assert soundness(FEED, 1, records) < 0.7
    assert soundness(FEED, 2, records) > 0.9
    assert soundness(CONSENSUS, 1, records) > 0.9


def test_a_channel_that_is_not_known_is_as_the_source_is_elsewhere() -> None:
    records = {(FEED, one): SourceRecord(broken=30.0) for one in range(1, 5)}
    usual = usual_trusts(pooled(records))
    assert channel_trust(FEED, 9, records, usual) == usual[FEED]
    assert usual[FEED].soundness < 0.2


def test_one_large_channel_does_not_speak_for_all() -> None:
    large = {(FEED, 1): SourceRecord(broken=MEMORY)}
    others = {(FEED, one): SourceRecord(sound=20.0, right=19.0, wrong=1.0) for one in range(2, 6)}
    assert soundness(FEED, 9, large | others) > 0.75


def test_marks_are_never_doubted() -> None:
    assert soundness(USER, 1, {(USER, 1): SourceRecord(broken=50.0)}) == USER_TRUST.soundness


def test_old_pages_fade() -> None:
    record = faded(SourceRecord(sound=3 * MEMORY, broken=MEMORY))
    assert record.pages == pytest.approx(MEMORY)
    assert record.sound == pytest.approx(0.75 * MEMORY)


BLOCKS = st.lists(st.integers(0, 5), unique=True).map(lambda found: tuple(sorted(found)))


@given(st.lists(BLOCKS, min_size=1, max_size=4), st.floats(0.1, 0.9), st.floats(0.01, 0.4))
def test_chances_are_chances_whatever_is_said(
    said: list[tuple[int, ...]], sound: float, error: float
) -> None:
    sources = list(LabelSource)[: len(said)]
    labels = tuple(BlockLabels(source=one, blocks=blocks) for one, blocks in zip(sources, said, strict=True))
    one = LabelledPage(url="", site="", words=(1, 50, 3, 0, 7, 200), labels=labels)
    trust = SourceTrust(soundness=sound, error=error)
    found = agreement_of(sources, masses_of(one, cells_of(one)), dict.fromkeys(sources, trust))
    for chance in (*found.soundness.values(), *found.likelihoods.values()):
        assert 0 <= chance <= 1
        assert math.isfinite(chance)
    for lesson in found.lessons.values():
        assert lesson.pages == pytest.approx(1)
        assert lesson.right + lesson.wrong == pytest.approx(lesson.sound)
