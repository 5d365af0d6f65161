"""The one way into extraction: pages in, for each an article or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.articles.metadata.fields import language_of
from archiver.articles.metadata.notices import why_no_article
from archiver.articles.metadata.titles import site_headings_of
from archiver.articles.methods.assembly import article_from
from archiver.articles.methods.registry import DEFAULT, method_of
from archiver.articles.methods.stated import known_text, with_stated_body
from archiver.articles.model import Extracted, Found, NoArticle, ParsedPage
from archiver.documents.pages.dom import base_url, is_stated_utf8, parse_html, shows_text
from archiver.documents.pages.not_html import why_not_html
from archiver.documents.pages.statements import statements_of
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.model import Article, Selection, Wrapper
    from archiver.documents.pages.model import RawPage

# More is data embedded in a page, not an article. Both bound the memory and the time that one page can take.
LARGEST = 20_000_000
MOST_TAGS = 300_000


def extract(pages: Sequence[RawPage], method: str = DEFAULT) -> list[Article | NoArticle]:
    """What was found on each page; a page that cannot be used is an outcome, never an error."""
    return list(extract_group(pages, method).results)


def extract_group(
    pages: Sequence[RawPage], method: str = DEFAULT, memory: Sequence[Wrapper] = ()
) -> Extracted:
    """The same with what was learned of the site before, and what these pages taught."""
    parsed = _parsed(pages)
    return _extracted(parsed, method_of(method).find(_read(parsed), memory), method)


def extract_known(
    pages: Sequence[RawPage], method: str = DEFAULT, memory: Sequence[Wrapper] = ()
) -> Extracted | None:
    """The same by what was learned of the site before alone; None where that does not do for all pages."""
    parsed = _parsed(pages)
    found = method_of(method).find_known(_read(parsed), memory)
    return _extracted(parsed, found, method) if found else None


def _parsed(pages: Sequence[RawPage]) -> list[ParsedPage | NoArticle]:
    """The pages as methods see them, each knowing the headings that it shares with the others."""
    parsed = [parse_page(page) for page in pages]
    shared = site_headings_of(_usable(parsed)) if len(pages) > 1 else None
    if not shared:
        return parsed
    return [replace(page, site_headings=shared) if isinstance(page, ParsedPage) else page for page in parsed]


def _usable(parsed: Sequence[ParsedPage | NoArticle]) -> list[ParsedPage]:
    return [page for page in parsed if isinstance(page, ParsedPage)]


def _read(parsed: Sequence[ParsedPage | NoArticle]) -> list[ParsedPage]:
    """The pages as a method reads them."""
    return [known_text(page) for page in _usable(parsed)]


def _extracted(parsed: Sequence[ParsedPage | NoArticle], found: Found, method: str) -> Extracted:
    usable, selections = _usable(parsed), iter(found.selections)
    if len(found.selections) != len(usable):
        raise ExtractionError(f"method {method} gave {len(found.selections)} answers for {len(usable)} pages")
    results = [
        page if isinstance(page, NoArticle) else _outcome(page, next(selections), method) for page in parsed
    ]
    return Extracted(
        results=tuple(results),
        parsed=tuple(parsed),
        learned=tuple(found.learned),
        outdated=tuple(found.outdated),
    )


def parse_page(page: RawPage) -> ParsedPage | NoArticle:
    """The page as methods see it, or why it cannot be one."""
    if not page.body or page.body.isspace():
        return NoArticle(outcome="empty", reason="the body is empty")
    size = len(page.body)
    if size > LARGEST or (size > MOST_TAGS and page.body.count(b"<") > MOST_TAGS):
        return NoArticle(outcome="not_article", reason="the page is far larger than any article")
    reason = why_not_html(page.body, page.content_type)
    if reason is not None:
        return NoArticle(outcome="not_html", reason=reason)
    try:
        tree = parse_html(page.body, page.content_type, page.url)
    except ExtractionError:
        return NoArticle(outcome="empty", reason="the body holds no markup and no text")
    if not shows_text(tree):
        frames = tree.find(".//frameset") is not None
        return NoArticle(
            outcome="empty", reason=f"the page {'is a set of frames' if frames else 'shows no text'}"
        )
    markup = page.body.lower() if is_stated_utf8(page.body, page.content_type) else b""
    return ParsedPage(
        url=page.url,
        base_url=base_url(tree, page.url) if not markup or b"<base" in markup else page.url,
        tree=tree,
        language=language_of(tree),
        announcement=with_stated_body(page.announcement, tree),
        id=page.id,
        markup=markup,
    )


def page_as_read(page: RawPage) -> ParsedPage | NoArticle:
    """The page as a method reads it: only its text, where its software is known to have it in one place."""
    parsed = parse_page(page)
    return parsed if isinstance(parsed, NoArticle) else known_text(parsed)


def _outcome(page: ParsedPage, selection: Selection | None, method: str) -> Article | NoArticle:
    if selection is not None:
        return article_from(page, selection, method)
    told = why_no_article(page, "", statements_of(page.tree))
    if told is not None:
        return NoArticle(outcome="not_article", reason=told)
    announced = page.announcement.title or page.announcement.summary or page.announcement.content
    reason = "nothing on the page was taken for the article"
    reason += "" if announced else ", and the feed announced no words"
    return NoArticle(outcome="not_article", reason=reason)
