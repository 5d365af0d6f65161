"""`scrapy sparql`: questions to the archive, in SPARQL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.display.tables import many, size_in_words
from archiver.display.terminal import Colours, ProgressLine, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.rdf_extra import need_pyoxigraph

if TYPE_CHECKING:
    import argparse

    from sqlalchemy import Connection

    from archiver.inspection.rdf.asking import RdfAnswer

_SECONDS = 30
_ROWS = 10_000


class Command(ArchiveCommand):
    usage = "'SELECT …' | --file QUERY.rq [--csv | --json] [--limit N] [--timeout SECONDS] | --build"
    about = (
        "Query the archive in SPARQL: SELECT, ASK, CONSTRUCT and DESCRIBE, over an RDF store that is built "
        "from the objects. The prefixes schema:, sioc:, dcterms:, prov:, xsd:, rdf: and archiver: are "
        "declared. The store is the folder rdf of the archive and can be deleted at any time; --build "
        "creates it, or adds what was crawled since. Nothing else in the archive is changed, and no other "
        "server is contacted. "
        "Exit codes: 0 answered, also without a row; 1 there is no store, or the query timed out; 2 wrong "
        "usage, a syntax error in the query, or pyoxigraph is not installed."
    )
    interrupted = "interrupted; `--build` continues where it stopped"

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--file", metavar="QUERY.rq", help="read the query from this file; -: from standard input"
        )
        parser.add_argument("--csv", action="store_true", help="print the result as CSV")
        parser.add_argument("--json", action="store_true", help="print the result as SPARQL JSON")
        parser.add_argument(
            "--limit",
            type=int,
            default=_ROWS,
            metavar="N",
            help=f"print at most N rows (default: {_ROWS}; 0: all)",
        )
        parser.add_argument(
            "--timeout",
            type=int,
            default=_SECONDS,
            metavar="SECONDS",
            help=f"stop the query after this time (default: {_SECONDS})",
        )
        parser.add_argument(
            "--build", action="store_true", help="build the store, or add what was crawled since"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        question = _question(args, opts)
        need_pyoxigraph("scrapy sparql")
        folder = archive_to_read(self.its_settings)
        with self.state() as state:
            if opts.build:
                self._build(folder, state)
            if question:
                self._ask(folder, state, question, opts)

    def _build(self, folder: Path, state: Connection) -> None:
        from archiver.inspection.rdf.asking import feed_store  # noqa: PLC0415 - no help needs it

        self.set_umask()
        with ProgressLine(sys.stderr) as progress:
            feeder = feed_store(folder, state, self.withheld(state), progress.show)
        self.tell(f"{many(feeder.fed, 'object')} added to the store")
        if feeder.unreadable:
            self.fail(f"{many(feeder.unreadable, 'object')} could not be read: run `scrapy verify`")

    def _ask(self, folder: Path, state: Connection, question: str, opts: argparse.Namespace) -> None:
        from archiver.inspection.rdf.asking import ask_store  # noqa: PLC0415 - no help needs it

        self.set_umask()
        asked = ask_store(
            folder, state, self.withheld(state), question, most=opts.limit, seconds=opts.timeout
        )
        with asked as answer:
            _print(answer, opts)
            if answer.has_more:
                self.tell(f"Only the first {many(opts.limit, 'row')} are shown: --limit 0 shows all")
            if answer.behind:
                lag = size_in_words(answer.behind)
                self.tell(f"{lag} of objects are not in the store yet: --build adds them")


def _question(args: list[str], opts: argparse.Namespace) -> str:
    """What was typed or is in the file; empty where the store is only to be built."""
    for option in ("limit", "timeout"):
        least = 1 if option == "timeout" else 0
        if getattr(opts, option) < least:
            raise ConfigurationError(f"--{option}: write a number from {least} on")
    if opts.csv and opts.json:
        raise ConfigurationError("--csv and --json: choose one")
    if opts.file:
        refuse_arguments(args)
        return _read(opts.file)
    refuse_arguments(args, 1)
    if not args and not opts.build:
        raise ConfigurationError("Write a query, such as 'SELECT ?a WHERE {?a a schema:Article}'")
    return args[0] if args else ""


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"--file {name} is not text in UTF-8") from error
    except OSError as error:
        raise ConfigurationError(f"--file {name} cannot be read: {error.strerror}") from error


def _print(answer: RdfAnswer, opts: argparse.Namespace) -> None:
    from archiver.inspection.rdf.answers import as_csv, as_json, as_table  # noqa: PLC0415 - no help needs it

    if opts.csv:
        show(as_csv(answer))
    elif opts.json:
        show(as_json(answer))
    else:
        show(as_table(answer, window_width(sys.stdout), Colours(sys.stdout).paint))
