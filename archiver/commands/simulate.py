"""`scrapy simulate`: what other budgets of polls would have lost, on the archive's own histories."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.seeds import read_seeds, split_paths
from archiver.display.terminal import ProgressLine
from archiver.errors import ArchiveError
from archiver.extensions.arguments import CHANNELS_LISTED, output_file, refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.inspection.simulation.archive import OwnHistories

_BUDGETS = (24.0, 12.0, 6.0, 3.0)
# No operator polls more than every five minutes, or less than once a week.
_MOST, _LEAST = 288.0, 1 / 7
_NOTHING = "No feed with entries was found: crawl first, or name other seeds."
_NOT_YET = "Nothing was published while the archive was kept: crawl for some days first."


class Command(ArchiveCommand):
    usage = "[SEEDS] [--budget POLLS…] [--jobs N] [--json FILE] [--plot FILE]"
    about = (
        "Replay the archive's own entries against our policies and those of other programs, each brought "
        "to the same number of polls for each channel and day, and print what would have been lost and "
        "how late the rest would have been seen. SEEDS is a file of seeds, or several with commas "
        "between them: only channels that it names. Changes nothing in the archive. "
        "Exit codes: 0 shown; 1 failed, or nothing to replay; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--budget",
            nargs="+",
            type=_budget,
            default=_BUDGETS,
            metavar="POLLS",
            help="polls for each channel and day, on average; 24 12 6 3 unless given",
        )
        parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="processes (default: 1)")
        parser.add_argument("--json", metavar="FILE", help="also write the figures as JSON")
        parser.add_argument("--plot", metavar="FILE", help="also draw loss and delay against budget, as SVG")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args, 1)
        for option, name in (("--json", opts.json), ("--plot", opts.plot)):
            if name:
                output_file(option, name)
        archive_to_read(self.its_settings)
        from archiver.inspection.simulation.archive import own_histories  # noqa: PLC0415 - no help needs it
        from archiver.inspection.simulation.table import entries_within  # noqa: PLC0415 - no help needs it

        with ProgressLine(sys.stderr, in_words="{:,}".format) as progress, self.state() as state:
            own = own_histories(state, self._channels(state, args[0]) if args else None, progress.show)
        if own is None:
            raise ArchiveError(_NOTHING)
        if not entries_within(own.histories, own.span):
            raise ArchiveError(_NOT_YET)
        _simulate(own, opts)

    def _channels(self, state: Connection, seeds: str) -> Sequence[int]:
        """The channels that these files name, and the feeds found on those that are sites."""
        from archiver.inspection.wacz.state import with_feeds  # noqa: PLC0415 - no help needs it
        from archiver.store.polling.channels import find_channel  # noqa: PLC0415 - no help needs it

        found = read_seeds(split_paths(seeds))
        for problem in found.problems:
            self.tell(str(problem))
        rows = [find_channel(state, seed.url) for seed in found.seeds]
        ids = with_feeds(state, [row.id for row in rows if row is not None])
        if not ids:
            raise ArchiveError(f"No channel of the archive is named in {seeds}: {CHANNELS_LISTED}")
        return ids


def _budget(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not _LEAST <= number <= _MOST:
        raise argparse.ArgumentTypeError(f"{text} is not a number of polls a day from 0.15 to 288")
    return number


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes")
    return int(text)


def _simulate(own: OwnHistories, opts: argparse.Namespace) -> None:
    from archiver.inspection.simulation.plot import plot_of  # noqa: PLC0415 - no help needs it
    from archiver.inspection.simulation.run import SHIPPED_POLICY, Replay, simulate  # noqa: PLC0415 - no help needs it
    from archiver.inspection.simulation.table import (  # noqa: PLC0415 - no help needs it
        json_of,
        lines_of,
        sentences_of,
    )

    budgets = tuple(sorted(set(opts.budget), reverse=True))
    replay = Replay(histories=own.histories, span=own.span, budgets=budgets)
    print(_about(own))
    played = simulate(replay, jobs=opts.jobs, show=lambda text: print(text, file=sys.stderr))
    for sentence in sentences_of(played, replay, SHIPPED_POLICY, "fixed"):
        print(sentence)
    print("\nDelays in minutes:\n")
    for line in lines_of(played):
        print(line)
    if opts.json:
        write_text(Path(opts.json), json_of(played))
    if opts.plot:
        write_text(Path(opts.plot), plot_of(played))


def _about(own: OwnHistories) -> str:
    first, last = (datetime.fromtimestamp(moment, UTC) for moment in (own.span.start, own.span.end))
    told = f"{len(own.histories)} feeds, replayed from {first:%Y-%m-%d} to {last:%Y-%m-%d}."
    if own.span.start < own.since:
        told += (
            " The archive is younger than that: of the time before, only what feeds still showed is known."
        )
    return told + "\n"
