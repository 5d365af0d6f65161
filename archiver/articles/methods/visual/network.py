"""MS-RBFN: one network over two kinds of evidence, numbers of a thing and bags of numbers (3.4).

phi_i(theta) = exp(-|theta - mu_i| / sigma_i), psi_j(gamma) = exp(-emd(gamma, mu_j) / sigma_j), and
o_c = sum_i phi_i w_ic + sum_j psi_j w_jc (3.3); W = pinv(Phi) T, or the weighted ridge that ships.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from archiver.articles.methods.visual.clustering import centres_of, distances, spreads_of

if TYPE_CHECKING:
    Matrix = np.ndarray[Any, np.dtype[np.float64]]
    Places = np.ndarray[Any, np.dtype[np.intp]]

# Of the number of rows: how strongly weights are held at nothing. The specification's.
_RIDGE = 1e-4
# Rows that centres are looked for in; all of them would take long and find the same.
_MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSize:
    """The three parameters, as table 4.8 has them: M1, M2 and the p of the p-means heuristic; and a seed."""

    units: int = 50
    bag_units: int = 50
    nearest: int = 5
    seed: int = 1


TABLE_4_8 = NetworkSize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Centres with their spreads in both spaces, and the weights of both classes."""

    centres: Matrix
    spreads: Matrix
    bags: Matrix
    bag_spreads: Matrix
    # A row for each unit, then "no anchors" and the bias, which an exact fit lacks; a column for each class.
    weights: Matrix

    def outputs(self, rows: Matrix, bags: Matrix | None = None) -> Matrix:
        """o_1 and o_2 of each row."""
        units = unit_values(rows, bags, self.centres, self.spreads, self.bags, self.bag_spreads)
        return units[:, : len(self.weights)] @ self.weights

    def margins(self, rows: Matrix, bags: Matrix | None = None) -> Matrix:
        """o_1 - o_2: above 0 the argmax of (3.4) is the field of interest."""
        found = self.outputs(rows, bags)
        return found[:, 0] - found[:, 1]


def unit_values(
    rows: Matrix,
    bags: Matrix | None,
    centres: Matrix,
    spreads: Matrix,
    bag_centres: Matrix,
    bag_spreads: Matrix,
) -> Matrix:
    """The matrix Phi, and behind it whether a row has no anchors, and ones."""
    parts = [np.exp(-distances(rows, centres, "euclid") / spreads)]
    lacks = np.ones(len(rows))
    if bags is not None and len(bag_centres):
        lacks = np.isnan(bags).any(1).astype(float)
        near = np.exp(-distances(np.nan_to_num(bags), bag_centres, "emd") / bag_spreads)
        parts.append(near * (1 - lacks)[:, None])
    return np.hstack([*parts, lacks[:, None], np.ones((len(rows), 1))])


def fit(
    rows: Matrix,
    bags: Matrix | None,
    is_wanted: Matrix,
    weights: Matrix | None = None,
    *,
    size: NetworkSize = TABLE_4_8,
    exact: bool = False,
) -> Network:
    """Both phases. `exact` is the thesis's own: all rows alike, no bias, the pseudoinverse."""
    sample = np.arange(len(rows)) if exact else _sample(is_wanted, size.seed)
    centres = centres_of(rows[sample], size.units, "euclid", size.seed)
    known = np.empty((0, 0)) if bags is None else bags[sample][~np.isnan(bags[sample]).any(1)]
    bag_centres = centres_of(known, size.bag_units, "emd", size.seed) if len(known) else np.empty((0, 1))
    spreads, bag_spreads = (
        spreads_of(centres, size.nearest, "euclid"),
        spreads_of(bag_centres, size.nearest, "emd"),
    )
    units_of = unit_values(rows, bags, centres, spreads, bag_centres, bag_spreads)
    targets = np.stack([is_wanted, 1 - is_wanted], axis=1)
    found = exact_weights(units_of[:, :-2], targets) if exact else ridge_weights(units_of, targets, weights)
    return Network(centres=centres, spreads=spreads, bags=bag_centres, bag_spreads=bag_spreads, weights=found)


def exact_weights(units: Matrix, targets: Matrix) -> Matrix:
    """W = pinv(Phi) T, which minimises |Phi W - T|^2 / 2 (2.3)."""
    found: Matrix = np.linalg.pinv(units) @ targets
    return found


def ridge_weights(units: Matrix, targets: Matrix, weights: Matrix | None = None) -> Matrix:
    """(Phi' Q Phi + lambda I) W = Phi' Q T; Q has both classes weigh the same, by Cholesky."""
    counts = class_weights(targets[:, 0], weights)
    squares = (units * counts[:, None]).T @ units + _RIDGE * len(units) * np.eye(units.shape[1])
    lower = np.linalg.cholesky(squares)
    middle = np.linalg.solve(lower, (units * counts[:, None]).T @ targets)
    found: Matrix = np.linalg.solve(lower.T, middle)
    return found


def class_weights(is_wanted: Matrix, weights: Matrix | None = None) -> Matrix:
    """One half of all weight for each class, shared by the rows as they weigh; the mean weight is 1."""
    given = np.ones(len(is_wanted)) if weights is None else weights
    found = np.zeros(len(is_wanted))
    for wanted in (0.0, 1.0):
        mine = is_wanted == wanted
        found[mine] = given[mine] / (given[mine].sum() or 1.0)
    return found * len(is_wanted) / 2


def _sample(is_wanted: Matrix, seed: int) -> Places:
    """Rows for centres: half of them wanted, or near one that is, where others are many."""
    near = is_wanted > 0
    for by in (1, 2):
        near = near | np.roll(is_wanted > 0, by) | np.roll(is_wanted > 0, -by)
    random = np.random.default_rng(seed)
    inside, outside = np.flatnonzero(near), np.flatnonzero(~near)
    share = min(_MOST_ROWS // 2, max(len(inside), 1))
    chosen = [_drawn(inside, _MOST_ROWS // 2, random), _drawn(outside, share, random)]
    return np.sort(np.concatenate(chosen))


def _drawn(places: Places, count: int, random: np.random.Generator) -> Places:
    return places if len(places) <= count else random.choice(places, count, replace=False)
