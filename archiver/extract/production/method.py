"""The method `article`: a learned wrapper where the template is known, the full consensus where it is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.digests import fraction_of
from archiver.extract.model import Found, Selection
from archiver.extract.production import wrappers
from archiver.extract.production.blocks import outline_of
from archiver.extract.production.confidence import confidence_of
from archiver.extract.production.consensus import vote
from archiver.extract.production.decisions import decided
from archiver.extract.production.evidence import evidence_of
from archiver.extract.production.hints import hints_of
from archiver.extract.production.judge import judge
from archiver.extract.production.selection import blank_runs, common_node, dropped_in, overlap, pairs_of
from archiver.extract.production.siblings import pool_of
from archiver.extract.production.templates import ALIKE, clusters_of, likeness, signature_of
from archiver.extract.production.wrappers import Lesson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.extract.model import ParsedPage, Wrapper
    from archiver.extract.production.blocks import Outline
    from archiver.extract.production.consensus import Verdict
    from archiver.extract.production.hints import Hints
    from archiver.extract.production.judge import Judged
from archiver.extract.production.wrappers import Applied

# So many pages are studied; what they teach is tried on the others.
STUDIED = 5
# One page in so many is studied although a wrapper fits it, to see whether both still agree.
CHECKED = 0.02
# A wrapper that was learned from pages in doubt is not used alone.
SURE = 0.8
_AGREED = 0.8
# A text this short is an article only if it has to do with what was announced.
_FEW_WORDS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleMethod:
    """All evidence: the page, its siblings, its feed entry, and what the site showed before."""

    name: str = "article"
    version: int = 1
    sees_siblings: bool = True

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        return _Group(pages, memory, self.name).found()


class _Group:
    def __init__(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper], method: str) -> None:
        self._pages = pages
        self._method = method
        self._hints: dict[int, Hints] = {}
        self._memory = {wrapper.id: wrapper for wrapper in memory}
        self._learned: dict[str, Wrapper] = {}
        self._outdated: set[str] = set()
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
            learned=[self._learned[name] for name in sorted(self._learned)],
            outdated=sorted(self._outdated),
        )

    def _hint(self, place: int) -> Hints:
        if place not in self._hints:
            self._hints[place] = hints_of(self._pages[place])
        return self._hints[place]

    def _usable(self) -> list[Wrapper]:
        known = {**self._memory, **self._learned}
        usable = [one for name, one in known.items() if name not in self._outdated]
        return sorted(
            filter(_is_usable, usable),
            key=lambda one: (-len(one.samples), one.id),
        )

    def _is_served(self, place: int) -> bool:
        """Whether a wrapper could be used on the page."""
        applied = self._best(place)
        if applied is None:
            return False
        if applied.wrapper.id in self._memory and fraction_of(self._name(place)) < CHECKED:
            self._checked[place] = applied
            return False
        self._selections[place] = self._selection(
            applied.outline,
            applied.kept,
            confidence=round(applied.wrapper.confidence * applied.fit, 4),
            evidence={"wrapper": applied.wrapper.xpath, "fit": round(applied.fit, 3)},
            wrapper=applied.wrapper.id,
            siblings=applied.wrapper.samples,
        )
        return True

    def _best(self, place: int) -> Applied | None:
        page = self._pages[place]
        tried = (wrappers.apply(one, page.cleaned, self._hint(place)) for one in self._usable())
        return max((one for one in tried if one), key=lambda one: one.fit, default=None)

    def _study(self, places: Sequence[int]) -> None:
        outlines = {place: outline_of(self._pages[place].cleaned) for place in places}
        for cluster in clusters_of([signature_of(outlines[place]) for place in places]):
            self._study_template([places[one] for one in cluster], outlines)

    def _study_template(self, places: Sequence[int], outlines: Mapping[int, Outline]) -> None:
        pages = [outlines[place] for place in places]
        pool = pool_of(pages, [self._pages[place].announcement.title for place in places])
        evidence = [evidence_of(outlines[place], pool, self._hint(place)) for place in places]
        studied = {
            place: self._vote(place, outlines[place], judged, pool.shared)
            for place, judged in zip(places, judge(pages, evidence), strict=True)
        }
        found = {place: verdict for place, verdict in studied.items() if verdict is not None}
        self._remember([self._lesson(place, outlines[place], found[place], pool.shared) for place in found])
        for place, verdict in found.items():
            self._compare(place, outlines[place], verdict)
        # Last, because it takes out of the pages what is not of their articles.
        for place in places:
            siblings = tuple(sorted(self._name(other) for other in places if other != place))
            chosen = found.get(place)
            self._selections[place] = self._voted(outlines[place], chosen, siblings) if chosen else None

    def _vote(self, place: int, outline: Outline, judged: Judged, shared: frozenset[str]) -> Verdict | None:
        """What the voters come to; None where it is nothing, or so little that it may be anything."""
        hints = self._hint(place)
        verdict = vote(self._pages[place].tree, outline, decided(judged, outline, hints, shared))
        words = [word for kept in verdict.winner.kept for word in outline.blocks[kept].words]
        said = self._pages[place].announcement
        is_announced = bool(said.title or said.summary or said.content)
        is_meant = is_announced and hints.is_touched_by(words) and hints.is_met_by(words)
        is_enough = len(words) >= _FEW_WORDS or is_meant
        return verdict if words and is_enough else None

    def _lesson(self, place: int, outline: Outline, verdict: Verdict, shared: frozenset[str]) -> Lesson:
        return Lesson(
            page=self._name(place),
            outline=outline,
            kept=verdict.winner.kept,
            signature=signature_of(outline),
            shared=shared,
            hints=self._hint(place),
            confidence=confidence_of(verdict),
        )

    def _voted(self, outline: Outline, verdict: Verdict, siblings: tuple[str, ...]) -> Selection:
        agreed = {voter: round(share, 3) for voter, share in verdict.agreement.items()}
        return self._selection(
            outline,
            verdict.winner.kept,
            confidence=confidence_of(verdict),
            evidence={"chosen by": verdict.winner.voter, **agreed},
            siblings=siblings,
        )

    def _compare(self, place: int, outline: Outline, verdict: Verdict) -> None:
        """A wrapper that finds something else than all the evidence does is no longer believed."""
        applied = self._checked.get(place)
        if applied is not None:
            mine = pairs_of(applied.outline, applied.kept)
            if overlap(mine, pairs_of(outline, verdict.winner.kept)) < _AGREED:
                self._drop(applied.wrapper)

    def _name(self, place: int) -> str:
        return self._pages[place].id or self._pages[place].url

    def _remember(self, lessons: Sequence[Lesson]) -> None:
        """Add what the pages of one template taught to what was known of it."""
        new = wrappers.learn(lessons) if lessons else None
        if new is None:
            return
        for known in [*self._memory.values(), *self._learned.values()]:
            if known.id in self._outdated:
                continue
            if known.xpath == new.xpath:
                new = wrappers.joined(known, new)
                self._drop(known)
            elif _is_usable(new) and likeness(known.signature, new.signature) >= ALIKE:
                # The frame is the same, and enough pages have their article elsewhere in it.
                self._drop(known)
        # What it says may be what was known: then nothing was learned.
        self._outdated.discard(new.id)
        if new.id not in self._memory:
            self._learned[new.id] = new

    def _drop(self, known: Wrapper) -> None:
        if self._learned.pop(known.id, None) is None:
            self._outdated.add(known.id)

    def _selection(
        self,
        outline: Outline,
        kept: Sequence[int],
        *,
        confidence: float,
        evidence: dict[str, str | float],
        siblings: tuple[str, ...],
        wrapper: str | None = None,
    ) -> Selection:
        node = common_node(outline, kept)
        dropped = dropped_in(outline, node, kept)
        blank_runs(outline, node, kept, dropped)
        return Selection(
            node=node.element,
            method=self._method,
            confidence=confidence,
            evidence=evidence,
            dropped=dropped,
            wrapper=wrapper,
            siblings=siblings,
        )


def _is_usable(wrapper: Wrapper) -> bool:
    """Whether enough pages have shown it, and surely enough."""
    return len(wrapper.samples) >= wrappers.ENOUGH_SAMPLES and wrapper.confidence >= SURE
