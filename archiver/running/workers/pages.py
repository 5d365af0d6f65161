"""Sibling pages read together, in the worker process: from their records to what was found on each."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.reliability.software import software_of
from archiver.archive.warc.reader import read_rendered, read_response
from archiver.archive.warc.rendered import HTML
from archiver.articles.continuation.joining import join, where_next
from archiver.articles.labels.sources import Said, has_sources, labelled_page
from archiver.articles.methods.assembly import article_from_feed
from archiver.articles.methods.extraction import extract_group, extract_known, parse_page
from archiver.articles.methods.parts import ZONE, part_of
from archiver.articles.methods.registry import (
    DEFAULT,
    FEED,
    MODELS,
    UsesModels,
    extractor_of,
    facts_of,
    method_of,
)
from archiver.articles.model import Article, NoArticle
from archiver.articles.versions.fingerprints import fingerprint
from archiver.documents.contributions import CommentsRead
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.links import outlinks_in, outlinks_of
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.pages.scripted import needs_browser
from archiver.documents.pages.words import tokens
from archiver.documents.parts import ANY_ZONE, is_zone, share_of
from archiver.documents.times.http import from_head
from archiver.errors import ExtractionError, RecordError
from archiver.lexicon.notices import NOTHING_THERE
from archiver.running.workers.fields import with_fields
from archiver.running.workers.page_tasks import PageRead, PagesRead, PageToRead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.labels.model import LabelledPage
    from archiver.articles.model import Extracted, ParsedPage
    from archiver.documents.requisites.model import Requisite, Scope
    from archiver.running.workers.page_tasks import Beside, FurtherToRead, ReadContent, ReadFields, ReadPages


class SeveralPages:
    """The pages of an article as one page, and where it goes on; most have one."""

    def __init__(self, folder: str, asked: PageToRead) -> None:
        self._asked = asked
        self._first = raw_page(folder, asked, asked.announcement)
        self._further = [raw_page(folder, one, asked.announcement) for one in asked.further]
        self._joined = join(self._first, self._further)
        self.page = self._joined.page

    def continued(self, read: PageRead, parsed: ParsedPage | NoArticle) -> PageRead:
        """What was read, with the pages that it is on. A part of a page does not go on."""
        if self._joined.is_unjoined:
            return msgspec.structs.replace(read, is_unjoined=True)
        onward, count = None, self._joined.used
        if self._asked.is_followed and read.article is not None and not self._asked.part:
            others = [one.asked for one in self._asked.further[count:]]
            passed = [*self._asked.passed, *others]
            onward = where_next(self._first, self._further[:count], passed, None if count else parsed)
        return msgspec.structs.replace(read, used=count, onward=onward) if count or onward else read


# Characters: what stands in the place of a page that scripts fill, or a teaser of it. Guess.
_NEXT_TO_NOTHING = 200
# A part with so much of the page's article is the article: `#article-body` and the like.
_WHOLE = 0.8
# Two parts with more than so much in common are one.
_ONE = 0.5

_SCOPES: dict[str, Scope] = {"article": "article", "look": "look", "page": "page"}
# Counts up when other articles come to be made of the same content.
_FEED_EXTRACTOR = f"{FEED}/1"
# Of the pages that an article was made with, so many are named in its object.
_MOST_SIBLINGS = 20


def read_pages(task: ReadPages) -> PagesRead:
    """Find the articles; whatever order the pages come in, the same ones."""
    method = method_of(task.method)
    if isinstance(method, UsesModels):
        method.use(Path(task.folder).parent / MODELS)
    several = [SeveralPages(task.folder, page) for page in task.pages]
    pages = [one.page for one in several]
    found = _extract(task, pages)
    told = zip(task.pages, pages, several, found.results, found.parsed, strict=True)
    reads = []
    for asked, page, one, result, parsed in told:
        tree = None if isinstance(parsed, NoArticle) else parsed.tree
        read = _read(task, page, tree, *read_part(asked, page, result, task.method))
        read = msgspec.structs.replace(
            read,
            software=software_of(page.server, page.body),
            labelled=_labelled(asked, page, read, parsed),
            needs_browser=_needs_browser(asked, page, read),
        )
        reads.append(one.continued(with_fields(read, asked.fields_by, page, parsed), parsed))
    return PagesRead(pages=tuple(reads), learned=found.learned, outdated=found.outdated)


def _labelled(
    asked: PageToRead, page: RawPage, read: PageRead, parsed: ParsedPage | NoArticle
) -> LabelledPage | None:
    """What several sources say of the page; None where nothing but the extractor speaks of it."""
    content = asked.announcement.content
    if not asked.is_labelled or asked.part or asked.further or read.article is None:
        return None
    if isinstance(parsed, NoArticle) or parsed.is_known or not has_sources(content, page.body):
        return None
    # Cleaned anew: to make an article of a page takes out of it what is not of the article.
    found = labelled_page(replace(parsed), read.article, Said(content=content))
    return found if len(found.labels) > 1 else None


def read_fields_alone(task: ReadFields) -> PagesRead:
    """What the wrappers of pages find; where they have no article is not asked."""
    reads = []
    for asked in task.pages:
        page = SeveralPages(task.folder, asked).page
        parsed = parse_page(page)
        nothing = parsed if isinstance(parsed, NoArticle) else None
        reads.append(with_fields(PageRead(nothing=nothing), asked.fields_by, page, parsed))
    return PagesRead(pages=tuple(reads))


def page_read(found: Article | NoArticle, extractor: str) -> PageRead:
    if isinstance(found, NoArticle):
        return PageRead(nothing=found, extractor=extractor)
    return PageRead(article=found, fingerprint=fingerprint(found), extractor=extractor)


def read_content(task: ReadContent) -> PageRead:
    """Make an article of what a feed carried."""
    return page_read(article_from_feed(task.announcement, url=task.url), _FEED_EXTRACTOR)


def _extract(task: ReadPages, pages: Sequence[RawPage]) -> Extracted:
    """By what was learned before; with pages that were read before where that does not fit."""
    if task.memory and task.siblings:
        known = extract_known(_in_order(pages), task.method, task.memory)
        if known is not None:
            return _for_pages(task, pages, (), known)
    siblings = _siblings(task)
    found = extract_group(_in_order([*pages, *siblings]), task.method, task.memory)
    return _for_pages(task, pages, siblings, found)


def _siblings(task: ReadPages) -> list[RawPage]:
    """Pages that were read before, as far as they can be read again."""
    found = []
    for page in task.siblings:
        with suppress(RecordError):
            found.append(raw_page(task.folder, page, page.announcement))
    return found


def _in_order(pages: Sequence[RawPage]) -> list[RawPage]:
    """In the order of their addresses, in which they are seen."""
    return sorted(pages, key=lambda page: (page.url, page.id))


def _for_pages(
    task: ReadPages, pages: Sequence[RawPage], siblings: Sequence[RawPage], found: Extracted
) -> Extracted:
    """What was found on the pages that were asked for, in the order in which they were."""
    together = [*pages, *siblings]
    order = sorted(range(len(together)), key=lambda one: (together[one].url, together[one].id))
    by_place = dict(zip(order, found.results, strict=True))
    names = {page.id for page in together}
    results = [_made_with(task, page, by_place[place], names) for place, page in enumerate(pages)]
    parsed = dict(zip(order, found.parsed, strict=True))
    return replace(found, results=tuple(results), parsed=tuple(parsed[place] for place in range(len(pages))))


def _made_with(
    task: ReadPages, page: RawPage, found: Article | NoArticle, names: set[str]
) -> Article | NoArticle:
    """Where a method does not say which pages it went by, it may have gone by all."""
    if isinstance(found, NoArticle):
        return found
    siblings = set(found.siblings) - {page.id}
    if not siblings and found.wrapper is None and facts_of(task.method).sees_siblings:
        siblings = names - {page.id}
    return replace(
        found,
        siblings=tuple(sorted(siblings)[:_MOST_SIBLINGS]),
        dated=(*found.dated, *page.dated),
    )


def _read(
    task: ReadPages, page: RawPage, tree: Element | None, found: Article | NoArticle, part: str
) -> PageRead:
    """What was found, and what else is asked of the page; its tree is parsed once for all of it."""
    read = page_read(found, extractor_of(task.method))
    outlinks = tuple(_outlinks(page, tree)) if task.outlinks else ()
    requisites = _requisites(task, page, tree, read)
    comments = CommentsRead()
    if task.comments and tree is not None and read.article is not None and not part:
        comments = _comments(tree, page.url)
    return msgspec.structs.replace(
        read, part=part, requisites=requisites, outlinks=outlinks, comments=comments
    )


def _needs_browser(asked: PageToRead, page: RawPage, read: PageRead) -> bool:
    """Whether a page that says next to nothing was to be filled by its scripts."""
    is_said = read.article is not None and len(read.article.text) > _NEXT_TO_NOTHING
    if is_said or asked.rendered is not None:
        return False
    try:
        return needs_browser(parse_html(page.body, page.content_type, page.url))
    except ExtractionError:
        return False


def _outlinks(page: RawPage, tree: Element | None) -> list[str]:
    return outlinks_of(page) if tree is None else outlinks_in(tree, page.url)


def _comments(tree: Element, url: str) -> CommentsRead:
    """What readers wrote on the page. Of a part of a page, nothing tells which of them are of it."""
    # Not all archives keep them, and its patterns take long to make.
    from archiver.documents.pages.comments.reading import read_comments  # noqa: PLC0415

    return read_comments(tree, url)


def _requisites(
    task: ReadPages, page: RawPage, tree: Element | None, read: PageRead
) -> tuple[Requisite, ...]:
    if task.requisites not in _SCOPES:
        return ()
    # Not all archives keep any, and its patterns take long to make.
    from archiver.documents.requisites.page import page_requisites  # noqa: PLC0415

    article = read.article
    main = [article.image] if article and article.image else []
    images = [image.url for image in (*main, *article.images)] if article else []
    return tuple(
        page_requisites(
            page.body,
            url=page.url,
            content_type=page.content_type,
            scope=_SCOPES[task.requisites],
            article_images=images,
            limit=task.most_requisites,
            parsed=tree,
        )
    )


def read_part(
    asked: PageToRead, page: RawPage, whole: Article | NoArticle, method: str = DEFAULT
) -> tuple[Article | NoArticle, str]:
    """The article of the part that is asked for, and which part that is; else the page's, which is none."""
    if not asked.part:
        return whole, ""
    mine = part_of(page, asked.part, method)
    if asked.is_known_part:
        # The rest of the page is not what has become of it.
        return mine or NoArticle(outcome="not_article", reason=NOTHING_THERE), asked.part
    if not isinstance(mine, Article) or _is_most_of(mine, whole):
        return whole, ""
    # Only held against it: no vote is taken on them.
    others = [(one, part_of(_as_announced(page, one), one.part or ANY_ZONE, ZONE)) for one in asked.beside]
    found = [(one, theirs) for one, theirs in others if isinstance(theirs, Article)]
    # An article that is announced twice is not two: only what is apart from it makes it a part.
    if is_zone(asked.part) and all(_are_one(mine, theirs) for _, theirs in found):
        return whole, ""
    same = next((one for one, theirs in found if one.is_older and _are_one(mine, theirs)), None)
    if same is None:
        return mine, asked.part
    theirs = part_of(_as_announced(page, same), same.part, method) if same.part else None
    return (theirs, same.part) if theirs is not None else (whole, "")


def _as_announced(page: RawPage, other: Beside) -> RawPage:
    return replace(page, announcement=other.announcement)


def _is_most_of(part: Article, whole: Article | NoArticle) -> bool:
    return isinstance(whole, Article) and share_of(tokens(part.text), tokens(whole.text)) >= _WHOLE


def _are_one(part: Article, other: Article) -> bool:
    mine, theirs = sorted((tokens(part.text), tokens(other.text)), key=len)
    return share_of(mine, theirs) > _ONE


def raw_page(folder: str, page: PageToRead | FurtherToRead, said: Announcement | None = None) -> RawPage:
    """A page as its record has it."""
    stored = read_response(Path(folder), page.file, page.offset)
    if isinstance(page, PageToRead) and page.rendered is not None:
        html = read_rendered(Path(folder), *page.rendered)
        stored = replace(stored, content=html, content_type=HTML)
    return RawPage(
        id=page.id,
        url=page.url,
        body=stored.content,
        content_type=stored.content_type,
        announcement=said or Announcement(),
        dated=tuple(from_head(stored.headers)),
        server=next((value for name, value in stored.headers if name.lower() == "server"), None),
    )
