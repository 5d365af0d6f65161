"""`scrapy reextract`: the archive read anew by a better extractor."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from archiver.articles.methods.registry import extractor_of, usable_methods
from archiver.display.tables import many
from archiver.display.terminal import ProgressLine
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import (
    add_channel_option,
    add_since_option,
    chosen_channels,
    refuse_arguments,
    since_from,
)
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.engines import add_engine_options, engine_from, is_spark

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from archiver.running.archive import ArchiveConfig
    from archiver.running.reading.reextraction import ReextractionReport
    from archiver.running.reading.refilling import RefillReport

_SHOWN = 10
_EVER = datetime.min.replace(tzinfo=UTC)


class Command(ArchiveCommand):
    interrupted = "interrupted; the next time it goes on from here"

    usage = (
        "[--fields NAME] [--channel CHANNEL…] [--since TIME] [--method NAME] [--workers N | --engine spark]"
    )
    about = (
        "Read the captures behind the archive's objects again and write new objects beside the old ones, "
        "as far as another extractor made those. With --fields, only the fields of a wrapper are read, and "
        "articles stay as they are. A CHANNEL is a number or URL of `scrapy channels`. "
        "Interrupted, it goes on where it was the next time. "
        "Exit codes: 0 all was read; 1 it was not, or the archive has a problem; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--fields", metavar="NAME", help="read the fields of this field wrapper, no more")
        add_channel_option(parser, "articles of")
        add_since_option(parser, "versions captured")
        methods = "; ".join(f"{name} ({facts.about})" for name, facts in usable_methods().items())
        parser.add_argument(
            "--method", metavar="NAME", help=f"the method, instead of EXTRACT_METHOD: {methods}"
        )
        parser.add_argument(
            "--workers", metavar="N", type=int, help="how many processes, instead of EXTRACT_WORKERS"
        )
        add_engine_options(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        config, since = self._config(opts), since_from(opts) or _EVER
        if opts.fields is not None:
            self._fill(config, opts, since)
            return
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.archive.objects.kinds import REEXTRACTED  # noqa: PLC0415
        from archiver.running.objects import open_stores  # noqa: PLC0415
        from archiver.running.reading.reextraction import Reextraction  # noqa: PLC0415

        with (
            ProgressLine(sys.stderr, in_words="{:,}".format) as progress,
            open_stores(config, REEXTRACTED, engine_from(opts)) as stores,
        ):
            channels = stores.database.run(chosen_channels, opts.channel)
            work = Reextraction(config, stores, progress.show)
            asyncio.run(work.run(since=since, scopes=channels))
        self._tell([*stores.problems, *work.told.errors], work.report, extractor_of(config.method))

    def _fill(self, config: ArchiveConfig, opts: argparse.Namespace, since: datetime) -> None:
        from archiver.archive.objects.kinds import REEXTRACTED  # noqa: PLC0415 - likewise
        from archiver.running.objects import open_stores  # noqa: PLC0415 - likewise
        from archiver.running.reading.refilling import Refilling, wrapper_named  # noqa: PLC0415 - likewise

        if opts.method is not None:
            raise ConfigurationError("--fields reads no articles: leave --method out")
        wrapper_named(config.field_wrappers, opts.fields)  # before the archive is touched
        with (
            ProgressLine(sys.stderr, in_words="{:,}".format) as progress,
            open_stores(config, REEXTRACTED, engine_from(opts)) as stores,
        ):
            channels = stores.database.run(chosen_channels, opts.channel)
            work = Refilling(config, stores, opts.fields, progress.show)
            asyncio.run(work.run(since=since, scopes=channels))
        problems = [*stores.problems, *work.report.problems]
        for problem in problems[:_SHOWN]:
            self.tell(problem)
        print(_filled(work.report))
        self.exitcode = 1 if problems else 0

    def _config(self, opts: argparse.Namespace) -> ArchiveConfig:
        if opts.method is not None:
            self.its_settings.set("EXTRACT_METHOD", opts.method, priority="cmdline")
        if opts.workers is not None:
            if is_spark(opts):
                raise ConfigurationError("--workers is for --engine local: Spark's master says how many")
            if opts.workers < 1:
                raise ConfigurationError("--workers: at least 1")
            self.its_settings.set("EXTRACT_WORKERS", opts.workers, priority="cmdline")
        return self.config_to_write()

    def _tell(self, problems: Sequence[str], report: ReextractionReport, extractor: str) -> None:
        for problem in [*problems, *report.lost, *report.unreadable][:_SHOWN]:
            self.tell(str(problem))
        print(_summary(report, extractor))
        self.exitcode = 1 if problems or report.lost else 0


def _filled(report: RefillReport) -> str:
    told = f"{many(report.filled, 'version')} filled by {report.label}"
    if report.known:
        told += f"; {report.known} had its fields already"
    if report.new:
        told += f"; {many(report.new, 'object')} made of pages without an article"
    if report.problems:
        told += f"; {len(report.problems)} could not be read"
    values = [f"{name} {count:,}" for name, count in report.values.most_common()]
    lines = [told, *([f"Values     {', '.join(values)}"] if values else [])]
    return "\n".join([*lines, *(f"Objects    {name}" for name in report.files)])


def _summary(report: ReextractionReport, extractor: str) -> str:
    if not report.total:
        return f"Nothing to read: all of it was made by {extractor}."
    told = f"{many(report.reread, 'version')} read again by {extractor}, {report.reworded} with other words"
    if report.without_article:
        told += f"; {report.without_article} gave no article, and stay as they were"
    if failed := len(report.lost) + len(report.unreadable):
        told += f"; {failed} could not be read"
    return "\n".join([told, *(f"Objects    {name}" for name in report.files)])
