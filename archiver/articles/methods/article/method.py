"""The method `article`: a learned wrapper where the template is known, the full consensus where it is new."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.articles.methods.article.completion import completed, completed_verdict
from archiver.articles.methods.article.consensus import confirmed, vote
from archiver.articles.methods.article.decisions import decided
from archiver.articles.methods.article.evidence import evidence_of
from archiver.articles.methods.article.hints import brief_hints_of, hints_of
from archiver.articles.methods.article.judge import judge, weights
from archiver.articles.methods.article.learning import PROVEN, Lesson
from archiver.articles.methods.article.memory import Memory, clusters_of, is_checked, signature_of
from archiver.articles.methods.article.selection import copied, in_place, overlap, pairs_of
from archiver.articles.methods.article.siblings import pool_of
from archiver.articles.methods.article.wrappers import apply
from archiver.articles.model import Found, Selection
from archiver.documents.pages.blocks import outline_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.articles.methods.article.consensus import Verdict
    from archiver.articles.methods.article.hints import Hints
    from archiver.articles.methods.article.judge import JudgedPage
    from archiver.articles.methods.article.wrappers import Applied
    from archiver.articles.model import ParsedPage, Wrapper
    from archiver.documents.pages.blocks import Outline

# What to expect of a voter with which none agreed, since the others found nothing at all.
ALONE = 0.5

# So many pages are studied; what they teach is tried on the others.
STUDIED = 5
_AGREED = 0.8
# A text this short is an article only if it has to do with what was announced; a shorter one is not.
_FEW_WORDS, _LEAST_WORDS = 14, 3


class ArticleMethod:
    """All evidence: the page, its siblings, its feed entry, and what the site showed before."""

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        return _Group(pages, memory).found()

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found | None:
        return _Group(pages, memory).known()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Studied:
    """A page on which something was found without a wrapper."""

    lesson: Lesson
    verdict: Verdict
    # How far a wrapper that was checked on it found the same.
    confirmed: float = 0.0


class _Group:
    def __init__(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> None:
        self._pages = pages
        self._hints: dict[int, Hints] = {}
        self._announced: dict[int, Hints] = {}
        self._memory = Memory(memory)
        self._selections: dict[int, Selection | None] = {}
        # Pages that are studied although a wrapper fits them, with what it found.
        self._checked: dict[int, Applied] = {}

    def found(self) -> Found:
        # By their addresses: what comes out must not depend on which page was fetched first.
        waiting = sorted(
            range(len(self._pages)), key=lambda place: (self._pages[place].url, self._pages[place].id)
        )
        while waiting:
            waiting = [place for place in waiting if not self._is_served(place)]
            studied, waiting = waiting[:STUDIED], waiting[STUDIED:]
            if studied:
                self._study(studied)
        return Found(
            selections=[self._selections[place] for place in range(len(self._pages))],
            learned=self._memory.learned,
            outdated=self._memory.outdated,
        )

    def known(self) -> Found | None:
        """What the known wrappers find; None where a page has to be studied."""
        if not all(self._is_served(place) for place in range(len(self._pages))):
            return None
        return Found(selections=[self._selections[place] for place in range(len(self._pages))])

    def _hint(self, place: int) -> Hints:
        if place not in self._hints:
            self._hints[place] = hints_of(self._pages[place])
        return self._hints[place]

    def _announcement(self, place: int) -> Hints:
        """All that a wrapper needs to know, and much less to read."""
        if place not in self._announced:
            self._announced[place] = brief_hints_of(self._pages[place])
        return self._announced[place]

    def _is_served(self, place: int) -> bool:
        """Whether a wrapper could be used on the page."""
        applied = self._best(place)
        if applied is None:
            return False
        if is_checked(applied.wrapper, self._name(place)):
            self._checked[place] = applied
            return False
        self._selections[place] = self._served(place, applied)
        return True

    def _served(self, place: int, applied: Applied) -> Selection:
        self._memory.served(applied.wrapper)
        content = self._pages[place].announcement.content
        kept = completed(applied.outline, applied.kept, content, self._announcement(place))
        part = copied(applied.outline, kept)
        return Selection(
            node=part.node,
            dropped=part.dropped,
            confidence=round(applied.wrapper.confidence * applied.fit, 4),
            evidence={"wrapper": applied.wrapper.xpath, "fit": round(applied.fit, 3)},
            wrapper=applied.wrapper.id,
            siblings=applied.wrapper.samples,
        )

    def _best(self, place: int) -> Applied | None:
        """The first wrapper to which nothing on the page is new, else the one to which least is."""
        best: Applied | None = None
        for wrapper in self._memory.usable():
            applied = apply(wrapper, self._pages[place].tree, self._announcement(place))
            if applied is not None and (best is None or applied.fit > best.fit):
                best = applied
            if best is not None and best.fit == 1:
                break
        return best

    def _study(self, places: Sequence[int]) -> None:
        outlines = {place: outline_of(self._pages[place].cleaned) for place in places}
        clusters = clusters_of([signature_of(outlines[place]) for place in places])
        templates = [[places[one] for one in cluster] for cluster in clusters]
        studied = [self._studied(template, outlines) for template in templates]
        self._memory.learn(
            [[one.lesson for one in found.values() if one.confirmed < PROVEN] for found in studied]
        )
        for template, found in zip(templates, studied, strict=True):
            for place in template:
                siblings = tuple(sorted(self._name(other) for other in template if other != place))
                self._selections[place] = self._chosen(place, found.get(place), siblings)

    def _chosen(self, place: int, studied: _Studied | None, siblings: tuple[str, ...]) -> Selection | None:
        """What was found; by the wrapper where that is much the same, since more pages have shown it."""
        if studied is None:
            return None
        if studied.confirmed >= _AGREED:
            return self._served(place, self._checked[place])
        return self._voted(studied, siblings)

    def _studied(self, places: Sequence[int], outlines: Mapping[int, Outline]) -> dict[int, _Studied]:
        """What is found on the pages of one template."""
        pages = [outlines[place] for place in places]
        pool = pool_of(pages, [self._pages[place].announcement.title for place in places])
        evidence = [evidence_of(outlines[place], pool, self._hint(place)) for place in places]
        found = {}
        for place, judged in zip(places, judge(pages, evidence), strict=True):
            verdict = self._vote(place, outlines[place], judged, pool.shared)
            if verdict is not None:
                lesson = self._lesson(place, outlines[place], verdict, pool.shared)
                share = self._checked_on(place, lesson)
                found[place] = _Studied(lesson=lesson, verdict=verdict, confirmed=share)
        return found

    def _vote(
        self, place: int, outline: Outline, judged: JudgedPage, shared: frozenset[str]
    ) -> Verdict | None:
        """What the voters come to; None where it is nothing, or so little that it may be anything."""
        hints = self._hint(place)
        weighed, applied = decided(judged, outline, hints, shared), self._checked.get(place)
        found = confirmed(outline, weighed, pairs_of(applied.outline, applied.kept)) if applied else None
        page = self._pages[place]
        verdict = found or vote(page.cleaned, outline, weighed, is_zone=page.is_zone, is_known=page.is_known)
        said = page.announcement
        verdict = completed_verdict(verdict, outline, said.content, hints)
        words = [word for kept in verdict.winner.kept for word in outline.blocks[kept].words]
        is_announced = bool(said.title or said.summary or said.content)
        is_meant = is_announced and hints.is_touched_by(words) and hints.is_met_by(words)
        is_enough = is_meant if len(words) < _FEW_WORDS else hints.is_met_by(words) or not verdict.is_alone
        is_article = bool(words) if page.is_known else len(words) >= _LEAST_WORDS and is_enough
        return verdict if is_article else None

    def _lesson(self, place: int, outline: Outline, verdict: Verdict, shared: frozenset[str]) -> Lesson:
        return Lesson(
            page=self._name(place),
            outline=outline,
            kept=verdict.winner.kept,
            signature=signature_of(outline),
            shared=shared,
            hints=self._announcement(place),
            confidence=confidence_of(verdict),
        )

    def _voted(self, studied: _Studied, siblings: tuple[str, ...]) -> Selection:
        verdict, lesson = studied.verdict, studied.lesson
        agreed = {voter: round(share, 3) for voter, share in verdict.agreement.items()}
        # It takes out of the page what is not of the article: nothing more is learned from it.
        part = in_place(lesson.outline, lesson.kept)
        return Selection(
            node=part.node,
            dropped=part.dropped,
            confidence=lesson.confidence,
            evidence={"chosen by": verdict.winner.voter, **agreed},
            siblings=siblings,
        )

    def _checked_on(self, place: int, lesson: Lesson) -> float:
        """How far a wrapper that is checked on a page finds what all the evidence does.

        One that finds something else altogether is no longer believed.
        """
        applied = self._checked.get(place)
        if applied is None:
            return 0.0
        share = overlap(pairs_of(applied.outline, applied.kept), lesson.pairs)
        if share >= PROVEN:
            self._memory.confirm(applied.wrapper, lesson)
        elif share < _AGREED:
            self._memory.drop(applied.wrapper)
        return share

    def _name(self, place: int) -> str:
        return self._pages[place].id or self._pages[place].url


def confidence_of(verdict: Verdict) -> float:
    return ALONE if verdict.is_alone else round(expected(verdict.certainty), 4)


def expected(certainty: float) -> float:
    """On the fitted curve, which only rises; below its first point it falls to nothing."""
    for (low, low_value), (high, value) in pairwise(_curve()):
        if certainty <= high:
            return low_value + (value - low_value) * (certainty - low) / (high - low)
    return _curve()[-1][1]


@lru_cache(maxsize=1)
def _curve() -> list[tuple[float, float]]:
    return [(0.0, 0.0), *weights()["confidence"]]
