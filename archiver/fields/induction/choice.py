"""Which candidates are the best: by the examples, by what they cost, and by what they find on other pages."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.fields.induction.accepting import folded
from archiver.fields.induction.shapes import looks_like
from archiver.fields.induction.trials import f1_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from archiver.fields.induction.accepting import AcceptedTexts
    from archiver.fields.induction.trials import RuleTrial
    from archiver.fields.model import Field

# What the parts of a score weigh: the examples before all, then the other pages, then robustness.
_F1, _COST, _FILL, _LIKE, _SURPLUS, _CONSTANT, _AGREEMENT = 4.0, 0.12, 1.0, 1.0, 0.08, 1.0, 1.0
_MOST_SURPLUS = 5
# A rule behind the first finds the same as it on so many pages.
_SAME = 0.9
# Rules that are so close, and agree on no more pages than this, are worth a question.
_CLOSE, _DOUBTFUL = 0.4, 0.95
# So few pages may have one value by chance.
_ENOUGH_PAGES = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredRule:
    """A candidate with what speaks for it; fill and likeness are of the pages that are not examples."""

    trial: RuleTrial
    f1: float
    fill: float
    like: float
    score: float

    @property
    def order(self) -> tuple[float, int, str]:
        key = self.trial.candidate.key
        return -self.score, len(key), key


def ranked(
    trials: Sequence[RuleTrial], texts: Sequence[str], accepted: Sequence[AcceptedTexts], field: Field
) -> list[ScoredRule]:
    """The candidates, best first; of equal ones the shorter, so that the order is always the same."""
    rights = [f1_on(trial, accepted, field) for trial in trials]
    best = max(rights, default=0.0)
    right = [trial for trial, f1 in zip(trials, rights, strict=True) if f1 == best]
    agreed = _agreed(right, len(accepted))
    looks = looks_like(texts, field)
    scored = [
        _scored(trial, f1, looks, len(accepted), agreed) for trial, f1 in zip(trials, rights, strict=True)
    ]
    return sorted(scored, key=lambda one: one.order)


def _scored(
    trial: RuleTrial,
    f1: float,
    looks: Callable[[str], float],
    count: int,
    agreed: Sequence[Mapping[str, float]],
) -> ScoredRule:
    firsts = trial.firsts[count:]
    values = [one for one in firsts if one]
    pages = len(firsts) or 1
    fill = len(values) / pages if firsts else 1.0
    like = sum(map(looks, values)) / pages if firsts else 1.0
    surplus = sum(min(one, _MOST_SURPLUS) for one in trial.surplus[count:]) / pages
    agreement = sum(votes.get(folded(one), 0.0) for one, votes in zip(firsts, agreed, strict=True)) / pages
    score = (
        _F1 * f1
        - _COST * trial.candidate.cost
        + _FILL * fill
        + _LIKE * like
        + _AGREEMENT * agreement
        - _SURPLUS * surplus
        - _CONSTANT * _is_constant(values, trial.firsts[:count])
    )
    return ScoredRule(trial=trial, f1=f1, fill=fill, like=like, score=score)


def _is_constant(values: Sequence[str], of_examples: Sequence[str]) -> bool:
    """Whether all pages have one value: then it is the template's, unless several examples have it, too."""
    alike = Counter(map(folded, values))
    if len(values) < _ENOUGH_PAGES or len(alike) > 1:
        return False
    return sum(folded(one) in alike for one in of_examples) < 2


def _agreed(trials: Sequence[RuleTrial], count: int) -> list[dict[str, float]]:
    """For each page that is not an example, the share of the families of candidates that find each text."""
    families: dict[str, RuleTrial] = {}
    for trial in sorted(trials, key=lambda one: one.candidate.cost):
        families.setdefault(trial.candidate.family, trial)
    votes: list[defaultdict[str, float]] = []
    for trial in families.values():
        firsts = trial.firsts[count:]
        votes = votes or [defaultdict(float) for _ in firsts]
        for page, first in zip(votes, firsts, strict=True):
            page[folded(first)] += math.exp(-trial.candidate.cost)
    return [{text: weight / sum(page.values()) for text, weight in page.items()} for page in votes]


def diverse(found: Sequence[ScoredRule], count: int, most: int) -> list[ScoredRule]:
    """The best, and the next best that go by other things and find the same on nearly all pages."""
    chosen = list(found[:1])
    used = set(chosen[0].trial.candidate.conditions) if chosen else set()
    for one in found[1:]:
        if len(chosen) == most:
            break
        conditions = one.trial.candidate.conditions
        if one.f1 < chosen[0].f1 or conditions & used:
            continue
        if agreement(chosen[0].trial, one.trial) >= _SAME:
            chosen.append(one)
            used |= conditions
    return _with_missed(found, chosen, count)


def _with_missed(found: Sequence[ScoredRule], chosen: list[ScoredRule], count: int) -> list[ScoredRule]:
    """Where the best rule finds nothing on an example, the best one that does comes second."""
    if not chosen or chosen[0].f1 == 1.0:
        return chosen
    empty = [number for number in range(count) if not chosen[0].trial.found[number]]
    for one in found[1:] if empty else ():
        if all(one.trial.found[number] for number in empty) and one.f1 >= len(empty) / count / 2:
            return [chosen[0], one, *(other for other in chosen[1:-1] if other is not one)]
    return chosen


def agreement(one: RuleTrial, other: RuleTrial) -> float:
    """The share of the pages on which two candidates find the same."""
    pairs = list(zip(one.firsts, other.firsts, strict=True))
    return sum(folded(first) == folded(second) for first, second in pairs) / len(pairs)


def doubtful(found: Sequence[ScoredRule]) -> tuple[int, int] | None:
    """The number of a rule that is about as good as the best and finds other values, and of such a page."""
    for number, one in enumerate(found[1:], 1):
        if one.f1 < found[0].f1 or found[0].score - one.score > _CLOSE:
            return None
        if agreement(found[0].trial, one.trial) < _DOUBTFUL:
            pairs = zip(found[0].trial.firsts, one.trial.firsts, strict=True)
            return number, next(page for page, (a, b) in enumerate(pairs) if folded(a) != folded(b))
    return None
