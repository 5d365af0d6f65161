"""The words that point at the article: keywords and n-grams of what the feed said of a page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, TypeVar

from archiver.documents.pages.languages import language_for
from archiver.documents.pages.text import plain
from archiver.documents.pages.words import terms, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from archiver.documents.pages.model import Announcement

N = 3  # the paper's compromise between false positives and false negatives
MOST_KEYWORDS = 20
MOST_WORDS = 400  # a feed may carry whole articles; their beginning says enough
# What stands in half of the channel's texts or more says nothing of one page. Two texts prove nothing yet.
LEAST_IDF = log(2)
LEAST_OTHERS = 2

Gram = tuple[str, ...]
Term = TypeVar("Term", str, Gram)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signifiers:
    """What to look for on one page."""

    ngrams: frozenset[Gram]
    keywords: tuple[str, ...]
    language: str | None

    def __bool__(self) -> bool:
        return bool(self.keywords or self.ngrams)


def signifiers_of(
    announcement: Announcement, page_language: str | None = None, *, most: int = MOST_KEYWORDS
) -> Signifiers:
    """The signifiers of title and description; what recurs over the channel is left out."""
    parts, others = announced(announcement), announcement.other_summaries
    language = language_for(" ".join(map(_text, parts)), announcement.language, page_language)
    grams = Counter(gram for part in parts for gram in ngrams(words_of(part)[:MOST_WORDS]))
    keywords = Counter(term for part in parts for term in terms_of(part, language)[:MOST_WORDS])
    return Signifiers(
        ngrams=frozenset(_telling(grams, [set(ngrams(words_of(other))) for other in others])),
        keywords=tuple(_telling(keywords, [set(terms_of(other, language)) for other in others])[:most]),
        language=language,
    )


def announced(announcement: Announcement) -> tuple[str, str]:
    """Title and description as the feed marked them up; content stands in for a missing description."""
    return announcement.title or "", announcement.summary or announcement.content or ""


# The same summaries are the others of every entry of a channel: what is made of them is kept.
_text = lru_cache(maxsize=4096)(plain)


@lru_cache(maxsize=4096)
def words_of(markup: str) -> tuple[str, ...]:
    return tuple(tokens(_text(markup)))


@lru_cache(maxsize=4096)
def terms_of(markup: str, language: str | None) -> tuple[str, ...]:
    return tuple(terms(_text(markup), language))


def ngrams(words: Sequence[str], n: int = N) -> Iterable[Gram]:
    return zip(*(words[i:] for i in range(n)), strict=False)


def _telling(counts: Mapping[Term, int], others: Sequence[set[Term]]) -> list[Term]:
    """The terms by falling tf-idf, the first written first among equals, without those that recur."""
    idf = {term: log((len(others) + 1) / (1 + sum(term in other for other in others))) for term in counts}
    if len(others) < LEAST_OTHERS:
        return sorted(counts, key=lambda term: -counts[term])
    telling = [term for term in counts if idf[term] >= LEAST_IDF]
    return sorted(telling, key=lambda term: -counts[term] * idf[term])
