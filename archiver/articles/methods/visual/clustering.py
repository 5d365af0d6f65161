"""Centres of a cloud of points, and how wide each of them reaches (2.4.1, 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    Matrix = np.ndarray[Any, np.dtype[np.float64]]

Metric = Literal["euclid", "emd"]

_ROUNDS = 50
# Two centres that fell together have no distance between them: a share of the usual spread.
_LEAST_SPREAD = 1e-3


def distances(rows: Matrix, centres: Matrix, metric: Metric) -> Matrix:
    """Each row from each centre: Euclid's distance, or the Earth Mover's of two quantile functions."""
    if metric == "emd":
        found = np.empty((len(rows), len(centres)))
        for place, centre in enumerate(centres):
            found[:, place] = np.abs(rows - centre).mean(1)
        return found
    squares = (rows**2).sum(1)[:, None] - 2 * rows @ centres.T + (centres**2).sum(1)[None, :]
    lengths: Matrix = np.sqrt(np.maximum(squares, 0.0))
    return lengths


def centres_of(rows: Matrix, count: int, metric: Metric, seed: int = 1) -> Matrix:
    """K-means, begun as K-means++ does; under the Earth Mover's Distance K-medians of quantile functions.

    In one dimension the pointwise median of quantile functions is the bag with the least sum of distances.
    """
    centres = _first(rows, min(count, len(rows)), metric, np.random.default_rng(seed))
    owners = np.full(len(rows), -1)
    for _ in range(_ROUNDS):
        nearest = distances(rows, centres, metric).argmin(1)
        if (nearest == owners).all():
            break
        owners = nearest
        for place in range(len(centres)):
            mine = rows[owners == place]
            if len(mine):
                centres[place] = np.median(mine, axis=0) if metric == "emd" else mine.mean(0)
    return centres


def _first(rows: Matrix, count: int, metric: Metric, random: np.random.Generator) -> Matrix:
    """Rows that lie apart: each is drawn by its squared distance from those before."""
    chosen = [int(random.integers(len(rows)))]
    nearest = distances(rows, rows[chosen], metric)[:, 0]
    while len(chosen) < count:
        total = float((nearest**2).sum())
        if total <= 0:  # fewer different rows than centres
            break
        drawn = int(np.searchsorted(np.cumsum(nearest**2), random.random() * total))
        chosen.append(min(drawn, len(rows) - 1))
        nearest = np.minimum(nearest, distances(rows, rows[chosen[-1:]], metric)[:, 0])
    return rows[chosen].copy()


def spreads_of(centres: Matrix, nearest: int, metric: Metric) -> Matrix:
    """Moody and Darken's: the root of the mean square of the distances to the p nearest other centres."""
    if len(centres) < 2:
        return np.ones(len(centres))
    apart = distances(centres, centres, metric)
    np.fill_diagonal(apart, np.inf)
    closest = np.sort(apart, axis=1)[:, : min(nearest, len(centres) - 1)]
    found: Matrix = np.sqrt((closest**2).mean(1))
    usual = float(np.median(found)) or 1.0
    return np.maximum(found, _LEAST_SPREAD * usual)
