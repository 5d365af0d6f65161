"""Fitting, apart from what is fitted: logistic regression, and a curve that only rises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    Matrix = np.ndarray[Any, Any]

_STEPS = 30
_STILL = 1e-6
# Of choices: how often it is asked anew which of several wanted ones counts; the rest as fitted to.
_ROUNDS, _STILL_CHOICE, _LONGEST_STEP = 6, 1e-4, 0.5


def fit(rows: Matrix, labels: Matrix, weights: Matrix, strength: float, still: float = _STILL) -> Matrix:
    """Weights and bias of a logistic regression, by Newton's method.

    The smaller the strength, the nearer to nothing the weights are held.
    """
    mean, spread = rows.mean(0), rows.std(0)
    spread[spread == 0] = 1
    scaled = np.hstack([(rows - mean) / spread, np.ones((len(rows), 1))])
    weights = weights * len(weights) / weights.sum()
    hold = np.full(scaled.shape[1], 1 / strength)
    hold[-1] = 0
    found = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (weights * (labels - likely)) - hold * found
        curve = (scaled * (weights * likely * (1 - likely))[:, None]).T @ scaled + np.diag(hold)
        step = np.linalg.solve(curve, slope)
        found += step
        if np.abs(step).max() < still:
            break
    plain = found[:-1] / spread
    return np.append(plain, found[-1] - plain @ mean)


def fit_choice(rows: Matrix, wanted: Matrix, lengths: Sequence[int], strength: float) -> Matrix:
    """Weights by which the best of each page is a wanted one: conditional logistic regression.

    `lengths`: how many rows each page has. Of several wanted ones, the one that is found best counts most.
    """
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(int)
    pages = np.repeat(np.arange(len(lengths)), lengths)

    def shares(margins: Matrix) -> Matrix:
        found: Matrix = np.exp(margins - np.maximum.reduceat(margins, starts)[pages])
        return found / np.add.reduceat(found, starts)[pages]

    found = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        targets = shares(np.where(wanted > 0, rows @ found, -np.inf))
        for _ in range(_STEPS):
            now = shares(rows @ found)
            means = np.add.reduceat(rows * now[:, None], starts)
            curve = (rows * now[:, None]).T @ rows - means.T @ means + np.eye(len(found)) / strength
            step = np.linalg.solve(curve, rows.T @ (targets - now) - found / strength)
            # Far from its end a whole step may lead away.
            found += step * min(1.0, _LONGEST_STEP / max(np.abs(step).max(), _STILL))
            if np.abs(step).max() < _STILL_CHOICE:
                break
    return found


def likelihoods(rows: Matrix, weights: Matrix) -> list[float]:
    found: list[float] = (1 / (1 + np.exp(-np.clip(rows @ weights[:-1] + weights[-1], -30, 30)))).tolist()
    return found


def rising(points: Sequence[tuple[float, float]], least: int) -> list[tuple[float, float]]:
    """Means of neighbouring points: of `least` of them or more, and none below the one before."""
    bins: list[tuple[float, float, int]] = []
    for x, y in sorted(points):
        bins.append((x, y, 1))
        while len(bins) > 1 and (bins[-2][1] > bins[-1][1] or bins[-2][2] < least):
            bins[-2:] = [_joined(bins[-2], bins[-1])]
    if len(bins) > 1 and bins[-1][2] < least:
        bins[-2:] = [_joined(bins[-2], bins[-1])]
    return [(round(x, 4), round(y, 4)) for x, y, _ in bins]


def _joined(one: tuple[float, float, int], other: tuple[float, float, int]) -> tuple[float, float, int]:
    count = one[2] + other[2]
    return (
        (one[0] * one[2] + other[0] * other[2]) / count,
        (one[1] * one[2] + other[1] * other[2]) / count,
        count,
    )
