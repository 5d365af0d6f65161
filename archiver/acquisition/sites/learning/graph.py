"""A site as a graph: its pages with their pairs of words, and links by their labels.

This is the rooted graph of chapter 5 of Faheem's thesis (2014). Pages that are known but were not fetched are
in it where they are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from archiver.acquisition.sites.learning.labels import LinkLabel
    from archiver.acquisition.sites.learning.patterns import LinkStep

    # Hashes of pairs of words, each once, in order.
    Grams = NDArray[np.uint64]
    # Which pages, or which pairs of words: one bit for each.
    Bits = NDArray[np.uint64]
    # The kind of a link, as steps of patterns name it.
    Labelling = Callable[["GraphLink"], LinkStep]

# Pairs of words by which patterns are weighed: of more, some are taken by chance.
MOST_GRAMS = 100_000


class GraphLink(NamedTuple):
    """A link of a page to another one of the site."""

    key: str  # of the page that it leads to
    url: str
    label: LinkLabel
    thesis_path: str  # root to link as the thesis has it: with identifiers, and whether there is a class


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GraphPage:
    """A page as far as patterns are learned from it."""

    url: str
    grams: Grams
    own: Grams  # without text that announces other pages
    links: tuple[GraphLink, ...]
    external: Grams  # links to other sites, as hashes


class SiteReader(Protocol):
    """Where strategies get pages from, one request each."""

    @property
    def entry(self) -> GraphLink:
        """The page that all begin at."""

    def read(self, url: str) -> GraphPage | None:
        """The page of an address; None where nothing is there."""

    def lists(self) -> tuple[Sequence[str], Sequence[GraphLink]]:
        """What is asked for to read the site's own lists of pages, and what they name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelEdges:
    """All links with one label."""

    label: LinkStep
    sources: NDArray[np.intp]
    targets: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SiteGraph:
    """Pages by number, the root first."""

    keys: tuple[str, ...]
    is_fetched: NDArray[np.bool_]
    edges: tuple[LabelEdges, ...]
    # The labels of the links of each page, by number: those of page n from starts[n] to starts[n + 1].
    label_starts: NDArray[np.intp]
    label_numbers: NDArray[np.intp]
    # Likewise the pairs of words of each page, numbered.
    gram_starts: NDArray[np.intp]
    gram_numbers: NDArray[np.intp]
    total: int  # of distinct pairs of words
    twins: NDArray[np.intp]  # the first page with the same pairs of words

    @property
    def size(self) -> int:
        return len(self.keys)

    def grams_of(self, pages: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which pairs of words these pages show."""
        shown = np.zeros(self.total, dtype=np.bool_)
        shown[spans(self.gram_starts, self.gram_numbers, pages)] = True
        return shown


def packed(flags: NDArray[np.bool_]) -> Bits:
    bits = np.packbits(flags)
    return np.pad(bits, (0, -len(bits) % 8)).view(np.uint64)


def spans(starts: NDArray[np.intp], values: NDArray[np.intp], places: NDArray[np.intp]) -> NDArray[np.intp]:
    """The values of several places, one after the other."""
    begins, counts = starts[places], starts[places + 1] - starts[places]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return values[np.repeat(begins - (ends - counts), counts) + np.arange(total)]


def site_graph(
    pages: Mapping[str, GraphPage],
    labelling: Labelling,
    *,
    text: Callable[[GraphPage], Grams],
    has_unfetched: bool = False,
) -> SiteGraph:
    """The graph of pages by their keys, the root first."""
    numbers = {key: number for number, key in enumerate(pages)}
    found: dict[LinkStep, tuple[list[int], list[int]]] = {}
    for source, page in enumerate(pages.values()):
        for link in page.links:
            target = numbers.get(link.key)
            if target is None:
                if not has_unfetched:
                    continue
                target = numbers[link.key] = len(numbers)
            sources, targets = found.setdefault(labelling(link), ([], []))
            sources.append(source)
            targets.append(target)
    edges = tuple(
        LabelEdges(label=label, sources=np.array(sources, np.intp), targets=np.array(targets, np.intp))
        for label, (sources, targets) in found.items()
    )
    label_starts, label_numbers = _labels_by_page(edges, len(numbers))
    gram_starts, gram_numbers, total = _numbered([text(page) for page in pages.values()], len(numbers))
    return SiteGraph(
        keys=tuple(numbers),
        is_fetched=np.arange(len(numbers)) < len(pages),
        edges=edges,
        label_starts=label_starts,
        label_numbers=label_numbers,
        gram_starts=gram_starts,
        gram_numbers=gram_numbers,
        total=total,
        twins=_twins([text(page) for page in pages.values()], len(numbers)),
    )


def _labels_by_page(edges: Sequence[LabelEdges], size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which labels the links of each page have."""
    many = len(edges)
    pairs = [np.unique(one.sources) * many + number for number, one in enumerate(edges)]
    ordered = np.sort(np.concatenate(pairs)) if pairs else np.empty(0, np.intp)
    places = np.searchsorted(ordered, np.arange(size + 1) * many)
    return places.astype(np.intp), (ordered % max(many, 1)).astype(np.intp)


def _numbered(grams: Sequence[Grams], size: int) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
    """Pairs of words by number; of too many, those whose hashes are the lowest by their last bits."""
    together = np.concatenate(grams) if grams else np.empty(0, np.uint64)
    known = np.unique(together)
    while len(known) > MOST_GRAMS:
        grams = [one[one % np.uint64(2) == 0] >> np.uint64(1) for one in grams]
        together = np.concatenate(grams)
        known = np.unique(together)
    counts = np.array([*map(len, grams), *[0] * (size - len(grams))], np.intp)
    starts = np.concatenate([np.zeros(1, np.intp), np.cumsum(counts)])
    return starts, np.searchsorted(known, together).astype(np.intp), len(known)


def _twins(grams: Sequence[Grams], size: int) -> NDArray[np.intp]:
    first: dict[bytes, int] = {}
    found = [first.setdefault(one.tobytes(), number) for number, one in enumerate(grams)]
    return np.array([*found, *range(len(grams), size)], np.intp)
