"""What stands on other pages of a site as well: furniture, whatever it is called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.articles.versions.reading import ComparedOutline

# One page may repeat another's words, as a front page does.
LEAST_PAGES = 2
# Shorter texts, and numbers, stand in many tables and lists by chance.
_LEAST_WORDS = 3
_ITEMS = frozenset({"td", "th", "li", "dd", "dt"})
_STEPS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Furniture:
    """Blocks, with the types of the elements that they stand in, and identities of images."""

    blocks: frozenset[tuple[str, str]] = frozenset()
    images: frozenset[str] = frozenset()


NO_FURNITURE = Furniture()


def furniture_of(pages: Sequence[ComparedOutline]) -> Furniture:
    """What several of these pages have in common."""
    blocks = Counter(one for page in pages for one in set(_blocks(page)))
    images = Counter(
        one for page in pages for one in {identity for image in page.images for identity in image.identities}
    )
    return Furniture(
        blocks=frozenset(one for one, count in blocks.items() if count >= LEAST_PAGES),
        images=frozenset(one for one, count in images.items() if count >= LEAST_PAGES),
    )


def path_of(page: ComparedOutline, node: int) -> str:
    """The type of an element: its own step and those around it."""
    steps: list[str] = []
    while node >= 0 and len(steps) < _STEPS:
        steps.append(page.nodes[node].step)
        node = page.nodes[node].parent
    return "/".join(reversed(steps))


def _blocks(page: ComparedOutline) -> Iterator[tuple[str, str]]:
    for block in page.blocks:
        is_telling = block.words >= _LEAST_WORDS or (
            page.nodes[block.node].tag not in _ITEMS and not any(map(str.isdigit, block.key))
        )
        if is_telling:
            yield path_of(page, block.node), block.key
