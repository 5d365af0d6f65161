"""Several dissimilar selectors, and the one that the others agree with most."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.articles.extract.production.choice import choose, kept_blocks
from archiver.articles.extract.production.selection import overlap, pairs_of
from archiver.articles.extract.production.tag_rows import is_tag_row
from archiver.articles.extract.production.voters import blocks_in, trafilatura_text
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.extract.production.judge import Judged
    from archiver.documents.pages.blocks import Outline

# The strict voter: by the first look alone, and every unlikely block counts in full against its element.
_STRICT = 0.5
_SAME = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """The blocks that one voter takes for the article."""

    voter: str
    kept: Sequence[int]
    pairs: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The candidate that won, how far each voter agrees with it, and all candidates."""

    winner: Candidate
    agreement: dict[str, float]
    candidates: Sequence[Candidate]

    @property
    def is_alone(self) -> bool:
        """Whether the winner is the only one that found anything."""
        return [one.voter for one in self.candidates if one.kept] == [self.winner.voter]

    def widened(self, outline: Outline, kept: Sequence[int]) -> Verdict:
        """The same verdict on more blocks than the winner chose."""
        return replace(self, winner=_candidate(self.winner.voter, outline, kept))


def vote(tree: Element, outline: Outline, judged: Judged, *, is_zone: bool = False) -> Verdict:
    """Let every voter choose, and take the choice in the middle of them.

    Where the page is the zone that SIGFEED found on a shared one, all of it is SIGFEED's choice.
    """
    others = {"trafilatura": blocks_in(outline, tokens(trafilatura_text(tree)))}
    if is_zone:
        others["sigfeed"] = list(range(len(outline.blocks)))
    named = [
        _candidate(voter, outline, [at for at in kept if not is_tag_row(outline.blocks[at])])
        for voter, kept in others.items()
    ]
    return verdict_of([*_own(outline, judged), *named])


def confirmed(outline: Outline, judged: Judged, pairs: frozenset[tuple[str, str]]) -> Verdict | None:
    """Where a wrapper found nearly what the first voter chooses: that, without asking anybody else."""
    weighed, strict = _own(outline, judged)
    share = overlap(weighed.pairs, pairs)
    if share < _SAME:
        return None
    agreed = {"weighed": 1.0, "strict": agreement(strict, weighed), "wrapper": share}
    return Verdict(winner=weighed, agreement=agreed, candidates=[weighed, strict])


def _own(outline: Outline, judged: Judged) -> tuple[Candidate, Candidate]:
    node, strict = choose(outline, judged.second), choose(outline, judged.first, neutral=_STRICT, against=1.0)
    return (
        _candidate("weighed", outline, kept_blocks(node, judged.second) if node else ()),
        _candidate("strict", outline, kept_blocks(strict, judged.first) if strict else ()),
    )


def verdict_of(candidates: Sequence[Candidate]) -> Verdict:
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


def agreement(one: Candidate, other: Candidate) -> float:
    """F1 between two choices, in pairs of neighbouring words."""
    return overlap(one.pairs, other.pairs)


def _candidate(voter: str, outline: Outline, kept: Sequence[int]) -> Candidate:
    return Candidate(voter=voter, kept=kept, pairs=pairs_of(outline, kept))
