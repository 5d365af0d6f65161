"""Serves the sample web in the foreground, or writes its seeds file."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path

from sample.seeds import seed_lines, write_seeds
from sample.server import SampleWeb, SampleWebError, make_sites


def main() -> int:
    options = _parser().parse_args()
    if options.seeds:
        lines = seed_lines(make_sites(options.port).values(), extra=options.extra)
        write_seeds(options.seeds, lines)
        return 0
    try:
        _serve(options)
    except SampleWebError as problem:
        print(f"sample: {problem}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sample", description=__doc__)
    parser.add_argument("--day", type=int, help="the day to show, from 0 (default: what --state says, or 0)")
    parser.add_argument("--port", type=int, default=8931, help="the port on every address (0: a free one)")
    parser.add_argument(
        "--state", type=Path, help="a file that holds the day; rewrite it to advance the clock"
    )
    parser.add_argument("--seeds", type=Path, help="write a seeds file (.opml, .csv or plain text) and stop")
    for option, site in {"--changes": "gazette", "--scripts": "observatory"}.items():
        told = f"with --seeds: the {site}, which the list otherwise leaves out"
        parser.add_argument(option, action="store_const", const=site, dest="extra", default="", help=told)
    return parser


def _serve(options: argparse.Namespace) -> None:
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    clock = DayFile(options.state, options.day) if options.state else None
    with SampleWeb(day=options.day or 0, port=options.port, clock=clock) as web:
        for name in web.names:
            print(f"{name} {web.base(name)}/")
        print("ready", flush=True)
        stopped.wait()


class DayFile:
    """The day, kept in a file that somebody else may rewrite while the web is being served."""

    def __init__(self, path: Path, day: int | None) -> None:
        self._path = path
        self._day = day or 0
        if day is not None or not path.exists():
            path.write_text(f"{self._day}\n", "ascii")

    def __call__(self) -> int:
        text = self._path.read_text("ascii").strip() if self._path.exists() else ""
        if text.isdigit():  # a half-written file leaves the day as it was
            self._day = int(text)
        return self._day


if __name__ == "__main__":
    sys.exit(main())
