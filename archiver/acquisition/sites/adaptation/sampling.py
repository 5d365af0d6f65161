"""Pages of a level made ready to learn from: each with what it is believed to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.learning import adapt
from archiver.acquisition.sites.adaptation.lessons import SamplePage
from archiver.acquisition.sites.adaptation.locating import PageIndex
from archiver.acquisition.sites.adaptation.model import Adapted
from archiver.acquisition.sites.adaptation.relaxing import vocabulary
from archiver.acquisition.sites.adaptation.slots import adapted_type
from archiver.acquisition.sites.adaptation.witnesses import from_earlier, from_pages
from archiver.acquisition.sites.typed_page import TypedPage, virtual_of
from archiver.articles.methods.extraction import extract
from archiver.documents.expressions.budget import Budget
from archiver.documents.pages.model import RawPage
from archiver.errors import OverBudget

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.sites.adaptation.model import LearnedAction
    from archiver.acquisition.sites.adaptation.witnesses import Witnesses
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import Level, SiteType
    from archiver.acquisition.sites.reading import SitePage, VisitedDocument
    from archiver.articles.model import Article, NoArticle

# Of one page, by all paths that are tried on it.
_NODES = 200_000_000
# Pages that are read for their articles: this takes longest.
_MOST_ARTICLES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PageToAdapt:
    """A page as it is now and, where it is known, as it was before."""

    now: SitePage
    before: SitePage | None = None
    is_further: bool = False  # a further page of an item


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelToAdapt:
    """A level of a site whose actions may have failed."""

    base: KnowledgeBase
    type: str
    level: str
    learned: tuple[LearnedAction, ...] = ()  # what is in use


def adapt_level(asked: LevelToAdapt, pages: Sequence[PageToAdapt]) -> Adapted:
    """Which actions of the level fail on these pages, and what was learned in their place."""
    kind = adapted_type(asked.base.types[asked.type], asked.learned)
    level = kind.level(asked.level)
    if level is None:
        return Adapted()
    try:
        sample = _remembered(kind, level, pages) or _read(kind, level, pages)
        others = (one for name, one in asked.base.types.items() if name != kind.type)
        return adapt(kind, level.name, sample, vocabulary(kind, (kind, *others)))
    except OverBudget as error:
        return Adapted(problem=str(error))


def _typed(page: SitePage, kind: SiteType) -> TypedPage:
    return TypedPage(page=page, type=kind, virtual=virtual_of(page), budget=Budget(_NODES))


def _remembered(kind: SiteType, level: Level, pages: Sequence[PageToAdapt]) -> list[SamplePage]:
    """The pages of which earlier captures say what an action misses now; none where they say nothing new."""
    sample = [
        SamplePage(index=PageIndex(_typed(page.now, kind)), witnesses=witnesses)
        for page, witnesses in _before(kind, level, pages)
    ]
    return sample if any(_tells_more(level, one) for one in sample) else []


def _before(
    kind: SiteType, level: Level, pages: Sequence[PageToAdapt]
) -> Iterator[tuple[PageToAdapt, Witnesses]]:
    for page in pages:
        if page.before is not None:
            before = _typed(page.before, kind)
            was = before.level
            if was is not None and was.name == level.name:
                yield page, from_earlier(before, level)


def _tells_more(level: Level, page: SamplePage) -> bool:
    """Whether something was found on the earlier capture of a page by an action that finds nothing now."""
    now = from_earlier(page.known, level)
    before = page.witnesses
    return any(values and not now.values.get(name) for name, values in before.values.items()) or any(
        found and not now.parts.get(name) for name, found in before.parts.items()
    )


def _read(kind: SiteType, level: Level, pages: Sequence[PageToAdapt]) -> list[SamplePage]:
    """The pages, read as those of a site of which nothing is known."""
    articles = _articles([page for page in pages if not page.is_further][:_MOST_ARTICLES])
    indexes = [PageIndex(_typed(page.now, kind)) for page in pages]
    said = from_pages(indexes, level, [articles.get(page.now.document.url) for page in pages])
    return [
        SamplePage(index=index, witnesses=witnesses) for index, witnesses in zip(indexes, said, strict=True)
    ]


def _articles(pages: Sequence[PageToAdapt]) -> dict[str, Article | NoArticle]:
    documents = [page.now.document for page in pages]
    return dict(zip((one.url for one in documents), extract([_raw(one) for one in documents]), strict=True))


def _raw(document: VisitedDocument) -> RawPage:
    return RawPage(
        id=document.url, url=document.url, body=document.content, content_type=document.content_type
    )
