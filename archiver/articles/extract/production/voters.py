"""Another extractor's opinion: what it takes for the article, in our blocks."""

from __future__ import annotations

import logging
from itertools import pairwise
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Outline

# How much of a block must be in the other's text for it to be the other's choice.
_MOSTLY = 0.6
# Larger pages are decided without it: its time grows faster than they do.
_MOST_CHARACTERS = 3_000_000

# It warns of every page on which it finds nothing, which here is a vote like another.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


def trafilatura_text(tree: Element) -> str:
    """What trafilatura takes for the article, without its slower fall-backs."""
    markup = etree.tostring(tree, encoding="unicode", method="html")
    if len(markup) > _MOST_CHARACTERS:
        return ""
    # Loaded when first asked: most processes never study a page.
    import trafilatura  # noqa: PLC0415 - takes a tenth of a second and 20 MB

    try:
        return trafilatura.extract(markup, fast=True, include_comments=False) or ""
    except (ValueError, TypeError, AttributeError, IndexError, KeyError, AssertionError, etree.LxmlError):
        return ""  # a voter that fails has no vote


def blocks_in(outline: Outline, words: Sequence[str]) -> list[int]:
    """The blocks that another extractor kept, told by its words."""
    pairs = set(pairwise(words))
    return [place for place, block in enumerate(outline.blocks) if _is_in(block.words, words, pairs)]


def _is_in(block: Sequence[str], words: Sequence[str], pairs: set[tuple[str, str]]) -> bool:
    if len(block) < 2:
        return block[0] in words
    own = set(pairwise(block))
    return len(own & pairs) >= _MOSTLY * len(own)
