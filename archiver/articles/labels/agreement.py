"""What a page's labels say of each other: which sources are sound here, and which blocks are the article.

For a source s on a page, z is whether it is sound there (the prior is its soundness), and what it says of a
block is right with the chance 1 - error where it is sound, and says nothing where it is broken. All
combinations of sound and broken are weighed, exactly: there are few sources. Blocks of one page err together,
so that a page counts as EFFECTIVE blocks, each long block for more than a short one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from archiver.articles.labels.model import SourceRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.articles.labels.model import LabelledPage, LabelSource, SourceTrust

# Blocks that a page counts for: the errors of neighbouring blocks are one error. Set by hand, as in the
# measurement that this model was chosen by.
EFFECTIVE = 10.0
# Without a model, a block is as likely of the article as not.
EVEN = 0.5


class Cell(NamedTuple):
    """Blocks of which all sources say the same, and that a model finds equally likely."""

    votes: tuple[bool, ...]
    prior: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAgreement:
    """What the labels of a page come to."""

    # The chance that each source is sound on this page.
    soundness: dict[LabelSource, float]
    # The chance that blocks are of the article, by what the sources say of them.
    likelihoods: dict[Cell, float]
    # What the page teaches of each source; empty where fewer than two speak.
    lessons: dict[LabelSource, SourceRecord]


class _Case(NamedTuple):
    """One combination of sound and broken sources: its chance, and the blocks under it."""

    sound: tuple[bool, ...]
    chance: float
    likelihoods: list[float]


def cells_of(page: LabelledPage, priors: Sequence[float] | None = None) -> list[Cell]:
    """What all sources say of each block; `priors` are a model's likelihoods, to a tenth."""
    kept = [frozenset(one.blocks) for one in page.labels]
    return [
        Cell(tuple(place in blocks for blocks in kept), EVEN if priors is None else _tenth(priors[place]))
        for place in range(len(page.words))
    ]


def _tenth(prior: float) -> float:
    # Never sure: a model that errs must not silence all sources.
    return min(max(round(prior, 1), 0.1), 0.9)


def masses_of(page: LabelledPage, cells: Sequence[Cell]) -> dict[Cell, float]:
    """The part of the page that each cell has; a block counts by the root of its words."""
    masses: defaultdict[Cell, float] = defaultdict(float)
    for cell, words in zip(cells, page.words, strict=True):
        masses[cell] += math.sqrt(words)
    total = sum(masses.values()) or 1.0
    return {cell: mass / total for cell, mass in masses.items()}


def agreement_of(
    sources: Sequence[LabelSource],
    masses: Mapping[Cell, float],
    trusts: Mapping[LabelSource, SourceTrust],
    *,
    has_model: bool = False,
) -> PageAgreement:
    """Weigh the sources of a page against each other; with a model, also one that speaks alone."""
    known = [trusts[source] for source in sources]
    cases = _weighed([_case(sound, known, masses) for sound in product((True, False), repeat=len(known))])
    soundness = {
        source: sum(case.chance for case in cases if case.sound[place])
        for place, source in enumerate(sources)
    }
    likelihoods = {
        cell: sum(case.chance * case.likelihoods[place] for case in cases)
        for place, cell in enumerate(masses)
    }
    # One source alone, with nothing beside it, would only confirm what is believed of it.
    teaches = has_model or len(sources) > 1
    lessons = {source: _lesson(place, cases, masses) for place, source in enumerate(sources) if teaches}
    return PageAgreement(soundness=soundness, likelihoods=likelihoods, lessons=lessons)


def _case(sound: tuple[bool, ...], known: Sequence[SourceTrust], masses: Mapping[Cell, float]) -> _Case:
    """The chance of what was said if these sources are sound, as a logarithm."""
    chance = sum(
        math.log(trust.soundness if is_sound else 1 - trust.soundness)
        for is_sound, trust in zip(sound, known, strict=True)
    )
    likelihoods = []
    for cell, mass in masses.items():
        yes, no = cell.prior, 1 - cell.prior
        for is_sound, trust, vote in zip(sound, known, cell.votes, strict=True):
            yes *= EVEN if not is_sound else 1 - trust.error if vote else trust.error
            no *= EVEN if not is_sound else trust.error if vote else 1 - trust.error
        likelihoods.append(yes / (yes + no))
        chance += EFFECTIVE * mass * math.log(yes + no)
    return _Case(sound, chance, likelihoods)


def _weighed(cases: Sequence[_Case]) -> list[_Case]:
    """The same with chances that sum to one."""
    most = max(case.chance for case in cases)
    total = sum(math.exp(case.chance - most) for case in cases)
    return [case._replace(chance=math.exp(case.chance - most) / total) for case in cases]


def _lesson(place: int, cases: Sequence[_Case], masses: Mapping[Cell, float]) -> SourceRecord:
    """How often the source of this place was sound, and right where it was, by expectation."""
    sound = sum(case.chance for case in cases if case.sound[place])
    right = 0.0
    for case in cases:
        if case.sound[place]:
            agreed = zip(masses.items(), case.likelihoods, strict=True)
            right += case.chance * sum(
                mass * (likely if cell.votes[place] else 1 - likely) for (cell, mass), likely in agreed
            )
    return SourceRecord(sound=sound, broken=1 - sound, right=right, wrong=max(0.0, sound - right))
