"""ACEBot: chapter 5 of Faheem's thesis "Intelligent Content Acquisition in Web Archiving" (2014).

A reference to measure others against, to the letter: a sample of the site is fetched by chance, patterns are
chosen from it, and then they are followed. Where the thesis says nothing, the root is not counted, and pages
have the same text if all their pairs of words are the same.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.following import follow
from archiver.acquisition.sites.learning.graph import site_graph
from archiver.acquisition.sites.learning.label_words import label_words
from archiver.acquisition.sites.learning.pattern_choice import ChoiceRules, choose
from archiver.acquisition.sites.learning.thesis_labels import thesis_labelling

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from archiver.acquisition.sites.learning.graph import GraphLink, GraphPage, SiteReader
    from archiver.acquisition.sites.learning.pattern_choice import ChosenPattern
    from archiver.acquisition.sites.learning.thesis_labels import Attributes


@dataclass(frozen=True, slots=True, kw_only=True)
class ThesisSettings:
    """The parameters of algorithm 5.1, with its defaults."""

    sample: int = 3000
    steps: int = 3
    repeats: int | None = 3  # of a paging link, in learning
    attributes: Attributes = "id"
    completion: float = 0.95


def thesis_crawl(reader: SiteReader, seed: int, settings: ThesisSettings) -> Iterator[str]:
    """Ask for a sample, learn from it, and follow what was learned; the addresses in the order of asking."""
    pages = yield from random_sample(reader, seed, settings.sample)
    chosen = thesis_patterns(pages, settings)
    labelling = thesis_labelling(settings.attributes)
    yield from follow(reader, [one.pattern for one in chosen], labelling, pages)


def thesis_patterns(pages: Mapping[str, GraphPage], settings: ThesisSettings) -> list[ChosenPattern]:
    """The patterns that are chosen from the pages of a sample, by their keys, the root first."""
    graph = site_graph(pages, thesis_labelling(settings.attributes), text=attrgetter("grams"))
    candidates = label_words(graph, steps=settings.steps, repeats=settings.repeats)
    return choose(graph, candidates, ChoiceRules(completion=settings.completion))


def random_sample(reader: SiteReader, seed: int, size: int) -> Generator[str, None, dict[str, GraphPage]]:
    """Ask for pages from either end of a queue by chance, as iRobot does; the pages by their keys."""
    chance = random.Random(seed)  # noqa: S311 - a seed makes runs repeatable
    waiting: deque[GraphLink] = deque([reader.entry])
    known = {reader.entry.key}
    pages: dict[str, GraphPage] = {}
    while waiting and len(pages) < size:
        link = waiting.popleft() if chance.random() < 0.5 else waiting.pop()
        yield link.url
        page = reader.read(link.url)
        if page is None:
            continue
        pages[link.key] = page
        for one in page.links:
            if one.key not in known:
                known.add(one.key)
                waiting.append(one)
    return pages
