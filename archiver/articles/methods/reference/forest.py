"""FOREST: the article is the structural pattern of sibling pages that the words of each page single out.

Oita and Senellart, "FOREST: Focused Object Retrieval by Exploiting Significant Tag Paths" (2012). COVERAGE is
of the same paper: the same ranking by a plainer measure. Where the paper leaves a choice, this is how it is
read:

- A leaf is a text node of the DOM, tails included; the significant path ends in the element that holds it. So
  the elements on significant paths are all those with a signifier in their text.
- Levels and numbers count from `body`, which is 1 as in the paper's figure 3; `head` has none.
- The p of formula 5 is a number of pages. Where a page has a pattern more than once, the element of it that
  scores most stands for it.
- The wrapper is one for all pages. On a page where no signifier marks it, it is the first element of its
  pattern; a page without the pattern has no article.
- tf-idf is tf * log(pages / pages with the term). Where that is nothing for every term, as it is for one page
  alone, tf stands in for it. COVERAGE divides a page's weights by the largest, so that all pages count alike.
- The signifiers of an entry are the first ten of SIGFEED's keywords: the thesis (Oita, 2012) takes ten in
  both variants. It also takes ten pages of a template at most; here it is as many as are read together.
- `Choices` are what the paper tries both ways in its last experiments; the defaults are those of its method.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from math import fsum, log, sqrt
from typing import TYPE_CHECKING

from archiver.articles.methods.reference.signifiers import signifiers_of
from archiver.articles.model import Found, Selection
from archiver.documents.pages.languages import language_for
from archiver.documents.pages.text import text_of, walk
from archiver.documents.pages.words import terms, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage, Wrapper

    Measure = Callable[["Marked", "ForestNode"], float]

K = 10  # signifiers of a page, from wherever they come
LANGUAGE_TEXTS = 10  # the longest texts of a page, by which its language is told
LISTS = frozenset({"ul", "ol", "dl"})

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the paper tries both ways, and the number of signifiers."""

    signifiers: int = K
    is_tolerant: bool = True  # attributes are compared in their tolerant form, not in full
    by_level: bool = True  # deeper nodes are preferred
    with_link_lists: bool = True  # lists of links stay on the page


AS_PUBLISHED = Choices()


def density(x: int, y: int) -> float:
    """J, formula 2: the share of signifiers, x beside y other terms, that one may at least be sure of."""
    n = x + y
    return max(0.0, (x + 0.5 - sqrt((x + 0.5) * (y + 0.5) / n)) / (n + 1)) if n else 0.0


def unexpectedness(x: int, y: int, all_x: int, all_y: int) -> float:
    """U, formula 3: how far x and y are from what the numbers of the whole page let expect."""
    generation = (x + y) * log(all_x + all_y) if x + y else 0.0
    description = (x * log(all_x) if x else 0.0) + (y * log(all_y) if y else 0.0)
    return generation - description


def informativeness(page: Marked, node: ForestNode) -> float:
    """I, formula 4."""
    x, y = page.counts(node)
    return density(x, y) * unexpectedness(x, y, *page.all_counts)


def coverage(page: Marked, node: ForestNode) -> float:
    """Formula 6: the weights of the signifiers that the node holds, divided by the number of all."""
    return sum(page.weights[one] for one in page.held(node)) / len(page.weights)


def tfidf_signifiers(pages: Sequence[Numbered], most: int = K) -> list[dict[str, float]]:
    """For each page its terms of most weight, the first written first among equals."""
    counts = [Counter(term for leaf in page.leaves for term in leaf) for page in pages]
    holders = Counter(term for count in counts for term in count)
    idf = {term: log(len(pages) / held) for term, held in holders.items()}
    return [_heaviest(count, idf, most) for count in counts]


def _heaviest(counts: Mapping[str, int], idf: Mapping[str, float], most: int) -> dict[str, float]:
    weights = {term: count * idf[term] for term, count in counts.items() if idf[term] > 0} or counts
    best = sorted(weights, key=lambda term: -weights[term])[:most]
    return {term: weights[term] / weights[best[0]] for term in best}


