"""Why the method `article` takes a part of a page for the article: everything that it weighed, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from archiver.articles.explain.reasons import Reasons, study
from archiver.articles.explain.sources import ExplainedSource  # noqa: TC001 - msgspec reads the annotations
from archiver.articles.methods.article.completion import completed
from archiver.articles.methods.article.consensus import agreement
from archiver.articles.methods.article.hints import brief_hints_of, hints_of, page_title
from archiver.articles.methods.article.memory import clusters_of, is_checked, signature_of
from archiver.articles.methods.article.selection import common_node
from archiver.articles.methods.article.wrappers import ENOUGH_SAMPLES, Applied, tried
from archiver.articles.methods.extraction import extract_group, page_as_read
from archiver.articles.methods.registry import DEFAULT
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import writable
from archiver.documents.pages.text import plain
from archiver.fields.explaining import ExplainedFields  # noqa: TC001 - msgspec reads the annotations at run time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.article.consensus import Verdict
    from archiver.articles.model import Extracted, ParsedPage, Wrapper
    from archiver.documents.pages.blocks import Block, Node, Outline
    from archiver.documents.pages.model import RawPage


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedWrapper:
    """A wrapper that was known, whether the page was read by it, and why not."""

    id: str
    xpath: str
    samples: int
    is_used: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What one voter takes for the article."""

    voter: str
    is_winner: bool
    # With the choice that won, and on average with the other voters: the one with most of this wins.
    agreement: float
    support: float
    blocks: int
    words: int
    xpath: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedBlock:
    """A block of the page, how likely it is of the article, and what became of it."""

    text: str
    words: int
    linked: int
    xpath: str
    # At the first look, and at the second.
    first: float
    second: float
    is_kept: bool
    # Whether it is in the chosen node.
    is_inside: bool
    # Why it was dropped, the plainest reason first.
    reasons: tuple[str, ...] = ()

    @property
    def fate(self) -> str:
        return "kept" if self.is_kept else "dropped" if self.is_inside else "outside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What came of a page, and why."""

    url: str
    # `article`, or the outcome of a page that is none.
    outcome: str
    reason: str | None = None
    confidence: float | None = None
    # The node of the article, and who chose it: a voter, or the name of a wrapper.
    xpath: str | None = None
    chosen_by: str | None = None
    # What was known before: from the feed or else from the page's own head, and how many words it has.
    is_announced: bool = False
    # Whether the knowledge base leads to the text, and nothing else on the page was read.
    is_known: bool = False
    title: str = ""
    summary_words: int = 0
    body_words: int = 0
    siblings: tuple[str, ...] = ()
    wrappers: tuple[TriedWrapper, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    blocks: tuple[ExplainedBlock, ...] = ()
    # What its field wrapper reads, where one is for it.
    fields: ExplainedFields | None = None
    # Which blocks other sources take for the article, and how far they are trusted.
    sources: tuple[ExplainedSource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A page with its explanation: what it takes to show the blocks where they are."""

    explanation: Explanation
    article: Article | None = None
    tree: Element | None = None
    node: Element | None = None
    blocks: Sequence[Block] = ()


def explain(pages: Sequence[RawPage], memory: Sequence[Wrapper] = ()) -> Drawing:
    """Why the first of these pages gives what it gives, with the others as its siblings."""
    found = extract_group(pages, DEFAULT, memory)
    # Anew: to make an article of a page takes out of it what is not of the article.
    parsed = [page_as_read(page) for page in pages]
    page, result = parsed[0], found.results[0]
    if isinstance(page, NoArticle):
        return Drawing(explanation=Explanation(url=pages[0].url, outcome=page.outcome, reason=page.reason))
    siblings = [one for one in parsed[1:] if not isinstance(one, NoArticle)]
    drawing = _Explainer(page, siblings, result, _known(found, memory)).drawing()
    return replace(drawing, article=result if isinstance(result, Article) else None)


def _known(found: Extracted, memory: Sequence[Wrapper]) -> list[Wrapper]:
    """The wrappers that were known, and the one that these pages taught, where the page was read by it."""
    result = found.results[0]
    used = result.wrapper if isinstance(result, Article) else None
    return [*memory, *(one for one in found.learned if one.id == used)]


class _Explainer:
    def __init__(
        self,
        page: ParsedPage,
        siblings: Sequence[ParsedPage],
        result: Article | NoArticle,
        memory: Sequence[Wrapper],
    ) -> None:
        self._page = page
        self._result = result
        self._outline = outline_of(page.cleaned)
        self._hints = hints_of(page)
        self._siblings = self._of_template(siblings)
        self._tried = [(one, tried(one, page.cleaned, brief_hints_of(page))) for one in memory]
        self._applied = self._used()
        self._study = study([page, *self._siblings])
        self._chosen = self._choice()
        self._node = common_node(self._outline, sorted(self._chosen)) if self._chosen else None

    def drawing(self) -> Drawing:
        return Drawing(
            explanation=self._explanation(),
            tree=self._page.cleaned,
            node=self._node.element if self._node else None,
            blocks=self._outline.blocks,
        )

    def _of_template(self, siblings: Sequence[ParsedPage]) -> list[ParsedPage]:
        """The siblings that were read with the page; where that is not known, those that look like it."""
        if isinstance(self._result, Article) and self._result.wrapper is None:
            return [one for one in siblings if name_of(one) in self._result.siblings]
        outlines = [self._outline, *(outline_of(one.cleaned) for one in siblings)]
        clusters = clusters_of([signature_of(outline) for outline in outlines])
        own = next(cluster for cluster in clusters if 0 in cluster)
        return [siblings[place - 1] for place in own if place]

    def _used(self) -> Applied | None:
        """The wrapper that the page was read by, with what it found."""
        fitting = [found for _, found in self._tried if isinstance(found, Applied)]
        if isinstance(self._result, Article):
            return next((one for one in fitting if one.wrapper.id == self._result.wrapper), None)
        usable = [one for one in fitting if len(one.wrapper.samples) >= ENOUGH_SAMPLES]
        best = max(usable, key=lambda one: one.fit, default=None)
        return None if best is not None and is_checked(best.wrapper, name_of(self._page)) else best

    def _choice(self) -> frozenset[int]:
        """The blocks that were chosen, by their places on the whole page."""
        if self._applied is None:
            return frozenset(self._study.verdict.winner.kept)
        # A wrapper knows a part of the page only: its blocks are those that begin at the same text.
        part, content = self._applied.outline, self._page.announcement.content
        kept = completed(part, self._applied.kept, content, self._hints)
        begun = {part.blocks[place].pieces[0] for place in kept}
        blocks = enumerate(self._outline.blocks)
        return frozenset(place for place, block in blocks if block.pieces[0] in begun)

    def _explanation(self) -> Explanation:
        result, said = self._result, self._page.announcement
        return Explanation(
            url=self._page.url,
            outcome="article" if isinstance(result, Article) else result.outcome,
            reason=None if isinstance(result, Article) else result.reason,
            confidence=result.confidence if isinstance(result, Article) else None,
            xpath=xpath_of(self._node) if self._node else None,
            chosen_by=self._chosen_by() if self._node else None,
            is_announced=bool(said.title or said.summary or said.content),
            is_known=self._page.is_known,
            title=plain(said.title or "") or page_title(self._page.tree),
            summary_words=len(self._hints.summary),
            body_words=len(self._hints.body),
            siblings=tuple(one.url for one in self._siblings),
            wrappers=tuple(self._wrapper(one, found) for one, found in self._tried),
            opinions=opinions_of(self._outline, self._study.verdict),
            blocks=self._blocks(),
        )

    def _chosen_by(self) -> str:
        used = self._applied
        return f"wrapper {used.wrapper.id}" if used else self._study.verdict.winner.voter

    def _wrapper(self, wrapper: Wrapper, found: Applied | str) -> TriedWrapper:
        used = self._applied is not None and self._applied.wrapper.id == wrapper.id
        return TriedWrapper(
            id=wrapper.id,
            xpath=wrapper.xpath,
            samples=len(wrapper.samples),
            is_used=used,
            reason=found if isinstance(found, str) else self._why_not(wrapper) if not used else "it fits",
        )

    def _why_not(self, wrapper: Wrapper) -> str:
        """Why a wrapper that fits was not used."""
        if len(wrapper.samples) < ENOUGH_SAMPLES:
            return f"it fits, but {ENOUGH_SAMPLES} pages must have shown it"
        if self._applied is not None:
            return "it fits, but another one fits as well or better"
        return "it fits, but this is one of the pages that are read in full to see whether it still does"

    def _blocks(self) -> tuple[ExplainedBlock, ...]:
        reasons = Reasons(
            outline=self._outline,
            study=self._study,
            chosen=self._chosen,
            node=self._node,
            applied=self._applied,
        )
        return tuple(
            ExplainedBlock(
                text=writable(block.text),
                words=len(block.words),
                linked=block.linked,
                xpath=xpath_of(block.node),
                first=round(self._study.judged.first[place], 4),
                second=round(self._study.judged.second[place], 4),
                is_kept=not why,
                is_inside=reasons.is_inside(place),
                reasons=why,
            )
            for place, block in enumerate(self._outline.blocks)
            for why in (reasons.against(place),)
        )


def opinions_of(outline: Outline, verdict: Verdict) -> tuple[Opinion, ...]:
    every = verdict.candidates
    return tuple(
        Opinion(
            voter=one.voter,
            is_winner=one.voter == verdict.winner.voter,
            agreement=round(verdict.agreement[one.voter], 4),
            support=round(fmean(agreement(one, other) for other in every if other is not one), 4),
            blocks=len(one.kept),
            words=sum(len(outline.blocks[place].words) for place in one.kept),
            xpath=xpath_of(common_node(outline, one.kept)) if one.kept else None,
        )
        for one in every
    )


def name_of(page: ParsedPage) -> str:
    return page.id or page.url


def xpath_of(node: Node) -> str:
    return writable(str(node.element.getroottree().getpath(node.element)))
