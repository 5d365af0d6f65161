"""How far wrong labels of one source spoil what is trained on them, with the reliability model and without.

    .venv/bin/python bench/sources.py --data SET.jsonl.gz… --json figures.json

Training pages get labels of several sources: what JSON-LD states and what the extractor finds are real, the
content of feeds and marks of people are made of the set's gold text. Then one source is wrong on a share of
its pages as a whole. A logistic regression on the evidence of the method `article` is trained on what comes
of it and scored on sites that it has not seen: mean F1 of pages, in blocks, each by the root of its words.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from extraction_sets import SetError, set_files
from options import numbers, whole_number
from sources_pages import KINDS, damaged, known_pages, with_all_sources, with_one_source

from archiver.articles.labels.agreement import cells_of
from archiver.articles.labels.model import LabelSource
from archiver.articles.labels.reliability import source_trust
from archiver.articles.labels.training import Targets, refined
from archiver.articles.methods.visual.regression import fit, likelihoods
from archiver.digests import name_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sources_pages import KnownPage

    from archiver.articles.labels.model import LabelledPage

    Matrix = np.ndarray[Any, Any]

# As bench/fit_extraction.py has it for the first look.
_STRENGTH = 0.0004
_TEST_FOLDS, _FOLDS = 3, 3
# When a fit ends: what EM asks for is read to a tenth.
_EXACTLY, _ROUGHLY = 1e-4, 0.05
WAYS = ("plain", "majority", "reliability")
SCENES: dict[str, Callable[..., list[LabelledPage]]] = {
    "several": with_all_sources,
    "single": with_one_source,
}
# Which source is spoiled in each scene.
SPOILED = {
    "several": (LabelSource.FEED, LabelSource.STATEMENT, LabelSource.CONSENSUS),
    "single": (LabelSource.CONSENSUS,),
}
ALLOWED_LOSS, ALLOWED_UP_TO = 0.01, 0.2


class Regression:
    """A logistic regression on the blocks of pages, for EM and for scoring."""

    def __init__(self, pages: Sequence[KnownPage]) -> None:
        self._rows = [np.array(page.rows) for page in pages]
        self._roots = [_roots(page) for page in pages]
        sites = sorted({page.site for page in pages}, key=name_digest)
        folds = {site: place % _FOLDS for place, site in enumerate(sites)}
        self._fold = [folds[page.site] for page in pages]

    def held_out(self, targets: Targets) -> list[list[float]]:
        found: list[list[float]] = [[] for _ in self._rows]
        for fold in range(_FOLDS):
            others = [place for place, one in enumerate(self._fold) if one != fold]
            weights = self.fitted(targets, others, still=_ROUGHLY)
            for place, rows in enumerate(self._rows):
                if self._fold[place] == fold:
                    found[place] = likelihoods(rows, weights)
        return found

    def fitted(self, targets: Targets, places: Sequence[int], still: float = _EXACTLY) -> Matrix:
        """Weights by the pages of these places; blocks that count for nothing are left out."""
        counted = [self._roots[one] * np.array(targets.weights[one]) for one in places]
        weights = np.concatenate(counted)
        kept = weights > 1e-6
        rows = np.vstack([self._rows[one] for one in places])[kept]
        labels = np.concatenate([np.array(targets.labels[one]) for one in places])[kept]
        return fit(rows, labels, weights[kept], _STRENGTH, still)


def _roots(page: KnownPage) -> Matrix:
    words = np.array(page.labelled.words, dtype=float)
    # A page counts as much as another.
    roots: Matrix = np.sqrt(words) / math.sqrt(words.sum())
    return roots


def score(pages: Sequence[KnownPage], weights: Matrix) -> float:
    """The mean F1 of pages, in blocks, each by the root of its words."""
    return fmean(_page_score(page, weights) for page in pages if page.truth)


def _page_score(page: KnownPage, weights: Matrix) -> float:
    chosen = np.array(likelihoods(np.array(page.rows), weights)) >= 0.5
    truth = np.array([place in page.truth for place in range(len(page.rows))])
    roots = _roots(page)
    return float(2 * roots[chosen & truth].sum() / (roots[chosen].sum() + roots[truth].sum()))


# ── Labels, three ways ───────────────────────────────────────────────────────────────────────────────────


def gold_targets(pages: Sequence[KnownPage]) -> Targets:
    labels = [[float(place in page.truth) for place in range(len(page.rows))] for page in pages]
    return Targets(labels=labels, weights=[[1.0] * len(one) for one in labels])


def targets_of(way: str, pages: Sequence[LabelledPage], model: Regression) -> Targets:
    if way == "reliability":
        return refined(pages, model)
    votes = [[_mean(cell.votes) for cell in cells_of(page)] for page in pages]
    if way == "majority":
        # A tie says nothing, and half a label says so.
        votes = [[0.5 if one == 0.5 else float(one > 0.5) for one in page] for page in votes]
    spoken = [float(bool(page.labels)) for page in pages]
    return Targets(labels=votes, weights=[[one] * len(page) for one, page in zip(spoken, votes, strict=True)])


def _mean(votes: Sequence[bool]) -> float:
    return sum(votes) / len(votes) if votes else 0.0


# ── One question: a scene, a source, a share ─────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One draw: what each way came to, beside labels without a mistake."""

    scene: str
    source: str
    share: float
    draw: int
    gold: float
    f1: dict[str, float]
    # How many pages were spoiled, by kind; the soundness that was estimated; pages by source.
    kinds: dict[str, int]
    soundness: float
    pages: dict[str, int]


