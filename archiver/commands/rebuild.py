"""`scrapy rebuild`: a channel's page as it was at a time, although it was not captured then."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.clock import rfc3339
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import moment_from, named_channel, one_argument, output_file
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.files import write_text
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.rebuild.model import Rebuilt

_STANDARD_OUTPUT = "-"


class Command(ArchiveCommand):
    usage = "CHANNEL --at TIME -o FILE.html [--json]"
    about = (
        "Make the page of a channel as it was at a time, although it was not captured then: the articles "
        "that its feed listed, each in the version of that time, in the design of a capture of another time. "
        "What is rebuilt and what is original is marked. A CHANNEL is a number or URL of `scrapy "
        "channels`. Changes nothing in the archive. "
        "Exit codes: 0 written; 1 no such channel, or nothing was known at that time; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--at",
            metavar="TIME",
            help="such as 2026-03-02T07:05:09Z or 20260302070509; a day is its beginning",
        )
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="where the page goes; - is standard output"
        )
        parser.add_argument(
            "--json", action="store_true", help="write the list of articles as JSON, not a page"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        name, at, out = one_argument(args, "channel"), _moment(opts.at), _output(opts)
        folder = archive_to_read(self.its_settings)
        with self.state() as connection:
            rebuilt, written = _rebuild(folder, connection, self.withheld(connection), name, at, opts)
        _write(out, written)
        print(_told(rebuilt), file=sys.stderr)


def _rebuild(
    folder: Path,
    connection: Connection,
    withheld: Withheld,
    name: str,
    at: datetime,
    opts: argparse.Namespace,
) -> tuple[Rebuilt, str]:
    # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
    from archiver.inspection.rebuild.build import rebuild  # noqa: PLC0415
    from archiver.inspection.rebuild.gather import RebuildFolders  # noqa: PLC0415

    index = Index(folder / "index", withheld.hides)
    places = RebuildFolders(index=index, warc=folder / "warc", objects=folder / "objects", withheld=withheld)
    page = rebuild(connection, places, named_channel(connection, name), at)
    if opts.json:
        return page.rebuilt, msgspec.json.format(msgspec.json.encode(page.rebuilt)).decode() + "\n"
    return page.rebuilt, page.html()


def _moment(text: str | None) -> datetime:
    moment = moment_from(text)
    if moment is None:
        raise ConfigurationError("Say with --at which time is meant")
    return moment


def _output(opts: argparse.Namespace) -> Path | None:
    """Where to write; None for standard output."""
    if not opts.output and not opts.json:
        raise ConfigurationError("Say with -o where the page goes; -o - prints it")
    if not opts.output or opts.output == _STANDARD_OUTPUT:
        return None
    return output_file("-o", opts.output)


def _write(out: Path | None, written: str) -> None:
    if out is not None:
        write_text(out, written)
        return
    sys.stdout.buffer.write(written.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _told(rebuilt: Rebuilt) -> str:
    count, inferred = len(rebuilt.articles), sum(one.grounds.is_inferred for one in rebuilt.articles)
    articles = "one article" if count == 1 else f"{count} articles"
    told = f"{rebuilt.channel} at {rfc3339(rebuilt.at)[:19]}Z: {articles}"
    if inferred:
        told += f", {inferred} of them inferred"
    if rebuilt.frame is None:
        return f"{told}, on a plain page"
    return f"{told}, around {redact(rebuilt.frame.url)} of {rfc3339(rebuilt.frame.captured)[:19]}Z"
