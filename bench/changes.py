"""How well changes of articles are told from changes of pages, where it is known what changed.

Without --data the gazette of the sample web is crawled once a day: its articles live through more than forty
kinds of change in thirty days. With --data pages of sets as bench/extraction.py takes them are changed, each
in one known way.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from changes_score import LEGEND, NO_ARTICLE, mistakes, score, summary, table
from extraction_sets import SetError, set_files, set_name
from options import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from changes_score import Outcome

DAYS = 30
# Every article that is known is fetched again each day, also those of the sample web, which are of long ago.
RECHECKS = ("RECHECK_INTERVAL=1d", "RECHECK_DAYS=9999", "RECHECK_SHARE=0.99")


def run_data(files: Sequence[Path], options: argparse.Namespace) -> dict[str, list[Outcome]]:
    import changes_real  # noqa: PLC0415 - the crawl needs none of it

    return {
        set_name(file): changes_real.measure(file, seed=options.seed, limit=options.limit, jobs=options.jobs)
        for file in files
    }


def run_crawl(options: argparse.Namespace) -> dict[str, list[Outcome]]:
    import changes_core  # noqa: PLC0415 - real pages need none of it
    import changes_crawl  # noqa: PLC0415 - as above

    try:
        if options.core:
            return {"gazette": changes_core.measure(options.days)}
        return {"gazette": changes_crawl.measure(options.days, options.set or RECHECKS)}
    except (changes_crawl.CrawlError, changes_crawl.SampleWebError) as error:
        sys.exit(str(error))


def tell(found: Mapping[str, Sequence[Outcome]]) -> None:
    everything = [one for outcomes in found.values() for one in outcomes]
    print(table(everything), end="\n\n")
    for name, outcomes in found.items():
        if wrong := mistakes(outcomes):
            print(f"{name}:", *wrong, sep="\n  ", end="\n\n")
    for name, outcomes in found.items():
        print(summary(name, outcomes))
    if len(found) > 1:
        print(summary("all", everything))
    print(f"\n{LEGEND}")


def write_figures(path: Path, found: Mapping[str, Sequence[Outcome]]) -> None:
    rows = [{"set": name, **score(outcomes).row()} for name, outcomes in found.items()]
    listed = [
        {"set": name, "kind": one.kind, "said": one.said, "where": one.where, "detail": one.detail}
        for name, outcomes in found.items()
        for one in outcomes
        if one.said == NO_ARTICLE or mistakes([one])
    ]
    path.write_text(json.dumps({"sets": rows, "mistakes": listed}, indent=1, ensure_ascii=False) + "\n")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=LEGEND
    )
    option = made.add_argument
    option("--days", type=whole_number, default=DAYS, help=f"days of the sample web, otherwise {DAYS}")
    option(
        "--data",
        type=Path,
        metavar="FILE",
        nargs="+",
        action="extend",
        help="sets of real pages, NAME.jsonl or NAME.jsonl.gz, or folders: nothing is crawled",
    )
    option("--core", action="store_true", help="the sample web's pages judged directly, without a crawl")
    option(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        help=f"settings of the crawl, otherwise {' '.join(RECHECKS)}",
    )
    option("--seed", type=int, default=6, help="what is changed where, with --data")
    option("--limit", type=whole_number, metavar="N", help="only the first N pages of each set")
    option("--jobs", type=whole_number, default=2, help="processes, with --data")
    option("--json", type=Path, metavar="FILE", help="write the figures and every mistake here as well")
    return made


def main() -> None:
    reader = parser()
    options = reader.parse_args()
    try:
        found = run_data(set_files(options.data), options) if options.data else run_crawl(options)
    except SetError as error:
        reader.error(str(error))
    tell(found)
    if options.json:
        write_figures(options.json, found)


if __name__ == "__main__":
    main()
