"""Seeded mutations of real pages: pairs of captures, judged in processes of their own."""

from __future__ import annotations

import sys
from multiprocessing import get_context
from typing import TYPE_CHECKING

from changes_pairs import Chooser
from changes_reading import Site, judged
from changes_score import NO_ARTICLE, Outcome, verdict
from extraction_sets import channels, read_set, set_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from changes_pairs import Pair
    from changes_reading import Found

# As many pages of a site as a crawl reads together.
_TOGETHER = 20


def measure(file: Path, *, seed: int, limit: int | None, jobs: int) -> list[Outcome]:
    """What became of every pair of a set."""
    sites = list(_sites(file, seed, limit))
    pairs, pages = (
        sum(map(len, parts)) for parts in zip(*((one.pairs, one.pages) for one in sites), strict=True)
    )
    print(f"{set_name(file)}: {pairs} pairs of {pages} pages …", file=sys.stderr, flush=True)
    outcomes: list[Outcome] = []
    with get_context("spawn").Pool(jobs) as pool:
        for site, found in zip(sites, pool.imap(judged, sites), strict=True):
            outcomes += [outcome_of(pair, one) for pair, one in zip(site.pairs, found, strict=True)]
    return outcomes


def _sites(file: Path, seed: int, limit: int | None) -> Iterator[Site]:
    chooser = Chooser(seed)
    for channel in channels(read_set(file, limit)):
        for start in range(0, len(channel), _TOGETHER):
            pages = channel[start : start + _TOGETHER]
            yield Site(
                pages=tuple(pages), pairs=tuple(pair for page in pages for pair in chooser.pairs(page))
            )


def outcome_of(pair: Pair, found: Found) -> Outcome:
    said = NO_ARTICLE if found.no_article else verdict(pair.expected, found.kinds)
    return Outcome(
        kind=pair.kind,
        is_real=pair.is_real,
        said=said,
        digest=pair.before != pair.after,
        where=f"{pair.url} [{pair.page}]",
        detail=_detail(pair, found),
    )


def _detail(pair: Pair, found: Found) -> str:
    wanted = " or ".join(sorted(pair.expected.either)) or "+".join(sorted(pair.expected.kinds)) or "nothing"
    words = [f"wanted {wanted}, got {'+'.join(sorted(found.kinds)) or 'nothing'}"]
    words += [f"with {', '.join(pair.beside)}"] if pair.beside else []
    words += [] if found.differed else ["what was extracted did not differ"]
    words += [f"noise seen: {', '.join(found.noise)}"] if found.noise else []
    return "; ".join(words)
