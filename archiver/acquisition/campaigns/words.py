"""Words of pages and links as numbers, how common each is, and a subject as weights of words."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from zlib import crc32

import msgspec

from archiver.documents.pages.words import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Before anything was fetched, a word that was never seen is worth log 20: as if on one page of twenty.
_PRIOR_PAGES = 20.0
# Some 15 MB; words that were seen once are forgotten first.
_MOST_KNOWN = 200_000
# Of a page: the most frequent ones. A long article has some 1,500 different terms.
MOST_TERMS = 1_500
# Of a subject. The spec of such vectors in other crawlers has 100 to 500.
_MOST_TOPIC = 400
_STEP = re.compile(r"[^\W_]+")


def word_id(term: str) -> int:
    """A term in four bytes: of a million terms, few collide with one of a subject."""
    return crc32(term.encode())


def word_ids(text: str, language: str | None) -> list[int]:
    return [word_id(term) for term in terms(text, language)]


def address_words(url: str, language: str | None) -> list[int]:
    """The words in the path of an address."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return []
    return word_ids(" ".join(_STEP.findall(path)), language)


class PageWords(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """How often a page says which words; the rarest of a very long page are left out."""

    counts: dict[int, int]
    length: int = 0
    # By which pages that say nearly the same are found.
    sketch: tuple[int, ...] = ()

    @classmethod
    def of(cls, words: Sequence[int], sketch: tuple[int, ...] = ()) -> PageWords:
        counts = dict(Counter(words).most_common(MOST_TERMS))
        return cls(counts=counts, length=len(words), sketch=sketch)

    def unit(self, background: Background | None = None) -> dict[int, float]:
        """A vector of length 1; the logarithm keeps a word that is said often from being all."""
        found = {word: 1 + math.log(count) for word, count in self.counts.items()}
        if background is not None:
            found = {word: value * background.rarity(word) for word, value in found.items()}
        size = math.sqrt(sum(value * value for value in found.values()))
        return {word: value / size for word, value in found.items()} if size else {}


class Background(msgspec.Struct, kw_only=True):
    """On how many of the fetched pages each word stands."""

    pages: int = 0
    counts: dict[int, int] = {}

    def add(self, words: Iterable[int]) -> None:
        self.pages += 1
        for word in words:
            self.counts[word] = self.counts.get(word, 0) + 1
        if len(self.counts) > _MOST_KNOWN:
            self.counts = {word: count for word, count in self.counts.items() if count > 1}

    def rarity(self, word: int) -> float:
        return math.log((self.pages + _PRIOR_PAGES) / (self.counts.get(word, 0) + 1))


def topic_vector(
    like: Sequence[PageWords],
    unlike: Sequence[PageWords],
    said: Mapping[int, float],
    background: Background,
) -> dict[int, float]:
    """What examples and a definition are about: a vector of length 1 of their most telling words."""
    found: dict[int, float] = {}
    # A page that is not meant takes away less than one that is meant gives: most of its words are common.
    for pages, sign in ((like, 1.0), (unlike, -0.25)):
        for page in pages:
            for word, value in page.unit().items():
                found[word] = found.get(word, 0.0) + sign * value / len(pages)
    # The words of the definition weigh as much as the strongest ones of the examples.
    most = max(found.values(), default=1.0)
    for word, weight in said.items():
        found[word] = found.get(word, 0.0) + weight * most
    weighed = {word: value * background.rarity(word) for word, value in found.items() if value > 0}
    best = sorted(weighed, key=weighed.__getitem__, reverse=True)[:_MOST_TOPIC]
    size = math.sqrt(sum(weighed[word] ** 2 for word in best))
    return {word: weighed[word] / size for word in best} if size else {}


def cosine(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """Of two vectors of length 1."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return sum(value * many[word] for word, value in few.items() if word in many)


def likeness(words: Sequence[int], topic: Mapping[int, float], background: Background) -> float:
    """How much some words, such as those of a link, are about a subject."""
    size = top = 0.0
    for word in words:
        rarity = background.rarity(word)
        size += rarity * rarity
        top += rarity * topic.get(word, 0.0)
    # Three rare words are enough to be sure; fewer say less than their cosine.
    return top / max(math.sqrt(size), 3.0) if top else 0.0
