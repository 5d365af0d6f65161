"""From chosen blocks to a node of the page, and what in it is not of the article."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from itertools import accumulate, chain, islice, pairwise
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import strip_unseen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Node, Outline


# From here on a block counts for its element; below, it counts against it, but less.
NEUTRAL = 0.4
AGAINST = 0.4
# Below this a block is left out. Under NEUTRAL's other side on purpose: what is uncertain stays in.
KEEP = 0.45
# One block is widened to the element around it that holds so many times as much.
MORE = 1.5


def pairs_of(outline: Outline, kept: Iterable[int]) -> frozenset[tuple[str, str]]:
    """The pairs of neighbouring words in the chosen blocks: what two choices are compared by."""
    words = list(chain.from_iterable(outline.blocks[place].words for place in kept))
    return frozenset(pairwise(words))


def overlap(mine: frozenset[tuple[str, str]], theirs: frozenset[tuple[str, str]]) -> float:
    """F1 between two choices; two that chose nothing agree."""
    total = len(mine) + len(theirs)
    return 2 * len(mine & theirs) / total if total else 1.0


def common_node(outline: Outline, kept: Sequence[int]) -> Node:
    """The innermost element that holds all of the blocks."""
    low, high = min(kept), max(kept)
    return next(node for node in reversed(outline.nodes) if node.start <= low and node.end > high)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlePart:
    """The node of the article, and what below it is not of the article."""

    node: Element
    dropped: frozenset[Element]


def in_place(outline: Outline, kept: Sequence[int]) -> ArticlePart:
    """The chosen blocks as a part of their page, out of which the runs of text between them are taken."""
    node = common_node(outline, kept)
    dropped = dropped_in(outline, node, kept)
    for element, is_tail in runs_between(outline, node, kept, dropped):
        _blank(element, is_tail)
    return ArticlePart(node=node.element, dropped=dropped)


def copied(outline: Outline, kept: Sequence[int]) -> ArticlePart:
    """The same for a page that was not cleaned: only the article is, and the page stays as it is."""
    node = common_node(outline, kept)
    dropped = dropped_in(outline, node, kept)
    runs = list(runs_between(outline, node, kept, dropped))
    wanted = dropped.union(element for element, _ in runs)
    twin = copy.deepcopy(node.element)
    twins = dict(_twins(node.element, twin, wanted)) if wanted else {}
    for element, is_tail in runs:
        _blank(twins[element], is_tail)
    others = frozenset(twins[element] for element in dropped)
    strip_unseen(twin)
    return ArticlePart(node=twin, dropped=others)


def _twins(element: Element, twin: Element, wanted: Collection[Element]) -> Iterator[tuple[Element, Element]]:
    pairs = zip(element.iter(), twin.iter(), strict=True)
    return (pair for pair in pairs if pair[0] in wanted)


def dropped_in(outline: Outline, node: Node, kept: Collection[int]) -> frozenset[Element]:
    """The largest elements below a node that hold blocks, none of them kept."""
    chosen = set(kept)
    dropped: set[Element] = set()
    after = node.start
    for inner in outline.nodes:
        if inner.start < after or inner.end > node.end or inner is node or node not in inner.upwards():
            continue
        if inner.end > inner.start and chosen.isdisjoint(range(inner.start, inner.end)):
            dropped.add(inner.element)
            after = inner.end
    return frozenset(dropped)


def runs_between(
    outline: Outline, node: Node, kept: Collection[int], dropped: Collection[Element]
) -> Iterator[tuple[Element, bool]]:
    """The runs of text that are not kept and stand between others in one element.

    They are no elements, so they cannot be dropped as such.
    """
    chosen = set(kept)
    for place in range(node.start, node.end):
        block = outline.blocks[place]
        if place in chosen or any(above.element in dropped for above in block.node.upwards()):
            continue
        yield from block.pieces


def _blank(element: Element, is_tail: bool) -> None:
    if is_tail:
        element.tail = None
    else:
        element.text = None


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
    own = sums[node.end] - sums[node.start]
    around = islice(node.upwards(), 1, None)
    return next((one for one in around if sums[one.end] - sums[one.start] > MORE * own), node)


def kept_blocks(node: Node, likelihoods: Sequence[float], *, least: float = KEEP) -> list[int]:
    return [place for place in range(node.start, node.end) if likelihoods[place] >= least]
