"""Several dissimilar selectors, and the one that the others agree with most."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from lxml import etree

from archiver.articles.methods.article.decisions import is_tag_row
from archiver.articles.methods.article.selection import choose, kept_blocks, overlap, pairs_of
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.article.judge import JudgedPage
    from archiver.documents.pages.blocks import Outline


# How much of a block must be in the text of trafilatura for it to be its choice.
_MOSTLY = 0.6
# Larger pages are decided without trafilatura, whose time grows faster than they do.
_MOST_CHARACTERS = 3_000_000
# Trafilatura warns of every page on which it finds nothing, which here is a vote like another.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)

# The strict voter: by the first look alone, and every unlikely block counts in full against its element.
_STRICT = 0.5
_SAME = 0.95

# Between these the second look hardly tells a block from the others.
_UNSURE = (0.2, 0.8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """The blocks that one voter takes for the article."""

    voter: str
    kept: Sequence[int]
    pairs: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The candidate that won, how far each voter agrees with it, and all candidates."""

    winner: Vote
    agreement: dict[str, float]
    candidates: Sequence[Vote]
    # How many words hardly tell whether they are of the article, to one that was chosen; 1 at most.
    doubt: float = 0.0

    @property
    def certainty(self) -> float:
        """How far the other voters agree with the winner, less half of the doubt."""
        others = fmean(share for voter, share in self.agreement.items() if voter != self.winner.voter)
        return others * (1 - self.doubt / 2)

    @property
    def is_alone(self) -> bool:
        """Whether the winner is the only one that found anything."""
        return [one.voter for one in self.candidates if one.kept] == [self.winner.voter]

    def revised(self, outline: Outline, kept: Sequence[int]) -> Verdict:
        """The same verdict on other blocks than the winner chose."""
        return replace(self, winner=_candidate(self.winner.voter, outline, kept))


def vote(
    tree: Element, outline: Outline, judged: JudgedPage, *, is_zone: bool = False, is_known: bool = False
) -> Verdict:
    """Let every voter choose, and take the choice in the middle of them.

    Where the page is the zone that SIGFEED found on a shared one, all of it is SIGFEED's choice. Where
    it is a text that is known to be the article's, all of it is chosen if no voter chooses anything.
    """
    others = {"trafilatura": blocks_in(outline, tokens(trafilatura_text(tree)))}
    if is_zone:
        others["sigfeed"] = list(range(len(outline.blocks)))
    named = [
        _candidate(voter, outline, [at for at in kept if not is_tag_row(outline.blocks[at])])
        for voter, kept in others.items()
    ]
    verdict = _doubted(verdict_of([*_own(outline, judged), *named]), outline, judged)
    if is_known and not verdict.winner.kept:
        return verdict_of([_candidate("knowledge base", outline, range(len(outline.blocks)))])
    return verdict


def confirmed(outline: Outline, judged: JudgedPage, pairs: frozenset[tuple[str, str]]) -> Verdict | None:
    """Where a wrapper found nearly what the first voter chooses: that, without asking the others."""
    weighed, strict = _own(outline, judged)
    share = overlap(weighed.pairs, pairs)
    if share < _SAME:
        return None
    agreed = {"weighed": 1.0, "strict": agreement(strict, weighed), "wrapper": share}
    verdict = Verdict(winner=weighed, agreement=agreed, candidates=[weighed, strict])
    return _doubted(verdict, outline, judged)


def _doubted(verdict: Verdict, outline: Outline, judged: JudgedPage) -> Verdict:
    low, high = _UNSURE
    counts = [len(block.words) for block in outline.blocks]
    unsure = sum(count for count, likely in zip(counts, judged.second, strict=True) if low < likely < high)
    chosen = sum(counts[place] for place in verdict.winner.kept)
    return replace(verdict, doubt=min(1.0, unsure / (chosen or 1)))


def _own(outline: Outline, judged: JudgedPage) -> tuple[Vote, Vote]:
    node, strict = choose(outline, judged.second), choose(outline, judged.first, neutral=_STRICT, against=1.0)
    return (
        _candidate("weighed", outline, kept_blocks(node, judged.second) if node else ()),
        _candidate("strict", outline, kept_blocks(strict, judged.first) if strict else ()),
    )


def verdict_of(candidates: Sequence[Vote]) -> Verdict:
    """The medoid. Where all disagree alike, the first one: it has seen most.

    A voter that found nothing has no vote: two of them would agree perfectly, and outvote one that is right.
    """
    voting = [one for one in candidates if one.kept] or candidates
    scores = [
        sum(agreement(one, other) for other in voting if other is not one) - place * 1e-6
        for place, one in enumerate(voting)
    ]
    winner = voting[scores.index(max(scores))]
    return Verdict(
        winner=winner,
        agreement={one.voter: agreement(one, winner) for one in candidates},
        candidates=candidates,
    )


def agreement(one: Vote, other: Vote) -> float:
    """F1 between two choices, in pairs of neighbouring words."""
    return overlap(one.pairs, other.pairs)


def _candidate(voter: str, outline: Outline, kept: Sequence[int]) -> Vote:
    return Vote(voter=voter, kept=kept, pairs=pairs_of(outline, kept))


def trafilatura_text(tree: Element) -> str:
    """What trafilatura takes for the article, without its slower fall-backs."""
    markup = etree.tostring(tree, encoding="unicode", method="html")
    if len(markup) > _MOST_CHARACTERS:
        return ""
    # Loaded when first asked: most processes never study a page.
    import trafilatura  # noqa: PLC0415 - takes a tenth of a second and 20 MB

    try:
        return trafilatura.extract(markup, fast=True, include_comments=False) or ""
    except (ValueError, TypeError, AttributeError, IndexError, KeyError, AssertionError, etree.LxmlError):
        return ""  # a voter that fails has no vote


def blocks_in(outline: Outline, words: Sequence[str]) -> list[int]:
    """The blocks that another extractor kept, told by its words."""
    pairs = set(pairwise(words))
    return [place for place, block in enumerate(outline.blocks) if _is_in(block.words, words, pairs)]


def _is_in(block: Sequence[str], words: Sequence[str], pairs: set[tuple[str, str]]) -> bool:
    if len(block) < 2:
        return block[0] in words
    own = set(pairwise(block))
    return len(own & pairs) >= _MOSTLY * len(own)
