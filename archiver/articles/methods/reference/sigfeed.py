"""SIGFEED: the article is where the words of its feed entry are densest.

Algorithm 1 of Oita and Senellart, "Archiving Data Objects using Web Feeds" (2010). Where the paper leaves a
choice, or today's pages force one, this is the reading:

- A leaf is a text node of the DOM, tails included. "An element with no children" would lose each paragraph
  that holds a link; measured, it finds fewer articles, and so does "the smallest block".
- The length of a leaf is its number of words, and a signifier counts once in a leaf.
- The sum of densities runs over all conceptual nodes below a block, as in the algorithm; the blocks that
  compete are those that are the closest one of some conceptual node.
- Comments are not the article: no leaf is taken from a zone that is named so.
- A zone that holds the keywords but hardly a paragraph is the announcement repeated: the head of the page, or
  a card in a list. In 2010 the title stood beside the text; today it has a block of its own. Such a zone is
  climbed out of, unless that leads to the root; words in links do not count, since a list of titles is no
  paragraph. `least_words=0` gives the algorithm to the letter.

Read between the lines of the paper, since it does not say:

- Title and description give 3-grams apart: none spans the end of the one and the beginning of the other.
- Of a feed that carries whole articles, the first 400 words are the description.
- Keywords are the 20 of most tf-idf, over the texts of the channel's other entries; what half of these have
  or more is left out, also among the 3-grams. With fewer than two others, frequency alone counts.
- The root, which is a failure to reach, is `body`.

`climbs=False` is SIGFEED as the thesis of 2012 has it (Oita, "Deriving semantic objects from the structured
web", and the paper on FOREST, where it is a baseline): the block with the largest sum of densities is the
article, by 3-grams, and by keywords only where no 3-gram matches. Nothing is climbed, and no root is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from archiver.articles.methods.reference.signifiers import ngrams, signifiers_of, words_of
from archiver.articles.model import Found, Selection
from archiver.documents.pages.dom import is_comments_zone
from archiver.documents.pages.text import plain, walk
from archiver.documents.pages.words import terms, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.reference.signifiers import Signifiers
    from archiver.articles.model import ParsedPage, Wrapper
    from archiver.documents.pages.model import Announcement

# The paper's are `div` and table cell; the others are what that `div` is called today.
BLOCKS = frozenset({"div", "td", "th", "article", "section", "main"})
ROOTS = frozenset({"html", "body"})
ENOUGH_KEYWORDS = 0.5
LEAST_WORDS = 100
# Keywords alone also point at comments and categories.
KEYWORDS_TRUST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sigfeed:
    """One page at a time, by what its feed said of it."""

    least_words: int
    climbs: bool = True

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        select_on = partial(select, least_words=self.least_words, climbs=self.climbs)
        return Found(selections=[select_on(one.cleaned, one.announcement, one.language) for one in pages])

    find_known = find


# To the letter of the paper, which on today's pages often finds the headline's block alone.
SIGFEED = Sigfeed(least_words=0)
# As the thesis has it, without the climb: the densest block itself.
SIGFEED_2012 = Sigfeed(least_words=0, climbs=False)
# With a guard against headlines.
SIGFEED_GUARDED = Sigfeed(least_words=LEAST_WORDS)


def select(
    tree: Element,
    announcement: Announcement,
    language: str | None = None,
    *,
    least_words: int = LEAST_WORDS,
    climbs: bool = True,
) -> Selection | None:
    """The node of a cleaned tree that the announcement points at."""
    signifiers = signifiers_of(announcement, language)
    if not signifiers:
        return None
    leaves = _Leaves(tree, signifiers)
    least = min(least_words, _announced_words(announcement))
    for kind, densities in leaves.densities():
        zone = leaves.densest_block(densities)
        found = None if zone is None else leaves.climb(zone, least) if climbs else leaves.held_by(zone)
        if found is not None:
            return _selection(*found, kind)
    return None


def _selection(node: Element, share: float, kind: str) -> Selection:
    trust = 1.0 if kind == "ngrams" else KEYWORDS_TRUST
    evidence: dict[str, str | float] = {"signifiers": kind, "keywords": round(share, 3)}
    return Selection(node=node, confidence=round(share * trust, 3), evidence=evidence)


def _announced_words(announcement: Announcement) -> int:
    """Half of the words of an article that the feed carried whole: it may be a short one."""
    content = plain(announcement.content or "")
    is_cut = content.rstrip("])\u00bb ").endswith(("...", "\u2026"))
    return len(words_of(content)) // 2 if content and not is_cut else LEAST_WORDS


class _Leaves:
    """The text nodes of a page in document order: a subtree is a range of them."""

    def __init__(self, tree: Element, signifiers: Signifiers) -> None:
        self._signifiers = signifiers
        self._texts: list[str] = []
        self._words: list[list[str]] = []
        self._unlinked: list[int] = []  # the words of a leaf, none if it stands in a link
        self._blocks: list[Element] = []
        self._spans: dict[Element, tuple[int, int]] = {}
        self._wanted = frozenset(signifiers.keywords)
        self._collect(tree)
        self._lengths = [0, *accumulate(self._unlinked)]

    def _collect(self, tree: Element) -> None:
        blocks, links, starts = [tree], 0, []
        for element, event in walk(tree, is_comments_zone):
            if event == "open":
                starts.append(len(self._words))
                links += element.tag == "a"
                if element.tag in BLOCKS:
                    blocks.append(element)
                self._add(element.text, blocks[-1], linked=links > 0)
                continue
            if event == "close":
                self._spans[element] = (starts.pop(), len(self._words))
                links -= element.tag == "a"
                if element.tag in BLOCKS:
                    blocks.pop()
            self._add(element.tail, blocks[-1], linked=links > 0)

    def _add(self, text: str | None, block: Element, *, linked: bool) -> None:
        words = tokens(text) if text and not text.isspace() else None
        if text and words:
            self._texts.append(text)
            self._words.append(words)
            self._unlinked.append(0 if linked else len(words))
            self._blocks.append(block)

    def densities(self) -> Iterator[tuple[str, list[float]]]:
        """For each leaf its matches divided by its length: by n-grams, then by keywords."""
        grams = self._signifiers.ngrams
        if grams:
            yield "ngrams", self._per_word(len(grams.intersection(ngrams(words))) for words in self._words)
        yield "keywords", self._per_word(len(self._keywords(text)) for text in self._texts)

    def _keywords(self, text: str) -> frozenset[str]:
        return self._wanted.intersection(terms(text, self._signifiers.language))

    def _per_word(self, matches: Iterable[int]) -> list[float]:
        return [count / len(words) for count, words in zip(matches, self._words, strict=True)]

    def densest_block(self, densities: list[float]) -> Element | None:
        """Among the closest blocks of the conceptual nodes, the one with the largest sum of densities."""
        sums = [0.0, *accumulate(densities)]
        closest = (block for block, density in zip(self._blocks, densities, strict=True) if density)
        zones = [block for block in dict.fromkeys(closest) if block.tag in BLOCKS]

        def total(zone: Element) -> float:
            start, end = self._spans[zone]
            return sums[end] - sums[start]

        return max(zones, key=total, default=None)

    def held_by(self, zone: Element) -> tuple[Element, float]:
        """The zone, with the share of the keywords that it holds."""
        return next(self._ancestors(zone))

    def climb(self, zone: Element, least_words: int) -> tuple[Element, float] | None:
        """The closest ancestor that holds enough keywords and is more than the announcement repeated.

        With it, the share of the keywords that it holds.
        """
        consistent = None
        for node, share in self._ancestors(zone):
            if share >= ENOUGH_KEYWORDS:
                consistent = consistent or (node, share)
                start, end = self._spans[node]
                if self._lengths[end] - self._lengths[start] >= least_words:
                    return node, share
        return consistent

    def _ancestors(self, zone: Element) -> Iterator[tuple[Element, float]]:
        """The zone and what is around it below the root, each with its share of the keywords."""
        held: set[str] = set()
        low = high = self._spans[zone][0]
        node: Element | None = zone
        while node is not None and node.tag not in ROOTS:
            start, end = self._spans[node]
            held.update(*map(self._keywords, self._texts[start:low] + self._texts[high:end]))
            low, high = start, end
            yield node, len(held) / len(self._wanted) if self._wanted else 1.0
            node = node.getparent()
