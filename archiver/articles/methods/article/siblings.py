"""What sibling pages tell of each other: the texts that they share, and which types carry their words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.documents.pages.blocks import Block, Outline

_MOSTLY = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What a group of sibling pages has in common. A page alone is a group of one."""

    # Texts that stand on several pages: the template's.
    shared: frozenset[str]
    # For each type of element, the share of all words that are neither the template's nor in links.
    mass: Mapping[str, float]
    parent_mass: Mapping[str, float]


def pool_of(outlines: Sequence[Outline], titles: Sequence[str | None]) -> Pool:
    shared = shared_texts(outlines, titles)
    mass: Counter[str] = Counter()
    parent_mass: Counter[str] = Counter()
    for outline in outlines:
        for block in outline.blocks:
            if block.text not in shared:
                mass[block.node.type] += block.plain
                parent_mass[parent_type(block)] += block.plain
    return Pool(shared=shared, mass=_shares(mass), parent_mass=_shares(parent_mass))


def parent_type(block: Block) -> str:
    return block.node.parent.type if block.node.parent else ""


def shared_texts(outlines: Sequence[Outline], titles: Sequence[str | None]) -> frozenset[str]:
    """The texts on two pages or more. The same article under two addresses says nothing of a template."""
    counted: Counter[str] = Counter()
    seen: list[tuple[set[str], str | None]] = []
    for outline, title in zip(outlines, titles, strict=True):
        texts = {block.text for block in outline.blocks}
        if not any(_is_same(texts, title, *other) for other in seen):
            seen.append((texts, title))
            counted.update(texts)
    return frozenset(text for text, pages in counted.items() if pages > 1)


def _is_same(texts: set[str], title: str | None, others: set[str], other_title: str | None) -> bool:
    mostly = len(texts & others) > _MOSTLY * min(len(texts), len(others))
    return mostly and ((title == other_title and title is not None) or len(texts ^ others) <= 1)


def _shares(counted: Counter[str]) -> Mapping[str, float]:
    total = counted.total() or 1
    return {name: count / total for name, count in counted.items()}
