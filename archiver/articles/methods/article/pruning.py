"""What a choice must not have: captions, and lines between paragraphs that lead to other articles.

They stand in the running text, in its own elements and as long as its sentences: likelihoods miss them.
"""

from __future__ import annotations

import re
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from archiver.lexicon.boilerplate import ADVERTISEMENT, LEADING_HEADING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.documents.pages.blocks import Block, Node, Outline

_FIGURES = frozenset({"figure", "figcaption"})
# What a figure shows, and not what is said of it.
_SHOWN = frozenset({"table", "pre", "code", "blockquote", "ul", "ol", "dl"})
_CAPTION = re.compile("caption", re.IGNORECASE)
# More than this is what the page is about: a gallery, or a list of links.
_MOST = 0.3
# Unless it is the long caption of one or two pictures, beside a text of its own.
_FEW, _OWN_TEXT = 2, 50
# Such lines stand between paragraphs: capitals after so many words, and others before so many.
_BEFORE, _AFTER = 15, 40
_LEAST_WORDS = 3
_CAPITALS = 0.8


def pruned(outline: Outline, kept: Sequence[int]) -> Sequence[int]:
    """The chosen blocks without those that are certainly not of the article."""
    others = needless(outline, kept)
    return [place for place in kept if place not in others] if others else kept


def needless(outline: Outline, kept: Sequence[int]) -> frozenset[int]:
    """Those of the chosen blocks that are captions, or lead elsewhere."""
    counts = {place: len(outline.blocks[place].words) for place in kept}
    total = sum(counts.values())
    captions = [place for place in kept if _is_caption(outline.blocks[place])]
    said = sum(map(counts.__getitem__, captions))
    if said > _MOST * total and (len(captions) > _FEW or total - said < _OWN_TEXT):
        captions = []
    lines = list(_leading_lines(outline, kept, total))
    if sum(map(counts.__getitem__, lines)) > _MOST * total:
        lines = []
    return frozenset((*captions, *lines))


def _is_caption(block: Block) -> bool:
    """By the figure that it stands in, or by the name of its own element."""
    if _CAPTION.search(block.node.names):
        return True
    figure = next((node for node in block.node.upwards() if node.tag in _FIGURES), None)
    return figure is not None and not any(node.tag in _SHOWN for node in _up_to(figure, block.node))


def _up_to(end: Node, node: Node) -> Iterator[Node]:
    return takewhile(lambda one: one is not end, node.upwards())


def _leading_lines(outline: Outline, kept: Sequence[int], total: int) -> Iterator[int]:
    blocks = [outline.blocks[place] for place in kept]
    passed = accumulate((len(block.words) for block in blocks), initial=0)
    for place, block, before in zip(kept, blocks, passed, strict=False):
        after = total - before - len(block.words)
        if (
            (before >= _BEFORE and _is_linked_capitals(block))
            or (after >= _AFTER and _is_lead(block))
            or ADVERTISEMENT.fullmatch(block.text)
        ):
            yield place


def _is_linked_capitals(block: Block) -> bool:
    """Nothing but a link, in capitals: how some sites put headlines between paragraphs."""
    if block.linked < len(block.words) or block.linked < _LEAST_WORDS:
        return False
    letters = [letter for letter in block.text if letter.isalpha()]
    return sum(map(str.isupper, letters)) > _CAPITALS * len(letters)


def _is_lead(block: Block) -> bool:
    """A "read more: …" that is mostly link."""
    return 2 * block.linked >= len(block.words) and bool(LEADING_HEADING.match(block.text))
