"""`scrapy statistics`: feed types, entries per feed, update intervals and hints, over the archive."""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.clock import machine_now
from archiver.display.terminal import Colours, ProgressLine
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import (
    add_channel_option,
    add_since_option,
    add_until_option,
    chosen_channels,
    in_a_folder,
    refuse_arguments,
    span_from,
)
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.engines import add_engine_options, is_spark, spark_from
from archiver.extensions.places import archive_to_read, state_url
from archiver.files import write_text
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.inspection.reliability.model import Reliability
    from archiver.inspection.statistics.model import Statistics
    from archiver.inspection.statistics.times import Period
    from archiver.running.workers import TaskRunner

_NOTHING = "No feed with entries was found: crawl first, or ask for more channels or a longer time."


class Command(ArchiveCommand):
    usage = "[--times | --sources] [--channel CHANNEL…] [--label LABEL…] [--since TIME] [options]"
    about = (
        "Print the tables and figures of the first study of feeds, over the archive: feed types, entries "
        "in a feed, update intervals by label, their quartiles as a cumulative plot, hints of feeds. "
        "With --times: how far dates and validators can be trusted; --sources: how far feeds, structured "
        "data and the extractor are trusted to say which text of a page is the article. "
        "A CHANNEL is a number or URL of `scrapy channels`. Changes nothing in the archive. "
        "Exit codes: 0 shown; 1 failed, or no such channel or label; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--times", action="store_true", help="how far dates and validators can be trusted")
        which.add_argument("--sources", action="store_true", help="how far sources of labels can be trusted")
        add_channel_option(parser, "entries of")
        parser.add_argument(
            "--label", nargs="+", action="extend", default=[], help="only channels with one of these labels"
        )
        add_since_option(parser, "entries")
        add_until_option(parser, "entries")
        parser.add_argument(
            "--csv",
            metavar="OUT",
            help="also write CSV: one FILE.csv, or a folder with a file for each table",
        )
        parser.add_argument("--json", metavar="FILE", help="also write everything as JSON")
        parser.add_argument("--html", metavar="FILE", help="also write a page with plots")
        add_engine_options(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        period = _period(opts)
        _check_outputs(opts)
        archive_to_read(self.its_settings)
        if opts.times or opts.sources:
            if is_spark(opts):
                raise ConfigurationError("--times and --sources are counted by crawls: leave --engine out")
            self._trust(opts)
            return
        with (
            ProgressLine(sys.stderr, in_words="{:,}".format) as progress,
            self.state() as state,
            spark_from(opts, self.its_settings) as spark,
        ):
            found = self._gather(state, opts, period, progress, spark)
        _show(found, with_channels=bool(opts.channel))
        _write(found, opts)

    def _gather(
        self,
        state: Connection,
        opts: argparse.Namespace,
        period: Period,
        progress: ProgressLine,
        spark: TaskRunner | None,
    ) -> Statistics:
        from archiver.inspection.statistics.compute import Scope  # noqa: PLC0415 - no help needs it
        from archiver.inspection.statistics.counting import gather_by  # noqa: PLC0415 - no help needs it
        from archiver.inspection.statistics.queries import gather  # noqa: PLC0415 - no help needs it

        scope = Scope(made=machine_now(), of=_of(opts), period=period)
        ids, show = chosen_channels(state, opts.channel), progress.show
        if spark is None:
            found = gather(state, scope, ids=ids, labels=opts.label, show=show)
        else:
            place = state_url(self.its_settings)
            counting = gather_by(spark, place, state, scope, ids=ids, labels=opts.label, show=show)
            found = asyncio.run(counting)
        _check_labels(found, opts.label)
        return found

    def _trust(self, opts: argparse.Namespace) -> None:
        """What was counted of dates and validators, or of sources of labels."""
        # Of counts that are kept as sums, no part can be taken.
        if refused := [f"--{name}" for name in ("label", "since", "until") if getattr(opts, name)]:
            what = "--times" if opts.times else "--sources"
            raise ConfigurationError(f"{what} counts all that was seen: leave out {' and '.join(refused)}")
        from archiver.inspection.reliability.queries import gather_reliability  # noqa: PLC0415 - no help needs it

        with self.state() as state:
            found = gather_reliability(state, machine_now(), chosen_channels(state, opts.channel))
        _show_trust(found, opts)


def _check_labels(found: Statistics, labels: Sequence[str]) -> None:
    left_out = found.left_out
    if labels and not found.feeds + left_out.sites + left_out.never_read + left_out.without_entries:
        told = f"No such channel has the label {' or '.join(labels)}"
        raise ArchiveError(f"{told}: `scrapy channels` shows the labels")


def _show_trust(found: Reliability, opts: argparse.Namespace) -> None:
    from archiver.inspection.reliability.tables import (  # noqa: PLC0415 - no help needs it
        about_labels,
        about_times,
        label_tables,
        time_tables,
    )
    from archiver.inspection.statistics.files import write_csv, write_json  # noqa: PLC0415 - no help needs it
    from archiver.inspection.statistics.page import tables_page  # noqa: PLC0415 - no help needs it
    from archiver.inspection.statistics.text import part_lines  # noqa: PLC0415 - no help needs it

    title = "Times and validators" if opts.times else "Sources of labels"
    told = about_times(found) if opts.times else about_labels(found)
    tables = list(time_tables(found) if opts.times else label_tables(found))
    width = shutil.get_terminal_size().columns
    print("\n".join(textwrap.wrap(told, width)))
    for table in tables:
        for line in part_lines(table, Colours(sys.stdout).paint, width) if table.rows else ():
            print(line)
    if opts.csv:
        write_csv(tables, Path(opts.csv))
    if opts.json:
        write_json(found, Path(opts.json))
    if opts.html:
        write_text(Path(opts.html), tables_page(title, told, tables))
    _tell_written(opts)


def _period(opts: argparse.Namespace) -> Period:
    from archiver.inspection.statistics.times import Period  # noqa: PLC0415 - no help needs it

    since, until = span_from(opts)
    return Period(since=since, until=until)


def _check_outputs(opts: argparse.Namespace) -> None:
    """Report a typing mistake before minutes of counting."""
    for option in ("csv", "json", "html"):
        name = getattr(opts, option)
        if name is None:
            continue
        path = in_a_folder(f"--{option}", name)
        is_folder = option == "csv" and path.suffix.lower() != ".csv"
        if path.exists() and path.is_dir() != is_folder:
            kind = "a folder" if path.is_dir() else "a file, and its name does not end in .csv"
            raise ConfigurationError(f"--{option} {path} is {kind}")


def _of(opts: argparse.Namespace) -> str:
    """Which channels, in words."""
    told = []
    if opts.channel:
        told.append(f"channel{'s'[: len(opts.channel) - 1]} {', '.join(map(redact, opts.channel))}")
    if opts.label:
        told.append(f"label{'s'[: len(opts.label) - 1]} {', '.join(opts.label)}")
    return " with ".join(told) or "all channels"


def _show(found: Statistics, *, with_channels: bool) -> None:
    from archiver.inspection.statistics.page import about  # noqa: PLC0415 - no help needs it
    from archiver.inspection.statistics.text import lines_of  # noqa: PLC0415 - no help needs it

    print(about(found))
    if not found.feeds:
        print(_NOTHING)
        return
    width = shutil.get_terminal_size().columns
    for line in lines_of(found, Colours(sys.stdout).paint, width=width, with_channels=with_channels):
        print(line)


def _write(found: Statistics, opts: argparse.Namespace) -> None:
    from archiver.inspection.statistics.files import write_csv, write_json  # noqa: PLC0415 - no help needs it
    from archiver.inspection.statistics.page import page_of  # noqa: PLC0415 - no help needs it
    from archiver.inspection.statistics.tables import all_tables  # noqa: PLC0415 - no help needs it

    if opts.csv:
        write_csv(all_tables(found), Path(opts.csv))
    if opts.json:
        write_json(found, Path(opts.json))
    if opts.html:
        write_text(Path(opts.html), page_of(found))
    _tell_written(opts)


def _tell_written(opts: argparse.Namespace) -> None:
    if written := [name for name in (opts.csv, opts.json, opts.html) if name]:
        print(f"\nWritten: {', '.join(written)}")
