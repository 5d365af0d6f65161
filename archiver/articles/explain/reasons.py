"""Why a block of a page is not of its article, in words: the plainest reason first, then the weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from statistics import fmean
from typing import TYPE_CHECKING

from archiver.articles.methods.article.completion import completed_verdict
from archiver.articles.methods.article.consensus import vote
from archiver.articles.methods.article.decisions import decided, vetoed
from archiver.articles.methods.article.evidence import evidence_of
from archiver.articles.methods.article.hints import hints_of
from archiver.articles.methods.article.judge import context_contributions, context_of, contributions, judge
from archiver.articles.methods.article.pruning import needless
from archiver.articles.methods.article.selection import KEEP
from archiver.articles.methods.article.siblings import pool_of
from archiver.articles.methods.article.wrappers import text_key
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import is_comments_zone

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from archiver.articles.methods.article.consensus import Verdict
    from archiver.articles.methods.article.judge import JudgedPage
    from archiver.articles.methods.article.wrappers import Applied
    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.blocks import Block, Node, Outline

# So many pieces of evidence are told of a block, and none that hardly counts.
_MOST, _LEAST = 3, 0.1
# What it means that there is little of the evidence whose own name does not say it.
_LITTLE = {
    "first": "unlikely at the first look",
    "in the chosen node": "not in the node of the first look",
    "mean of the type": "its type is unlikely here",
    "mean of the type in the group": "its type is unlikely on all pages",
    "of the announcement": "few announced words",
    "parent type mass": "few words below its parent's type",
    "type mass": "few words in its type",
    "share 0": "few words in its element",
    **{f"share {level}": f"few words {level} levels up" for level in range(1, 4)},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A page as the full consensus sees it, beside its siblings."""

    shared: frozenset[str]
    vetoed: frozenset[int]
    # Taken out of what the voters chose.
    pruned: frozenset[int]
    judged: JudgedPage
    verdict: Verdict
    # What each piece of evidence adds, block by block, at the first look and at the second.
    first: Sequence[Mapping[str, float]]
    second: Sequence[Mapping[str, float]]


def study(pages: Sequence[ParsedPage]) -> Study:
    """Judge the first of these pages as one of a group, which they are."""
    outlines = [outline_of(page.cleaned) for page in pages]
    pool = pool_of(outlines, [page.announcement.title for page in pages])
    hints = [hints_of(page) for page in pages]
    evidence = [evidence_of(outline, pool, hint) for outline, hint in zip(outlines, hints, strict=True)]
    judged = judge(outlines, evidence)
    final = decided(judged[0], outlines[0], hints[0], pool.shared)
    context = context_of(outlines, [page.first for page in judged])
    verdict = vote(pages[0].cleaned, outlines[0], final, is_known=pages[0].is_known)
    return Study(
        shared=pool.shared,
        vetoed=vetoed(outlines[0], hints[0], pool.shared),
        pruned=needless(outlines[0], verdict.winner.kept),
        judged=final,
        verdict=completed_verdict(verdict, outlines[0], pages[0].announcement.content, hints[0]),
        first=[contributions(one) for one in evidence[0]],
        second=[context_contributions(numbers) for numbers in context[0]],
    )


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """Speaks for what chose: the voter that won, or a wrapper."""

    outline: Outline
    study: Study
    chosen: Collection[int]
    node: Node | None
    applied: Applied | None

    def is_inside(self, place: int) -> bool:
        """Whether a block is in the chosen node."""
        return self.node is not None and self.node.start <= place < self.node.end

    def against(self, place: int) -> tuple[str, ...]:
        """Why a block is not kept; nothing, if it is."""
        block = self.outline.blocks[place]
        if place in self.chosen:
            return ("in a zone of comments",) if self._is_comment(block) else ()
        where = () if self.is_inside(place) else ("outside the chosen node",)
        if self.applied is not None:
            return (*where, *self._by_wrapper(block, self.applied, is_inside=not where))
        return (*where, *self._by_vote(place, block))

    def _is_comment(self, block: Block) -> bool:
        below_chosen = takewhile(lambda node: node is not self.node, block.node.upwards())
        return any(is_comments_zone(node.element) for node in below_chosen)

    def _by_wrapper(self, block: Block, applied: Applied, *, is_inside: bool) -> Iterator[str]:
        kind = block.node.type
        if text_key(block.text) in applied.wrapper.furniture:
            yield "on other pages of the template"
        if kind in applied.wrapper.dropped:
            yield f"{kind} was mostly not of the article"
        elif is_inside or kind in {*applied.wrapper.kept, *applied.wrapper.mixed}:
            yield "mostly links, a caption, or an aside by its name or its first words"

    def _by_vote(self, place: int, block: Block) -> Iterator[str]:
        if block.text in self.study.shared:
            yield "also on sibling pages"
        if place in self.study.vetoed:
            yield "the headline, a row of tags, or an aside by its name"
            return
        if place in self.study.pruned:
            yield "a caption, or a line that leads elsewhere"
            return
        judged, winner = self.study.judged, self.study.verdict.winner.voter
        likelihood = (judged.first if winner == "strict" else judged.second)[place]
        if winner == "trafilatura":
            yield "trafilatura leaves it out"
        if likelihood < KEEP:
            weights = self._weights(place)
            yield f"unlikely ({likelihood:.2f}, less than {KEEP})" + (f": {weights}" if weights else "")

    def _weights(self, place: int) -> str:
        """What spoke against the block most: less than for what was kept on this page, on average."""
        is_first = self.study.judged.first[place] < KEEP
        mine = (self.study.first if is_first else self.study.second)[place]
        usual = self._usual_first if is_first else self._usual_second
        less = {name: mine.get(name, 0.0) - usual.get(name, 0.0) for name in {*mine, *usual}}
        worst = sorted((value, name) for name, value in less.items() if value <= -_LEAST)[:_MOST]
        return ", ".join(f"{_LITTLE.get(name, name)} {value:+.1f}" for value, name in worst)

    @cached_property
    def _usual_first(self) -> Mapping[str, float]:
        return _means([self.study.first[place] for place in self.chosen])

    @cached_property
    def _usual_second(self) -> Mapping[str, float]:
        return _means([self.study.second[place] for place in self.chosen])


def _means(blocks: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    names = {name for block in blocks for name in block}
    return {name: fmean(block.get(name, 0.0) for block in blocks) for name in names}