def rows_of(pages: Sequence[KnownPage], options: argparse.Namespace) -> Iterator[Row]:
    for draw in options.draws:
        train, test = _split(pages, draw)
        model, every = Regression(train), range(len(train))
        gold = score(test, model.fitted(gold_targets(train), every))
        for scene in options.scenes:
            clean = SCENES[scene](train, random.Random(f"{draw} {scene}"))
            for source in SPOILED[scene]:
                for share in options.shares:
                    yield _row(scene, source, share, draw, (train, test, model, clean, gold))


def _row(scene: str, source: LabelSource, share: float, draw: int, about: Any) -> Row:
    train, test, model, clean, gold = about
    truths = [page.truth for page in train]
    spoiled = damaged(clean, truths, source, share, random.Random(f"{draw} {scene} {source} {share}"))
    found, soundness = {}, 1.0
    for way in WAYS:
        targets = targets_of(way, spoiled.pages, model)
        found[way] = score(test, model.fitted(targets, range(len(train))))
        if way == "reliability":
            soundness = source_trust(source, targets.records).soundness
    kinds = Counter(spoiled.kinds.values())
    return Row(
        scene=scene,
        source=source,
        share=share,
        draw=draw,
        gold=gold,
        f1=found,
        kinds={kind: kinds[kind] for kind in KINDS},
        soundness=soundness,
        pages=dict(Counter(str(one.source) for page in clean for one in page.labels)),
    )


def _split(pages: Sequence[KnownPage], draw: int) -> tuple[list[KnownPage], list[KnownPage]]:
    """Two thirds of the sites to train on, and the others; each draw has another third."""
    sites = sorted({page.site for page in pages}, key=name_digest)
    chosen = set(sites[draw % _TEST_FOLDS :: _TEST_FOLDS])
    return [one for one in pages if one.site not in chosen], [one for one in pages if one.site in chosen]


# ── Telling ──────────────────────────────────────────────────────────────────────────────────────────────


def told(rows: Sequence[Row]) -> bool:
    """Print a table for each scene and source; whether the reliability model lost no more than is allowed."""
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.scene, row.source].append(row)
    holds = [_told_group(scene, source, some) for (scene, source), some in groups.items()]
    print(f"\nno more than {ALLOWED_LOSS} below clean labels up to {ALLOWED_UP_TO:.0%}: {_yes(all(holds))}")
    return all(holds)


def _told_group(scene: str, source: str, rows: Sequence[Row]) -> bool:
    gold = fmean(row.gold for row in rows)
    shares = sorted({row.share for row in rows})
    print(f"\n{scene}: {source} is wrong on a share of its pages; trained on gold: F1 {gold:.4f}")
    print(f"  pages by source: {', '.join(f'{name} {count}' for name, count in rows[0].pages.items())}")
    print(f"{'wrong':>7}{''.join(f'{way:>13}' for way in WAYS)}{'sound, est.':>13}  of which")
    mean = {share: _means([row for row in rows if row.share == share]) for share in shares}
    for share in shares:
        some = [row for row in rows if row.share == share]
        kinds = ", ".join(f"{kind} {count}" for kind, count in some[0].kinds.items() if count)
        cells = "".join(f"{mean[share][way]:>13.4f}" for way in WAYS)
        print(f"{share:>7.0%}{cells}{fmean(row.soundness for row in some):>13.2f}  {kinds}")
    clean = mean[shares[0]]["reliability"]
    worst = min(mean[share]["reliability"] for share in shares if share <= ALLOWED_UP_TO)
    print(
        f"  up to {ALLOWED_UP_TO:.0%}: {clean - worst:+.4f} below clean labels of the same sources, ", end=""
    )
    print(f"{gold - worst:+.4f} below gold")
    return clean - worst <= ALLOWED_LOSS


def _means(rows: Sequence[Row]) -> dict[str, float]:
    return {way: fmean(row.f1[way] for row in rows) for way in WAYS}


def _yes(holds: bool) -> str:
    return "holds" if holds else "does not hold"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    option = parser.add_argument
    option("--data", type=Path, nargs="+", required=True, metavar="SET", help="sets of pages, or folders")
    option("--json", type=Path, metavar="FILE", help="write the figures here as well")
    option("--draws", type=numbers, default=[0, 1, 2], help="numbers of draws, such as 0-2 (default)")
    option("--limit", type=whole_number, help="of each set, only so many pages")
    option("--shares", type=_shares, default=[0.0, 0.1, 0.2, 0.3, 0.4], help="such as 0,0.2")
    option("--scenes", nargs="+", choices=SCENES, default=list(SCENES))
    return parser.parse_args()


def _shares(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def main() -> None:
    options, began = _arguments(), time.process_time()
    try:
        pages = [page for path in set_files(options.data) for page in known_pages(path, options.limit)]
    except SetError as error:
        sys.exit(str(error))
    blocks, sites = sum(len(page.rows) for page in pages), len({page.site for page in pages})
    print(f"{len(pages)} pages of {sites} sites, {blocks} blocks", flush=True)
    rows: list[Row] = []
    for row in rows_of(pages, options):
        rows.append(row)
        scores = ", ".join(f"{way} {row.f1[way]:.4f}" for way in WAYS)
        print(f"{row.scene}, {row.source}, {row.share:.0%}, draw {row.draw}: {scores}", file=sys.stderr)
    holds = told(rows)
    print(f"CPU: {time.process_time() - began:.0f} s")
    if options.json:
        figures = {"holds": holds, "rows": [_figures(row) for row in rows]}
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


def _figures(row: Row) -> dict[str, Any]:
    return {name: getattr(row, name) for name in Row.__slots__}


if __name__ == "__main__":
    main()
