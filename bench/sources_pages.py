"""Pages whose article is known, with what real and made-up sources of labels say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from extraction_sets import channels, read_set, set_name
from fit_samples import labels_of, row_of
from msgspec.structs import replace as changed

from archiver.articles.labels.model import BlockLabels, LabelledPage, LabelSource
from archiver.articles.labels.sources import Said, labelled_page
from archiver.articles.methods.article.evidence import evidence_of
from archiver.articles.methods.article.hints import hints_of
from archiver.articles.methods.article.siblings import pool_of
from archiver.articles.methods.extraction import extract_group, parse_page
from archiver.articles.model import Article, ParsedPage
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from extraction_sets import Page

    Matrix = np.ndarray[Any, Any]

# Of pages; the rest of the figures is real: what JSON-LD states, and what the extractor finds.
USER_SHARE, FEED_SHARE = 0.04, 0.5
# The scene in which each page has one source: shares as in the measurement that the model was chosen by.
ALONE_SHARES = {LabelSource.USER: 0.04, LabelSource.FEED: 0.26, LabelSource.CONSENSUS: 0.7}
# Blocks that a feed's content has otherwise than people mark them, in that scene.
FEED_FLIPS = 0.08
# Of the words of an article.
_TEASER = 0.15
KINDS = ("teaser", "other text", "whole page", "random blocks")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage:
    """A page, the evidence for its blocks, which of them people marked, and what sources say."""

    site: str
    rows: list[list[float]]
    truth: frozenset[int]
    # What the feed would carry, what the page states and what the extractor finds.
    labelled: LabelledPage


def known_pages(path: Path, limit: int | None) -> Iterator[KnownPage]:
    """The pages of a set; those of a site are read together."""
    for number, group in enumerate(channels(read_set(path, limit)), 1):
        raws = [_raw(page) for page in group]
        found = extract_group(raws, "article").results
        read = [(page, parse_page(raw), one) for page, raw, one in zip(group, raws, found, strict=True)]
        parsed = [(page, tree, one) for page, tree, one in read if isinstance(tree, ParsedPage)]
        outlines = [outline_of(tree.cleaned) for _, tree, _ in parsed]
        pool = pool_of(outlines, [page.title or None for page, _, _ in parsed])
        for (page, tree, one), outline in zip(parsed, outlines, strict=True):
            if not outline.blocks:
                continue
            # As if its feed carried what people marked; whether it is a source is drawn later.
            said = Said(content=page.gold)
            labelled = labelled_page(tree, one if isinstance(one, Article) else None, said)
            marked = labels_of(outline, page.gold)
            yield KnownPage(
                site=page.site,
                rows=[row_of(evidence) for evidence in evidence_of(outline, pool, hints_of(tree))],
                truth=frozenset(place for place, is_in in enumerate(marked) if is_in),
                labelled=changed(labelled, site=page.site, channel=number, url=f"{set_name(path)} {page.id}"),
            )


def _raw(page: Page) -> RawPage:
    return RawPage(
        url=page.url,
        body=page.html.encode(),
        content_type="text/html; charset=utf-8",
        announcement=Announcement(title=page.title or None, summary=page.description or None),
        id=page.id,
    )


# ── Who speaks of which page ─────────────────────────────────────────────────────────────────────────────


def with_all_sources(pages: Sequence[KnownPage], draw: random.Random) -> list[LabelledPage]:
    """Each page with all the sources that it has: half have a feed with full content, a few were marked."""
    found = []
    for page in pages:
        labels = [one for one in page.labelled.labels if one.source is not LabelSource.FEED]
        carried = [one for one in page.labelled.labels if one.source is LabelSource.FEED]
        labels += carried if draw.random() < FEED_SHARE else []
        labels += [_marked(page)] if draw.random() < USER_SHARE else []
        found.append(changed(page.labelled, labels=tuple(labels)))
    return found


def with_one_source(pages: Sequence[KnownPage], draw: random.Random) -> list[LabelledPage]:
    """Each page with one source."""
    found = []
    for page in pages:
        source = draw.choices(list(ALONE_SHARES), list(ALONE_SHARES.values()))[0]
        told = [
            one for one in page.labelled.labels if one.source in (LabelSource.CONSENSUS, LabelSource.WRAPPER)
        ]
        if source is LabelSource.FEED:
            flipped = [place for place in range(len(page.rows)) if draw.random() < FEED_FLIPS]
            one = BlockLabels(source=source, blocks=tuple(sorted(page.truth.symmetric_difference(flipped))))
        elif source is LabelSource.USER or not told:
            one = _marked(page)
        else:
            one = changed(told[0], source=source)
        found.append(changed(page.labelled, labels=(one,)))
    return found


def _marked(page: KnownPage) -> BlockLabels:
    return BlockLabels(source=LabelSource.USER, blocks=tuple(sorted(page.truth)))


# ── What goes wrong ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Pages of which one source says something else as a whole: where, and of which kind."""

    pages: list[LabelledPage]
    kinds: dict[int, str]


def damaged(
    pages: Sequence[LabelledPage],
    truths: Sequence[frozenset[int]],
    source: LabelSource,
    share: float,
    draw: random.Random,
) -> Damage:
    """The pages, of which a source is wrong on this share of those that it speaks of; kinds take turns."""
    mine = [place for place, page in enumerate(pages) if any(one.source is source for one in page.labels)]
    chosen = draw.sample(mine, round(share * len(mine)))
    kinds = {place: KINDS[turn % len(KINDS)] for turn, place in enumerate(chosen)}
    broken = list(pages)
    for place, kind in kinds.items():
        blocks = _wrong(kind, pages[place], truths[place], draw)
        labels = [changed(one, blocks=blocks) if one.source is source else one for one in pages[place].labels]
        broken[place] = changed(pages[place], labels=tuple(labels))
    return Damage(pages=broken, kinds=kinds)


def _wrong(kind: str, page: LabelledPage, truth: frozenset[int], draw: random.Random) -> tuple[int, ...]:
    everything = range(len(page.words))
    if kind == "teaser":
        return _first(page, sorted(truth), _TEASER * sum(page.words[place] for place in truth))
    if kind == "other text":
        # A run of other text of the page, such as the stories below, as long as the article where it can be.
        others = [place for place in everything if place not in truth]
        begin = draw.randrange(len(others)) if others else 0
        return _first(page, [*others[begin:], *others[:begin]], sum(page.words[place] for place in truth))
    if kind == "whole page":
        return tuple(everything)
    return tuple(place for place in everything if draw.random() < 0.5)


def _first(page: LabelledPage, places: Sequence[int], words: float) -> tuple[int, ...]:
    found: list[int] = []
    for place in places:
        if found and sum(page.words[one] for one in found) >= words:
            break
        found.append(place)
    return tuple(sorted(found))
