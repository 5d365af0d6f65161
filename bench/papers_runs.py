"""What the papers of SIGFEED and FOREST measured, run on the pages of a set.

A method gets the pages of a site together, at most so many at a time. The text of the node that it chooses is
what it found: zones of comments and notices, which a crawl leaves out of every article, stay in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from extraction_metric import score
from extraction_sets import Page, channels

from archiver.articles.methods.extraction import extract, parse_page
from archiver.articles.methods.reference import forest
from archiver.articles.methods.reference.description import Description
from archiver.articles.methods.reference.sigfeed import BLOCKS, SIGFEED, SIGFEED_2012
from archiver.articles.model import Article, ParsedPage, Selection
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.pages.text import text_of
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from extraction_metric import Score
    from lxml.etree import _Element as Element

    from archiver.articles.methods.reference.forest import Choices, Forest, Numbered

# The most pages of a template that are read together: the thesis takes ten; a crawl, as many as there are.
MOST_PAGES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one method came to on one set: a score for each page, by site."""

    method: str
    scores: tuple[Score, ...]
    sites: tuple[str, ...]


class PageSet:
    """The pages of a set, parsed once; what FOREST counts on them is kept for its next run."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = list(pages)
        self._parsed = {page.id: parse_page(_raw(page)) for page in pages}
        self._numbered: dict[tuple[str, bool, bool], Numbered] = {}

    def row(self, method: str, texts: dict[str, str]) -> Row:
        scores = tuple(score(page.gold, texts.get(page.id, "")) for page in self.pages)
        return Row(method=method, scores=scores, sites=tuple(page.site for page in self.pages))

    def alone(self, method: str, select: Callable[[ParsedPage], Selection | None]) -> Row:
        """A method that looks at one page at a time."""
        usable = ((page.id, self._parsed[page.id]) for page in self.pages)
        found = {id_: select(page) for id_, page in usable if isinstance(page, ParsedPage)}
        return self.row(method, {id_: _text(one) for id_, one in found.items()})

    def forest(self, method: str, by: Forest, most_pages: int = MOST_PAGES) -> Row:
        texts: dict[str, str] = {}
        for group in self._groups(most_pages):
            numbered = [self._numbered_page(page.id, by.choices) for page in group]
            found = by.select(numbered)
            texts |= {page.id: _text(one) for page, one in zip(group, found, strict=True)}
        return self.row(method, texts)

    def _groups(self, most: int) -> Iterator[list[Page]]:
        for channel in channels(self.pages, alone=False):
            usable = [page for page in channel if isinstance(self._parsed[page.id], ParsedPage)]
            for start in range(0, len(usable), most):
                yield usable[start : start + most]

    def _numbered_page(self, id_: str, choices: Choices) -> Numbered:
        key = (id_, choices.is_tolerant, choices.with_link_lists)
        page = self._parsed[id_]
        if key not in self._numbered and isinstance(page, ParsedPage):
            self._numbered[key] = forest.Numbered(page, choices)
        return self._numbered[key]

    def ours(self, method: str) -> Row:
        """A method as the crawl uses it."""
        texts: dict[str, str] = {}
        for channel in channels(self.pages, alone=False):
            found = extract([_raw(page) for page in channel], method=method)
            articles = zip(channel, found, strict=True)
            texts |= {page.id: one.text for page, one in articles if isinstance(one, Article)}
        return self.row(method, texts)


def _raw(page: Page) -> RawPage:
    return RawPage(
        url=page.url,
        body=page.html.encode("utf-8", "replace"),
        content_type="text/html; charset=utf-8",
        announcement=Announcement(title=page.title or None, summary=page.description or None),
        id=page.id,
    )


def _text(selection: Selection | None) -> str:
    return "" if selection is None else text_of(selection.node, selection.dropped.__contains__)


def methods(pages: PageSet) -> Iterator[Row]:
    """The papers' table: their methods and baselines, without Boilerpipe; and ours."""
    yield pages.alone("SIGFEED (2010)", lambda page: SIGFEED.find([page], ()).selections[0])
    yield pages.alone("SIGFEED (2012, no climb)", lambda page: SIGFEED_2012.find([page], ()).selections[0])
    yield pages.forest("FOREST (tf-idf)", forest.FOREST_TFIDF)
    yield pages.forest("FOREST (feeds)", forest.FOREST_FEEDS)
    yield pages.forest("COVERAGE", forest.COVERAGE)
    yield pages.alone("DESCRIPTION", lambda page: Description().find([page], ()).selections[0])
    yield pages.alone("block of the title", title_block)
    yield pages.ours("article")


def title_block(page: ParsedPage) -> Selection | None:
    """The closest block around the heading that is most like the title."""
    wanted = set(tokens(page.announcement.title or ""))
    headings = [one for one in page.cleaned.iter("h1", "h2", "h3") if wanted & set(tokens(text_of(one)))]
    if not headings:
        return None
    best = max(headings, key=lambda one: _likeness(wanted, set(tokens(text_of(one)))))
    return Selection(node=_block_around(best), confidence=1.0, evidence={})


def _likeness(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def _block_around(element: Element) -> Element:
    around = [one for one in element.iterancestors() if one.tag in BLOCKS]
    return around[0] if around else element


BASES = {"tf-idf": forest.FOREST_TFIDF, "feeds": forest.FOREST_FEEDS}


def density_alone(page: forest.Marked, node: forest.ForestNode) -> float:
    return forest.density(*page.counts(node))


def unexpectedness_alone(page: forest.Marked, node: forest.ForestNode) -> float:
    return forest.unexpectedness(*page.counts(node), *page.all_counts)


MEASURES = {"J": density_alone, "U": unexpectedness_alone, "J × U": forest.informativeness}
CHOICES = {
    "as published": forest.Choices(),
    "attributes in full": forest.Choices(is_tolerant=False),
    "no level factor": forest.Choices(by_level=False),
    "link lists out": forest.Choices(with_link_lists=False),
}


def by_measure(pages: PageSet) -> Iterator[Row]:
    """Figure 7 of FOREST."""
    for source, base in BASES.items():
        for name, measure in MEASURES.items():
            yield pages.forest(f"{name} ({source})", replace(base, measure=measure))


def by_choice(pages: PageSet) -> Iterator[Row]:
    """What the paper tells at its end: each heuristic on and off."""
    for source, base in BASES.items():
        for name, choices in CHOICES.items():
            yield pages.forest(f"{name} ({source})", replace(base, choices=choices))


def by_pages(pages: PageSet, numbers: Sequence[int]) -> Iterator[tuple[int, list[Row]]]:
    """Figure 5: at most so many pages of a template are read together."""
    for number in numbers:
        yield number, [pages.forest(source, base, number) for source, base in BASES.items()]


def by_signifiers(pages: PageSet, numbers: Sequence[int]) -> Iterator[tuple[int, list[Row]]]:
    """Figure 6: at most so many signifiers of a page."""
    for number in numbers:
        choices = forest.Choices(signifiers=number)
        yield number, [pages.forest(source, replace(base, choices=choices)) for source, base in BASES.items()]
