"""The terms that an article is about: of its title, and those that its text says more than once.

What stands in every article of a site is mostly said once, at its end. A term is kept as a number that is
made from it: an archive has millions of pairs of words, and a few are ever shown.
"""

from __future__ import annotations

import zlib
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from archiver.documents.pages.words import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# guess: more is said of few articles.
MOST_TERMS = 48
# Of shorter texts, such as those of feeds alone, every word counts.
_SHORT = 60  # words
_LONGEST_TEXT = 20_000  # characters
_TWICE = 2


def terms_of(title: str | None, text: str, language: str | None) -> list[str]:
    """The terms of an article, each once; the surest first."""
    code = (language or "").partition("-")[0].lower() or None
    spoken = phrases(text[:_LONGEST_TEXT], code)
    counts = Counter(term for term, _ in _in(spoken))
    in_title = dict.fromkeys(term for term, _ in _in(phrases(title or "", code)))
    least = 1 if sum(map(len, spoken)) <= _SHORT else _TWICE
    said = (term for term, count in counts.most_common() if count >= least and not _is_once(term, count))
    return list(dict.fromkeys((*in_title, *said)))[:MOST_TERMS]


def forms_of(
    title: str | None, text: str, language: str | None, wanted: set[str]
) -> Counter[tuple[str, str]]:
    """How each of these terms is written in an article, and how often."""
    code = (language or "").partition("-")[0].lower() or None
    both = (*phrases(title or "", code), *phrases(text[:_LONGEST_TEXT], code))
    return Counter(one for one in _in(both) if one[0] in wanted)


def number_of(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "replace"))


def packed(terms: Iterable[str]) -> bytes:
    """The numbers of terms, sorted: of the same text, the same bytes."""
    return np.unique(np.fromiter(map(number_of, terms), dtype="<u4")).tobytes()


def _in(spoken: Iterable[list[tuple[str, str]]]) -> Iterator[tuple[str, str]]:
    """Words with a letter, and pairs of words that stand together, as stems and as they are written."""
    for phrase in spoken:
        yield from (one for one in phrase if not one[0].isnumeric())
        for (stem, word), (next_stem, next_word) in pairwise(phrase):
            yield f"{stem} {next_stem}", f"{word} {next_word}"


def _is_once(term: str, count: int) -> bool:
    """A pair that comes once is chance, however short the text."""
    return count < _TWICE and " " in term
