"""Who links to a page, and how much a text is like the words of these links (3.2.3, 4.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from archiver.documents.pages.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.articles.model import ParsedPage

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

# The thesis's tokenizer: runs of letters or of digits, so that "1st" is two terms.
_TERM = re.compile(r"[^\W\d_]+|\d+")
# A bag of numbers stands as so many points of its quantile function: two bags whose sizes divide it have
# exactly the Earth Mover's Distance that their points have.
QUANTILES = 16
_AT = (np.arange(QUANTILES) + 0.5) / QUANTILES
# More links say nothing new of a page.
MOST_ANCHORS = 20


def terms_of(text: str) -> list[str]:
    return _TERM.findall(text.casefold())


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    """2C/(|a|+|b|), with C the common terms; 0 where both are empty."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def letters(terms: Iterable[str]) -> int:
    return sum(map(len, terms))


def quantiles(bag: Sequence[float]) -> list[float]:
    """The points of a bag's quantile function; nothing where the bag is empty."""
    if len(bag) == 1:
        return [*bag] * QUANTILES
    ranked = sorted(bag)
    return [ranked[min(len(ranked) - 1, int(at * len(ranked)))] for at in _AT] if ranked else []


def emd(one: Sequence[float], other: Sequence[float]) -> float:
    """The Earth Mover's Distance between two bags of numbers that weigh the same: exact, for any sizes."""
    left, right = np.sort(one), np.sort(other)
    cuts = np.unique(np.concatenate([np.arange(1, n + 1) / n for n in (len(left), len(right))]))
    widths = np.diff(cuts, prepend=0.0)
    middles = cuts - widths / 2
    at = [np.minimum((middles * len(bag)).astype(int), len(bag) - 1) for bag in (left, right)]
    return float(np.abs(left[at[0]] - right[at[1]]) @ widths)


def bags_of(texts: Sequence[Sequence[str]], anchors: Sequence[str]) -> Matrix:
    """For each text the quantiles of its likeness to each anchor; NaN where nothing links to the page."""
    terms = [frozenset(terms_of(anchor)) for anchor in dict.fromkeys(anchors)][:MOST_ANCHORS]
    if not terms:
        return np.full((len(texts), QUANTILES), np.nan)
    found = np.empty((len(texts), QUANTILES))
    for place, words in enumerate(texts):
        own = frozenset(words)
        found[place] = quantiles([dice(own, one) for one in terms])
    return found


def anchors_of(page: ParsedPage) -> Sequence[str]:
    """The words of links that lead to a page: the title in its feed, and what other pages call it."""
    said = page.announcement
    return [text for text in map(plain, filter(None, (said.title, *said.anchors))) if text]
