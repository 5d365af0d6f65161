"""Pairs of captures judged by the core, as a crawl does: read by one method, with one memory and siblings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import extract_group, extract_known, parse_page
from archiver.articles.model import Article, ParsedPage
from archiver.articles.versions.judge import judge
from archiver.articles.versions.reading import Reading, compared_page
from archiver.documents.pages.model import Announcement, RawPage
from archiver.profiles.default import EXTRACT_METHOD
from archiver.running.reading.grouping import GroupRules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from changes_pairs import Pair
    from extraction_sets import Page

    from archiver.articles.model import NoArticle, Wrapper


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was said of a pair: kinds of change, none; or that there was no article to compare."""

    kinds: frozenset[str] = frozenset()
    no_article: str | None = None
    # Whether what was extracted differed at all: if not, no comparison of articles could have told.
    differed: bool = True
    noise: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The pages of a site, as they were captured first, and what was made of some of them later."""

    pages: tuple[Page, ...]
    pairs: tuple[Pair, ...]


def judged(site: Site) -> list[Found]:
    pages = [_raw(page) for page in site.pages]
    memory = extract_group(_in_order(pages), EXTRACT_METHOD).learned
    return [_judged(pair, pages, memory) for pair in site.pairs]


def _judged(pair: Pair, pages: Sequence[RawPage], memory: Sequence[Wrapper]) -> Found:
    page = next(one for one in pages if one.id == pair.page)
    # The one before is read as the page is announced today.
    said = Announcement(title=pair.title or None, summary=page.announcement.summary)
    captures = [
        RawPage(url=page.url, body=pair.before, content_type=_html("utf-8"), announcement=said, id="before"),
        RawPage(
            url=page.url, body=pair.after, content_type=_html(pair.encoding), announcement=said, id="after"
        ),
    ]
    siblings = [one for one in pages if one.id != pair.page][: GroupRules().siblings]
    before, after = _read(captures, siblings, memory)
    if not isinstance(before, Article) or not isinstance(after, Article):
        which, why = ("before", before) if not isinstance(before, Article) else ("after", after)
        return Found(no_article=f"{which}: {getattr(why, 'reason', '')}")
    judgement = judge(_reading(captures[0], before), _reading(captures[1], after))
    kinds = frozenset(judgement.change.kinds) if judgement.change else frozenset()
    differed = (before.title, before.text, before.links, before.images) != (
        after.title, after.text, after.links, after.images,
    )  # fmt: skip
    return Found(kinds=kinds, differed=differed, noise=judgement.noise)


def _read(
    captures: Sequence[RawPage], siblings: Sequence[RawPage], memory: Sequence[Wrapper]
) -> list[Article | NoArticle]:
    """Both in the same way: by what was learned if that does for both, otherwise with siblings."""
    if memory:
        known = [extract_known([one], EXTRACT_METHOD, memory) for one in captures]
        if all(known):
            return [one.results[0] for one in known if one]
    return [_with_siblings(one, siblings, memory) for one in captures]


def _with_siblings(
    capture: RawPage, siblings: Sequence[RawPage], memory: Sequence[Wrapper]
) -> Article | NoArticle:
    group = _in_order([capture, *siblings])
    found = extract_group(group, EXTRACT_METHOD, memory)
    return found.results[group.index(capture)]


def _reading(capture: RawPage, article: Article) -> Reading:
    page = parse_page(capture)
    assert isinstance(page, ParsedPage)
    return Reading(article=article, page=compared_page(page))


def _raw(page: Page) -> RawPage:
    said = Announcement(title=page.title or None, summary=page.description or None)
    body = page.html.encode("utf-8", "replace")
    return RawPage(url=page.url, body=body, content_type=_html("utf-8"), announcement=said, id=page.id)


def _in_order(pages: Sequence[RawPage]) -> list[RawPage]:
    return sorted(pages, key=lambda page: (page.url, page.id))


def _html(encoding: str) -> str:
    return f"text/html; charset={encoding}"
