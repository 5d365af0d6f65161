"""`scrapy fields`: field wrappers, how they do, tests on archived pages, and tables of their values."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.display.tables import many
from archiver.display.terminal import Colours, ProgressLine, show, window_width
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import add_since_option, output_file, since_from
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.engines import add_engine_options, is_spark, spark_from
from archiver.extensions.places import archive_to_read, wrappers_folder
from archiver.extensions.telling import as_typed
from archiver.files import whole_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import BinaryIO

    from sqlalchemy import Connection

    from archiver.fields.model import FieldWrapper

_NONE = "No field wrapper yet: `scrapy mark URL` shows a page to point at, `scrapy induce` takes values."
_FOR_ONE = ("test", "csv", "jsonl", "accept")


class Command(ArchiveCommand):
    usage = "[NAME] [--test | --csv FILE | --jsonl FILE | --accept] [options]"
    about = (
        "List the field wrappers of the archive, with the share of values that were found in each week, and "
        "what fails. With a NAME, all that is known of one: its fields, its rules, pages on which something "
        "is missing. --test reads archived pages by it and changes nothing; --csv and --jsonl write the "
        "table of its values, a row for each version of an article, with its capture; --accept takes the "
        "rules that a run has proposed after a site changed. "
        "Exit codes: 0 done; 1 no such wrapper, or something cannot be read; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--test", action="store_true", help="read archived pages by the wrapper")
        action.add_argument("--csv", metavar="FILE", help="write its values as CSV; - for standard output")
        action.add_argument("--jsonl", metavar="FILE", help="write its values as JSON Lines; - likewise")
        action.add_argument("--accept", action="store_true", help="use the rules that are proposed")
        parser.add_argument(
            "--latest", action="store_true", help="with --csv and --jsonl: only the last version of each"
        )
        parser.add_argument(
            "--pages", type=int, default=200, metavar="N", help="with --test: this many pages at most"
        )
        add_since_option(parser, "with --test, --csv and --jsonl: only what was captured")
        parser.add_argument("--json", action="store_true", help="print JSON")
        add_engine_options(parser, "with --test: ")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        _check_usage(args, opts)
        folder = archive_to_read(self.its_settings)
        if opts.accept:
            self._accept(args[0])
            return
        with self.state() as state:
            if opts.csv or opts.jsonl:
                self._export(state, folder, args[0], opts)
            elif opts.test:
                self._test(state, folder, args[0], opts)
            elif args:
                self._details(state, folder, args[0], opts)
            else:
                self._list(state, opts)

    def _list(self, state: Connection, opts: argparse.Namespace) -> None:
        from archiver.inspection.fields.as_text import status_table  # noqa: PLC0415 - no help needs it
        from archiver.inspection.fields.listing import read_statuses  # noqa: PLC0415 - likewise

        found = read_statuses(state, wrappers_folder(self.its_settings), machine_now())
        if opts.json:
            print(_json(found))
        elif not found.wrappers:
            print(as_typed(_NONE, self.program))
        else:
            lines = status_table(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint)
            show(as_typed(line, self.program) for line in lines)

    def _details(self, state: Connection, folder: Path, name: str, opts: argparse.Namespace) -> None:
        from archiver.inspection.fields.as_text import details_lines  # noqa: PLC0415 - likewise
        from archiver.inspection.fields.details import WrapperPlaces, read_details  # noqa: PLC0415 - likewise

        places = WrapperPlaces(
            state=state,
            objects=folder / "objects",
            wrappers=wrappers_folder(self.its_settings),
            withheld=self.withheld(state),
        )
        found = read_details(places, name, machine_now())
        if opts.json:
            print(_json(found))
            return
        lines = details_lines(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint)
        show(as_typed(line, self.program) for line in lines)

    def _test(self, state: Connection, folder: Path, name: str, opts: argparse.Namespace) -> None:
        from archiver.inspection.fields.as_text import test_lines  # noqa: PLC0415 - likewise
        from archiver.inspection.fields.testing import captures_in_scope, tested, tested_by  # noqa: PLC0415 - likewise

        wrapper = self._wrapper(name)
        withheld, since = self.withheld(state), since_from(opts)
        chosen = captures_in_scope(state, wrapper, withheld, most=opts.pages, since=since)
        if not chosen:
            raise ArchiveError(f"No archived page is in the scope of {name}: look at its scope")
        with ProgressLine(sys.stderr, str) as progress, spark_from(opts, self.its_settings) as spark:
            if spark is None:
                found = tested(wrapper, chosen, folder / "warc", progress.show)
            else:
                found = asyncio.run(tested_by(spark, wrapper, chosen, folder / "warc", progress.show))
        if opts.json:
            print(_json(found))
            return
        show(test_lines(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))

    def _export(self, state: Connection, folder: Path, name: str, opts: argparse.Namespace) -> None:
        from archiver.inspection.fields.table import FieldTable, TableAsked  # noqa: PLC0415 - likewise

        asked = TableAsked(since=since_from(opts), is_latest=opts.latest)
        table = FieldTable(state, folder / "objects", self.withheld(state), self._wrapper(name), asked)
        target, write = (opts.csv, table.write_csv) if opts.csv else (opts.jsonl, table.write_jsonl)
        with ProgressLine(sys.stderr, str) as progress, _opened(target) as output:
            write(output, progress.show)
        if target != "-":
            print(f"Written: {many(table.rows, 'row')} to {target}")
        if table.unreadable:
            self.fail(f"{many(table.unreadable, 'object')} could not be read: run `scrapy verify`")

    def _accept(self, name: str) -> None:
        from archiver.fields.proposals import accept, proposed_path  # noqa: PLC0415 - likewise

        folder = wrappers_folder(self.its_settings)
        if folder is None or not proposed_path(folder, name).is_file():
            raise ArchiveError(f"Nothing is proposed for {name}: `scrapy fields` tells where something is")
        self.set_umask()
        accept(folder, name)
        told = (
            f"{name}: the new rules are used from now on; `scrapy reextract --fields {name}` fills the past"
        )
        print(as_typed(told, self.program))

    def _wrapper(self, name: str) -> FieldWrapper:
        from archiver.inspection.fields.details import named_wrapper  # noqa: PLC0415 - likewise

        found = named_wrapper(wrappers_folder(self.its_settings), name)
        if found.wrapper is None:
            raise ConfigurationError(str(found.flaw))
        return found.wrapper


def _check_usage(args: list[str], opts: argparse.Namespace) -> None:
    if len(args) > 1:
        raise ConfigurationError("Name one wrapper, or none for all")
    for option in _FOR_ONE:
        if getattr(opts, option) and not args:
            raise ConfigurationError(f"--{option} needs the name of a wrapper: `scrapy fields` lists them")
    if opts.latest and not (opts.csv or opts.jsonl):
        raise ConfigurationError("--latest goes with --csv or --jsonl")
    if is_spark(opts) and not opts.test:
        raise ConfigurationError("--engine spark reads pages: it goes with --test")
    if opts.pages < 1:
        raise ConfigurationError(f"--pages {opts.pages} is not a number of pages: 1 is the least")
    for option in ("csv", "jsonl"):
        target = getattr(opts, option)
        if target and target != "-":
            output_file(f"--{option}", target)


def _json(found: object) -> str:
    return msgspec.json.format(msgspec.json.encode(found)).decode()


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """The whole file or none; standard output where that is meant."""
    if name == "-":
        yield sys.stdout.buffer
        return
    with whole_file(Path(name)) as file:
        yield file
