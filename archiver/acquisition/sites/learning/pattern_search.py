"""The strategy `patterns`: that of the thesis with remedies for what it does badly, each of them a switch.

It samples as long as what is chosen changes, gives the text of teasers to the pages that they announce,
counts pages that are known but were not fetched, and takes the site's own lists for links of its entry page.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.following import follow
from archiver.acquisition.sites.learning.graph import site_graph
from archiver.acquisition.sites.learning.label_words import label_words
from archiver.acquisition.sites.learning.pattern_choice import ChoiceRules, choose
from archiver.acquisition.sites.learning.thesis_labels import named_labelling

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from archiver.acquisition.sites.learning.graph import GraphLink, GraphPage, SiteReader
    from archiver.acquisition.sites.learning.pattern_choice import ChosenPattern
    from archiver.acquisition.sites.learning.patterns import LinkStep

# Pages that are fetched between two looks at what would be chosen, and before the first one.
_ROUND, _FIRST = 25, 100
# The same choice so often in a row is taken.
_STEADY = 3
# A paging link is followed so often in a row at once, so that it shows.
_IN_A_ROW = 3
# Of all pages that are known. Beyond that, learning costs more than it saves.
_MOST_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """What the thesis does not have; all of it by default."""

    sample: int = 3000
    steps: int = 3
    completion: float = 0.95
    owned_text: bool = True  # S1: text of teasers belongs to the page that they announce
    unfetched: bool = True  # S2: pages that are known count
    frame: bool = True  # S3: text of the frame counts once
    prunes: bool = True  # S4: superfluous patterns are dropped
    lists: bool = True  # S5: sitemaps compete with patterns
    is_adaptive: bool = True  # the sample ends when the choice is steady


def pattern_crawl(reader: SiteReader, seed: int, settings: SearchSettings) -> Iterator[str]:
    """Ask for a sample, learn from it, and follow what was learned; the addresses in the order of asking."""
    asked, named = reader.lists() if settings.lists else ((), ())
    yield from asked
    pages = yield from adaptive_sample(reader, seed, settings, tuple(named))
    chosen = pattern_choice(pages, settings)
    yield from follow(reader, [one.pattern for one in chosen], named_labelling, pages)


def pattern_choice(pages: Mapping[str, GraphPage], settings: SearchSettings) -> list[ChosenPattern]:
    """The patterns that are chosen from the pages of a sample, by their keys, the root first."""
    graph = site_graph(
        pages,
        named_labelling,
        text=attrgetter("own" if settings.owned_text else "grams"),
        has_unfetched=settings.unfetched,
    )
    rules = ChoiceRules(
        completion=settings.completion,
        estimates_unfetched=settings.unfetched,
        leaves_frame_out=settings.frame,
        prunes=settings.prunes and settings.unfetched,
    )
    return choose(graph, label_words(graph, steps=settings.steps), rules)


def adaptive_sample(
    reader: SiteReader, seed: int, settings: SearchSettings, named: tuple[GraphLink, ...]
) -> Generator[str, None, dict[str, GraphPage]]:
    """Ask for pages by all labels in turn and by chance, until what is chosen from them is steady."""
    drawing = _Drawing(reader, seed, named)
    yield from drawing.fetch(1)
    choices: list[frozenset[tuple[str, str | None]]] = []
    while drawing.has_more and len(drawing.pages) < settings.sample:
        yield from drawing.fetch(min(_ROUND, settings.sample - len(drawing.pages)))
        if not settings.is_adaptive or len(drawing.pages) < _FIRST:
            continue
        chosen = pattern_choice(drawing.pages, settings)
        choices.append(frozenset((s.path, s.shape) for one in chosen for s in one.pattern.steps))
        is_steady = len(choices) >= _STEADY and len(set(choices[-_STEADY:])) == 1
        if is_steady or len(drawing.pages) > _MOST_SHARE * drawing.known:
            break
    return drawing.pages


class _Drawing:
    """The pages of a sample, and what may be drawn next."""

    def __init__(self, reader: SiteReader, seed: int, named: tuple[GraphLink, ...]) -> None:
        self.pages: dict[str, GraphPage] = {}
        self._reader, self._named = reader, named
        self._chance = random.Random(seed)  # noqa: S311 - a seed makes runs repeatable
        self._series: deque[tuple[GraphLink, int]] = deque()
        self._by_label: dict[LinkStep, list[GraphLink]] = defaultdict(list)
        self._pulls: dict[LinkStep, int] = defaultdict(int)
        self._known = {reader.entry.key}
        self._fetched: set[str] = set()
        self._series.append((reader.entry, 1))

    @property
    def known(self) -> int:
        return len(self._known)

    @property
    def has_more(self) -> bool:
        return bool(self._series or self._by_label)

    def fetch(self, many: int) -> Iterator[str]:
        for number in range(many):
            drawn = self._draw(by_label=number < many / 2)
            if drawn is None:
                return
            link, in_a_row = drawn
            self._fetched.add(link.key)
            yield link.url
            page = self._reader.read(link.url)
            if page is not None:
                self._add(link, page, in_a_row)

    def _draw(self, *, by_label: bool) -> tuple[GraphLink, int] | None:
        while self._series:
            link, in_a_row = self._series.popleft()
            if link.key not in self._fetched:
                return link, in_a_row
        while self._by_label:
            labels = list(self._by_label)
            least = min(self._pulls[one] for one in labels)
            weights = None if by_label else [len(self._by_label[one]) for one in labels]
            among = [one for one in labels if self._pulls[one] == least] if by_label else labels
            label = self._chance.choice(among) if by_label else self._chance.choices(among, weights)[0]
            links = self._by_label[label]
            at = self._chance.randrange(len(links))
            links[at], links[-1] = links[-1], links[at]
            link = links.pop()
            if not links:
                del self._by_label[label]
            if link.key not in self._fetched:
                self._pulls[label] += 1
                return link, 1
        return None

    def _add(self, link: GraphLink, page: GraphPage, in_a_row: int) -> None:
        if not self.pages:
            page = replace(page, links=(*page.links, *self._named))
        self.pages[link.key] = page
        mine = named_labelling(link)
        is_followed = False
        for one in page.links:
            if one.key in self._known:
                continue
            self._known.add(one.key)
            label = named_labelling(one)
            if label == mine and in_a_row < _IN_A_ROW and not is_followed:
                is_followed = True
                self._series.append((one, in_a_row + 1))
            else:
                self._by_label[label].append(one)
