"""`scrapy import`: WARC and WACZ files of other programs become part of the archive."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.display.tables import many
from archiver.display.terminal import ProgressLine
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import add_since_option, add_until_option, span_from
from archiver.extensions.command import ArchiveCommand
from archiver.user_agent import user_agent

if TYPE_CHECKING:
    import argparse

    from archiver.running.importing.pages import PageChoice
    from archiver.running.importing.run import ImportReport

_SHOWN = 10


class Command(ArchiveCommand):
    interrupted = "interrupted; `scrapy import` goes on from here"

    usage = "FILE… [--pages PATTERN…] [--since TIME] [--until TIME] [--limit N] [options]"
    about = (
        "Take WARC and WACZ files that wget, Heritrix, browsertrix or others made into the archive: their "
        "records are checked, kept as they are and indexed, and articles are read from their pages. A "
        "FILE may be a folder of them. What was imported before is not imported twice. Without a FILE, "
        "go on with imports that were interrupted. "
        "Exit codes: 0 all was imported; 1 something could not be; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--pages",
            metavar="PATTERN",
            nargs="+",
            action="extend",
            default=[],
            help="read articles only from addresses like this, such as 'https://example.org/news/*'",
        )
        add_since_option(parser, "read pages captured")
        add_until_option(parser, "read pages captured")
        parser.add_argument("--limit", metavar="N", type=int, help="read at most so many pages")
        parser.add_argument(
            "--frames",
            action="store_true",
            help="of a WACZ file that lists its pages, read all other HTML documents, too",
        )
        parser.add_argument(
            "--link",
            action="store_true",
            help="make hard links instead of copies, where files stay as they are",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        choice = _choice(opts)
        from archiver.archive.imports.sources import sources_of  # noqa: PLC0415 - no help needs it
        from archiver.extensions.configuration import config_from  # noqa: PLC0415 - likewise
        from archiver.running.importing.run import Importing  # noqa: PLC0415 - likewise

        sources = sources_of(Path(name).expanduser() for name in args)
        settings = self.its_settings
        if settings["USER_AGENT"] is None:
            settings.set("USER_AGENT", user_agent(settings["CONTACT"]), priority="cmdline")
        config = config_from(settings)
        if config.replayed is not None:
            raise ConfigurationError("A replay has an archive of its own: choose another profile")
        self.set_umask()
        work = Importing(config, links=opts.link)
        with (
            ProgressLine(sys.stderr) as copying,
            ProgressLine(sys.stderr, in_words=lambda count: f"{count:,} pages") as reading,
        ):
            asyncio.run(work.run(sources, choice, copied=copying.show, read=reading.show))
        self._tell(work.report)

    def _tell(self, report: ImportReport) -> None:
        told = [*report.problems, *report.flaws]
        for problem in told[:_SHOWN]:
            self.tell(problem)
        if len(told) > _SHOWN:
            self.tell(f"and {len(told) - _SHOWN} more of the kind")
        print(_summary(report))
        self.exitcode = 1 if told else 0


def _choice(opts: argparse.Namespace) -> PageChoice:
    from archiver.running.importing.pages import PageChoice  # noqa: PLC0415 - no help needs it

    if opts.limit is not None and opts.limit < 1:
        raise ConfigurationError("--limit: at least 1")
    since, until = span_from(opts)
    everything = PageChoice()
    return PageChoice(
        patterns=tuple(opts.pages),
        since=since or everything.since,
        until=until or everything.until,
        limit=opts.limit,
        everything=opts.frames,
    )


def _summary(report: ImportReport) -> str:
    told = f"{many(len(report.files), 'file')} imported, {many(report.records, 'record')}"
    if report.known:
        told += f"; {many(len(report.known), 'file')} known from before"
    read = f"{many(report.pages, 'page')} read, {many(report.articles, 'version')} of articles written"
    lines = [told, read]
    if report.repeated:
        lines.append(f"{many(report.repeated, 'revisit')} kept, which show what was captured before")
    if report.others:
        lines.append(
            f"{many(report.others, 'document')} not listed as pages, and not read: --frames reads them"
        )
    return "\n".join([*lines, *(f"WARC       {name}" for name in report.files)])