def feed_signifiers(pages: Sequence[Numbered], most: int = K) -> list[dict[str, float]]:
    """For each page the outstanding terms of its feed entry, all of one weight."""
    # Stemmed as the page's terms are, whatever language the feed says it has.
    announcements = [replace(page.page.announcement, language=page.language) for page in pages]
    found = (signifiers_of(announcement, most=most) for announcement in announcements)
    return [dict.fromkeys(one.keywords, 1.0) for one in found]


def _best_wrapper(pages: Sequence[Marked], measure: Measure, choices: Choices) -> PatternWrapper | None:
    scores: defaultdict[Pattern, dict[int, float]] = defaultdict(dict)
    positions: defaultdict[Pattern, set[int]] = defaultdict(set)
    for number, page in enumerate(pages):
        for node in page.significant():
            score, pattern = measure(page, node), node.pattern
            scores[pattern][number] = max(score, scores[pattern].get(number, 0.0))
            positions[pattern].add(node.dfs)
    wrappers = (
        PatternWrapper(
            pattern=pattern,
            relevance=fsum(of_page.values()) * len(of_page) * (pattern.level if choices.by_level else 1),
            pages=len(of_page),
            positions=tuple(sorted(positions[pattern])),
        )
        for pattern, of_page in scores.items()
    )
    # Where two are as good, the order of the pages must not decide.
    best = max(wrappers, key=lambda wrapper: (wrapper.relevance, repr(wrapper.pattern)), default=None)
    return best if best and best.relevance > 0 else None


def _selection(page: Marked, wrapper: PatternWrapper, measure: Measure, pages: int) -> Selection | None:
    level, pattern = wrapper.pattern.level, wrapper.pattern
    nodes = [node for node in page.nodes if node.level == level and node.pattern == pattern]
    if not nodes:
        return None
    node = max(nodes, key=lambda one: measure(page, one) if page.weights else 0.0)
    share = page.counts(node)[0] / page.all_counts[0] if page.all_counts[0] else 0.0
    return Selection(
        node=node.element,
        confidence=round(share * wrapper.pages / pages, 3),
        evidence={
            "wrapper": wrapper.xpath,
            "relevance": round(wrapper.relevance, 3),
            "pages": wrapper.pages,
        },
        dropped=page.left_out,
    )


@dataclass(frozen=True, slots=True)
class Pattern:
    """A structural pattern: the type of an element, and the level on which it stands.

    The type is the tag with the attributes in tolerant form; without attributes, the tag with the number.
    """

    tag: str
    attributes: tuple[tuple[str, str], ...]
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternWrapper:
    """A pattern as a way to the article, with what speaks for it."""

    pattern: Pattern
    relevance: float
    pages: int
    positions: tuple[int, ...]

    @property
    def xpath(self) -> str:
        """The paper's generic wrapper, over a tree whose elements have their numbers in `dfs`."""
        tests = [_test(name, value) for name, value in self.pattern.attributes if name != "dfs"]
        numbers = " or ".join(f"@dfs={position}" for position in self.positions)
        return f"//{self.pattern.tag}[{' and '.join([*tests, f'({numbers})'])}]"


def _test(name: str, value: str) -> str:
    # What goes before a quote still is a part of the value.
    part = value.partition('"')[0]
    return f'contains(@{name}, "{part}")' if part else f"@{name}"


@lru_cache(maxsize=10_000)
def tolerant(value: str) -> str:
    """The first token of an attribute's value, without digits: what a template keeps from page to page."""
    return _DIGITS.sub("", next(iter(value.split()), ""))


class ForestNode:
    """An element with its number, its level and its leaves."""

    def __init__(
        self, element: Element, dfs: int, level: int, start: int, form: Callable[[str], str]
    ) -> None:
        self.element = element
        self.dfs = dfs
        self.level = level
        self.start = self.end = start
        self._form = form

    @cached_property
    def pattern(self) -> Pattern:
        attributes = sorted((str(name), self._form(str(value))) for name, value in self.element.items())
        return Pattern(self.element.tag, tuple(attributes) or (("dfs", str(self.dfs)),), self.level)


