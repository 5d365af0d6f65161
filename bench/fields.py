"""How well fields are learned from one, two or five examples, by us and by others; and after a site's change.

A set is a file of JSON Lines, gzipped or not: {vertical, site, page, url, role, gold, html} for each page;
`role` is `learn` or `test`, `gold` the values of each attribute. A field is an attribute of a site.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fields_mutations import KINDS
from fields_redesigns import RedesignResult, measure_redesigns
from fields_run import FieldResult, measure_ours, measure_peer
from fields_sets import read_sites
from options import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fields_sets import FieldSite

PEERS_PYTHON = Path(__file__).resolve().parent.parent / ".venv-peers" / "bin" / "python"
PEERS = ("copied-selector", "autoscraper", "mlscraper")
HEAD = f"{'':18}{'examples':>9}{'F1':>8}{'perfect':>9}{'induce s':>10}{'slowest':>9}{'read ms':>9}"
LEGEND = """\
F1        page-level, of the pages to test on: the mean over fields; perfect: the share of fields with F1 = 1
induce s  seconds of the processor to learn a field, and of the slowest; read ms: a page and field, parsed
right     the share of fields and pages that are right: before the change, after it by all rules, and repaired
wrong     a wrong value where it was right before, after repair; rule 1: right by the first rule alone"""


def line(result: FieldResult) -> str:
    row = result.row()
    costs = f"{row['induce_seconds']:10.2f}{row['slowest_seconds']:9.2f}{row['read_milliseconds']:9.2f}"
    return f"{result.method:18}{result.examples:9}{result.f1:8.3f}{result.perfect:9.2f}{costs}"


def results(
    sites: Sequence[FieldSite], options: argparse.Namespace, peers: Sequence[str]
) -> Iterator[FieldResult]:
    counts = numbers(options.examples)
    yield from measure_ours(sites, counts, has_variants=options.variants)
    for name in peers:
        python = sys.executable if name == "copied-selector" else str(PEERS_PYTHON)
        yield from measure_peer(name, python, sites, numbers(options.peer_examples) or [min(counts)])


def by_vertical(found: Sequence[FieldResult]) -> str:
    lines = []
    for result in found:
        names = sorted({site.split("/")[0] for site, _ in result.scores})
        for name in names:
            scores = [one for (site, _), one in result.scores.items() if site.startswith(f"{name}/")]
            told = f"{sum(scores) / len(scores):8.3f}{sum(one == 1 for one in scores) / len(scores):9.2f}"
            lines.append(f"{result.method:18}{result.examples:9}{told}  {name}")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=LEGEND
    )
    option = made.add_argument
    option("--data", type=Path, required=True, metavar="FILE", help="a set, NAME.jsonl or NAME.jsonl.gz")
    option("--examples", default="1,2,5", metavar="K,…", help="pages whose values are given (1,2,5)")
    option("--peers", nargs="?", const=",".join(PEERS), default="", metavar="NAME,…", help=", ".join(PEERS))
    option("--peer-examples", default="", metavar="K,…", help="those that peers are given (the fewest)")
    option("--variants", action="store_true", help="ours with the first rule alone, and without other pages")
    option("--mutate", metavar="N,…", default="", help=f"edits of each site: {', '.join(KINDS)}")
    option("--seed", default="0", metavar="S,…", help="seeds of the edits, such as 0,1,2 or 0-9")
    option("--verticals", action="store_true", help="each vertical as well")
    option("--limit", type=whole_number, metavar="N", help="only the first N sites")
    option("--half", choices=("even", "odd"), help="every second site alone")
    option("--json", type=Path, metavar="FILE", help="write the figures here as well")
    return made


def numbers(text: str) -> list[int]:
    """`1,2,5`, and `0-9` for all between."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def chosen(options: argparse.Namespace) -> list[FieldSite]:
    sites = read_sites(options.data, options.limit)
    return sites if options.half is None else sites[options.half == "odd" :: 2]


def redesigned(sites: Sequence[FieldSite], options: argparse.Namespace) -> list[RedesignResult]:
    print(f"{'edits':18}{'examples':>9}{'before':>8}{'rule 1':>8}{'rules':>8}{'repaired':>9}{'wrong':>8}")
    examples = max(numbers(options.examples))
    found = measure_redesigns(sites, numbers(options.mutate), numbers(options.seed), examples)
    print("\n".join(result.line() for result in found))
    return found


def main() -> None:
    reader = parser()
    options = reader.parse_args()
    peers = [name for name in options.peers.split(",") if name]
    if unknown := [name for name in peers if name not in PEERS]:
        reader.error(f"there is no peer {', '.join(unknown)}: there are {', '.join(PEERS)}")
    if set(peers) - {"copied-selector"} and not PEERS_PYTHON.exists():
        reader.error("the peers are not installed: run `make peers`")
    sites = chosen(options)
    rows: list[FieldResult | RedesignResult] = []
    if options.mutate:
        rows += redesigned(sites, options)
    else:
        print(f"{len(sites)} sites\n{HEAD}")
        done: list[FieldResult] = []
        for result in results(sites, options, peers):
            print(line(result), flush=True)
            done.append(result)
        rows += done
        if options.verticals:
            print(by_vertical(done))
    print(LEGEND)
    if options.json:
        options.json.write_text(json.dumps([one.row() for one in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
