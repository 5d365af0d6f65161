"""`scrapy wacz`: a part of the archive as one file that others can replay."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.archive.cdxj.update import missing_indexes
from archiver.clock import machine_now
from archiver.display.tables import size_in_words
from archiver.display.terminal import ProgressLine
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import (
    add_channel_option,
    add_since_option,
    add_until_option,
    named_channels,
    output_file,
    refuse_arguments,
    since_from,
    until_from,
)
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.inspection.wacz.model import CaptureSelection, WaczFolders
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.inspection.wacz.model import WaczReport

_SHOWN = 10


class Command(ArchiveCommand):
    usage = "-o FILE.wacz [--channel CHANNEL…] [--since TIME] [--until TIME] [options]"
    about = (
        "Write the captures of some channels, of some time, or of the whole archive as a WACZ file: "
        "their records, an index, and a list of the articles with their texts. A CHANNEL is a number or "
        "URL of `scrapy channels`. Changes nothing in the archive. "
        "Exit codes: 0 written; 1 failed, or something is missing in the file; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-o", "--output", metavar="FILE", help="the file to write, ending in .wacz")
        add_channel_option(parser, "captures for")
        add_since_option(parser, "captures")
        add_until_option(parser, "captures")
        parser.add_argument("--title", help="what to call the collection")
        parser.add_argument("--force", action="store_true", help="write over a file that exists")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        output, selection = _output(opts), _time(opts)
        folder = archive_to_read(self.its_settings)
        from archiver.inspection.wacz.state import with_feeds  # noqa: PLC0415 - no help needs it

        with self.state() as state:
            rows = named_channels(state, opts.channel)
            if rows:
                ids = with_feeds(state, [row.id for row in rows])
                selection = replace(selection, channels=ids)
            self._write(output, folder, state, selection, opts.title or _title(rows))

    def _write(
        self, output: Path, folder: Path, state: Connection, selection: CaptureSelection, title: str
    ) -> None:
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.inspection.wacz.build import WaczRequest, WaczWriter  # noqa: PLC0415

        folders = WaczFolders(warc=folder / "warc", index=folder / "index", objects=folder / "objects")
        with ProgressLine(sys.stderr) as progress:
            wish = WaczRequest(selection=selection, title=title, now=machine_now(), show=progress.show)
            report = WaczWriter(folders, state, self.withheld(state)).write(output, wish)
        if unread := missing_indexes(folders.warc, folders.index):
            self.tell(
                f"{len(unread)} WARC files are in no index yet, and left out: run `scrapy crawl feeds` first"
            )
        for problem in report.problems[:_SHOWN]:
            self.tell(f"missing: {problem}")
        print(_summary(output, report))
        self.exitcode = 1 if report.problems else 0


def _output(opts: argparse.Namespace) -> Path:
    if not opts.output:
        raise ConfigurationError("Name the file to write: -o FILE.wacz")
    path = output_file("-o", opts.output)
    if path.suffix != ".wacz":
        raise ConfigurationError(f"{path}: the name of a WACZ file ends in .wacz")
    if path.exists() and not opts.force:
        raise ConfigurationError(f"{path} exists: --force writes over it")
    return path


def _time(opts: argparse.Namespace) -> CaptureSelection:
    everything = CaptureSelection()
    return CaptureSelection(
        first=since_from(opts) or everything.first,
        last=until_from(opts) or everything.last,
    )


def _title(rows: Sequence[Row[Any]]) -> str:
    names = [row.title or redact(row.url) for row in rows]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if names[3:] else "") or "Archive of feeds"


def _summary(output: Path, report: WaczReport) -> str:
    told = f"{report.captures} captures, {report.records} records, {report.pages} pages"
    return f"{output}: {told}, {size_in_words(output.stat().st_size)}"
