"""Pages whose article is known, as rows to fit on: a block's evidence, and whether it is of the article."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from extraction_metric import neighbours
from extraction_sets import read_set, set_name

from archiver.articles.methods.article.evidence import FLAG_SETS, evidence_of
from archiver.articles.methods.article.hints import hints_of
from archiver.articles.methods.article.siblings import pool_of
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import ParsedPage
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from extraction_sets import Page
    from lxml.etree import _Element as Element

    from archiver.articles.methods.article.evidence import BlockEvidence
    from archiver.articles.methods.article.hints import Hints
    from archiver.documents.pages.blocks import Outline

    Matrix = np.ndarray[Any, Any]


@dataclass(slots=True, eq=False)
class Sample:
    """A page with what is known of its blocks; the likelihoods and the context are added while fitting."""

    set: str
    group: str  # pages that are judged together
    site: str
    gold: str
    tree: Element
    outline: Outline
    hints: Hints
    shared: frozenset[str]
    evidence: Matrix
    labels: Matrix
    weights: Matrix
    likelihoods: Sequence[float] = ()
    context: Matrix | None = None


def samples_of(path: Path) -> list[Sample]:
    """The pages of a set, each site's as one group."""
    pages = defaultdict(list)
    for page in read_set(path):
        raw = RawPage(
            url=page.url,
            body=page.html.encode(),
            content_type="text/html; charset=utf-8",
            announcement=Announcement(title=page.title or None, summary=page.description or None),
        )
        parsed = parse_page(raw)
        if isinstance(parsed, ParsedPage):
            pages[page.site].append((page, parsed))
    return [sample for found in pages.values() for sample in _group(set_name(path), found)]


def _group(name: str, pages: Sequence[tuple[Page, ParsedPage]]) -> Iterator[Sample]:
    outlines = [outline_of(parsed.cleaned) for _, parsed in pages]
    hints = [hints_of(parsed) for _, parsed in pages]
    pool = pool_of(outlines, [page.title or None for page, _ in pages])
    for (page, parsed), outline, hint in zip(pages, outlines, hints, strict=True):
        if outline.blocks:
            counts = np.array([len(block.words) for block in outline.blocks], dtype=float)
            yield Sample(
                set=name,
                group=f"{name} {page.site}",
                site=page.site,
                gold=page.gold,
                tree=parsed.tree,
                outline=outline,
                hints=hint,
                shared=pool.shared,
                evidence=np.array([row_of(one) for one in evidence_of(outline, pool, hint)]),
                labels=labels_of(outline, page.gold),
                # A page counts as much as another; a long block more than a short one, by the root.
                weights=np.sqrt(counts) / np.sqrt(counts.sum()),
            )


def row_of(evidence: BlockEvidence) -> list[float]:
    sets = (evidence.flags, evidence.places, evidence.around, evidence.own)
    flags = [
        float(bits >> place & 1)
        for bits, names in zip(sets, FLAG_SETS.values(), strict=True)
        for place in range(len(names))
    ]
    return [*flags, *evidence.numbers]


def labels_of(outline: Outline, gold: str) -> Matrix:
    """Whether at least half of a block is in the article as people marked it."""
    wanted = neighbours(gold)
    single = {(word,) for pair in wanted for word in pair}
    found = [neighbours(block.text) for block in outline.blocks]
    # A block of one word has no neighbours: it is itself.
    shares = [len(pairs & (wanted | single)) / (len(pairs) or 1) for pairs in found]
    return np.array([float(share >= 0.5) for share in shares])
