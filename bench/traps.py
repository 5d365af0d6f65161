"""Traps for crawlers on twenty generated sites: which share of the requests they take, and what is lost.

    .venv/bin/python -m bench.traps --items 3000
    .venv/bin/python -m bench.traps --items 500 --only "blog 2" "shop 17"

The sites have a calendar, facets, orders, session ids, relative links that miss a stroke, soft 404s, lists
without end, print views and near-duplicates. They are crawled by every link, with the real reading and the
real store; only the network is left out. Of a larger site, fewer requests are traps: what is fallen into
before a trap is known does not grow with it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from archiver.store.database import Database
from tests.sites.generated import GeneratedSite, generated_sites
from tests.sites.walking import Walked, walk


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--items", type=int, default=3000, help="pages with content on each site")
    arguments.add_argument("--only", nargs="*", default=(), help="names of sites, such as 'blog 2'")
    arguments.add_argument("--first", type=int, default=0, help="the first of twenty seeds, for other sites")
    given = arguments.parse_args()
    print(f"{'site':<10}{'requests':>10}{'traps':>8}{'share':>9}{'content':>10}{'CPU s':>8}")
    total = requests = 0
    for site in generated_sites(given.items, given.first):
        if given.only and site.name not in given.only:
            continue
        began = time.process_time()
        walked = _walked(site)
        print(_row(site, walked, time.process_time() - began), flush=True)
        total, requests = total + walked.traps.total(), requests + walked.requests
    print(f"{'all':<10}{requests:>10}{total:>8}{total / max(1, requests):>9.2%}")


def _walked(site: GeneratedSite) -> Walked:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/state.sqlite")
        try:
            return walk(database, Path(folder), site, most=20 * len(site.items))
        finally:
            database.close()


def _row(site: GeneratedSite, walked: Walked, seconds: float) -> str:
    found = len(walked.content & site.content) / len(site.content)
    return (
        f"{site.name:<10}{walked.requests:>10}{walked.traps.total():>8}{walked.trap_share:>9.2%}"
        f"{found:>10.2%}{seconds:>8.1f}"
    )


if __name__ == "__main__":
    main()
