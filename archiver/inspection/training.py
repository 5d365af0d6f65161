"""Labels that an archive has, gathered for a model: from feeds, statements, the extractor and marks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace
from sqlalchemy import select

from archiver.articles.labels.reliability import source_trust
from archiver.articles.labels.sources import Said, labelled_page
from archiver.articles.labels.training import refined
from archiver.articles.methods.extraction import extract_group, parse_page
from archiver.articles.methods.visual.inlinks import with_inlinks
from archiver.articles.methods.visual.recognition import seen_page
from archiver.articles.methods.visual.stated import stated_labels
from archiver.articles.methods.visual.training import LabelledSight, Recipe, held_out
from archiver.articles.model import Article, ParsedPage
from archiver.domains import registered_domain
from archiver.errors import RecordError
from archiver.inspection.announced import articles_of_channel
from archiver.inspection.inlinks import lists_leading_to
from archiver.inspection.pages import read_sibling
from archiver.store.schema import channels
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.articles.labels.model import LabelledPage, LabelSource
    from archiver.articles.labels.training import Targets
    from archiver.documents.pages.model import RawPage
    from archiver.inspection.announced import AnnouncedPage

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

# Pages of a channel that are read, together as in a crawl; all pages of a model.
_MOST_OF_A_CHANNEL, _TOGETHER, _MOST_PAGES = 60, 5, 2000
# Fewer teach nothing that holds on other pages; a guess.
LEAST_PAGES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class GatheredLabels:
    """Pages with their features and labels, and how far each source of labels was believed."""

    pages: list[LabelledSight]
    sources: dict[str, dict[str, float]] = field(default_factory=dict)


def gather(
    state: Connection,
    withheld: Withheld,
    warcs: Path,
    scope: Sequence[int],
    name: str,
    sources: frozenset[LabelSource],
    progress: Callable[[int], None] = lambda _: None,
) -> GatheredLabels:
    """The labels of a field on all articles of these channels."""
    read = islice(_read(state, withheld, warcs, scope), _MOST_PAGES)
    if name == "article":
        return _of_articles(_counted(read, progress), sources)
    found = [_stated(page, article, name) for _, page, article in _counted(read, progress)]
    pages = [one for one in found if one.is_wanted.any()]
    return GatheredLabels(pages=pages, sources={"statement": {"pages": float(len(pages))}})


def channels_to_learn(state: Connection, chosen: Sequence[int] | None) -> list[int]:
    """The channels that were asked for, or all."""
    if chosen is not None:
        return list(chosen)
    return list(state.scalars(select(channels.c.id).order_by(channels.c.id)))


Read = tuple["AnnouncedPage", ParsedPage, "Article | None"]


def _counted(read: Iterable[Read], progress: Callable[[int], None]) -> Iterator[Read]:
    for count, one in enumerate(read, start=1):
        progress(count)
        yield one


def _read(state: Connection, withheld: Withheld, warcs: Path, scope: Sequence[int]) -> Iterator[Read]:
    for channel in scope:
        found = articles_of_channel(state, channel, _MOST_OF_A_CHANNEL)
        read = list(
            _articles([(one, raw) for one in found if (raw := _raw(one, withheld, warcs)) is not None])
        )
        lists = lists_leading_to(state, withheld, warcs, [announced.id for announced, _, _ in read])
        pages = with_inlinks([page for _, page, _ in read], lists)
        yield from ((one[0], page, one[2]) for one, page in zip(read, pages, strict=True))


def _articles(pages: Sequence[tuple[AnnouncedPage, RawPage]]) -> Iterator[Read]:
    """The pages of a channel, read together as in a crawl."""
    for first in range(0, len(pages), _TOGETHER):
        group = pages[first : first + _TOGETHER]
        results = extract_group([raw for _, raw in group]).results
        for (announced, raw), result in zip(group, results, strict=True):
            page = parse_page(raw)  # anew: making an article takes parts out of a page
            if isinstance(page, ParsedPage):
                yield announced, page, result if isinstance(result, Article) else None


def _raw(page: AnnouncedPage, withheld: Withheld, warcs: Path) -> RawPage | None:
    if withheld.hides(page.capture.url):
        return None
    try:
        return read_sibling(warcs, page)
    except RecordError:
        return None  # damaged: `scrapy verify` tells of it


def _stated(page: ParsedPage, article: Article | None, name: str) -> LabelledSight:
    rows, bags, wanted = stated_labels(page, article, name)
    return LabelledSight(site=_site(page.url), rows=rows, bags=bags, is_wanted=wanted)


def _site(url: str) -> str:
    return registered_domain(host_of(url)) or host_of(url)


class _Evidence:
    """The features of all pages, from which models are fitted while labels are weighed."""

    def __init__(self, sights: Sequence[tuple[str, Matrix, Matrix]]) -> None:
        self._sights = sights

    def labelled(self, targets: Targets) -> list[LabelledSight]:
        return [
            LabelledSight(
                site=site, rows=rows, bags=bags, is_wanted=np.array(labels), weights=np.array(weights)
            )
            for (site, rows, bags), labels, weights in zip(
                self._sights, targets.labels, targets.weights, strict=True
            )
        ]

    def held_out(self, targets: Targets) -> Sequence[Sequence[float]]:
        """Likelihoods by models that had not seen the page's site; even where there is only one site."""
        pages = self.labelled(targets)
        likely = {id(page): [0.5] * len(page.rows) for page in pages}
        for page, model in held_out(pages, Recipe(field="article", is_many=True)):
            margins = model.margins(page.rows, page.bags)
            likely[id(page)] = (1 / (1 + np.exp(-np.clip(margins, -30, 30)))).tolist()
        return [likely[id(page)] for page in pages]


def _of_articles(read: Iterable[Read], sources: frozenset[LabelSource]) -> GatheredLabels:
    labelled: list[LabelledPage] = []
    sights = []
    for announced, page, article in read:
        said = Said(content=announced.announcement.content)
        found = labelled_page(page, article, said, channel=announced.channel_id)
        seen = seen_page(page)
        kept = tuple(one for one in found.labels if one.source in sources)
        # Both read the same runs of text; where a page is so odd that they do not, it teaches nothing.
        if kept and len(found.words) == len(seen.texts):
            labelled.append(replace(found, labels=kept))
            sights.append((found.site, seen.texts, seen.bags))
    if not labelled:
        return GatheredLabels(pages=[])
    evidence = _Evidence(sights)
    targets = refined(labelled, evidence)
    counts = Counter(one.source for page in labelled for one in page.labels)
    told = {
        str(source): {
            "pages": float(count),
            "reliability": round(source_trust(source, targets.records).soundness, 3),
        }
        for source, count in counts.items()
    }
    pages = [one for one in evidence.labelled(targets) if one.is_wanted.any()]
    return GatheredLabels(pages=pages, sources=told)
