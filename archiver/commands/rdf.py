"""`scrapy rdf`: articles and contributions as N-Quads or Turtle."""

from __future__ import annotations

import gzip
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.display.tables import many
from archiver.display.terminal import ProgressLine
from archiver.extensions.arguments import (
    add_channel_option,
    add_since_option,
    add_until_option,
    chosen_channels,
    output_file,
    refuse_arguments,
    span_from,
)
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.rdf_extra import need_pyoxigraph
from archiver.files import whole_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import BinaryIO

    from sqlalchemy import Connection

    from archiver.inspection.rdf.exporting import RdfExport

_FORMATS = ("nquads", "turtle")
_SUFFIXES = {".nq": "nquads", ".ttl": "turtle"}
_GZIP = ".gz"


class Command(ArchiveCommand):
    usage = "[-o FILE] [--format FORMAT] [--channel CHANNEL…] [--since TIME] [--until TIME]"
    about = (
        "Write what objects say of articles, comments, posts and revisions as RDF, in the words of "
        "schema.org and SIOC. N-Quads have each statement in the graph of the version that it is from. "
        "A CHANNEL is a number or URL of `scrapy channels`; what was contributed to a page is of none. "
        "Changes nothing in the archive, and may run beside a crawl. "
        "Exit codes: 0 written; 1 no such channel, or an object or the state store cannot be read; "
        "2 wrong usage, or pyoxigraph is not installed."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            default="-",
            help="the file to write, compressed where its name ends in .gz; standard output unless you say",
        )
        parser.add_argument(
            "--format", choices=_FORMATS, help="nquads, unless the name of the file ends in .ttl"
        )
        add_channel_option(parser, "articles of")
        add_since_option(parser, "versions captured")
        add_until_option(parser, "versions captured")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        span_from(opts)
        if opts.output != "-":
            output_file("-o", opts.output)
        need_pyoxigraph("scrapy rdf")
        folder = archive_to_read(self.its_settings)
        with self.state() as state:
            export = self._export(folder, state, opts)
            with ProgressLine(sys.stderr) as progress, _opened(opts.output) as output:
                export.write(output, _format(opts), progress.show)
        if opts.output != "-":
            print(f"Written: {many(export.told, 'object')} to {opts.output}")
        if export.unreadable:
            self.fail(f"{many(export.unreadable, 'object')} could not be read: run `scrapy verify`")

    def _export(self, folder: Path, state: Connection, opts: argparse.Namespace) -> RdfExport:
        from archiver.inspection.rdf.exporting import ChosenObjects, RdfExport  # noqa: PLC0415 - no help needs it

        since, until = span_from(opts)
        channels = chosen_channels(state, opts.channel)
        chosen = ChosenObjects(
            channels=None if channels is None else frozenset(channels), since=since, until=until
        )
        return RdfExport(state, folder / "objects", self.withheld(state), chosen)


def _format(opts: argparse.Namespace) -> str:
    name = Path(opts.output.removesuffix(_GZIP))
    return opts.format or _SUFFIXES.get(name.suffix, "nquads")


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """The whole file or none; standard output where that is meant."""
    if name == "-":
        yield sys.stdout.buffer
        return
    with whole_file(Path(name)) as file:
        if not name.endswith(_GZIP):
            yield file
            return
        # Without its name and the time: the same statements make the same file.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
            yield packed  # type: ignore[misc] # it is written to as a file
