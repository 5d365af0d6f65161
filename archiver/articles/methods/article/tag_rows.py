"""Rows of tags beside an article: what it is filed under, which is the object's `categories` and not text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Block

_LABEL = re.compile(
    r"""\W*(?:
    (?:(?:post|article|story|blog)\s+)?(?:tags?|tagged(?:\s+(?:with|as|in|under))?|labels?|categor(?:y|ies)|topics?
    |filed\s+(?:under|in)|keywords?)|posted\s+(?:in|under)
    |schlagw(?:ö|oe)rte?r?|stichw(?:ö|oe)rter|kategorien?|themen
    |mots[-\s]cl(?:é|e)s|(?:é|e)tiquettes?|cat(?:é|e)gories?
    |etiquetas?|categor(?:í|i)as?|palabras\s+clave|categorie|etichette|marcadores|trefwoorden|labels
    |метки|теги|рубрики|タグ|カテゴリー?|标签|标籤|標籤|分类|分類|태그
    )(?P<colon>\s*[:\uff1a])?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_BETWEEN = re.compile(r"[,;|·•/\u3001\uff0c]")
_SENTENCE_END = (".", "!", "?", "\u3002", "\u2026")
# A tag is a few words, and a row of them is not longer than this.
_MOST_WORDS, _WORDS_OF_A_TAG = 40, 4


def is_tag_row(block: Block) -> bool:
    """Whether a block is nothing but tags, by its label and links or by what the links say of themselves."""
    if len(block.words) > _MOST_WORDS or block.text.endswith(_SENTENCE_END):
        return False
    if block.linked == len(block.words):
        return all(_is_tag(link) for link in _links(block))
    label = _LABEL.match(block.text)
    if label is None:
        return False
    tags = block.text[label.end() :]
    if 2 * block.linked >= len(block.words) or (block.linked and len(tags.split()) <= _WORDS_OF_A_TAG):
        return True
    parts = _BETWEEN.split(tags)
    return bool(label["colon"]) and (
        not tags or (len(parts) > 1 and all(len(part.split()) <= _WORDS_OF_A_TAG for part in parts))
    )


def _links(block: Block) -> Iterator[Element | None]:
    """The links that the pieces of a block stand in."""
    for element, is_tail in block.pieces:
        around = element.getparent() if is_tail else element
        while around is not None and around.tag != "a":
            around = around.getparent()
        yield around


def _is_tag(link: Element | None) -> bool:
    return link is not None and "tag" in (link.get("rel") or "").lower().split()
