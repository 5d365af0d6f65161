"""Whole sites of real applications: what our crawl asks for and gets, beside wget and two Scrapy spiders.

Each application is filled with content that is known: a file says which items and comments it holds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from options import numbers, whole_number
from whole_sites.applications import (
    APPLICATIONS,
    Application,
    ApplicationError,
    bring_up,
    comment_times,
    switch_theme,
)
from whole_sites.exchanges import exchanges_in
from whole_sites.metric import Measure, Reach, ideal_requests, share_of_links, truth_links
from whole_sites.objects import ObjectScore, read_objects, score_objects
from whole_sites.programs import (
    PEERS,
    WGET,
    Crawl,
    CrawlError,
    Limits,
    cache_name,
    crawl_by_peer,
    crawl_by_us,
)
from whole_sites.seeds import spread_lines, total_lines
from whole_sites.table import BARS, lines_of
from whole_sites.truth import Truth, TruthError, read_truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from whole_sites.exchanges import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One application as it is now: with one of its themes, where it has several."""

    name: str
    theme: str
    url: str
    truth: Path
    app: Application

    @property
    def label(self) -> str:
        return f"{self.name}/{self.theme}" if self.theme else self.name


def main() -> int:
    given = arguments()
    rows: list[dict[str, Any]] = []
    try:
        for subject in subjects(given):
            made = list(measured(subject, given))
            print(*lines_of(made), *spread_lines(made), sep="\n", flush=True)
            rows += made
    except (ApplicationError, TruthError) as error:
        print(error, file=sys.stderr)
        return 2
    print(*total_lines(rows), BARS, sep="\n")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1, default=sorted))
    return int(any(row.get("problem") for row in rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", action="append", default=[], metavar="NAME=URL,TRUTH.json", type=_given_app)
    parser.add_argument(
        "--apps", type=Path, metavar="FOLDER", help="its `up NAME PORT` brings each application up"
    )
    parser.add_argument(
        "--work", type=Path, default=Path(".bench-sites"), help="where applications are built"
    )
    parser.add_argument("--only", default=",".join(APPLICATIONS), help="names of applications, with commas")
    parser.add_argument("--themes", help="of those that have several; all without this option")
    parser.add_argument("--strategies", default="auto", help="of our crawl, with commas; none: peers alone")
    parser.add_argument("--seeds", type=numbers, default=[], help="of our crawl (SITE_SEED), such as 0-9")
    parser.add_argument(
        "--no-knowledge", action="store_true", help="our crawl knows no software (SITE_KNOWLEDGE is empty)"
    )
    parser.add_argument("--peers", action="store_true", help="wget and two Scrapy spiders beside ours")
    parser.add_argument(
        "--cache", type=Path, help="what peers fetched is kept here; WORK/peers without this option"
    )
    parser.add_argument("--seconds", type=whole_number, default=900, help="the most that one crawl may take")
    parser.add_argument("--requests", type=whole_number, default=10000, help="the most of a Scrapy peer")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="our archives are kept here")
    parser.add_argument("--json", type=Path, metavar="FILE", help="a list of rows")
    parser.add_argument(
        "-s", dest="settings", action="append", default=[], help="a setting of our crawl, NAME=VALUE"
    )
    given = parser.parse_args()
    if not given.app and not given.apps:
        parser.error("give --apps FOLDER, or --app NAME=URL,TRUTH.json")
    if unknown := set(given.only.split(",")) - APPLICATIONS.keys():
        parser.error(f"{', '.join(sorted(unknown))}: not known; known are {', '.join(APPLICATIONS)}")
    return given


def subjects(given: argparse.Namespace) -> Iterator[Subject]:
    for name, url, truth in given.app:
        app = APPLICATIONS.get(name.partition("/")[0]) or Application(port=0)
        yield Subject(
            name=name.partition("/")[0], theme=name.partition("/")[2], url=url, truth=truth, app=app
        )
    if not given.apps:
        return
    for name in given.only.split(","):
        app = APPLICATIONS[name]
        url, truth = bring_up(given.apps.resolve(), given.work, name)
        wanted = given.themes.split(",") if given.themes else app.themes
        for theme in [each for each in app.themes if each in wanted] or [""]:
            if theme:
                switch_theme(given.apps.resolve(), truth, url, theme)
            yield Subject(name=name, theme=theme, url=url, truth=truth, app=app)
        if app.themes:
            switch_theme(given.apps.resolve(), truth, url, app.themes[0])


def measured(subject: Subject, given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    written = read_truth(subject.truth)
    truth = written.as_held(comment_times(subject.name, subject.url, subject.truth))
    left_out = len(list(written.comments)) - len(list(truth.comments))
    if left_out:
        print(f"\n{subject.label}: {left_out} comments of the truth are left out: it does not have them")
    measure = Measure(truth)
    limits = Limits(seconds=given.seconds, requests=given.requests)
    cache = (given.cache or given.work / "peers") / cache_name(
        subject.name, subject.theme, subject.url, subject.truth
    )
    with ExitStack() as stack:
        scratch = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        crawls: dict[str, Crawl | str] = dict(_our_crawls(subject, given, scratch, limits))
        peers = PEERS if given.peers else [WGET] if (cache / f"{WGET}.done").exists() else []
        crawls |= {peer: crawl_by_peer(peer, subject.url, cache.resolve(), limits) for peer in peers}
        yield from _rows(subject, truth, measure, crawls)


def _our_crawls(
    subject: Subject, given: argparse.Namespace, scratch: Path, limits: Limits
) -> Iterator[tuple[str, Crawl | str]]:
    settings = ["SITE_KNOWLEDGE=", *given.settings] if given.no_knowledge else given.settings
    more = [word for setting in settings for word in ("-s", setting)]
    wanted = [one for one in given.strategies.split(",") if one and one != "none"]
    for strategy, seed in product(wanted, given.seeds or [None]):
        name = strategy if seed is None else f"{strategy} {seed}"
        seeded = [] if seed is None else ["-s", f"SITE_SEED={seed}"]
        archive = scratch.resolve() / f"{subject.label.replace('/', '-')}-{name.replace(' ', '-')}"
        try:
            yield name, crawl_by_us(subject.url, archive, strategy, [*more, *seeded], limits)
        except CrawlError as error:
            yield name, str(error)


def _rows(
    subject: Subject, truth: Truth, measure: Measure, crawls: dict[str, Crawl | str]
) -> Iterator[dict[str, Any]]:
    made = {name: crawl for name, crawl in crawls.items() if isinstance(crawl, Crawl)}

    def everything() -> Iterator[Exchange]:
        return chain.from_iterable(exchanges_in(crawl.warc) for crawl in made.values())

    wanted = truth_links(measure, everything())
    ideal = ideal_requests(measure, subject.app, everything()) if subject.app.lists else None
    reached = {name: measure.reach(exchanges_in(crawl.warc)) for name, crawl in made.items()}
    raw = frozenset().union(*(reach.links for reach in reached.values()))
    for name, crawl in crawls.items():
        row: dict[str, Any] = {"app": subject.label, "strategy": name, "ideal": ideal}
        if isinstance(crawl, str):
            yield {**row, "problem": crawl}
            continue
        yield {
            **row,
            **_figures(reached[name], _objects(truth, subject.app, crawl), ideal),
            "links": share_of_links(wanted, reached[name].links),
            "links_raw": share_of_links(raw, reached[name].links),
            "reached": reached[name].reached,
            "links_wanted": len(wanted),
            "items_wanted": len(truth.items),
            "comments_wanted": len(list(truth.comments)),
            "cut": crawl.cut,
        }


def _objects(truth: Truth, app: Application, crawl: Crawl) -> ObjectScore | None:
    if crawl.archive is None:
        return None
    folder = crawl.archive / "objects"
    return score_objects(truth, app, read_objects(folder, "articles"), read_objects(folder, "contributions"))


def _figures(reach: Reach, objects: ObjectScore | None, ideal: int | None) -> dict[str, Any]:
    """Of a peer, what stands on its pages; of our crawl, what stands in its objects, and the pages beside."""
    pages = asdict(reach)
    del pages["links"], pages["reached"]
    found = {
        **pages,
        "ratio": reach.requests / ideal if ideal else None,
        "items_on_pages": reach.items,
        "comments_on_pages": reach.comments,
    }
    if objects is None:
        return found
    stated = asdict(objects)
    return {**found, **stated, "text": reach.text, "text_in_objects": objects.text}


def _given_app(text: str) -> tuple[str, str, Path]:
    name, _, rest = text.partition("=")
    url, _, truth = rest.rpartition(",")
    if not (name and url and truth):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=URL,TRUTH.json")
    return name, url if url.endswith("/") else f"{url}/", Path(truth)


if __name__ == "__main__":
    os.nice(5)
    sys.exit(main())
