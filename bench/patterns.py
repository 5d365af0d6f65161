"""Navigation patterns: the strategy of Faheem's thesis, its remedies one by one, and a bandit, at their cost.

    .venv/bin/python -m bench.patterns --work .bench-sites --only pelican,wordpress --seeds 3
    .venv/bin/python -m bench.patterns --generated blog,forum,news --items 1000 --seeds 3

Strategies run on pages that blind crawls of `bench/sites.py --peers` have fetched, or on generated sites, and
nothing is asked for. Counted are requests, those for the sample too, and the share of the content's distinct
pairs of words. Who does not end by himself is compared by the requests for 97 and 99 % of it.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from archiver.acquisition.sites.coverage import pairs_in
from archiver.acquisition.sites.learning.pattern_search import SearchSettings, pattern_crawl
from archiver.acquisition.sites.learning.thesis import ThesisSettings, thesis_crawl
from archiver.acquisition.sites.reading import VisitedDocument
from archiver.acquisition.sites.scope import scope_of
from archiver.inspection.sites.simulation.play import SiteText, StrategyRun
from archiver.inspection.sites.simulation.site import SimulatedSite
from archiver.inspection.sites.simulation.strategies import STEADY, STRATEGIES
from archiver.urls import same_page_key
from bench.options import numbers
from bench.whole_sites.applications import APPLICATIONS
from bench.whole_sites.exchanges import exchanges_in
from bench.whole_sites.truth import read_truth
from tests.sites.computed.site import ComputedSite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from archiver.acquisition.sites.learning.graph import Grams, GraphPage

    Crawling = Callable[[SimulatedSite, int], Iterator[str]]

# A run on a generated site that asks for so many times the ideal is cut off.
_MOST = 3
_LITERAL = SearchSettings(owned_text=False, unfetched=False, frame=False, prunes=False, lists=False)
_REMEDIES = {
    "adaptive sample": _LITERAL,
    "+ S1 owned text": replace(_LITERAL, owned_text=True),
    "+ S2 known pages": replace(_LITERAL, owned_text=True, unfetched=True),
    "+ S3 frame out": replace(_LITERAL, owned_text=True, unfetched=True, frame=True),
    "+ S4 pruning": replace(_LITERAL, owned_text=True, unfetched=True, frame=True, prunes=True),
    "+ S5 sitemaps": SearchSettings(),
}


def crawlings(samples: Iterable[int]) -> dict[str, Crawling]:
    found: dict[str, Crawling] = {name: partial(_named, name) for name in ("blind", "sitemap")}
    for sample in samples:
        found[f"thesis, {sample}"] = partial(_thesis, ThesisSettings(sample=sample))
    found |= {name: partial(_searched, settings) for name, settings in _REMEDIES.items()}
    # Others of the product, as far as they are there.
    return found | {
        name: partial(_named, name) for name in STRATEGIES.keys() - {"thesis", "patterns", *found}
    }


def _named(name: str, site: SimulatedSite, seed: int) -> Iterator[str]:
    return STRATEGIES[name](site, seed, None)


def _thesis(settings: ThesisSettings, site: SimulatedSite, seed: int) -> Iterator[str]:
    return thesis_crawl(site, seed, settings)


def _searched(settings: SearchSettings, site: SimulatedSite, seed: int) -> Iterator[str]:
    return pattern_crawl(site, seed, settings)


class ContentOf:
    """A site of which only the pairs of words of its content count."""

    def __init__(self, site: SimulatedSite, content: Grams) -> None:
        self._site, self._content = site, np.unique(content)
        self._known: dict[str, GraphPage] = {}

    def read(self, url: str) -> GraphPage | None:
        page = self._site.read(url)
        if page is None:
            return None
        if page.url not in self._known:
            held = page.grams[np.isin(page.grams, self._content, assume_unique=True)]
            self._known[page.url] = replace(page, grams=held)
        return self._known[page.url]

    def is_captured(self, url: str) -> bool:
        return self._site.is_captured(url)


class FetchedSite:
    """What crawls of an application have fetched."""

    def __init__(self, warcs: Iterable[Path], scope: str) -> None:
        self._documents: dict[str, VisitedDocument] = {}
        for one in exchanges_in(warcs):
            key = same_page_key(one.url)
            if key not in self._documents or self._documents[key].status != 200:
                self._documents[key] = VisitedDocument(
                    url=one.url,
                    content=one.body,
                    content_type=one.content_type,
                    status=one.status,
                    scope=scope,
                )

    def urls(self) -> Iterable[str]:
        return [one.url for one in self._documents.values()]

    def document(self, url: str) -> VisitedDocument | None:
        return self._documents.get(same_page_key(url))


class MadeSite:
    """A generated site, which has an answer to everything."""

    def __init__(self, made: ComputedSite, scope: str) -> None:
        self._made, self._scope = made, scope

    def urls(self) -> Iterable[str]:
        return [f"http://{self._scope.rstrip('/')}{path}" for path in self._made.truth.content]

    def document(self, url: str) -> VisitedDocument | None:
        parts = urlsplit(url)
        answer = self._made.answer(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        return VisitedDocument(
            url=url,
            content=answer.body.encode(),
            content_type=answer.content_type,
            status=answer.status,
            scope=self._scope,
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--work", type=Path, help="where bench/sites.py has built applications")
    arguments.add_argument("--only", default=",".join(APPLICATIONS), help="applications, with commas")
    arguments.add_argument("--generated", default="", help="kinds of generated sites, with commas")
    arguments.add_argument("--items", type=int, default=1000, help="pages with content of each of them")
    arguments.add_argument("--site-seed", type=int, default=0, help="which of the generated sites of a kind")
    arguments.add_argument("--seeds", type=int, default=3, help="runs of each strategy")
    arguments.add_argument("--samples", type=numbers, default=[3000, 300], help="of the thesis, with commas")
    arguments.add_argument("--strategies", default="", help="beginnings of names, with commas; all without")
    given = arguments.parse_args()
    for kind in filter(None, given.generated.split(",")):
        made = ComputedSite(kind, given.site_seed, given.items)
        ideal = made.truth.ideal
        title = f"{made.name} of {given.items} items, ideal {ideal}"
        measure(title, *_generated(made), given, _MOST * ideal)
    for name in given.only.split(",") if given.work else ():
        folder = max((given.work / "peers").glob(f"{name}-*"))
        measure(folder.name.rpartition("-")[0], *_application(name, folder, given.work), given, None)


def _generated(made: ComputedSite) -> tuple[SimulatedSite, Grams]:
    content = pairs_in(
        text
        for number in range(made.total)
        for page in range(1, made.pages_of(number) + 1)
        for text in made._pages.texts(number, page)  # noqa: SLF001 - what its content says
    )
    return SimulatedSite("http://127.0.0.1/", "127.0.0.1/", MadeSite(made, "127.0.0.1/")), content


def _application(name: str, folder: Path, work: Path) -> tuple[SimulatedSite, Grams]:
    url = f"http://127.0.0.1:{APPLICATIONS[name].port}/"
    truth = read_truth(work / "run" / name / "truth.json")
    content = pairs_in(text for item in truth.items for text in item.texts)
    return SimulatedSite(
        url, scope_of(url), FetchedSite(sorted(folder.glob("*.warc.gz")), scope_of(url))
    ), content


def measure(
    title: str, site: SimulatedSite, content: Grams, given: argparse.Namespace, most: int | None
) -> None:
    measured = ContentOf(site, content)
    pages = [page for page in (measured.read(page.url) for page in site.all_pages()) if page is not None]
    text = SiteText(pages)
    share = text.total / len(np.unique(content))
    print(f"\n{title}: {len(pages)} pages with {text.total} pairs of the content's words ({share:.1%})")
    print(f"{'':22}{'requests':>22}{'content':>9}{'97 % after':>12}{'99 % after':>12}{'CPU s':>7}")
    for name, crawling in crawlings(given.samples).items():
        if given.strategies and not name.startswith(tuple(given.strategies.split(","))):
            continue
        began, runs = time.process_time(), []
        for seed in range(1 if name in STEADY else given.seeds):
            asked = islice(crawling(site, seed), most)
            runs.append(text.play(measured, asked, name=name, seed=seed))  # type: ignore[arg-type] # reads as one
        print(_row(name, runs, (time.process_time() - began) / len(runs), most), flush=True)


def _row(name: str, runs: list[StrategyRun], seconds: float, most: int | None) -> str:
    requests = [run.requests for run in runs]
    spread = f"{median(requests):.0f}" + (f" ({min(requests)}–{max(requests)})" if len(runs) > 1 else "")
    ended = "" if most is None or max(requests) < most else "+"
    marks = [[run.reached[place] for run in runs] for place in (2, 3)]
    told = [f"{median(some):.0f}" if None not in some else "–" for some in marks]  # type: ignore[type-var] # none is None
    reached = median(run.text for run in runs)
    return f"{name:22}{spread + ended:>22}{reached:>9.1%}{told[0]:>12}{told[1]:>12}{seconds:>7.1f}"


if __name__ == "__main__":
    main()
