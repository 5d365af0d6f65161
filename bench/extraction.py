"""How well articles are found on pages whose article is known, by us and by other extractors.

A set is a file of JSON Lines, gzipped or not: {id, site, url, title, description, gold, html} for each page.
The pages of a site are one channel and are extracted together, each with its title and its description in the
place of what a feed would have said of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import extraction_speed as speed
from extraction_peers import PEERS
from extraction_run import Program, ProgramError, Result, measure
from extraction_sets import SetError, read_set, set_files, set_name
from options import whole_number

from archiver.articles.methods.registry import method_names
from archiver.profiles.default import EXTRACT_METHOD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PEERS_PYTHON = Path(__file__).resolve().parent.parent / ".venv-peers" / "bin" / "python"
HEAD = f"{'P':>7}{'R':>7}{'F1':>7}{'median':>8}{'p10':>7}{'pages/s':>9}{'MB':>6}"
LEGEND = """\
P, R, F1  means over the pages; median, p10: F1 of the page in the middle, and of that a tenth from the worst
pages/s   pages a second of processor time, parsing included, importing not
MB        the most memory that the process held, with the extractor and one channel in it"""


class UsageError(Exception):
    """An option that cannot be followed; the message says what can."""


def programs(methods: Sequence[str], peers: Sequence[str]) -> list[Program]:
    _refuse_unknown("method", methods, method_names())
    _refuse_unknown("peer", peers, PEERS)
    if peers and not PEERS_PYTHON.exists():
        raise UsageError("the peers are not installed: run `make peers`")
    ours = [Program(name=name, kind="ours", python=sys.executable) for name in methods]
    return [*ours, *(Program(name=name, kind="peer", python=str(PEERS_PYTHON)) for name in peers)]


def _refuse_unknown(kind: str, names: Sequence[str], known: Iterable[str]) -> None:
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"there is no {kind} {', '.join(unknown)}: there are {', '.join(known)}")


def table(found: Sequence[Result]) -> str:
    """The results of one set."""
    wide = max(len(result.method) for result in found)
    title = f"{found[0].set}, {found[0].quality.pages} pages"
    return "\n".join([title, f"{'':{wide}}{HEAD}", *(line(result, wide) for result in found)])


def line(result: Result, wide: int) -> str:
    of = result.quality
    means = f"{of.precision:7.3f}{of.recall:7.3f}{of.f1:7.3f}{of.median:8.3f}{of.p10:7.3f}"
    failed = f"  failed on {len(result.failures)}: {result.failures[0]:.100}" if result.failures else ""
    return f"{result.method:{wide}}{means}{result.pages_per_cpu_second:9.1f}{result.peak_mb:6.0f}{failed}"


def predictions(result: Result) -> str:
    made = {"set": result.set, "method": result.method}
    lines = ({**made, "id": page, "text": text} for page, text in result.texts.items())
    return "".join(json.dumps(line) + "\n" for line in lines)


def run(files: Sequence[Path], chosen: Sequence[Program], options: argparse.Namespace) -> list[Result]:
    """Measure everything; the table of each set is printed as soon as it is there."""
    done = []
    for file in files:
        found = list(results(file, chosen, options))
        if found:
            print(table(found), end="\n\n", flush=True)
        done += found
    return done


def results(file: Path, chosen: Sequence[Program], options: argparse.Namespace) -> Iterator[Result]:
    """Measure one set; a program that fails is told and left out."""
    name, pages = set_name(file), list(read_set(file, options.limit))
    for program in chosen:
        say(f"{name}: {program.name} on {len(pages)} pages …")
        try:
            yield measure(program, name, pages, alone=options.alone, entry=not options.no_entry)
        except ProgramError as error:
            say(f"{name}: {program.name} failed: {error}")


def run_speed(files: Sequence[Path], options: argparse.Namespace) -> list[speed.Speed]:
    """Measure speed alone, set by set; a set without a site of enough pages is left out, and told."""
    compared, done = speed.programs(sys.executable, str(PEERS_PYTHON)), []
    for file in files:
        name, given = set_name(file), speed.channels_of_twenty(read_set(file, options.limit))
        say(f"{name}: {len(given)} sites with {speed.LEAST_PAGES} pages or more …")
        if given:
            done += (found := speed.measure_speed(compared, name, given))
            print(speed.table(found), end="\n\n", flush=True)
    return done


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def names(given: Iterable[str]) -> list[str]:
    """Names that came one by one, or with commas between them; each once."""
    listed = (name.strip() for word in given for name in word.split(","))
    return list(dict.fromkeys(filter(None, listed)))


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=LEGEND
    )
    option = made.add_argument
    option(
        "--data",
        type=Path,
        required=True,
        metavar="FILE",
        nargs="+",
        action="extend",
        help="a set, NAME.jsonl or NAME.jsonl.gz, or a folder with sets in it",
    )
    option(
        "--method",
        metavar="NAME",
        nargs="+",
        action="extend",
        help=f"of ours: {', '.join(method_names())}; without it {EXTRACT_METHOD}, as the crawl does",
    )
    option(
        "--peers",
        nargs="?",
        const=",".join(PEERS),
        default="",
        metavar="NAME,…",
        help=f"extractors of others, installed by `make peers`: {', '.join(PEERS)}; without names, all",
    )
    option("--alone", action="store_true", help="one page at a time, not the pages of a site together")
    option("--no-entry", action="store_true", help="withhold titles and descriptions")
    option("--speed", action="store_true", help="only how fast, on channels of 20 pages, beside trafilatura")
    option("--limit", type=whole_number, metavar="N", help="only the first N pages of each set")
    option("--out", type=Path, metavar="FILE", help="write what was found: {set, method, id, text} a line")
    option("--json", type=Path, metavar="FILE", help="write the figures here as well")
    return made


def checked(options: argparse.Namespace) -> tuple[list[Path], list[Program]]:
    """The sets and the programs; whatever is wrong is told now, not after an hour of measuring."""
    chosen = programs(names(options.method or [EXTRACT_METHOD]), names([options.peers]))
    if options.speed:
        _refuse_beside_speed(options)
    files = set_files(options.data)
    for file in files:
        deque(read_set(file, options.limit), maxlen=0)
    for written in filter(None, (options.out, options.json)):
        if not written.absolute().parent.is_dir():
            raise UsageError(f"{written} cannot be written: its folder is not there")
    return files, chosen


def _refuse_beside_speed(options: argparse.Namespace) -> None:
    if any((options.method, options.peers, options.alone, options.no_entry, options.out)):
        raise UsageError("--speed compares what it always compares: only --limit and --json go with it")
    if not PEERS_PYTHON.exists():
        raise UsageError("trafilatura is not installed: run `make peers`")


def main() -> None:
    reader = parser()
    options = reader.parse_args()
    try:
        files, chosen = checked(options)
    except (UsageError, SetError) as error:
        reader.error(str(error))
    if options.speed:
        fast = run_speed(files, options)
        print(speed.LEGEND)
        write_figures(options.json, fast)
        return
    done = run(files, chosen, options)
    print(LEGEND)
    if options.out:
        options.out.write_text("".join(map(predictions, done)), encoding="utf-8")
    write_figures(options.json, done)
    sys.exit(len(done) < len(files) * len(chosen))


def write_figures(path: Path | None, found: Sequence[Result | speed.Speed]) -> None:
    if path:
        path.write_text(json.dumps([one.row() for one in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
