"""Large generated sites, crawled in one process: what a strategy asks for and gets, against the ideal.

    .venv/bin/python -m bench.learned --items 5000 --strategy learned
    .venv/bin/python -m bench.learned --kinds blog,shop --items 50000 --seeds 3-5 --json rows.json
    .venv/bin/python -m bench.learned --kinds forum --items 600 --seeds 0 --strategy blind --show

The sites are those of tests/sites/computed: each page is computed when it is asked for. Reading and state
store are the real ones; only the network is left out.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from archiver.acquisition.sites.model import Strategy
from archiver.store.database import Database
from archiver.store.whole_sites import guarding, visited, visits
from archiver.store.whole_sites.choosing import SiteWish
from bench.options import numbers
from tests.sites.computed.kinds import KINDS
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.sites.computed.served import Served
    from tests.sites.walking import Walked

# A crawl that asks for more than so many times the ideal is cut off.
_MOST = 8
_EXAMPLES = 5
# It is the processor that is measured: disks that others use as well are left out.
MEMORY = Path("/dev/shm")
_HEAD = (
    f"{'site':<18}{'requests':>9}{'× ideal':>9}{'content':>9}{'2-grams':>9}{'traps':>7}{'share':>8}"
    f"{'CPU ms':>8}{'learn':>7}{'RSS MB':>8}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One crawl of one site."""

    kind: str
    seed: int  # of the site
    items: int
    strategy: str
    order: int = 0  # SITE_SEED: which of several links of a kind is followed first
    tells: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    site: str
    items: int
    theme: str
    sitemap: int
    strategy: str
    order: int
    requests: int
    ideal: int
    content: float
    grams: float
    traps: int
    cpu_ms: float  # of reading and storing a page
    learning_ms: float  # of that, for what is learned and chosen
    rss_mb: float
    is_cut: bool
    kinds: dict[str, int]
    missed: list[str]
    trapped: list[str]
    reached: frozenset[str]

    @property
    def ratio(self) -> float:
        return self.requests / self.ideal

    @property
    def trap_share(self) -> float:
        return self.traps / max(1, self.requests)


class _Learning:
    """How long it takes to note what pages taught and lead to, and to choose what is asked for next."""

    def __init__(self) -> None:
        self.seconds = 0.0
        for room, name in (
            (visited, "learn"),
            (guarding, "ranked"),
            (visits, "lead_there_as_well"),
            (visited, "choose_next"),
            (visited, "close_book"),
        ):
            setattr(room, name, self._clocked(getattr(room, name)))

    def _clocked(self, performed: Callable[..., Any]) -> Callable[..., Any]:
        def perform(*arguments: Any, **more: Any) -> Any:
            began = time.thread_time()
            try:
                return performed(*arguments, **more)
            finally:
                self.seconds += time.thread_time() - began

        return perform


class _Clocked:
    """A site whose own time is not that of the crawl."""

    def __init__(self, site: ComputedSite) -> None:
        self.host, self.seconds, self._site = site.host, 0.0, site

    def answer(self, target: str) -> Served:
        began = time.process_time()
        served = self._site.answer(target)
        self.seconds += time.process_time() - began
        return served


def main() -> None:
    given = _arguments()
    print(_HEAD)
    rows = []
    for items, kind, seed in product(given.items, given.kinds.split(","), given.seeds):
        some = []
        for order in given.orders:
            task = Task(
                kind=kind,
                seed=seed,
                items=items,
                strategy=given.strategy,
                order=order,
                tells=sys.stderr.isatty(),
            )
            some.append(alone(task))
            print(_line(some[-1]), *(_told(some[-1]) if given.show else ()), sep="\n", flush=True)
        if len(some) > 1:
            print(f"    {len(some)} orders agree on {_agreement(some):.2%} of what any of them found")
        rows += some
    print(*_totals(rows), sep="\n")
    if given.json:
        written = [{**asdict(row), "ratio": row.ratio, "reached": len(row.reached)} for row in rows]
        given.json.write_text(json.dumps(written, indent=1))


