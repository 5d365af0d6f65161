"""Pairs of nodes with probabilities, and the joins of facts over them, as columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from archiver.records.alignment.graph import Facts, Floats, Ints

# Facts of one pair of nodes that are looked at, one side times the other: what more of them share is a hub,
# such as a country or a year, and proves nothing.
HUB = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Nodes of the left and of the right graph that are the same with this probability, sorted."""

    left: Ints
    right: Ints
    probability: Floats
    width: int  # how many nodes the right graph has

    @property
    def keys(self) -> Ints:
        """One number a pair, ascending."""
        return self.left * self.width + self.right

    def __len__(self) -> int:
        return len(self.left)

    def swapped(self, width: int) -> Pairs:
        return pairs_of(self.right, self.left, self.probability, width)

    def chosen(self, mask: np.ndarray) -> Pairs:
        return Pairs(
            left=self.left[mask],
            right=self.right[mask],
            probability=self.probability[mask],
            width=self.width,
        )

    def joined(self, others: Pairs) -> Pairs:
        return pairs_of(
            np.concatenate([self.left, others.left]),
            np.concatenate([self.right, others.right]),
            np.concatenate([self.probability, others.probability]),
            self.width,
        )


def pairs_of(left: Ints, right: Ints, probability: Floats, width: int) -> Pairs:
    order = np.lexsort((right, left))
    return Pairs(left=left[order], right=right[order], probability=probability[order], width=width)


def unkeyed(keys: Ints, probability: Floats, width: int) -> Pairs:
    """`keys` ascending, as `Pairs.keys` has them."""
    return Pairs(left=keys // width, right=keys % width, probability=probability, width=width)


def no_pairs(width: int) -> Pairs:
    nothing = np.zeros(0, dtype=np.int64)
    return Pairs(left=nothing, right=nothing, probability=np.zeros(0), width=width)


def probability_of(pairs: Pairs, left: Ints, right: Ints) -> Floats:
    """Of each of the given pairs; 0 where it is none."""
    if not len(pairs):
        return np.zeros(len(left))
    keys, wanted = pairs.keys, left * pairs.width + right
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, pairs.probability[at], 0.0)


def crossed(starts: tuple[Ints, Ints], counts: tuple[Ints, Ints]) -> tuple[Ints, Ints, Ints]:
    """For each row, everything on its left times everything on its right: (row, place left, place right)."""
    many = counts[0] * counts[1]
    row = np.repeat(np.arange(len(many)), many)
    offset = np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)
    return row, starts[0][row] + offset // counts[1][row], starts[1][row] + offset % counts[1][row]


def joined_by_object(left: Facts, right: Facts, pairs: Pairs) -> tuple[Ints, Ints, Ints]:
    """Facts whose objects are a pair: (row of the pair, left fact, right fact)."""
    starts = left.of_object[pairs.left], right.of_object[pairs.right]
    counts = left.of_object[pairs.left + 1] - starts[0], right.of_object[pairs.right + 1] - starts[1]
    row, one, other = crossed(starts, _without_hubs(counts))
    return row, left.by_object[one], right.by_object[other]


def joined_by_subject(left: Facts, right: Facts, pairs: Pairs) -> tuple[Ints, Ints, Ints]:
    """Facts whose subjects are a pair: (row of the pair, left fact, right fact)."""
    starts = left.of_subject[pairs.left], right.of_subject[pairs.right]
    counts = left.of_subject[pairs.left + 1] - starts[0], right.of_subject[pairs.right + 1] - starts[1]
    return crossed(starts, _without_hubs(counts))


def _without_hubs(counts: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    return np.where(counts[0] * counts[1] > HUB, 0, counts[0]), counts[1]


def any_of(groups: Ints, probability: Floats) -> tuple[Ints, Floats]:
    """The probability of at least one member of each group: one minus the product of 1 - p."""
    names, place = np.unique(groups, return_inverse=True)
    # A certain member would be the logarithm of 0.
    none = np.log1p(-np.minimum(probability, 1 - 1e-12))
    return names, -np.expm1(np.bincount(place, weights=none, minlength=len(names)))


def best_of(own: Ints, other: Ints, score: Floats) -> Ints:
    """For each row, the row with the highest score among those of the same `own`; ties: the first `other`."""
    # Rounded: the order of sums must not decide.
    order = np.lexsort((other, -np.round(score, 9), own))
    is_first = np.r_[True, own[order][1:] != own[order][:-1]][: len(order)]
    best = np.zeros(len(own), dtype=np.int64)
    best[order] = order[is_first][np.cumsum(is_first) - 1] if len(order) else order
    return best
