"""How much of an article was found, and how much else: the sets of neighbouring words of two texts."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Kana, Chinese characters and Hangul: there each character counts as a word.
_ALONE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"(?=\w)[{_ALONE}]|[^\W{_ALONE}]+")
# With either apostrophe, and without: one word.
_APOSTROPHES = dict.fromkeys(map(ord, "'\u2019"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One page."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Many pages: means, and F1 at the middle and where the worst tenth ends."""

    pages: int
    precision: float
    recall: float
    f1: float
    median: float
    p10: float


def words_in(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES))


def neighbours(text: str) -> set[tuple[str, ...]]:
    """Each word with the one after it; a text of one word is that word."""
    words = words_in(text)
    return set(pairwise(words)) or {(word,) for word in words}


def score(gold: str, text: str) -> Score:
    wanted, found = neighbours(gold), neighbours(text)
    common = len(wanted & found)
    if not common:
        return Score(precision=0.0, recall=0.0, f1=0.0)
    precision, recall = common / len(found), common / len(wanted)
    return Score(precision=precision, recall=recall, f1=2 * precision * recall / (precision + recall))


def quality(scores: Sequence[Score]) -> Quality:
    ordered = sorted(one.f1 for one in scores)
    return Quality(
        pages=len(scores),
        precision=_mean(one.precision for one in scores),
        recall=_mean(one.recall for one in scores),
        f1=_mean(one.f1 for one in scores),
        median=ordered[len(ordered) // 2],
        p10=ordered[len(ordered) // 10],
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
