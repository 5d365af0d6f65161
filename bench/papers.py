"""The experiments of the papers on SIGFEED and FOREST, on pages of any set.

A set is a file as bench/extraction.py takes it. Title and description of each page stand for its feed entry.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import papers_runs as runs
from extraction_sets import SetError, read_set, set_files, set_name
from options import whole_number
from papers_boilerpipe import MISSING, boilerpipe, is_installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from papers_runs import PageSet, Row

PAGES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
SIGNIFIERS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)
PERCENTILES = (9, 25, 50, 75, 91)
PARTS = ("methods", "measures", "choices", "pages", "signifiers")
# Table 1 of the paper of 2012: precision, recall, F1 in percent, over 1,006 pages of 93 templates.
PUBLISHED = {
    "FOREST (tf-idf)": (93.0, 92.8, 92.1),
    "FOREST (feeds)": (92.0, 90.5, 89.6),
    "SIGFEED (2012, no climb)": (88.0, 83.9, 84.0),
    "COVERAGE": (89.7, 83.0, 82.9),
    "Boilerpipe": (79.5, 84.0, 81.7),
    "DESCRIPTION": (84.4, 22.0, 30.3),
}
LEGEND = """\
P, R, F1      means over the pages; ±: half of the 95 % interval of F1, each site counting as one draw
p9 … p91      percentiles of F1; exact: share of pages right to the word
paper F1      what the paper of 2012 has for its own pages"""


def figures(row: Row) -> dict[str, Any]:
    ordered = sorted(one.f1 for one in row.scores)
    cuts = {f"p{cut}": ordered[min(len(ordered) * cut // 100, len(ordered) - 1)] for cut in PERCENTILES}
    means = {
        name: statistics.fmean(getattr(one, name) for one in row.scores)
        for name in ("precision", "recall", "f1")
    }
    exact = sum(one.f1 == 1.0 for one in row.scores) / len(row.scores)
    return {"method": row.method, **means, "interval": interval(row), **cuts, "exact": exact}


def interval(row: Row) -> float:
    """1.96 standard errors of the mean: pages of a site are alike, so sites are the draws."""
    by_site: defaultdict[str, list[float]] = defaultdict(list)
    for site, one in zip(row.sites, row.scores, strict=True):
        by_site[site].append(one.f1)
    means = [statistics.fmean(of_site) for of_site in by_site.values()]
    return 1.96 * statistics.stdev(means) / sqrt(len(means)) if len(means) > 1 else 1.0


def table(title: str, rows: Sequence[dict[str, Any]]) -> str:
    wide = max(len(row["method"]) for row in rows)
    head = f"{'':{wide}}{'P':>6}{'R':>6}{'F1':>6}{'±':>6}" + "".join(f"{f'p{cut}':>6}" for cut in PERCENTILES)
    lines = [title, f"{head}{'exact':>7}{'paper F1':>10}"]
    return "\n".join([*lines, *(line(row, wide) for row in rows)])


def line(row: dict[str, Any], wide: int) -> str:
    names = ("precision", "recall", "f1", "interval", *(f"p{cut}" for cut in PERCENTILES))
    cells = "".join(f"{row[name]:6.3f}" for name in names)
    paper = f"{PUBLISHED[row['method']][2] / 100:10.3f}" if row["method"] in PUBLISHED else ""
    return f"{row['method']:{wide}}{cells}{row['exact']:7.3f}{paper}"


def measured(pages: PageSet, part: str) -> Iterator[dict[str, Any]]:
    """The rows of one experiment."""
    if part == "methods":
        yield from map(figures, all_methods(pages))
    elif part in ("measures", "choices"):
        yield from map(figures, runs.by_measure(pages) if part == "measures" else runs.by_choice(pages))
    else:
        steps = runs.by_pages(pages, PAGES) if part == "pages" else runs.by_signifiers(pages, SIGNIFIERS)
        for number, rows in steps:
            yield {"at": number, **{row.method: figures(row)["f1"] for row in rows}}


def all_methods(pages: PageSet) -> Iterator[Row]:
    yield from runs.methods(pages)
    if not is_installed():
        print(MISSING, file=sys.stderr)
        return
    with boilerpipe() as text_of:
        yield pages.row("Boilerpipe", {page.id: text_of(page.html) for page in pages.pages})


def told(name: str, part: str, rows: Sequence[dict[str, Any]]) -> str:
    if part in ("pages", "signifiers"):
        words = f"F1 of FOREST by the most {part} of a {'template' if part == 'pages' else 'page'}"
        head = f"{part:>12}" + "".join(f"{source:>10}" for source in runs.BASES)
        lines = (f"{row['at']:>12}" + "".join(f"{row[one]:10.3f}" for one in runs.BASES) for row in rows)
        return "\n".join([f"{name}: {words}", head, *lines])
    return table(f"{name}: {part}", rows)


def run(files: Iterable[Path], parts: Sequence[str], limit: int | None) -> list[dict[str, Any]]:
    done = []
    for file in files:
        name, pages = set_name(file), runs.PageSet(list(read_set(file, limit)))
        for part in parts:
            print(f"{name}: {part} on {len(pages.pages)} pages …", file=sys.stderr, flush=True)
            rows = list(measured(pages, part))
            print(told(name, part, rows), end="\n\n", flush=True)
            done += [{"set": name, "part": part, **row} for row in rows]
    return done


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=LEGEND
    )
    made.add_argument(
        "--data", type=Path, required=True, metavar="SET", nargs="+", help="sets, or folders with sets"
    )
    made.add_argument("--part", choices=PARTS, nargs="+", default=PARTS, help="only these experiments")
    made.add_argument("--limit", type=whole_number, metavar="N", help="only the first N pages of each set")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    return made


def main() -> None:
    reader = parser()
    options = reader.parse_args()
    try:
        done = run(set_files(options.data), options.part, options.limit)
    except SetError as error:
        reader.error(str(error))
    print(LEGEND)
    if options.json:
        options.json.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
