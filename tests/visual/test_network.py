"""MS-RBFN, each equation against a case that was worked out by hand, and the distances against scipy."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.articles.methods.visual.anchors import QUANTILES, bags_of, dice, emd, quantiles, terms_of
from archiver.articles.methods.visual.clustering import centres_of, distances, spreads_of
from archiver.articles.methods.visual.network import (
    Network,
    NetworkSize,
    class_weights,
    exact_weights,
    fit,
    ridge_weights,
    unit_values,
)

bag = st.lists(st.floats(0, 1), min_size=1, max_size=9)


def test_terms_are_runs_of_letters_or_of_digits() -> None:
    assert terms_of("The 1st of_May, ÉTÉ") == ["the", "1", "st", "of", "may", "été"]


def test_dice_counts_common_terms_twice() -> None:
    assert dice(frozenset("abc"), frozenset("bcd")) == pytest.approx(2 * 2 / 6)
    assert dice(frozenset(), frozenset()) == 0


@given(bag, bag)
def test_distance_of_bags_is_the_earth_movers(one: list[float], other: list[float]) -> None:
    scipy = pytest.importorskip("scipy.stats")
    assert emd(one, other) == pytest.approx(scipy.wasserstein_distance(one, other), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_quantiles_keep_the_distance_of_bags_whose_sizes_divide_them(
    one: list[float], other: list[float]
) -> None:
    points = distances(np.array([quantiles(one)]), np.array([quantiles(other)]), "emd")
    assert points[0, 0] == pytest.approx(emd(one, other), abs=1e-9)


def test_bags_hold_the_likeness_to_each_anchor() -> None:
    found = bags_of([["red", "fox"], ["dog"]], ["Red fox", "a dog"])
    assert found.shape == (2, QUANTILES)
    assert (found[0].min(), found[0].max()) == (0, 1)
    assert found[1].max() == pytest.approx(2 / 3)
    assert np.isnan(bags_of([["red"]], [])).all()


def test_centres_are_the_means_of_clusters() -> None:
    rows = np.array([[0.0, 0], [0, 2], [10, 10], [10, 12], [0, 1]])
    found = sorted(map(tuple, centres_of(rows, 2, "euclid").tolist()))
    assert found == [(0, 1), (10, 11)]


def test_centres_of_bags_are_pointwise_medians() -> None:
    rows = np.array([[0.0, 0.1], [0.0, 0.2], [0.3, 0.9], [1, 1], [1, 1]])
    found = sorted(map(tuple, centres_of(rows, 2, "emd").tolist()))
    assert found == [(0.0, pytest.approx(0.15)), (1, 1)] or found == [(0.0, 0.2), (1, 1)]


def test_spreads_are_by_the_nearest_centres() -> None:
    centres = np.array([[0.0], [1], [3]])
    assert spreads_of(centres, 1, "euclid").tolist() == [1, 1, 2]
    both = spreads_of(centres, 2, "euclid")
    assert both.tolist() == pytest.approx([sqrt((1 + 9) / 2), sqrt((1 + 4) / 2), sqrt((4 + 9) / 2)])


def test_a_centre_on_another_one_keeps_a_spread() -> None:
    assert spreads_of(np.array([[0.0], [0], [1], [5]]), 1, "euclid").min() > 0


def network(weights: list[list[float]]) -> Network:
    return Network(
        centres=np.array([[0.0, 0.0]]),
        spreads=np.array([2.0]),
        bags=np.array([[0.5] * QUANTILES]),
        bag_spreads=np.array([0.25]),
        weights=np.array(weights),
    )


def test_units_fall_with_the_distance_not_with_its_square() -> None:
    row, gamma = np.array([[3.0, 4.0]]), np.array([[1.0] * QUANTILES])
    one = network([[1, 0], [0, 1]])
    units = unit_values(row, gamma, one.centres, one.spreads, one.bags, one.bag_spreads)
    assert units[0].tolist() == pytest.approx([exp(-5 / 2), exp(-0.5 / 0.25), 0, 1])


def test_outputs_are_weighed_sums_and_the_larger_wins() -> None:
    row, gamma = np.array([[0.0, 0.0]]), np.array([[0.5] * QUANTILES])
    found = network([[0.25, 0.5], [1.0, 0.0]]).outputs(row, gamma)
    assert found[0].tolist() == pytest.approx([1.25, 0.5])
    assert network([[0.25, 0.5], [1.0, 0.0]]).margins(row, gamma)[0] == pytest.approx(0.75)


def test_a_page_that_nothing_links_to_has_no_units_of_bags() -> None:
    one = network([[1, 0], [5, 0], [0.5, 0], [0, 0]])
    found = one.outputs(np.array([[0.0, 0.0]]), np.full((1, QUANTILES), np.nan))
    assert found[0, 0] == pytest.approx(1.5)


def test_exact_weights_solve_the_least_squares() -> None:
    units = np.array([[1.0, 0], [0, 1], [1, 1]])
    targets = np.array([[1.0, 0], [0, 1], [1, 0]])
    # By hand from the normal equations: [[2, 1], [1, 2]] W = [[2, 0], [1, 1]].
    assert exact_weights(units, targets) == pytest.approx(np.array([[1, -1 / 3], [0, 2 / 3]]))


def test_classes_weigh_the_same_however_many_rows_they_have() -> None:
    found = class_weights(np.array([1.0, 0, 0, 0]))
    assert found.tolist() == pytest.approx([2, 2 / 3, 2 / 3, 2 / 3])
    given_weights = class_weights(np.array([1.0, 0, 0, 0]), np.array([1.0, 2, 0, 0]))
    assert given_weights.tolist() == pytest.approx([2, 2, 0, 0])


def test_ridge_is_the_weighted_least_squares_where_rows_are_many() -> None:
    random = np.random.default_rng(3)
    units = random.random((400, 3))
    is_wanted = (units[:, 0] > 0.6).astype(float)
    targets = np.stack([is_wanted, 1 - is_wanted], 1)
    root = np.sqrt(class_weights(is_wanted))[:, None]
    plain = np.linalg.lstsq(units * root, targets * root, rcond=None)[0]
    assert ridge_weights(units, targets) == pytest.approx(plain, abs=0.01)


def test_what_is_learned_holds_on_rows_that_were_not_seen_and_is_the_same_each_time() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(size=(600, 2))
    bags = np.repeat(random.random((600, 1)), QUANTILES, axis=1)
    is_wanted = ((np.hypot(rows[:, 0], rows[:, 1]) < 1) & (bags[:, 0] > 0.5)).astype(float)
    size = NetworkSize(units=20, bag_units=5)
    one, other = (fit(rows[:400], bags[:400], is_wanted[:400], size=size) for _ in range(2))
    found = one.margins(rows[400:], bags[400:]) > 0
    assert (found == is_wanted[400:].astype(bool)).mean() > 0.85
    assert (one.weights == other.weights).all()
    blind = fit(rows[:400], None, is_wanted[:400], size=size)
    assert ((blind.margins(rows[400:]) > 0) == is_wanted[400:].astype(bool)).mean() < 0.85


def test_the_thesis_own_fit_has_neither_bias_nor_weights_of_classes() -> None:
    rows, is_wanted = np.array([[0.0], [1], [5], [6]]), np.array([1.0, 1, 0, 0])
    found = fit(rows, None, is_wanted, size=NetworkSize(units=4), exact=True)
    assert found.weights.shape == (4, 2)
    assert found.outputs(rows)[:, 0] == pytest.approx(is_wanted)
