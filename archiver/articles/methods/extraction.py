"""The one way into extraction: pages in, for each an article or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from archiver.articles.metadata.fields import language_of
from archiver.articles.metadata.notices import why_no_article
from archiver.articles.metadata.titles import site_headings_of
from archiver.articles.methods.article.method import ArticleMethod
from archiver.articles.methods.assembly import article_from
from archiver.articles.methods.reference import description, forest, sigfeed
from archiver.articles.methods.registry import DEFAULT
from archiver.articles.model import Extracted, Found, NoArticle, ParsedPage
from archiver.documents.pages.dom import base_url, parse_html, shows_text, why_not_html
from archiver.documents.pages.statements import statements_of
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from archiver.articles.model import Article, Selection, Wrapper
    from archiver.documents.pages.model import RawPage


class Method(Protocol):
    """A way to find articles. It sees sibling pages together, because some methods learn from them."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int:
        """Counts up when the method comes to find other articles on the same pages."""
        ...

    @property
    def sees_siblings(self) -> bool:
        """Whether what it finds on a page depends on the pages beside it, and on what was learned."""
        ...

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        """One answer for each page, in their order."""
        ...

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found | None:
        """The same by what was learned before alone; None where that does not do for all of the pages."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sigfeed:
    """One page at a time, by what its feed said of it."""

    name: str
    least_words: int
    climbs: bool = True
    version: int = 1
    sees_siblings: bool = False

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        return Found(selections=[self._select(page) for page in pages])

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        return self.find(pages, memory)

    def _select(self, page: ParsedPage) -> Selection | None:
        found = sigfeed.select(
            page.cleaned,
            page.announcement,
            page.language,
            least_words=self.least_words,
            climbs=self.climbs,
        )
        return replace(found, method=self.name) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Sibling pages together: one pattern for them all, by what is said on each or of each."""

    name: str
    signifiers: Callable[[Sequence[forest.Numbered]], list[dict[str, float]]]
    measure: Callable[[forest.Marked, forest.ForestNode], float]
    version: int = 1
    sees_siblings: bool = True

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        found = forest.select(pages, self.signifiers, self.measure)
        return Found(selections=[replace(one, method=self.name) if one else None for one in found])

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> None:
        """It learns nothing that lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """No page at all: the feed's own words."""

    name: str
    version: int = 1
    sees_siblings: bool = False

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        return Found(selections=[description.select(page.announcement) for page in pages])

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        return self.find(pages, memory)


_ALL: tuple[Method, ...] = (
    ArticleMethod(),
    # To the letter of the paper, which on today's pages often finds the headline's block alone.
    Sigfeed(name="sigfeed", least_words=0),
    # As the thesis has it, without the climb: the densest block itself.
    Sigfeed(name="sigfeed-2012", least_words=0, climbs=False),
    # With a guard against that.
    Sigfeed(name="sigfeed-guarded", least_words=sigfeed.LEAST_WORDS),
    # The references that the others are measured against.
    Forest(name="forest-tfidf", signifiers=forest.tfidf_signifiers, measure=forest.informativeness),
    Forest(name="forest-feeds", signifiers=forest.feed_signifiers, measure=forest.informativeness, version=2),
    Forest(name="coverage", signifiers=forest.tfidf_signifiers, measure=forest.coverage),
    Description(name="description"),
)
# More is data that somebody put into a page. Both bound the memory and the time that one page can take.
LARGEST = 20_000_000
MOST_TAGS = 300_000
METHODS: Mapping[str, Method] = MappingProxyType({method.name: method for method in _ALL})


def extract(pages: Sequence[RawPage], method: str = DEFAULT) -> list[Article | NoArticle]:
    """What was found on each page; a page that cannot be used is an outcome, never an error."""
    return list(extract_group(pages, method).results)


def extract_group(
    pages: Sequence[RawPage], method: str = DEFAULT, memory: Sequence[Wrapper] = ()
) -> Extracted:
    """The same with what was learned of the site before, and what these pages taught."""
    parsed = _parsed(pages)
    return _extracted(parsed, METHODS[method].find(_usable(parsed), memory))


def extract_known(
    pages: Sequence[RawPage], method: str = DEFAULT, memory: Sequence[Wrapper] = ()
) -> Extracted | None:
    """The same by what was learned of the site before alone; None where that does not do for all pages."""
    parsed = _parsed(pages)
    found = METHODS[method].find_known(_usable(parsed), memory)
    return _extracted(parsed, found) if found else None


def _parsed(pages: Sequence[RawPage]) -> list[ParsedPage | NoArticle]:
    """The pages as methods see them, each knowing the headings that it shares with the others."""
    parsed = [parse_page(page) for page in pages]
    shared = site_headings_of(_usable(parsed)) if len(pages) > 1 else None
    if not shared:
        return parsed
    return [replace(page, site_headings=shared) if isinstance(page, ParsedPage) else page for page in parsed]


def _usable(parsed: Sequence[ParsedPage | NoArticle]) -> list[ParsedPage]:
    return [page for page in parsed if isinstance(page, ParsedPage)]


def _extracted(parsed: Sequence[ParsedPage | NoArticle], found: Found) -> Extracted:
    selections = iter(found.selections)
    results = [page if isinstance(page, NoArticle) else _outcome(page, next(selections)) for page in parsed]
    return Extracted(results=tuple(results), learned=tuple(found.learned), outdated=tuple(found.outdated))


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
    return ParsedPage(
        url=page.url,
        base_url=base_url(tree, page.url),
        tree=tree,
        language=language_of(tree),
        announcement=page.announcement,
        id=page.id,
    )


def _outcome(page: ParsedPage, selection: Selection | None) -> Article | NoArticle:
    if selection is not None:
        found = article_from(page, selection)
        if isinstance(found, NoArticle):
            return found
        return replace(found, wrapper=selection.wrapper, siblings=selection.siblings)
    told = why_no_article(page, "", statements_of(page.tree))
    if told is not None:
        return NoArticle(outcome="not_article", reason=told)
    announced = page.announcement.title or page.announcement.summary or page.announcement.content
    reason = "nothing on the page was taken for the article"
    reason += "" if announced else ", and the feed announced no words"
    return NoArticle(outcome="not_article", reason=reason)
