"""Which pages are made from one template: those whose frames are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.documents.pages.blocks import Outline

# The frame of a page: the elements that hold at least this share of its blocks.
_FRAME_SHARE = 0.04
_MOST_TYPES = 60
ALIKE = 0.5

Signature = frozenset[str]


def signature_of(outline: Outline) -> Signature:
    """The types of the elements that make the frame of a page."""
    least = max(2, _FRAME_SHARE * len(outline.blocks))
    found = dict.fromkeys(node.type for node in outline.nodes if node.end - node.start >= least)
    return frozenset(list(found)[:_MOST_TYPES])


def likeness(one: Iterable[str], other: Iterable[str]) -> float:
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / len(first | second) if first or second else 1.0


def clusters_of(signatures: Sequence[Signature]) -> list[list[int]]:
    """The pages of each template, by their places; the first of them stands for it."""
    clusters: list[list[int]] = []
    for place, signature in enumerate(signatures):
        near = ((likeness(signature, signatures[cluster[0]]), cluster) for cluster in clusters)
        best, cluster = max(near, key=lambda pair: pair[0], default=(0.0, []))
        if best >= ALIKE:
            cluster.append(place)
        else:
            clusters.append([place])
    return clusters
