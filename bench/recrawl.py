"""A site crawled again a week later: whether all that is new is found, and at what cost.

    .venv/bin/python -m bench.recrawl --items 1000 --new 40
    .venv/bin/python -m bench.recrawl --kinds blog,forum --seeds 1-3 --strategy learned --json rows.json

Sites of tests/sites/computed are crawled, have so many new items then, and are crawled with `again=new`.
Printed: which share of the new content was reached, and the requests against new pages and the pages of
the cheapest lists that show them (the first page of the site is one of these).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from archiver.acquisition.sites.model import Strategy
from archiver.store.database import Database
from archiver.store.whole_sites.choosing import SiteWish
from bench.learned import MEMORY
from bench.options import numbers
from tests.sites.computed.kinds import KINDS
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import NOW, walk

_WEEK = timedelta(days=7)
# A crawl that asks for more than so many times what is needed is cut off.
_MOST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """What the second crawl of a site came to."""

    site: str
    items: int
    first: int  # requests of the first crawl
    new: int  # pages with content
    lists: int  # pages of lists that show them
    requests: int
    reached: float
    traps: int
    kinds: dict[str, int]

    @property
    def ratio(self) -> float:
        return self.requests / (self.new + self.lists)


def main() -> None:
    given = _arguments()
    print(
        f"{'site':<18}{'first':>8}{'new':>6}{'lists':>7}{'requests':>10}{'ratio':>7}{'reached':>9}{'traps':>7}"
    )
    rows = []
    for kind in given.kinds.split(","):
        for seed in given.seeds:
            row = crawled_again(kind, seed, given.items, given.new, Strategy(given.strategy))
            print(_line(row), f"    {row.kinds}", sep="\n", flush=True)
            rows.append(row)
    if given.json:
        given.json.write_text(json.dumps([{**asdict(row), "ratio": row.ratio} for row in rows], indent=1))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--items", type=int, default=1000, help="pages with content at first")
    parser.add_argument("--new", type=int, default=40, help="items that are added")
    parser.add_argument("--seeds", type=numbers, default=[1], help="of sites: 0-4, or 1,7")
    parser.add_argument("--strategy", choices=[*Strategy], default="learned")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def crawled_again(kind: str, seed: int, items: int, new: int, strategy: Strategy) -> Again:
    before, after = ComputedSite(kind, seed, items), ComputedSite(kind, seed, items, grown=new)
    needed = len(after.new_content) + after.changed_lists
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        database = Database(f"sqlite:///{folder}/state.sqlite")
        wish, again = SiteWish(strategy=strategy), SiteWish(strategy=strategy, again="new")
        first = walk(database, Path(folder), before, most=_MOST * before.truth.ideal, wish=wish)
        walked = walk(database, Path(folder), after, most=_MOST * needed, wish=again, at=NOW + _WEEK)
        database.close()
    return Again(
        site=before.name,
        items=items,
        first=first.requests,
        new=len(after.new_content),
        lists=after.changed_lists,
        requests=walked.requests,
        reached=len(walked.content & after.new_content) / len(after.new_content),
        traps=walked.traps.total(),
        kinds=dict(walked.kinds.most_common()),
    )


def _line(row: Again) -> str:
    name = f"{row.site} {row.items}"
    return (
        f"{name:<18}{row.first:>8}{row.new:>6}{row.lists:>7}{row.requests:>10}{row.ratio:>7.2f}{row.reached:>9.2%}"
        f"{row.traps:>7}"
    )


if __name__ == "__main__":
    main()
