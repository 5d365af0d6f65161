"""Side by side on this machine: bare Scrapy, wget --warc-file, and this archiver, fetching the same pages."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import BenchSite, Run, measure, running_site

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parent.parent
CONCURRENCY = 16
OURS = {
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "CONCURRENT_REQUESTS": str(CONCURRENCY),
    "CONCURRENT_REQUESTS_PER_DOMAIN": str(CONCURRENCY),
    "ALLOW_PRIVATE_ADDRESSES": "True",
    "MAX_PAGES_PER_CHANNEL": "0",
}
# The others fetch nothing but pages.
PAGES_ALONE = {"REQUISITES": "none"}
LEGEND = """\
bare   Scrapy alone: the same concurrency, no pipelines, every page dropped. The columns x compare with it
wget   wget --warc-file: one connection, compressed WARC, no extraction
capture the same as ours, but nothing is extracted: polls, WARC, index
ours   scrapy crawl feeds: polls the feeds, then WARC, extraction, versions, JSON Lines
look   the same with style sheets and images, as it is by default: pages a second count pages alone
e2e/s  pages a second, from the start of the process to its end; dl/s: from the first page served to the last
cpu    milliseconds of processor a page, children included. disk: MB written
@1000  MB of resident memory of the main process when it had fetched 1,000 pages; then at its end and at its
       peak; tree: the most that it and its children held together
srv    how busy the test server was during dl, in % of one core; near 100 the server is what is measured"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What our own run report adds: seconds of download and in all, and processor seconds of each stage."""

    download: float | None
    elapsed: float | None
    cpu_by_stage: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    run: Run
    disk: float
    report: Report | None


def bare_command(folder: Path) -> list[str]:
    return [sys.executable, str(ROOT / "bench" / "bare.py"), str(folder.parent / "urls.txt")]


def wget_command(folder: Path) -> list[str]:
    warc = [f"--warc-file={folder / 'pages'}", f"--warc-tempdir={folder}"]
    return [
        "wget",
        "--no-config",
        "-q",
        "--tries=1",
        "-O",
        os.devnull,
        *warc,
        "-i",
        str(folder.parent / "urls.txt"),
    ]


def capture_command(folder: Path) -> list[str]:
    return [*ours_command(folder), "-s", "EXTRACTION=False"]


def look_command(folder: Path) -> list[str]:
    return [*ours_command(folder), "-s", "REQUISITES=look"]


def ours_command(folder: Path) -> list[str]:
    settings = {**OURS, **PAGES_ALONE, "ARCHIVE_DIR": str(folder)}
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    return [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "feeds",
        "-a",
        f"seeds={folder.parent / 'seeds.txt'}",
        *given,
    ]


PROGRAMS: dict[str, Callable[[Path], list[str]]] = {
    "bare": bare_command,
    "wget": wget_command,
    "capture": capture_command,
    "ours": ours_command,
    "look": look_command,
}


def read_report(folder: Path) -> Report | None:
    """Read the newest run report of an archive; the only place that knows its fields."""
    reports = sorted((folder / "runs").glob("*.json"))
    if not reports:
        return None
    written: dict[str, Any] = json.loads(reports[-1].read_text())
    return Report(
        download=written["seconds"]["download"],
        elapsed=written["seconds"]["total"],
        cpu_by_stage=written["cpu_seconds"],
    )


def run_once(name: str, site: BenchSite, scratch: Path) -> Round:
    folder = Path(tempfile.mkdtemp(dir=scratch, prefix=name))
    try:
        run = measure(PROGRAMS[name](folder), site, cwd=ROOT, log=scratch / f"{name}.log")
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1_000_000
        return Round(run=run, disk=disk, report=read_report(folder))
    finally:
        shutil.rmtree(folder)


def run_all(names: Sequence[str], site: BenchSite, scratch: Path, repeat: int) -> dict[str, list[Round]]:
    rounds: dict[str, list[Round]] = {name: [] for name in names}
    for number in range(repeat):
        # Each round begins with another program, so that none always runs first.
        turn = number % len(names)
        for name in (*names[turn:], *names[:turn]):
            print(f"\rround {number + 1} of {repeat}: {name} …   ", end="", file=sys.stderr, flush=True)
            rounds[name].append(run_once(name, site, scratch))
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return rounds


