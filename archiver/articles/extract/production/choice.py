"""Which element holds the article, and which of its blocks are kept."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.documents.pages.blocks import Node, Outline

# From here on a block counts for its element; below, it counts against it, but less.
NEUTRAL = 0.4
AGAINST = 0.4
# Below this a block is left out. Under NEUTRAL's other side on purpose: what is uncertain stays in.
KEEP = 0.45
# One block is widened to the element around it that holds so many times as much.
MORE = 1.5


def choose(
    outline: Outline, likelihoods: Sequence[float], *, neutral: float = NEUTRAL, against: float = AGAINST
) -> Node | None:
    """The element with the largest sum of likelihoods above neutral, each for as many words as it has."""
    if not outline.blocks:
        return None
    gains = [
        (likelihood - neutral) * len(block.words)
        for block, likelihood in zip(outline.blocks, likelihoods, strict=True)
    ]
    sums = [0.0, *accumulate(gain if gain > 0 else against * gain for gain in gains)]
    best, found = float("-inf"), outline.nodes[0]
    for node in outline.nodes:  # outer before inner: of two that hold the same, the inner one is taken
        total = sums[node.end] - sums[node.start]
        if node.end > node.start and total >= best - 1e-9:
            best, found = max(best, total), node
    return _widened(found, [0.0, *accumulate(max(0.0, gain) for gain in gains)])


def _widened(node: Node, sums: Sequence[float]) -> Node:
    """One paragraph is no article where others as likely stand around it, whatever stands between them."""
    if node.end - node.start > 1:
        return node
    own, around = sums[node.end] - sums[node.start], node.parent
    while around is not None:
        if sums[around.end] - sums[around.start] > MORE * own:
            return around
        around = around.parent
    return node


def kept_blocks(node: Node, likelihoods: Sequence[float], *, least: float = KEEP) -> list[int]:
    return [place for place in range(node.start, node.end) if likelihoods[place] >= least]
