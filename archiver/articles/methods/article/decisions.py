"""What is decided on purpose: named asides, rows of tags and the headline never; code; a list as one."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING

from archiver.articles.methods.article.tag_rows import is_tag_row
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from archiver.articles.methods.article.hints import Hints
    from archiver.articles.methods.article.judge import JudgedPage
    from archiver.documents.pages.blocks import Block, Node, Outline

# Whole words of a name, and only on a small part of the page: names are given carelessly, and a veto that
# hears them everywhere loses articles.
_ASIDES = re.compile(
    r"""(?<![a-z])(?:
    ads?|adverts?|advertisement|advertising|adslot|sponsored|dfp|outbrain|taboola
    |newsletter|sign-?up|subscribe|promo|comments?|disqus|share|social|related|read-?(?:more|next|also)
    |recommended|cookie|consent
    )(?![a-z])""",
    re.IGNORECASE | re.VERBOSE,
)
_SMALL = 0.1
_LEAST_LIKENESS, _SAME = 0.5, 0.95
_HARDLY = 0.05
_LIKELY = 0.5
_LISTS = frozenset({"ul", "ol"})


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
    """One likelihood for all blocks of a list: half a list is no use to anybody."""
    counts = [len(block.words) for block in outline.blocks[node.start : node.end]]
    if len(counts) > 1:
        mean = sum(map(mul, likelihoods[node.start : node.end], counts)) / sum(counts)
        likelihoods[node.start : node.end] = [mean] * len(counts)


def vetoed(outline: Outline, hints: Hints, shared: frozenset[str]) -> frozenset[int]:
    """The places of the blocks that are vetoed."""
    sums = [0, *accumulate(block.plain for block in outline.blocks)]
    most = _SMALL * sums[-1]
    asides = (
        node for node in outline.nodes if sums[node.end] - sums[node.start] <= most and _is_named_aside(node)
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


def _is_named_aside(node: Node) -> bool:
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
