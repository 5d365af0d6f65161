"""Records of result pages with known records: pages of a site together, each page alone, and a baseline."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import time
import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from archiver.documents.pages.dom import parse_markup
from archiver.records.learning import learn_records
from archiver.records.leaves import seen_text
from archiver.records.model import AnswerPage
from archiver.records.reading import shown_rows
from archiver.records.regions import bag_of, dice
from archiver.records.trees import PageTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from archiver.records.trees import TreeNode

    Rows = list[list[str]]
    Page = dict[str, Any]  # as the set has it
    Row = dict[str, Any]
    Method = Callable[[Sequence[Page]], list[Rows]]

FILE = "results.jsonl.gz"
AT = 0.6  # likeness of words from which two records are the same
CELL_AT = 0.5
WORD = re.compile(r"\w+")
MDR_ALIKE = 0.7  # neighbours of a region
MDR_LEAST = 3


def record_rows(data: Path) -> list[Row]:
    """A row for each method, over all pages and over each half of the sites."""
    path = data / FILE if data.is_dir() else data
    if not path.is_file():
        return []
    sites = read_sites(path)
    rows = []
    for method, find in METHODS.items():
        began = time.process_time()
        scores = [one for pages in sites.values() for one in scored(pages, find)]
        spent = (time.process_time() - began) * 1000 / len(scores)
        rows.append(row_of("results", method, scores) | {"ms_page": round(spent, 1)})
        for half in (0, 1):
            part = [one for one in scores if half_of(one["site"]) == half]
            rows.append(row_of(f"results half {'ab'[half]}", method, part))
    return rows


def read_sites(path: Path) -> dict[str, list[Page]]:
    sites = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            sites[page["site"]].append(page)
    return sites


def half_of(site: str) -> int:
    """Failures were looked at on the sites of half 0 (a) alone."""
    return int(hashlib.sha256(site.encode()).hexdigest(), 16) % 2


def row_of(name: str, method: str, scores: Sequence[Row]) -> Row:
    def mean(key: str) -> float:
        return round(float(sum(one[key] for one in scores)) / max(1, len(scores)), 3)

    f1 = sorted(one["f1"] for one in scores)
    return {
        "set": name,
        "method": method,
        "precision": mean("precision"),
        "recall": mean("recall"),
        "f1": mean("f1"),
        "p10": round(f1[len(f1) // 10], 3),
        "columns": mean("columns"),
        "pages": len(scores),
    }


def scored(pages: Sequence[Page], find: Method) -> list[Row]:
    return [
        {"site": page["site"], "columns": column_f1(page["records"], found)} | score(page["records"], found)
        for page, found in zip(pages, find(pages), strict=True)
    ]


# What finds records: from pages of one site to the columns of each record of each page.


def together(pages: Sequence[Page]) -> list[Rows]:
    answers = [
        AnswerPage(url=f"http://{page['site']}/", tree=tree, words=(page["keyword"],))
        for page in pages
        if (tree := parse_markup(page["html"])) is not None
    ]
    wrapper = learn_records(answers)
    return [shown_rows(answer, wrapper) if wrapper else [] for answer in answers]


def alone(pages: Sequence[Page]) -> list[Rows]:
    return [together([page])[0] for page in pages]


def mdr(pages: Sequence[Page]) -> list[Rows]:
    """Neighbours that are alike, each page by itself, without the words that were submitted."""
    roots = [parse_markup(one["html"]) for one in pages]
    trees = [PageTree(root) for root in roots if root is not None]
    return [[[seen_text(node.element)] for node in mdr_region(tree)] for tree in trees]


def mdr_region(page: PageTree) -> list[TreeNode]:
    """The longest text that is made of at least three alike neighbours."""
    regions = [run for node in page.nodes for run in mdr_runs(page, node)]
    return max(regions, key=lambda run: sum(node.end - node.first for node in run), default=[])


def mdr_runs(page: PageTree, parent: TreeNode) -> Iterable[list[TreeNode]]:
    children = [child for child in parent.children if child.end > child.first]
    if len(children) < MDR_LEAST:
        return
    bags = [bag_of(page, (child,)) for child in children]
    run = [children[0]]
    for (one, other), child in zip(pairwise(bags), children[1:], strict=True):
        if child.element.tag == run[-1].element.tag and dice(one, other) >= MDR_ALIKE:
            run.append(child)
            continue
        if len(run) >= MDR_LEAST:
            yield run
        run = [child]
    if len(run) >= MDR_LEAST:
        yield run


METHODS: dict[str, Method] = {"ours": together, "alone": alone, "mdr": mdr}


# The metric of the set.


def words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(unicodedata.normalize("NFKC", text or "").casefold()))


def words_of(record: Sequence[str]) -> frozenset[str]:
    return frozenset().union(*map(words, record))


def pairs(
    gold: Sequence[frozenset[str]], ours: Sequence[frozenset[str]], least: float
) -> list[tuple[int, int]]:
    """One to one, the most alike first."""
    alike = sorted(
        (-common / (len(a | b)), i, j)
        for i, a in enumerate(gold)
        for j, b in enumerate(ours)
        if (common := len(a & b)) and common >= least * len(a | b) - 1e-9
    )
    left, right, found = set(), set(), []
    for _, i, j in alike:
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
            found.append((i, j))
    return found


def score(gold: Rows, ours: Rows) -> dict[str, float]:
    hits = len(pairs([words_of(one) for one in gold], [words_of(one) for one in ours], AT))
    return {
        "precision": hits / len(ours) if ours else 0.0,
        "recall": hits / len(gold),
        "f1": 2 * hits / (len(ours) + len(gold)),
    }


def column_f1(gold: Rows, ours: Rows) -> float:
    """Pairs of values of one column that are in one column here too."""
    cells: Counter[tuple[int, int]] = Counter()
    for i, j in pairs([words_of(one) for one in gold], [words_of(one) for one in ours], AT):
        cells.update(pairs([*map(words, gold[i])], [*map(words, ours[j])], CELL_AT))
    mine: Counter[int] = Counter()
    for (_, place), count in cells.items():
        mine[place] += count
    theirs = Counter(column for record in gold for column, cell in enumerate(record) if words(cell))
    hit, found, wanted = (couples(one.values()) for one in (cells, mine, theirs))
    return 2 * hit / (found + wanted) if found + wanted else 1.0


def couples(counts: Iterable[int]) -> int:
    return sum(count * (count - 1) // 2 for count in counts)
