"""The one way into extraction: pages in, for each an article or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from archiver.errors import ExtractionError
from archiver.extract import sigfeed
from archiver.extract.article import article_from
from archiver.extract.dom import base_url, cleaned, parse_html, why_not_html
from archiver.extract.metadata import language_of
from archiver.extract.model import NoArticle, ParsedPage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.extract.model import Article, RawPage, Selection


class Method(Protocol):
    """A way to find articles. It sees sibling pages together, because some methods learn from them."""

    @property
    def name(self) -> str: ...

    def select(self, pages: Sequence[ParsedPage]) -> Sequence[Selection | None]:
        """One answer for each page, in their order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sigfeed:
    """One page at a time, by what its feed said of it."""

    name: str
    least_words: int

    def select(self, pages: Sequence[ParsedPage]) -> Sequence[Selection | None]:
        return [self._select(page) for page in pages]

    def _select(self, page: ParsedPage) -> Selection | None:
        found = sigfeed.select(page.cleaned, page.announcement, page.language, least_words=self.least_words)
        return replace(found, method=self.name) if found else None


_ALL: tuple[Method, ...] = (
    # To the letter of the paper, which on today's pages often finds the headline's block alone.
    Sigfeed(name="sigfeed", least_words=0),
    # With a guard against that.
    Sigfeed(name="sigfeed-guarded", least_words=sigfeed.LEAST_WORDS),
)
METHODS: Mapping[str, Method] = MappingProxyType({method.name: method for method in _ALL})


def extract(pages: Sequence[RawPage], method: str = "sigfeed-guarded") -> list[Article | NoArticle]:
    """What was found on each page; a page that cannot be used is an outcome, never an error."""
    parsed = [parse_page(page) for page in pages]
    usable = [page for page in parsed if isinstance(page, ParsedPage)]
    selections = iter(METHODS[method].select(usable))
    return [page if isinstance(page, NoArticle) else _outcome(page, next(selections)) for page in parsed]


def parse_page(page: RawPage) -> ParsedPage | NoArticle:
    """The page as methods see it, or why it cannot be one."""
    if not page.body.strip():
        return NoArticle(outcome="empty", reason="the body is empty")
    reason = why_not_html(page.body, page.content_type)
    if reason is not None:
        return NoArticle(outcome="not_html", reason=reason)
    try:
        tree = parse_html(page.body, page.content_type, page.url)
    except ExtractionError:
        return NoArticle(outcome="empty", reason="the body holds no markup and no text")
    clean = cleaned(tree)
    # A page that a script fills has a title, and nothing to read.
    body = clean.find("body")
    if not any(text.strip() for text in (clean if body is None else body).itertext()):
        return NoArticle(outcome="empty", reason="the page shows no text")
    return ParsedPage(
        url=page.url,
        base_url=base_url(tree, page.url),
        tree=tree,
        cleaned=clean,
        language=language_of(tree),
        announcement=page.announcement,
    )


def _outcome(page: ParsedPage, selection: Selection | None) -> Article | NoArticle:
    if selection is not None:
        return article_from(page, selection)
    announced = page.announcement.title or page.announcement.summary or page.announcement.content
    reason = "nothing on the page matches its announcement" if announced else "the feed announced no words"
    return NoArticle(outcome="not_article", reason=reason)
