"""The method `article` with `visual` as a fourth voter, by models that had not seen the set nor its sites."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from extraction_metric import score
from extraction_sets import set_name
from fit_visual import add_titles, labelled, recipe
from visual_samples import samples_of

from archiver.articles.methods.article import method as article
from archiver.articles.methods.article.consensus import Verdict, verdict_of, vote
from archiver.articles.methods.article.selection import choose, kept_blocks
from archiver.articles.methods.visual.method import VisualMethod
from archiver.articles.methods.visual.recognition import seen_page
from archiver.articles.methods.visual.training import fit_model

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lxml.etree import _Element as Element
    from visual_samples import VisualSample

    from archiver.articles.methods.article.judge import JudgedPage
    from archiver.documents.pages.blocks import Outline

# Licences: models are never fitted on sets under the AGPL.
MEASURED_ONLY = ("dragnet-a",)


def run(files: Sequence[Path], limit: int | None) -> list[dict[str, Any]]:
    sets = {set_name(file): list(samples_of(file, limit, with_articles=False)) for file in files}
    rows = []
    print(f"{'':16}{'pages':>6}{'article':>16}{'with visual':>16}{'visual alone':>16}   better/worse")
    for name, held in sets.items():
        sites = {one.site for one in held}
        rest = [
            one
            for other, found in sets.items()
            if other != name and other not in MEASURED_ONLY
            for one in found
            if one.site not in sites
        ]
        rows.append(_row(name, held, _method(rest)))
        print(_line(rows[-1]), flush=True)
    return rows


def _method(rest: Sequence[VisualSample]) -> VisualMethod:
    title = fit_model(labelled(rest, "title"), recipe("title", "line", 0), when="")
    add_titles(rest, title)
    return VisualMethod(fit_model(labelled(rest, "article"), recipe("article", "line", 0), when=""), title)


def _row(name: str, held: Sequence[VisualSample], visual: VisualMethod) -> dict[str, Any]:
    groups = defaultdict(list)
    for one in held:
        groups[one.site].append(one)
    found = [result for group in groups.values() for result in _Voting(group, visual).results()]
    plain, voted, alone = zip(*found, strict=True)
    better = sum(other > one + 0.005 for one, other in zip(plain, voted, strict=True))
    worse = sum(other < one - 0.005 for one, other in zip(plain, voted, strict=True))
    told = {"article": plain, "with visual": voted, "visual": alone}
    figures = {of: {"f1": round(fmean(some), 4), "p10": round(_tenth(some), 3)} for of, some in told.items()}
    return {"set": name, "pages": len(found), "better": better, "worse": worse, **figures}


def _tenth(found: Sequence[float]) -> float:
    return sorted(found)[len(found) // 10]


def _line(row: dict[str, Any]) -> str:
    cells = [f"{row[of]['f1']:.4f} {row[of]['p10']:.3f}" for of in ("article", "with visual", "visual")]
    told = "".join(f"{cell:>16}" for cell in cells)
    return f"{row['set']:16}{row['pages']:>6}{told}   {row['better']}/{row['worse']}"


class _Voting:
    """The pages of a site, read once; of each vote what three voters come to, and what four do."""

    def __init__(self, group: Sequence[VisualSample], visual: VisualMethod) -> None:
        self._group, self._visual = group, visual
        # Trees that were read anew: extraction takes them apart.
        self._pages = [one.page for one in group]
        self._by_tree = {one.page.cleaned: one for one in group}
        self._kept = {id(one): self._chosen(one) for one in group}
        self._found: dict[int, tuple[float, float]] = {}

    def _chosen(self, one: VisualSample) -> list[int]:
        seen = seen_page(one.page, title=self._visual.title_model)
        likely = self._visual.likelihoods(one.page, seen, frozenset())
        node = choose(seen.sight.outline, likely)
        return kept_blocks(node, likely) if node else []

    def results(self) -> list[tuple[float, float, float]]:
        with patch.object(article, "vote", self._vote):
            article.ArticleMethod().find(self._pages, ())
        # A page that a wrapper of its site serves never comes to a vote.
        voted = [one for one in self._group if id(one) in self._found]
        return [
            (*self._found[id(one)], self._f1(one, one.sight.outline, self._kept[id(one)])) for one in voted
        ]

    def _f1(self, one: VisualSample, outline: Outline, kept: Sequence[int]) -> float:
        return score(one.gold, "\n".join(outline.blocks[place].text for place in kept)).f1

    def _vote(self, tree: Element, outline: Outline, judged: JudgedPage, **options: bool) -> Verdict:
        verdict = vote(tree, outline, judged, **options)
        one = self._by_tree.get(tree)
        if one is None:
            print("a page is voted on that is not known", file=sys.stderr)
            return verdict
        kept = self._kept[id(one)] if len(outline.blocks) == len(one.sight.outline.blocks) else []
        fourth = replace(
            verdict.candidates[0],
            voter="visual",
            kept=kept,
            pairs=verdict.revised(outline, kept).winner.pairs,
        )
        others = verdict_of([*verdict.candidates, fourth])
        self._found[id(one)] = (
            self._f1(one, outline, verdict.winner.kept),
            self._f1(one, outline, others.winner.kept),
        )
        return verdict