def summary(rounds: Sequence[Round], pages: int) -> dict[str, float] | None:
    """Medians of the runs that fetched every page; None where none did."""
    whole = [once for once in rounds if once.run.pages == pages and once.run.exit_code == 0]
    if not whole:
        return None
    names = [field.name for field in fields(Run) if field.name != "last_words"]
    row = {name: statistics.median(getattr(once.run, name) for once in whole) for name in names}
    return {
        **row,
        "disk": statistics.median(once.disk for once in whole),
        "e2e": statistics.median(pages / once.run.wall for once in whole),
        "dl": statistics.median(pages / once.run.download for once in whole),
        "cpu_ms": statistics.median(1000 * once.run.cpu / pages for once in whole),
        "server_busy": statistics.median(once.run.server_cpu / once.run.download for once in whole),
    }


def table(rounds: dict[str, list[Round]], pages: int) -> str:
    heads = f"{'e2e/s':>8}{'x':>7}{'dl/s':>8}{'x':>7}{'cpu ms':>8}{'x':>7}"
    memory = f"{'@1000':>7}{'end':>6}{'peak':>6}{'tree':>6}{'disk':>7}{'srv':>5}"
    bare = summary(rounds.get("bare", []), pages)
    return "\n".join([f"{'':8}{heads}{memory}", *(line(name, rounds[name], pages, bare) for name in rounds)])


def line(name: str, rounds: list[Round], pages: int, bare: dict[str, float] | None) -> str:
    row = summary(rounds, pages)
    if row is None:
        last = rounds[-1].run
        return f"{name:8}failed: {last.pages} of {pages} pages, exit code {last.exit_code}: {last.last_words}"
    rates = "".join(
        f"{row[key]:8.{digits}f}" + (f"{row[key] / bare[key]:7.2f}" if bare else f"{'':7}")
        for key, digits in (("e2e", 1), ("dl", 1), ("cpu_ms", 2))
    )
    at_1000 = f"{row['rss_at_1000']:7.0f}" if row["rss_at_1000"] else f"{'-':>7}"
    memory = f"{at_1000}{row['rss_end']:6.0f}{row['rss_peak']:6.0f}{row['rss_tree']:6.0f}"
    return f"{name:8}{rates}{memory}{row['disk']:7.1f}{100 * row['server_busy']:4.0f}%"


def stages(rounds: list[Round], pages: int) -> str:
    """Our processor time by stage, from the run report of the last round."""
    report = rounds[-1].report
    if report is None:
        return "ours: wrote no run report"
    costs = sorted(report.cpu_by_stage.items(), key=lambda stage: -stage[1])
    listed = ", ".join(f"{name} {1000 * seconds / pages:.2f}" for name, seconds in costs)
    times = f"download {report.download} s, in all {report.elapsed} s"
    return f"ours: {times}; cpu ms a page: {listed or 'not reported'}"


def as_json(rounds: dict[str, list[Round]], pages: int) -> str:
    machine = {"cpus": os.cpu_count(), "python": platform.python_version(), "system": platform.platform()}
    programs = {
        name: {"median": summary(done, pages), "runs": [asdict(once) for once in done]}
        for name, done in rounds.items()
    }
    return json.dumps({"pages": pages, "machine": machine, "programs": programs}, indent=2) + "\n"


def chosen(only: str) -> list[str]:
    names = [name.strip() for name in only.split(",")]
    if unknown := [name for name in names if name not in PROGRAMS]:
        raise SystemExit(f"--only takes {','.join(PROGRAMS)}, not {','.join(unknown)}")
    if "wget" in names and shutil.which("wget") is None:
        print("wget is not installed and is left out: apt-get install wget, or brew install wget")
        names.remove("wget")
    return names


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=3, help="rounds, of which the medians are printed")
    parser.add_argument("--only", default="bare,wget,capture,ours")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run here as well")
    parser.add_argument(
        "--scratch", type=Path, help="a folder on the disk to measure; the default is temporary"
    )
    return parser.parse_args()


def main() -> None:
    options = arguments()
    names = chosen(options.only)
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder, running_site(options.pages) as site:
        scratch = Path(folder).resolve()
        (scratch / "urls.txt").write_text(site.get("/_urls"))
        (scratch / "seeds.txt").write_text(site.get("/_seeds"))
        rounds = run_all(names, site, scratch, options.repeat)
    print(f"{options.pages} pages on loopback, {CONCURRENCY} at a time, medians of {options.repeat}\n")
    print(table(rounds, options.pages), LEGEND, sep="\n\n")
    if "ours" in rounds:
        print(stages(rounds["ours"], options.pages))
    if options.json:
        options.json.write_text(as_json(rounds, options.pages))


if __name__ == "__main__":
    main()
