"""The estimators are right where counting changed looks is not."""

from __future__ import annotations

from datetime import timedelta
from math import expm1
from statistics import fmean

import numpy as np
import pytest

from archiver.acquisition.rechecks.curve import (
    BINS,
    USUAL_RATES,
    Counted,
    Look,
    age_of_share,
    edits_between,
    learn,
    packed,
    rates_of,
)
from archiver.acquisition.rechecks.own import likely_edits
from archiver.acquisition.rechecks.schedule import ArticleState, RecheckPolicy, next_recheck

DAY = timedelta(days=1)


def test_no_look_and_no_change_are_no_edit() -> None:
    assert likely_edits(0, 0) == 0
    assert likely_edits(9, 0) == 0


def test_a_change_at_every_look_is_a_finite_number() -> None:
    assert 10 < likely_edits(10, 10) < 100


def test_more_changes_are_never_fewer_edits() -> None:
    edits = [likely_edits(20, changes) for changes in range(25)]
    assert edits == sorted(edits)
    assert all(likely >= changes * 0.95 for changes, likely in enumerate(edits[:21]))


@pytest.mark.parametrize("rate", [0.2, 0.7, 1.5])
def test_even_looks_without_bias(rate: float) -> None:
    chance = np.random.default_rng(1)
    found = chance.binomial(30, -expm1(-rate), 4000)
    ours = fmean(likely_edits(30, int(changes)) / 30 for changes in found)
    naive = fmean(found) / 30
    assert ours == pytest.approx(rate, rel=0.02)
    assert naive < 0.92 * rate


def watch(edits: list[float], curve: bytes | None, policy: RecheckPolicy) -> tuple[bytes | None, int]:
    """The curve after an article was rechecked as it would be, and how many of the looks showed a change."""
    last, looks, changes = timedelta(), 0, 0
    while True:
        state = ArticleState(age=last, last_look_age=last, looks=looks, changes=changes)
        wait = next_recheck(state, curve, None, policy).wait
        if wait is None:
            return curve, changes
        now = last + wait
        changed = any(last < edit * DAY <= now for edit in edits)
        look = Look(age_before=last, age_now=now, changed=changed, looks=looks, changes=changes)
        curve = learn(curve, look)
        last, looks, changes = now, looks + 1, changes + changed


def test_a_curve_tells_how_many_edits_there_were_though_looks_miss_some() -> None:
    """Articles differ; half of their edits fall within 5 hours. Few looks see hardly two thirds of them."""
    chance = np.random.default_rng(3)
    curve, changes, count, articles = None, 0, 0, 700
    for _ in range(articles):
        number = chance.poisson(2.0 * chance.lognormal(-0.5, 1.0))
        edits = [float(age) for age in 0.2 * chance.lognormal(0.0, 1.7, number) if age < 30]
        curve, found = watch(edits, curve, RecheckPolicy(price=0.2))
        changes, count = changes + found, count + len(edits)
    learned = edits_between(rates_of(curve), 0.0, 30.0)
    assert changes / count < 0.75
    assert learned * articles == pytest.approx(count, rel=0.08)
    assert age_of_share(rates_of(curve), 0.5, 30.0) == pytest.approx(0.2, rel=0.25)


def test_where_a_curve_stands_still_it_is_the_most_likely_rate() -> None:
    """With one rate for all ages, spreading expected edits and the greatest likelihood agree."""
    intervals, changed = [0.5, 1.0, 3.0, 2.0], [True, False, True, False]
    rate = 1.0
    for _ in range(500):
        edits = sum(
            rate * span / -expm1(-rate * span) for span, one in zip(intervals, changed, strict=True) if one
        )
        rate = edits / (sum(intervals) + 0.5 * fmean(intervals))
    # There Σ t / (exp(r t) - 1) over the looks that showed a change is the time of the others, and half one.
    found = [span for span, one in zip(intervals, changed, strict=True) if one]
    silent = sum(intervals) - sum(found) + 0.5 * fmean(intervals)
    assert sum(span / expm1(span * rate) for span in found) == pytest.approx(silent, rel=1e-6)


def test_kept_counts_give_their_rates() -> None:
    watched, rates = (1e6,) * len(BINS), [3 * rate for rate in USUAL_RATES]
    curve = packed(Counted(looks=100, watched=watched, edits=tuple(1e6 * rate for rate in rates)))
    assert rates_of(curve) == pytest.approx(rates, rel=0.01)
