"""Real applications, crawled in one process: each page is asked for once, whatever the number of crawls.

    .venv/bin/python -m bench.cached --app mkdocs=http://127.0.0.1:8976/,truth.json --cache pages --seeds 0-9

Reading and state store are the real ones. What an application answers is kept in the cache, so that ten
seeds cost it little more than one. Nothing is known of the software, and the sample is counted.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tempfile
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from archiver.acquisition.sites.model import Strategy
from archiver.store.database import Database
from archiver.store.whole_sites.choosing import SiteWish
from bench.learned import MEMORY
from bench.options import numbers
from bench.whole_sites.applications import APPLICATIONS, comment_times
from bench.whole_sites.exchanges import Exchange
from bench.whole_sites.metric import Measure, ideal_requests
from bench.whole_sites.seeds import agreement
from bench.whole_sites.truth import read_truth
from tests.sites.walking import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST = 5_000
_REDIRECTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What an application answered."""

    body: bytes
    content_type: str
    status: int
    location: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a crawl is told, at the address that redirects led to."""

    body: str
    content_type: str
    status: int
    url: str
    content: str = ""
    is_trap: bool = False
    kind: str = ""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:  # type: ignore[override] # none is followed
        return None


@dataclass(slots=True, kw_only=True)
class CachedApplication:
    """An application whose answers are kept in a folder."""

    url: str
    folder: Path
    asked: list[str] = field(default_factory=list)  # by the crawl that is on, redirects too
    known: dict[str, Kept] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    def load(self) -> None:
        path = self.folder / "pages.pickle"
        if path.exists():
            self.known = pickle.loads(path.read_bytes())

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "pages.pickle").write_bytes(pickle.dumps(self.known))

    def answer(self, target: str) -> Answered:
        url = f"http://{self.host}{target}"
        for _ in range(_REDIRECTS):
            if target != "/robots.txt":
                self.asked.append(url)
            kept = self.known.get(url) or self._ask(url)
            if not kept.location or urlsplit(kept.location).netloc != self.host:
                break
            url = kept.location
        return Answered(
            body=kept.body.decode("utf-8", "replace"),
            content_type=kept.content_type,
            status=kept.status,
            url=url,
        )

    def _ask(self, url: str) -> Kept:
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            answer: Any = opener.open(url, timeout=120)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            kept = Kept(
                body=answer.read(),
                content_type=answer.headers.get("Content-Type") or "",
                status=answer.status,
                location=urljoin(url, answer.headers.get("Location") or "")
                if answer.status in {301, 302, 303, 307, 308}
                else "",
            )
        self.known[url] = kept
        return kept

    def exchanges(self, urls: Sequence[str]) -> Iterator[Exchange]:
        for url in urls:
            kept = self.known[url]
            yield Exchange(url=url, status=kept.status, content_type=kept.content_type, body=kept.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one crawl asked for and got."""

    seed: int
    requests: int
    text: float
    items: float
    comments: float
    reached: frozenset[str]
    missed: tuple[str, ...]
    asked: tuple[str, ...]


def main() -> None:
    given = _arguments()
    rows: dict[str, Any] = {}
    for name, url, truth in given.app:
        rows[name] = _measured(name, CachedApplication(url=url, folder=given.cache / name), truth, given)
    ideal, most = (sum(row[key] for row in rows.values()) for key in ("ideal", "most"))
    middle = sum(row["median"] for row in rows.values())
    print(
        f"all: ideal {ideal}, median {middle} = {middle / ideal:.2f} ×, worst {most} = {most / ideal:.2f} ×"
    )
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))


def _measured(name: str, site: CachedApplication, path: Path, given: argparse.Namespace) -> dict[str, Any]:
    site.load()
    measure = Measure(read_truth(path).as_held(comment_times(name, site.url, path)))
    some = []
    for seed in given.seeds:
        some.append(_crawled(site, measure, seed))
        site.save()
        one = some[-1]
        told = f"{one.requests:>6}{one.text:>9.2%}{one.items:>9.2%}{one.comments:>9.2%}"
        print(f"{name:<11}{seed:>3}{told}", *one.missed, flush=True)
    everything = site.exchanges([*site.known])
    ideal = given.ideal or ideal_requests(measure, APPLICATIONS[name], everything)
    asked = sorted(one.requests for one in some)
    row = {
        "ideal": ideal,
        "least": asked[0],
        "median": asked[len(asked) // 2],
        "most": asked[-1],
        "text": min(one.text for one in some),
        "agree": agreement([one.reached for one in some]),
        "requests": {one.seed: one.requests for one in some},
    }
    ratios = "–".join(f"{number / ideal:.2f}" for number in (asked[0], asked[-1]))
    print(
        f"{name}: ideal {ideal}, {asked[0]}–{asked[-1]} requests ({ratios} ×), text ≥ {row['text']:.2%},"
        f" {len(some)} seeds agree on {row['agree']:.2%} of items",
        flush=True,
    )
    return row


def _crawled(site: CachedApplication, measure: Measure, seed: int) -> Found:
    site.asked.clear()
    wish = SiteWish(strategy=Strategy.LEARNED, seed=seed)
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        closing(Database(f"sqlite:///{folder}/state.sqlite")) as database,
    ):
        walk(database, Path(folder), site, most=_MOST, wish=wish)
    reach = measure.reach(site.exchanges(site.asked))
    missed = tuple(sorted(measure.items.keys() - reach.reached))
    return Found(
        seed=seed,
        requests=reach.requests,
        text=reach.text,
        items=reach.items,
        comments=reach.comments,
        reached=reach.reached,
        missed=missed[:3],
        asked=tuple(site.asked),
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--app", action="append", required=True, metavar="NAME=URL,TRUTH.json", type=_given)
    parser.add_argument("--cache", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--seeds", type=numbers, default=[0], help="of our crawl (SITE_SEED), such as 0-9")
    parser.add_argument("--ideal", type=int, help="requests; otherwise by the pages in the cache")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _given(text: str) -> tuple[str, str, Path]:
    name, _, rest = text.partition("=")
    url, _, truth = rest.rpartition(",")
    return name, url, Path(truth)


if __name__ == "__main__":
    main()