class Numbered:
    """A page with its elements numbered in the order in which they begin, and the terms of its leaves."""

    def __init__(self, page: ParsedPage, choices: Choices = AS_PUBLISHED) -> None:
        self.page = page
        self.nodes: list[ForestNode] = []
        self._form = tolerant if choices.is_tolerant else str
        self.left_out = frozenset() if choices.with_link_lists else frozenset(_link_lists(page.cleaned))
        texts = list(self._read(page.cleaned))
        longest = " ".join(sorted(texts, key=len)[-LANGUAGE_TEXTS:])
        self.language = language_for(longest, page.announcement.language, page.language)
        self.leaves = [terms(text, self.language) for text in texts]

    def _read(self, tree: Element) -> Iterator[str]:
        """The texts in their order; a node covers a range of them."""
        body = tree.find("body")
        count = 0
        path: list[ForestNode] = []
        for element, event in () if body is None else walk(body, self.left_out.__contains__):
            if event == "open":
                path.append(ForestNode(element, len(self.nodes) + 1, len(path) + 1, count, self._form))
                self.nodes.append(path[-1])
                text = element.text
            else:
                if event == "close":
                    path.pop().end = count
                text = element.tail if path else None
            if text and not text.isspace():
                count += 1
                yield text


class Marked:
    """A numbered page with its signifiers: how many of them, and which, there are in each node."""

    def __init__(self, page: Numbered, weights: dict[str, float]) -> None:
        self.nodes = page.nodes
        self.left_out = page.left_out
        self.weights = weights
        self._leaves = page.leaves
        self._x = [0, *accumulate(sum(term in weights for term in leaf) for leaf in page.leaves)]
        self._n = [0, *accumulate(map(len, page.leaves))]
        self.all_counts = self._x[-1], self._n[-1] - self._x[-1]

    def counts(self, node: ForestNode) -> tuple[int, int]:
        """x and y: the signifiers in the node's text, as often as they stand there, and its other terms."""
        x = self._x[node.end] - self._x[node.start]
        return x, self._n[node.end] - self._n[node.start] - x

    def significant(self) -> Iterator[ForestNode]:
        """The nodes that lie on significant paths."""
        return (node for node in self.nodes if self._x[node.start] < self._x[node.end])

    def held(self, node: ForestNode) -> list[str]:
        """The signifiers in the node's text, each once."""
        within = self._positions.items()
        return [one for one, at in within if bisect_left(at, node.start) < bisect_left(at, node.end)]

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        """For each signifier the leaves that hold it."""
        positions: dict[str, list[int]] = {one: [] for one in self.weights}
        for number, leaf in enumerate(self._leaves):
            for one in self.weights.keys() & set(leaf):
                positions[one].append(number)
        return positions


def _link_lists(tree: Element) -> Iterator[Element]:
    """Lists all of whose words are in links."""
    for element in tree.iter(*LISTS):
        linked = sum(len(tokens(text_of(link))) for link in element.iter("a"))
        if linked and linked >= len(tokens(text_of(element))):
            yield element


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Sibling pages together: one pattern for them all, by what is said on each or of each."""

    signifiers: Callable[[Sequence[Numbered], int], list[dict[str, float]]]
    measure: Measure
    choices: Choices = AS_PUBLISHED

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        return Found(selections=self.select([Numbered(page, self.choices) for page in pages]))

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> None:
        """It learns nothing that lasts."""

    def select(self, pages: Sequence[Numbered]) -> list[Selection | None]:
        """For each of the sibling pages the node that their best pattern has there."""
        signifiers = self.signifiers(pages, self.choices.signifiers)
        marked = [Marked(page, weights) for page, weights in zip(pages, signifiers, strict=True)]
        wrapper = _best_wrapper(marked, self.measure, self.choices)
        if wrapper is None:
            return [None] * len(pages)
        return [_selection(page, wrapper, self.measure, len(pages)) for page in marked]


FOREST_TFIDF = Forest(signifiers=tfidf_signifiers, measure=informativeness)
FOREST_FEEDS = Forest(signifiers=feed_signifiers, measure=informativeness)
COVERAGE = Forest(signifiers=tfidf_signifiers, measure=coverage)
