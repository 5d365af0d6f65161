"""Where a page repeats itself: sets of elements that may each be a record, and which set the records are.

Elements of one kind are a candidate, wherever they stand: those with the same steps from the root, those of
one tag below parents of one kind, and runs of neighbours that begin alike (`dt`, `dd`; a row and its second
row). The words submitted, the share of the page's own text, and how alike the elements are choose one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

from archiver.records.trees import step_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.records.trees import PageTree, TreeNode

    Nodes = tuple[TreeNode, ...]  # neighbours that make one record

LEAST = 2  # records on one page
MOST = 2_000  # records on one page: what is more is text
_LEAST_SHARE = 0.02  # of the page's own text
_COMPARED = 40  # records of a page that are compared with their neighbour
_REGULAR = 0.7  # share of runs that are made of the same steps
_ENOUGH = 5  # records on a page that need no further proof of being a list
_LONGEST_RUN = 6
_WEIGHED = 10  # candidates that are weighed once more, as they would be read
_NEAR = 3  # steps that tell a list where the frame of the page differs
_ALIKE = 0.6  # neighbours of one run that are as alike as this are records of their own
_SECTION = 0.5  # lists as alike as this to the main one hold records as well
# A list that is only known by its last steps may be several.
_HOW = {"near": 0.9}


@dataclass(frozen=True)
class Region:
    """One candidate: for each page the records that it would have."""

    how: str  # "kind", "tag" or "run"
    pages: Sequence[PageTree]
    records: Sequence[Sequence[Nodes]]

    @property
    def number(self) -> float:
        return sum(map(len, self.records)) / len(self.pages)

    @cached_property
    def bags(self) -> list[list[Counter[str]]]:
        """For each page and record how often each kind of element is in it."""
        return [
            [bag_of(page, one) for one in records[:_COMPARED]]
            for page, records in zip(self.pages, self.records, strict=True)
        ]

    @cached_property
    def likeness(self) -> float:
        """How alike neighbours are."""
        found = [dice(a, b) for bags in self.bags for a, b in pairwise(bags)]
        return sum(found) / len(found) if found else 0.0

    @cached_property
    def common_kinds(self) -> list[str]:
        """Kinds of elements that at least half of the records have."""
        holders = Counter(kind for bags in self.bags for bag in bags for kind in bag)
        records = sum(map(len, self.bags))
        return [kind for kind, count in holders.items() if count * 2 >= records]

    @cached_property
    def score(self) -> float:
        shown = sum(bool(records) for records in self.records) / len(self.pages)
        shares = [self._share(number) for number in range(len(self.pages))]
        share = sum(shares) / len(shares)
        if share < _LEAST_SHARE or self.number < 1:
            return 0.0
        return (
            share
            * shown
            * self.likeness
            * min(1.0, self.number / _ENOUGH)
            * self._telling()
            * (0.1 + 0.9 * self._marked())
            * log(2 + len(self.common_kinds))
            * _HOW.get(self.how, 1.0)
        )

    def _share(self, number: int) -> float:
        page = self.pages[number]
        words = sum(page.own_words(node) for nodes in self.records[number] for node in nodes)
        return words / max(1, page.own[-1])

    def _telling(self) -> float:
        """The share of records that say something of their own."""
        return self._mean(lambda page, nodes: any(page.own_words(node) for node in nodes))

    def _marked(self) -> float:
        """The share of records that have a word that was submitted."""
        return self._mean(lambda page, nodes: any(page.marked_words(node) for node in nodes))

    def _mean(self, holds: Callable[[PageTree, Nodes], bool]) -> float:
        shares = [
            sum(holds(page, nodes) for nodes in records) / max(1, len(records))
            for page, records in zip(self.pages, self.records, strict=True)
        ]
        return sum(shares) / len(shares)


def bag_of(page: PageTree, nodes: Nodes) -> Counter[str]:
    """Kinds of the elements of a record, by the steps within it."""
    cut = len(nodes[0].above.kind) if len(nodes) > 1 and nodes[0].above else len(nodes[0].kind)
    return Counter(one.kind[cut:] for node in nodes for one in page.below(node))


def dice(a: Counter[str], b: Counter[str]) -> float:
    return 2 * (a & b).total() / max(1, a.total() + b.total())


def best_region(pages: Sequence[PageTree]) -> Region | None:
    """The region that the records are most likely in."""
    likely = sorted(candidates(pages), key=lambda region: -region.score)[:_WEIGHED]
    best = max(map(without_others, likely), key=lambda region: region.score, default=None)
    return best if best and best.score > 0 else None


def candidates(pages: Sequence[PageTree]) -> Iterator[Region]:
    """All that may be the records, each set of elements once."""
    known = set()
    for how, records in (*_by_kind(pages), *_by_run(pages)):
        sizes = [len(of_page) for of_page in records]
        elements = tuple(tuple(nodes[0].number for nodes in of_page) for of_page in records)
        if LEAST <= max(sizes) <= MOST and (how == "run", elements) not in known:
            known.add((how == "run", elements))
            yield Region(how=how, pages=pages, records=records)


def _by_kind(pages: Sequence[PageTree]) -> Iterator[tuple[str, list[list[Nodes]]]]:
    found: defaultdict[tuple[str, str], list[list[Nodes]]] = defaultdict(lambda: [[] for _ in pages])
    for number, page in enumerate(pages):
        for node in page.nodes:
            if node.above and node.end > node.first:
                found["kind", node.kind][number].append((node,))
                found["tag", f"{node.above.kind}/{node.element.tag}"][number].append((node,))
                found["near", "/".join(node.kind.rsplit("/", _NEAR)[1:])][number].append((node,))
    for (how, _), records in found.items():
        yield how, records


def _by_run(pages: Sequence[PageTree]) -> Iterator[tuple[str, list[list[Nodes]]]]:
    found: defaultdict[str, list[list[Nodes]]] = defaultdict(lambda: [[] for _ in pages])
    for number, page in enumerate(pages):
        for parent in page.nodes:
            if len(parent.children) >= 2 * LEAST:
                for runs in runs_below(parent):
                    found[parent.kind][number] += runs
    for records in found.values():
        yield "run", records


def runs_below(parent: TreeNode) -> Iterator[list[Nodes]]:
    """The children in runs that begin with the first kind of child that comes again."""
    shapes = [_shape(child) for child in parent.children]
    counts = Counter(shapes)
    first = next((shape for shape in shapes if counts[shape] >= LEAST), None)
    starts = [place for place, shape in enumerate(shapes) if shape == first]
    if first is None or len(starts) == counts.total():
        return
    runs = [tuple(parent.children[a:b]) for a, b in pairwise([*starts, len(shapes)])]
    usual = max(map(len, runs[:-1]))
    runs[-1] = runs[-1][:usual]
    made = Counter(frozenset(map(_shape, run)) for run in runs)
    common, count = made.most_common(1)[0]
    is_regular = usual <= _LONGEST_RUN and len(common) > 1 and count >= _REGULAR * len(runs)
    if is_regular and not any(_are_alike(*run[:2]) for run in runs if len(run) > 1):
        yield runs


def _are_alike(one: TreeNode, other: TreeNode) -> bool:
    """True if two neighbours are of one tag and hold the same: then each of them is a record."""
    if one.element.tag != other.element.tag:
        return False
    inner = [Counter(step_of(part) for part in node.element.iterdescendants("*")) for node in (one, other)]
    return inner[0] == inner[1] or dice(*inner) >= _ALIKE


def without_others(region: Region) -> Region:
    """The region without lists that are unlike the main one, and without copies of records."""
    records = [
        list(_distinct(_sections(page, of_page)))
        for page, of_page in zip(region.pages, region.records, strict=True)
    ]
    return Region(how=region.how, pages=region.pages, records=records)


def _sections(page: PageTree, records: Sequence[Nodes]) -> Sequence[Nodes]:
    below: defaultdict[int, list[Nodes]] = defaultdict(list)
    for nodes in records:
        below[nodes[0].above.number if nodes[0].above else 0].append(nodes)
    if len(below) < 2:
        return records
    bags = {number: [bag_of(page, one) for one in members] for number, members in below.items()}
    main = max(below, key=lambda number: _own_words(page, below[number]))
    kept = {
        number
        for number in below
        if number == main
        or (
            _likeness(bags[number], bags[main]) >= _SECTION
            and (len(below[number]) <= LEAST or _own_words(page, below[number]))
        )
    }
    return [one for one in records if one[0].above and one[0].above.number in kept]


def _own_words(page: PageTree, records: Sequence[Nodes]) -> int:
    return sum(page.own_words(node) for nodes in records for node in nodes)


def _likeness(left: Sequence[Counter[str]], right: Sequence[Counter[str]]) -> float:
    pairs = [dice(a, b) for a in left[:5] for b in right[:5]]
    return sum(pairs) / len(pairs)


def _distinct(records: Sequence[Nodes]) -> Iterator[Nodes]:
    """Records without those that say the same and lead to the same as one before them."""
    by_first = {nodes[0].element: nodes for nodes in records}
    for elements in distinct_elements([[node.element for node in nodes] for nodes in records]):
        yield by_first[elements[0]]


def distinct_elements(records: Sequence[list[Element]]) -> Iterator[list[Element]]:
    """The same for records that are given by their elements."""
    known = set()
    for elements in records:
        said = tuple(map(_said, elements))
        if said not in known:
            known.add(said)
            yield elements


def _said(element: Element) -> tuple[str, ...]:
    links = (link.get("href", "") for link in element.iter("a"))
    return ("".join(map(str, element.itertext())), *links)


def _shape(node: TreeNode) -> str:
    """A child's step, and those of its own children: neighbours of one kind may differ in nothing else."""
    return f"{node.step}({','.join(sorted({child.step for child in node.children}))})"
