"""What stands on a page and is not of its article: what other pages have too, and what leads away."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.lexicon.boilerplate import ADVERTISEMENT, LEADING_HEADING, LEADING_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.articles.versions.reading import ComparedBlock, ComparedPage

# One page may repeat another's words, as a front page does.
LEAST_PAGES = 2
# Shorter texts, and numbers, stand in many tables and lists by chance.
_LEAST_WORDS = 3
_ITEMS = frozenset({"td", "th", "li", "dd", "dt"})
LONGEST_HEADING = 8
# Of a hundred characters: a block with so many in links is one.
LINKED = 70


@dataclass(frozen=True, slots=True, kw_only=True)
class Boilerplate:
    """Blocks, with the types of the elements that they stand in, and identities of images."""

    blocks: frozenset[tuple[str, str]] = frozenset()
    images: frozenset[str] = frozenset()


NO_BOILERPLATE = Boilerplate()


def boilerplate_of(pages: Sequence[ComparedPage]) -> Boilerplate:
    """What several of these pages have in common."""
    blocks = Counter(one for page in pages for one in set(_blocks(page)))
    images = Counter(
        one for page in pages for one in {identity for image in page.images for identity in image.identities}
    )
    return Boilerplate(
        blocks=frozenset(one for one, count in blocks.items() if count >= LEAST_PAGES),
        images=frozenset(one for one, count in images.items() if count >= LEAST_PAGES),
    )


def _blocks(page: ComparedPage) -> Iterator[tuple[str, str]]:
    for block in page.blocks:
        is_item = block.node is not None and block.node.tag in _ITEMS
        if block.words >= _LEAST_WORDS or not (is_item or any(map(str.isdigit, block.key))):
            yield block.path, block.key


def is_advertisement(text: str) -> bool:
    """Whether a text only says that what follows is paid for."""
    return len(text) < 80 and bool(ADVERTISEMENT.fullmatch(text))


def is_lead(block: ComparedBlock) -> bool:
    """Whether a line leads to another article: `Read more: …` and a link."""
    is_linked = block.linked >= LINKED / 2 or block.words <= LONGEST_HEADING
    return (is_linked and bool(LEADING_LINE.match(block.text))) or (
        block.linked >= LINKED and bool(LEADING_HEADING.match(block.text))
    )


def below_headings(blocks: Sequence[ComparedBlock]) -> set[int]:
    """Places of blocks that are links under a heading such as `Related`, and of the heading."""
    found: set[int] = set()
    heading = -1
    for place, block in enumerate(blocks):
        if block.words <= LONGEST_HEADING and LEADING_HEADING.match(block.text):
            heading = place
        elif heading >= 0 and block.linked >= LINKED:
            found |= {heading, place}
        elif block.words > 3:
            heading = -1
    return found
