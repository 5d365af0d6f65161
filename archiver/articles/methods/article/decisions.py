"""What is decided on purpose: named asides, rows of tags and the headline never; code; a list as one."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING

from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.articles.methods.article.hints import Hints
    from archiver.articles.methods.article.judge import JudgedPage
    from archiver.documents.pages.blocks import Block, Node, Outline

# Whole words of a name, and only on a small part of the page: names are given carelessly, and a veto that
# hears them everywhere loses articles.
_ASIDES = re.compile(
    r"""(?<![a-z])(?:
    ads?|adverts?|advertisement|advertising|adslot|sponsored|dfp|outbrain|taboola
    |newsletter|sign-?up|subscribe|promo|comments?|disqus|share|social|related|read-?(?:more|next|also)
    |recommended|cookie|consent|toc
    )(?![a-z])""",
    re.IGNORECASE | re.VERBOSE,
)
_SMALL = 0.1
_LEAST_LIKENESS, _SAME = 0.5, 0.95
_HARDLY = 0.05
_LIKELY = 0.5
_LISTS = frozenset({"ul", "ol"})
# Labels of rows of tags: what an article is filed under, which is the object's `categories` and not text.
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
_MOST_TAG_WORDS, _WORDS_OF_A_TAG = 40, 4


def decided(judged: JudgedPage, outline: Outline, hints: Hints, shared: frozenset[str]) -> JudgedPage:
    """The likelihoods after what is decided on purpose."""
    places, lists = vetoed(outline, hints, shared), [node for node in outline.nodes if node.tag in _LISTS]
    first, second = ([*likelihoods] for likelihoods in (judged.first, judged.second))
    for likelihoods in (first, second):
        for node in lists:
            _level(likelihoods, outline, node)
        for place, block in enumerate(outline.blocks):
            if place in places:
                likelihoods[place] = min(_HARDLY, likelihoods[place])
            elif block.node.tag == "pre":
                likelihoods[place] = max(_LIKELY, likelihoods[place])
    return replace(judged, first=first, second=second)


def _level(likelihoods: list[float], outline: Outline, node: Node) -> None:
    """One likelihood for all blocks of a list: half a list is of no use."""
    counts = [len(block.words) for block in outline.blocks[node.start : node.end]]
    if len(counts) > 1:
        mean = sum(map(mul, likelihoods[node.start : node.end], counts)) / sum(counts)
        likelihoods[node.start : node.end] = [mean] * len(counts)


def vetoed(outline: Outline, hints: Hints, shared: frozenset[str]) -> frozenset[int]:
    """The places of the blocks that are vetoed."""
    sums = [0, *accumulate(block.plain for block in outline.blocks)]
    most = _SMALL * sums[-1]
    asides = (
        node for node in outline.nodes if sums[node.end] - sums[node.start] <= most and is_named_aside(node)
    )
    places = {place for node in asides for place in range(node.start, node.end)}
    places.update(
        place
        for place, block in enumerate(outline.blocks)
        if _is_headline(block, hints)
        or is_tag_row(block)
        or (block.text in shared and 2 * block.linked >= len(block.words))
    )
    return frozenset(places)


def is_named_aside(node: Node) -> bool:
    return _names_aside(f"{node.element.get('class', '')} {node.element.get('id', '')}")


@lru_cache(maxsize=50_000)
def _names_aside(names: str) -> bool:
    return bool(_ASIDES.search(names))


def _is_headline(block: Block, hints: Hints) -> bool:
    """It is the object's title, and not told twice."""
    likeness = hints.title_likeness(block.words)
    if block.node.tag == "h1" and likeness:
        is_part = len(block.words) > 2 and set(block.words) <= set(hints.title)
        return is_part or likeness >= _LEAST_LIKENESS
    return (block.node.tag in HEADINGS or block.is_bold) and likeness >= _SAME


def is_tag_row(block: Block) -> bool:
    """Whether a block is nothing but tags, by its label and links or by what the links say of themselves."""
    if len(block.words) > _MOST_TAG_WORDS or block.text.endswith(_SENTENCE_END):
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
