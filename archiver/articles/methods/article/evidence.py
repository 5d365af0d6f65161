"""What speaks for a block and against it, as numbers: the first look, at each block and what is around it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log, log1p, sqrt
from typing import TYPE_CHECKING

from archiver.articles.methods.article.siblings import parent_type
from archiver.lexicon.boilerplate import ANOTHER_MATTER, ASIDE
from archiver.lexicon.class_names import BIT, KINDS
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.methods.article.hints import Hints
    from archiver.articles.methods.article.siblings import Pool
    from archiver.documents.pages.blocks import Block, Node, Outline

TAGS = (
    "p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "div", "td", "blockquote", "figcaption", "pre", "dt",
    "dd", "section", "article", "th", "address",
)  # fmt: skip
ZONES = (
    "article", "main", "aside", "nav", "footer", "header", "form", "figure", "figcaption", "ul", "ol",
    "table", "blockquote", "section", "pre", "dl", "details",
)  # fmt: skip
# An unlucky name around most of the page says nothing: it is heard only on parts smaller than this.
GUARD = 0.3
_GUARDED = frozenset({"aside", "nav", "footer", "header", "form", "figure", "ul", "ol", "table", "details"})
_TAG_BIT = {tag: 1 << place for place, tag in enumerate(TAGS)}
_ZONE_BIT = {tag: 1 << place for place, tag in enumerate(ZONES)}
_NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
_ANCESTORS = 4
_WINDOW = 8

_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f\u061f\u2026][\"'\u201d\u2019\u00bb)\]\u300d]*\s*$")
_PAUSES = re.compile(r"[,;:\uff0c\u3001\uff1b]")
_MOMENT = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}[:.]\d\d")

FLAGS = (
    *(f"tag {tag}" for tag in TAGS),
    "all linked", "three words or fewer", "ends a sentence", "begins with a capital", "a moment",
    "an aside", "a short aside", "on sibling pages", "much prose", "stated body is known",
    "not in the stated body", "touches the summary", "title is known", "before the title", "the title",
    "under another matter", "close under another matter",
)  # fmt: skip
PLACES = (
    *(f"in {tag}" for tag in ZONES),
    "hidden", "in marked body", "in named body", "in named article", "in named comments",
)  # fmt: skip
NUMBERS = (
    "log words", "words", "link share", "pauses", "digits", "position", "position squared", "type mass",
    "parent type mass", "share 0",
    *(f"{what} {level}" for level in range(1, _ANCESTORS) for what in ("share", "links")),
    *(f"{what} {by:+d}" for by in _NEIGHBOURS for what in ("words", "links", "same type", "sentence")),
    "density around", "in the stated body", "of the announcement", "of the title", "distance from the title",
    "stop words", "words by type", "links by type", "log blocks of type", "letters a word", "full stops",
)  # fmt: skip

_FLAG = {name: 1 << place for place, name in enumerate(FLAGS)}
_PLACE = {name: 1 << place for place, name in enumerate(PLACES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEvidence:
    """For one block: which of FLAGS, PLACES and KINDS (around it, and its own) hold, and its NUMBERS."""

    flags: int
    places: int
    around: int
    own: int
    numbers: Sequence[float]


# The four sets of flags, in the order in which weights are kept for them.
FLAG_SETS = {
    "flags": FLAGS,
    "places": PLACES,
    "around": tuple(f"{kind} around" for kind in KINDS),
    "own": tuple(f"{kind} named" for kind in KINDS),
}


def evidence_of(outline: Outline, pool: Pool, hints: Hints) -> list[BlockEvidence]:
    """The evidence for each block of a page."""
    return _Page(outline, pool, hints).evidence()


class _Page:
    def __init__(self, outline: Outline, pool: Pool, hints: Hints) -> None:
        self._blocks = outline.blocks
        self._pool = pool
        self._hints = hints
        self._plain = [
            0, *accumulate(0 if block.text in pool.shared else block.plain for block in self._blocks)
        ]  # fmt: skip
        self._words = [0, *accumulate(len(block.words) for block in self._blocks)]
        self._around: dict[Node, tuple[int, int]] = {}
        for node in outline.nodes:
            self._around[node] = self._zone(node)
        self._sentences = [bool(_SENTENCE_END.search(block.text)) for block in self._blocks]
        # What a block says of those beside it.
        self._beside = [
            (min(len(block.words), 60) / 60, block.linked / len(block.words), float(ends))
            for block, ends in zip(self._blocks, self._sentences, strict=True)
        ]
        self._title = hints.title_place(self._blocks)
        self._count_types()

    def _count_types(self) -> None:
        self._type_words: Counter[str] = Counter()
        self._type_links: Counter[str] = Counter()
        self._type_blocks: Counter[str] = Counter()
        for block in self._blocks:
            kind = block.node.type
            self._type_words[kind] += len(block.words)
            self._type_links[kind] += block.linked
            self._type_blocks[kind] += 1

    def _share(self, node: Node) -> float:
        return (self._plain[node.end] - self._plain[node.start]) / (self._plain[-1] or 1)

    def _zone(self, node: Node) -> tuple[int, int]:
        """What holds for everything in a node: the kinds of names around it, and its places."""
        kinds, places = self._around[node.parent] if node.parent else (0, 0)
        own, is_small = node.kinds, self._share(node) <= GUARD
        if is_small:
            kinds |= own
        if is_small or node.tag not in _GUARDED:
            places |= _ZONE_BIT.get(node.tag, 0)
        if is_small and node.is_hidden:
            places |= _PLACE["hidden"]
        if node.is_body:
            places |= _PLACE["in marked body"]
        for kind in ("body", "article", "comments"):
            if own & BIT[kind]:
                places |= _PLACE[f"in named {kind}"]
        return kinds, places

    def evidence(self) -> list[BlockEvidence]:
        found: list[BlockEvidence] = []
        heading: tuple[int, bool] | None = None
        for place, block in enumerate(self._blocks):
            if block.node.tag in HEADINGS or (block.is_bold and len(block.words) < 8 and not block.linked):
                heading = place, bool(ANOTHER_MATTER.match(block.text))
            since = place - heading[0] if heading and heading[1] else None
            around, places = self._around[block.node]
            # What takes longest, and is asked twice.
            body, prose = self._hints.in_body(block.words), self._hints.stop_share(block.words)
            found.append(
                BlockEvidence(
                    flags=self._flags(place, block, body, prose, since),
                    places=places,
                    around=around,
                    own=block.node.kinds,
                    numbers=self._numbers(place, block, body, prose),
                )
            )
        return found

    def _flags(self, place: int, block: Block, body: float | None, prose: float, since: int | None) -> int:
        text, count, title = block.text, len(block.words), self._title
        is_aside = bool(ASIDE.match(text))
        flags = (
            (block.linked == count, "all linked"),
            (count <= 3, "three words or fewer"),
            (self._sentences[place], "ends a sentence"),
            (text[:1].isupper(), "begins with a capital"),
            (count < 20 and bool(_MOMENT.search(text)), "a moment"),
            (is_aside, "an aside"),
            (is_aside and count < 15, "a short aside"),
            (text in self._pool.shared, "on sibling pages"),
            (count > 8 and prose > 0.25, "much prose"),
            (body is not None, "stated body is known"),
            (body is not None and count > 2 and body < 0.3, "not in the stated body"),
            (self._hints.touches_summary(block.words), "touches the summary"),
            (title is not None, "title is known"),
            (title is not None and place < title, "before the title"),
            (place == title, "the title"),
            (since is not None and since < 20, "under another matter"),
            (since is not None and since < 6, "close under another matter"),
        )
        found = sum(_FLAG[name] for holds, name in flags if holds)
        return found | _TAG_BIT.get(block.node.tag, 0)

    def _numbers(self, place: int, block: Block, body: float | None, prose: float) -> list[float]:
        count, text, kind = len(block.words), block.text, block.node.type
        at = self._words[place] / (self._words[-1] or 1)
        digits = sum(map(text.count, "0123456789")) / len(text)
        title = self._title
        return [
            log1p(count),
            min(count, 100) / 100,
            block.linked / count,
            min(1.0, len(_PAUSES.findall(text)) / count * 5),
            min(1.0, digits * 3),
            at,
            at * at,
            sqrt(self._pool.mass.get(kind, 0.0)),
            sqrt(self._pool.parent_mass.get(parent_type(block), 0.0)),
            *self._ancestors(block.node),
            *self._neighbours(place, kind),
            self._density(place),
            body or 0.0,
            self._hints.announced_share(block.words),
            self._hints.title_likeness(block.words),
            exp((title - place) / 10) if title is not None and place > title else 0.0,
            prose,
            log1p(self._type_words[kind] / self._type_blocks[kind]),
            self._type_links[kind] / self._type_words[kind],
            log(self._type_blocks[kind]),
            min(12.0, len(text) / count) / 12,
            min(1.0, text.count(".") / count * 8),
        ]

    def _ancestors(self, node: Node) -> list[float]:
        found = [self._share(node)]
        for _ in range(1, _ANCESTORS):
            node = node.parent or node
            words = self._words[node.end] - self._words[node.start]
            plain = self._plain[node.end] - self._plain[node.start]
            found += (self._share(node), 1 - plain / words if words else 0.0)
        return found

    def _neighbours(self, place: int, kind: str) -> list[float]:
        found: list[float] = []
        for by in _NEIGHBOURS:
            other = place + by
            if 0 <= other < len(self._blocks):
                words, links, sentence = self._beside[other]
                found += (words, links, float(self._blocks[other].node.type == kind), sentence)
            else:
                found += (0.0, 1.0, 0.0, 0.0)
        return found

    def _density(self, place: int) -> float:
        low, high = max(0, place - _WINDOW), min(len(self._blocks), place + _WINDOW + 1)
        return log1p((self._plain[high] - self._plain[low]) / (high - low))
