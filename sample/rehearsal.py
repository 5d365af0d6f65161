"""`make crawl` without seeds: archives the sample web, a day later each time; or one site, or a campaign."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sample.seeds import seed_lines, write_seeds
from sample.server import SampleWeb, SampleWebError, make_sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ARCHIVE = Path("archive-sample")
SITE_ARCHIVE = Path("archive-site")
CAMPAIGN_ARCHIVE = Path("archive-campaign")
DEFAULT_PORT = 8931
SECONDS_A_DAY = 24 * 3600


def next_day(file: Path, *, hold: bool) -> int:
    """The day after the last rehearsal's, or the same one again."""
    if not file.exists():
        return 0
    return int(file.read_text()) + (0 if hold else 1)


def crawl(archive: Path, words: Sequence[str], day: int) -> int:
    """Run the crawl as a user would, with the schedule's clock on the sample web's day."""
    settings = {
        "ARCHIVE_DIR": archive,
        "CLOCK_OFFSET": day * SECONDS_A_DAY,
        "CONTACT": "https://sample.invalid/",
        # The sample web's days are in the past: to the machine, all its articles are old.
        "RECHECK_INTERVAL": "1d",
        "RECHECK_DAYS": 9999,
        # The sample web is on this machine, and has no other visitors.
        "ALLOW_PRIVATE_ADDRESSES": True,
        "DOWNLOAD_DELAY": 0,
        "CAMPAIGN_PER_HOST_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    }
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", *words, *options]
    with passed_on(signal.SIGINT):
        return subprocess.run(command, check=False).returncode


@contextmanager
def passed_on(number: signal.Signals) -> Iterator[None]:
    """Leave Ctrl-C to the crawl, which gets it from the terminal too and ends in order."""
    before = signal.signal(number, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(number, before)


def finished_runs(archive: Path) -> int:
    """How many runs did all that was to be done, by their reports."""
    reports = (json.loads(path.read_bytes()) for path in archive.glob("runs/*.json"))
    return sum(report["reason"] == "finished" for report in reports)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hold", action="store_true", help="keep the clock where the last crawl left it")
    parser.add_argument("--site", metavar="NAME", help="archive one site as a whole, such as wordpress")
    parser.add_argument("--campaign", metavar="FILE", type=Path, help="run a campaign on the sample web")
    parser.add_argument("--day", type=int, default=40, help="with --site, --campaign: on this day of it")
    options = parser.parse_args()
    port = int(os.environ.get("SAMPLE_PORT", DEFAULT_PORT))
    try:
        if options.site:
            return rehearse_site(options.site, options.day, port)
        if options.campaign:
            return rehearse_campaign(options.campaign, options.day, port)
        return rehearse_feeds(port, hold=options.hold)
    except SampleWebError as error:
        print(f"{error}", file=sys.stderr)
        return 1


def rehearse_feeds(port: int, *, hold: bool) -> int:
    ARCHIVE.mkdir(exist_ok=True)
    day_file, seeds = ARCHIVE / "day", ARCHIVE / "seeds.txt"
    day, finished = next_day(day_file, hold=hold), finished_runs(ARCHIVE)
    with served(day, port):
        write_seeds(seeds, seed_lines(make_sites(port).values()))
        code = crawl(ARCHIVE, ["feeds", "-a", f"seeds={seeds}"], day)
    # A day that failed or was interrupted is not over: the next crawl goes on with it.
    if code == 0 and finished_runs(ARCHIVE) > finished:
        day_file.write_text(f"{day}\n")
    return code


def rehearse_site(name: str, day: int, port: int) -> int:
    """Archive a site of the sample web as a whole, beside the archive of its feeds."""
    with served(day, port) as web:
        if name not in web.names:
            print(f"{name} is not a site of the sample web: {', '.join(web.names)} are", file=sys.stderr)
            return 2
        return crawl(SITE_ARCHIVE, ["site", "-a", f"url={web.base(name)}/"], day)


def rehearse_campaign(file: Path, day: int, port: int) -> int:
    """Run a campaign on the sample web, in an archive of its own."""
    with served(day, port):
        return crawl(CAMPAIGN_ARCHIVE, ["campaign", "-a", f"file={file}"], day)


@contextmanager
def served(day: int, port: int) -> Iterator[SampleWeb]:
    with SampleWeb(day=day, port=port) as web:
        print(f"Day {day} of the sample web, on 127.0.0.1:{port} and its neighbours", flush=True)
        yield web


if __name__ == "__main__":
    sys.exit(main())