def _agreement(rows: Sequence[Row]) -> float:
    found = [row.reached for row in rows]
    return len(frozenset.intersection(*found)) / max(1, len(frozenset.union(*found)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--items", type=numbers, default=[5000], help="pages with content, with commas")
    parser.add_argument("--seeds", type=numbers, default=[0, 1, 2], help="of sites: 0-4, or 1,7")
    parser.add_argument(
        "--orders", type=numbers, default=[0], help="seeds of the crawl (SITE_SEED), such as 0-9"
    )
    parser.add_argument("--strategy", choices=[*Strategy], default="learned")
    parser.add_argument("--show", action="store_true", help="what was asked for, and what was missed")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def alone(task: Task) -> Row:
    """Crawl in a process of its own, so that its memory is known."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(crawled, task).result()


def crawled(task: Task) -> Row:
    site = ComputedSite(task.kind, task.seed, task.items)
    learning = _Learning()
    clocked, began, ideal = _Clocked(site), time.process_time(), site.truth.ideal
    set_up = time.process_time() - began
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        database = Database(f"sqlite:///{folder}/state.sqlite")
        wish = SiteWish(strategy=Strategy(task.strategy), seed=task.order)
        tell = _progress(site.name, ideal) if task.tells else lambda _: None
        walked = walk(database, Path(folder), clocked, most=_MOST * ideal, wish=wish, tell=tell)
        database.close()
    seconds = time.process_time() - began - set_up - clocked.seconds
    return _row(task, site, walked, seconds, learning.seconds)


def _row(task: Task, site: ComputedSite, walked: Walked, seconds: float, learning: float) -> Row:
    truth = site.truth
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Row(
        site=site.name,
        items=task.items,
        theme=site.form.theme.name,
        sitemap=site.form.sitemap,
        strategy=task.strategy,
        order=task.order,
        requests=walked.requests,
        ideal=truth.ideal,
        content=len(walked.content & truth.content) / len(truth.content),
        grams=site.text_share(walked.content),
        traps=walked.traps.total(),
        cpu_ms=1000 * seconds / max(1, walked.requests),
        learning_ms=1000 * learning / max(1, walked.requests),
        rss_mb=rss,
        is_cut=walked.requests >= _MOST * truth.ideal,
        kinds=dict(walked.kinds.most_common()),
        missed=sorted(truth.content - walked.content)[:_EXAMPLES],
        trapped=[*walked.traps][:_EXAMPLES],
        reached=frozenset(walked.content),
    )


def _progress(name: str, ideal: int):  # noqa: ANN202 - a function of what was walked
    def tell(walked: Walked) -> None:
        if walked.requests % 200 < 8:
            print(f"\r{name}: {walked.requests} requests, ideal {ideal} ", end="", file=sys.stderr)

    return tell


def _line(row: Row) -> str:
    name = f"{row.site} {row.items}"
    return (
        f"{name:<18}{'≥' if row.is_cut else ''}{row.requests:>9}{row.ratio:>9.2f}{row.content:>9.2%}"
        f"{row.grams:>9.2%}{row.traps:>7}{row.trap_share:>8.2%}{row.cpu_ms:>8.1f}{row.learning_ms:>7.2f}{row.rss_mb:>8.0f}"
        f"  {row.theme}{', sitemap' if row.sitemap else ''}"
    )


def _told(row: Row) -> Iterator[str]:
    yield "    " + ", ".join(f"{kind or '–'} {many}" for kind, many in row.kinds.items())
    if row.missed:
        yield f"    missed: {' '.join(row.missed)}"
    if row.trapped:
        yield f"    traps: {' '.join(one[:100] for one in row.trapped)}"


def _totals(rows: Sequence[Row]) -> Iterator[str]:
    requests, ideals = sum(row.requests for row in rows), sum(row.ideal for row in rows)
    traps = sum(row.traps for row in rows)
    share = traps / max(1, requests)
    yield f"{'all':<18}{requests:>9}{requests / max(1, ideals):>9.2f}{'':>18}{traps:>7}{share:>8.2%}"
    for name, values in (
        ("× ideal", [row.ratio for row in rows]),
        ("content", [row.content for row in rows]),
        ("2-grams", [row.grams for row in rows]),
        ("traps", [row.trap_share for row in rows]),
    ):
        yield f"{name:<10} min {min(values):.4f}  median {median(values):.4f}  max {max(values):.4f}"


if __name__ == "__main__":
    main()
