"""Alignment of two graphs, held against gold pairs: a folder a set."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from archiver.records.alignment.links import aligned_files
from archiver.records.alignment.reading import RDF_TYPE, RdfFile

if TYPE_CHECKING:
    from pathlib import Path

FLOOR = 0.5  # of the command, too
Pair = tuple[str, str]


def figures(gold: int, given: int, hits: int) -> dict[str, float]:
    precision, recall = hits / given if given else 0.0, hits / gold if gold else 0.0
    f1 = 2 * hits / (given + gold) if hits else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


def alignment_rows(data: Path) -> list[dict[str, object]]:
    folders = sorted(path.parent for path in data.glob("*/gold.tsv"))
    return [row_of(folder) for folder in folders or [data] if (folder / "gold.tsv").is_file()]


def row_of(folder: Path) -> dict[str, object]:
    began = time.process_time()
    left, right = (RdfFile(next(folder.glob(f"{side}.*"))) for side in ("left", "right"))
    found, _, _ = aligned_files(left, right)
    spent = time.process_time() - began
    again, _, _ = aligned_files(left, right)
    lines = (folder / "gold.tsv").read_text(encoding="utf-8").splitlines()
    gold = {(one[0], one[1]) for one in (line.split("\t") for line in lines if line.strip())}
    ours = {(link.left, link.right) for link in found.links if link.confidence >= FLOOR}
    ours = of_classes(ours, gold, (left, right))
    return {
        "set": folder.name,
        "method": "ours",
        **figures(len(gold), len(ours), len(gold & ours)),
        "seconds": round(spent, 2),
        "identical": again == found,
        "relations": sum(one.left_in_right >= FLOOR for one in found.relations),
    }


def of_classes(pairs: set[Pair], gold: set[Pair], files: tuple[RdfFile, RdfFile]) -> set[Pair]:
    """Pairs of the classes that the gold has pairs of: their addresses, say, are not scored."""
    for end, file in enumerate(files):
        types: dict[str, set[str]] = {}
        for fact in file:
            if fact.relation == RDF_TYPE:
                types.setdefault(fact.subject, set()).add(fact.resource)
        wanted = set().union(*(types.get(pair[end], set()) for pair in gold))
        pairs = {pair for pair in pairs if not wanted or types.get(pair[end], set()) & wanted}
    return pairs
