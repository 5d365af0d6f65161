"""Words that lead away from an article: headings over lists of other articles, and lines that name one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.lexicon.boilerplate import ADVERTISEMENT, LEADING_HEADING, LEADING_LINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.versions.reading import ComparedBlock

LONGEST_HEADING = 8
LINKED = 70


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
