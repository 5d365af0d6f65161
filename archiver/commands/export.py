"""`scrapy export`: objects as Parquet or JSON-L, for those who analyse them."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archiver.display.tables import many
from archiver.display.terminal import ProgressLine
from archiver.errors import ConfigurationError
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
from archiver.extensions.places import archive_to_read

if TYPE_CHECKING:
    import argparse

    from sqlalchemy import Connection

    from archiver.archive.objects.kinds import ObjectKind
    from archiver.inspection.exporting.export import ExportReport
    from archiver.inspection.exporting.lines import ChosenLines

_KINDS = ("articles", "contributions", "posts")


class Command(ArchiveCommand):
    usage = "--parquet FOLDER | --jsonl FOLDER [--kind KIND…] [--last] [--channel CHANNEL…] [options]"
    about = (
        "Write articles, and with --kind contributions and posts, as Parquet or JSON-L, in files by the day "
        "of their capture: KIND/date=YYYY-MM-DD/part-N, as DuckDB, pandas and Spark read them. "
        "A CHANNEL is a number or URL of `scrapy channels`. What is withheld is left out. "
        "Changes nothing in the archive, and may run beside a crawl. "
        "Exit codes: 0 written; 1 failed, or an object cannot be read; 2 wrong usage, or pyarrow is missing."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--parquet", metavar="FOLDER", help="write Parquet files to this new folder")
        parser.add_argument("--jsonl", metavar="FOLDER", help="write JSON-L files to this new folder")
        parser.add_argument(
            "--kind",
            nargs="+",
            action="extend",
            choices=_KINDS,
            help="kinds of objects, not only articles",
        )
        parser.add_argument("--last", action="store_true", help="only the last version of each object")
        add_channel_option(parser, "articles of")
        add_since_option(parser, "versions captured")
        add_until_option(parser, "versions captured")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        form, target = _target(opts)
        span_from(opts)
        folder = archive_to_read(self.its_settings)
        from archiver.inspection.exporting.export import ObjectExport, check_target  # noqa: PLC0415 - no help needs it

        check_target(target)
        with self.state() as state, ProgressLine(sys.stderr) as progress:
            export = ObjectExport(state, folder / "objects", self.withheld(state))
            export.write(target, form, _chosen(state, opts), progress.show)
        for place in export.report.unreadable[:10]:
            self.tell(f"not an object: {place}; run `scrapy verify`")
        print(_summary(target, export.report))
        self.exitcode = 1 if export.report.unreadable else 0


def _target(opts: argparse.Namespace) -> tuple[str, Path]:
    given = [(form, getattr(opts, form)) for form in ("parquet", "jsonl") if getattr(opts, form)]
    if len(given) != 1:
        raise ConfigurationError("Say either --parquet FOLDER or --jsonl FOLDER")
    form, name = given[0]
    if form == "parquet" and find_spec("pyarrow") is None:
        raise ConfigurationError('scrapy export --parquet needs pyarrow: pip install "archiver[parquet]"')
    return form, Path(in_a_folder(f"--{form}", name))


def _chosen(state: Connection, opts: argparse.Namespace) -> list[tuple[ObjectKind[Any], ChosenLines]]:
    from archiver.articles.contributions.schema import ContributionObjects  # noqa: PLC0415 - no help needs it
    from archiver.articles.objects.schema import ArticleKind  # noqa: PLC0415 - likewise
    from archiver.articles.posts.schema import PostObjects  # noqa: PLC0415 - likewise
    from archiver.inspection.exporting.lines import ChosenLines  # noqa: PLC0415 - likewise

    kinds: list[ObjectKind[Any]] = [ArticleKind(), ContributionObjects(), PostObjects()]
    wanted = opts.kind or ["articles"]
    channels = chosen_channels(state, opts.channel)
    if channels is not None and wanted != ["articles"]:
        raise ConfigurationError("--channel chooses articles: contributions and posts are of no channel")
    since, until = span_from(opts)
    return [
        (
            kind,
            ChosenLines(kind=kind.name, channels=channels, since=since, until=until, only_last=opts.last),
        )
        for kind in kinds
        if kind.name in wanted
    ]


def _summary(target: Path, report: ExportReport) -> str:
    told = ", ".join(f"{count} {kind}" for kind, count in report.objects.items())
    left_out = f"; {many(report.withheld, 'object')} withheld" if report.withheld else ""
    return f"{target}: {told} in {many(report.files, 'file')}{left_out}"
