"""Polling policies side by side on posting histories: losses and delays at equal budgets."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.claims import CLAIMED, claims_of, cold_claims_of, first_week_lines, fixed_alike
from simulation.files import default_span, part, read_histories, with_windows
from simulation.oracle import oracle

from archiver.errors import ArchiverError
from archiver.inspection.simulation.lockstep import DAY, ReplaySpan
from archiver.inspection.simulation.plot import plot_of
from archiver.inspection.simulation.run import POLICIES, Replay, simulate
from archiver.inspection.simulation.table import json_of, lines_of

if TYPE_CHECKING:
    from archiver.inspection.simulation.budget import PolicyRun

BUDGETS = (24.0, 12.0, 6.0, 3.0)
OTHERS = {"oracle": oracle}
ALL_POLICIES = (*POLICIES, *OTHERS)


def main() -> int:
    options = _options()
    try:
        _check_outputs(options.json, options.plot)
        replay = _replay(options)
    except ArchiverError as error:
        print(f"bench/polling.py: error: {error}", file=sys.stderr)
        return 1
    begun = time.monotonic()
    played = simulate(replay, options.policy, jobs=options.jobs, show=lambda text: _tell(begun, text))
    print(_about(replay, options, time.monotonic() - begun))
    _print(played, replay, options)
    if options.json:
        options.json.write_text(json_of(played))
    if options.plot:
        options.plot.write_text(plot_of(played))
    return 0


def _check_outputs(*paths: Path | None) -> None:
    for path in paths:
        if path and not path.absolute().parent.is_dir():
            raise ArchiverError(f"{path}: there is no such folder")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=Path, required=True, metavar="FILE")
    parser.add_argument("--start", type=_day, help="replay from this day on, such as 2024-09-08")
    parser.add_argument("--end", type=_day, help="up to the beginning of this day")
    parser.add_argument("--budget", type=_budget, nargs="+", default=BUDGETS, help="polls per feed and day")
    parser.add_argument(
        "--window-other", type=_count, metavar="K", help="all feeds of the kind `other` show K entries"
    )
    parser.add_argument(
        "--feeds", choices=("all", "even", "odd"), default="all", help="only every other feed"
    )
    parser.add_argument("--policy", nargs="+", choices=ALL_POLICIES, default=ALL_POLICIES, metavar="NAME")
    parser.add_argument("--jobs", type=_count, default=2, help="processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw loss and delay as SVG")
    return parser.parse_args()


def _day(text: str) -> float:
    return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()


def _budget(text: str) -> float:
    number = float(text)
    if not 1 / 7 <= number <= 288:
        raise argparse.ArgumentTypeError("from one poll a week to one in five minutes: 0.15 to 288")
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return number


def _replay(options: argparse.Namespace) -> Replay:
    histories = read_histories(options.histories)
    if options.window_other:
        histories = with_windows(histories, "other", options.window_other)
    if options.feeds != "all":
        histories = part(histories, int(options.feeds == "odd"), 2)
    span = default_span(histories)
    span = replace(span, start=options.start or span.start, end=options.end or span.end)
    if span.days < 1:
        raise ArchiverError(f"{_days(span)} is less than a day: give --start and --end")
    budgets = tuple(sorted(set(options.budget), reverse=True))
    return Replay(histories=histories, span=span, budgets=budgets, others=OTHERS)


def _days(span: ReplaySpan) -> str:
    first, last = (datetime.fromtimestamp(moment, UTC).date() for moment in (span.start, span.end))
    return f"{first} to {last}"


def _about(replay: Replay, options: argparse.Namespace, seconds: float) -> str:
    histories, span = replay.histories, replay.span
    count = int(((histories.published > span.start) & (histories.published < span.end)).sum())
    windows = f", windows of {options.window_other} for `other`" if options.window_other else ""
    which = "" if options.feeds == "all" else f", {options.feeds} ones only"
    return (
        f"{len(histories)} feeds{which}, {count:,} entries, {_days(span)} ({span.days:.0f} days){windows}; "
        f"intervals of {span.shortest / 60:.0f} minutes to {span.longest / DAY:.0f} days; delays in minutes; "
        f"{seconds:.0f} s\n"
    )


def _print(played: list[PolicyRun], replay: Replay, options: argparse.Namespace) -> None:
    for line in lines_of(played):
        print(line)
    cold = [one for one in played if one.policy in CLAIMED and one.budget is not None]
    alike = fixed_alike(replay, cold)
    if cold:
        print("\nThe first week alone, started cold, and fixed polling with just as many polls in it:\n")
        for line in first_week_lines([row for rows in zip(cold, alike, strict=True) for row in rows]):
            print(line)
    print()
    # Short windows are about losses.
    only_missed = bool(options.window_other)
    cold_claims = cold_claims_of(cold, alike, only_missed=only_missed)
    for claim in (*claims_of(played, only_missed=only_missed), *cold_claims):
        print(claim)


def _tell(begun: float, text: str) -> None:
    print(f"[{time.monotonic() - begun:5.0f} s] {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
