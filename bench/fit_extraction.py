"""Fits the production extractor's weights, and says how well they do on sites that they have not seen."""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from extraction_metric import score
from extraction_sets import set_name
from fit_samples import samples_of

from archiver.articles.methods.article import judge
from archiver.articles.methods.article.completion import completed_verdict
from archiver.articles.methods.article.consensus import vote
from archiver.articles.methods.article.decisions import decided
from archiver.articles.methods.article.evidence import FLAG_SETS, NUMBERS
from archiver.articles.methods.article.judge import CONTEXT, JudgedPage, context_of
from archiver.articles.methods.visual.regression import fit, likelihoods, rising
from archiver.digests import name_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fit_samples import Sample

    Matrix = np.ndarray[Any, Any]

WEIGHTS = Path(__file__).parent.parent / "archiver" / "articles" / "methods" / "article" / "weights.json"
FIRST = (*(flag for flags in FLAG_SETS.values() for flag in flags), *NUMBERS)
# How freely the weights follow the pages. What follows one set closely carries badly to others.
FIRST_STRENGTH, SECOND_STRENGTH = 0.0004, 0.01
FOLDS = 5
# Pages for each point of the confidence's curve.
LEAST_PAGES = 25


def fit_both(samples: Sequence[Sample], others: Sequence[Sample]) -> tuple[Matrix, Matrix]:
    """Both regressions; the second learns from first looks by weights that had not seen the page's site."""
    for held_out, rest in folds_of(samples):
        add_likelihoods(held_out, _fit([(one.evidence, one) for one in rest], FIRST_STRENGTH))
    first = _fit([(one.evidence, one) for one in samples], FIRST_STRENGTH)
    add_likelihoods(others, first)
    add_context([*samples, *others])
    return first, _fit([(context_matrix(one), one) for one in samples], SECOND_STRENGTH)


def folds_of(samples: Sequence[Sample]) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Each fifth of the sites, and the others. By name: the same each time."""
    sites = sorted({sample.site for sample in samples}, key=name_digest)
    for fold in range(FOLDS):
        chosen = set(sites[fold::FOLDS])
        held_out = [sample for sample in samples if sample.site in chosen]
        yield held_out, [sample for sample in samples if sample.site not in chosen]


def _fit(rows: Sequence[tuple[Matrix, Sample]], strength: float) -> Matrix:
    return fit(
        np.vstack([matrix for matrix, _ in rows]),
        np.concatenate([sample.labels for _, sample in rows]),
        np.concatenate([sample.weights for _, sample in rows]),
        strength,
    )


def add_likelihoods(samples: Sequence[Sample], weights: Matrix) -> None:
    for sample in samples:
        sample.likelihoods = likelihoods(sample.evidence, weights)


def add_context(samples: Sequence[Sample]) -> None:
    groups = defaultdict(list)
    for sample in samples:
        groups[sample.group].append(sample)
    for group in groups.values():
        found = context_of([one.outline for one in group], [one.likelihoods for one in group])
        for sample, context in zip(group, found, strict=True):
            sample.context = np.array(context)


def context_matrix(sample: Sample) -> Matrix:
    if sample.context is None:
        raise ValueError("the context is added before it is used")
    return sample.context


def results(samples: Sequence[Sample], second: Matrix) -> list[tuple[float, float]]:
    """For each page how certain the voters were, and F1, as the crawl reads a page that it studies."""
    found = []
    for sample in samples:
        judged = JudgedPage(first=sample.likelihoods, second=likelihoods(context_matrix(sample), second))
        verdict = vote(
            sample.tree, sample.outline, decided(judged, sample.outline, sample.hints, sample.shared)
        )
        verdict = completed_verdict(verdict, sample.outline, None, sample.hints)
        text = "\n".join(sample.outline.blocks[place].text for place in verdict.winner.kept)
        found.append((verdict.certainty, score(sample.gold, text).f1))
    return found


def told(name: str, found: Sequence[tuple[float, float]]) -> None:
    f1 = sorted(one for _, one in found)
    print(f"{name:44}{len(f1):6} pages   F1 {fmean(f1):.4f}   p10 {f1[len(f1) // 10]:.3f}", flush=True)


def check(
    sets: dict[str, list[Sample]], fitting: Sequence[str], names: Iterable[str]
) -> list[tuple[float, float]]:
    """Each of the named sets by weights that were fitted without it, and without its sites."""
    found = []
    for name in names:
        held_out = sets[name]
        sites = {sample.site for sample in held_out}
        rest = [one for other in fitting if other != name for one in sets[other] if one.site not in sites]
        _, second = fit_both(rest, held_out)
        told(f"{name}, fitted on other sets", pairs := results(held_out, second))
        found += pairs
    return found


def by_site(sets: dict[str, list[Sample]], fitting: Sequence[str]) -> list[tuple[float, float]]:
    """Each page by weights that were fitted without its site."""
    samples = [sample for name in fitting for sample in sets[name]]
    found = defaultdict(list)
    for held_out, rest in folds_of(samples):
        _, second = fit_both(rest, held_out)
        for sample, one in zip(held_out, results(held_out, second), strict=True):
            found[sample.set].append(one)
    for name, pairs in found.items():
        told(f"{name}, fitted on other sites", pairs)
    return [one for pairs in found.values() for one in pairs]


def written(samples: Sequence[Sample], fitting: Sequence[str], curve: Sequence[tuple[float, float]]) -> str:
    first, second = fit_both(samples, ())
    found = {
        "fitted_on": list(fitting),
        "pages": len(samples),
        "sites": len({sample.site for sample in samples}),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "first": _named(FIRST, first),
        "second": _named(CONTEXT, second),
        # How certain the voters are, and the F1 that this came with on sites that the weights had not seen.
        "confidence": curve,
    }
    with patch.object(judge, "weights", lambda: found):
        judge.fitted.cache_clear()
        judge.fitted()  # what is written can be read
    return json.dumps(found, indent=1) + "\n"


def _named(names: Sequence[str], weights: Matrix) -> dict[str, float]:
    return {name: round(float(weight), 5) for name, weight in zip((*names, "bias"), weights, strict=True)}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="sets to fit on")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="with --check: sets never to fit on")
    parser.add_argument(
        "--check", action="store_true", help="fit without each set in turn and measure on it; write nothing"
    )
    parser.add_argument(
        "--curve",
        action="store_true",
        help="fit without each set in turn, and write the confidence's curve alone; the weights stay",
    )
    parser.add_argument("-o", "--output", type=Path, default=WEIGHTS)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    sets = {}
    for path in (*options.data, *options.also):
        print(f"reading {path.name} …", file=sys.stderr)
        sets[set_name(path)] = samples_of(path)
    fitting = [set_name(path) for path in options.data]
    if options.check:
        check(sets, fitting, sets)
        return
    if options.curve:
        curve = rising(check(sets, fitting, fitting), LEAST_PAGES)
        kept = json.loads(options.output.read_text(encoding="utf-8"))
        options.output.write_text(
            json.dumps({**kept, "confidence": curve}, indent=1) + "\n", encoding="utf-8"
        )
        print(f"{options.output.name} written: certainty and confidence: {curve}")
        return
    curve = rising(by_site(sets, fitting), LEAST_PAGES)
    samples = [sample for name in fitting for sample in sets[name]]
    options.output.write_text(written(samples, fitting, curve), encoding="utf-8")
    print(f"{options.output.name} written: {len(samples)} pages; certainty and confidence: {curve}")


if __name__ == "__main__":
    main()
