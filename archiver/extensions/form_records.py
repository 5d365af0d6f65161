"""What `scrapy forms` does with the records of a form: written, proven, read again, aligned."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import TableColumn, many, table_lines
from archiver.display.terminal import Colours, StatusLine, show, window_width
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import one_argument, output_file, refuse_arguments
from archiver.extensions.places import archive_to_read
from archiver.extensions.rdf_extra import need_pyoxigraph
from archiver.files import whole_file, write_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from archiver.documents.pages.forms.description import FormDescription
    from archiver.extensions.command import ArchiveCommand
    from archiver.inspection.records.proving import ProvenValue
    from archiver.records.alignment.graph import Graph
    from archiver.records.alignment.links import Alignment
    from archiver.records.model import RecordWrapper
    from archiver.records.objects.model import ArchivedRecord

RECORD_ACTIONS = ("records", "why", "reread")
USAGE = (
    " | records NAME [--jsonl FILE] [--csv FILE] [--turtle FILE] [--nquads FILE] [--jsonld FILE]"
    " [--shacl FILE] | why NAME RECORD | reread NAME [--jsonl FILE]"
)
ABOUT = (
    "records shows the records of a form that was crawled, the last version of each, or writes them. "
    "N-Quads have each fact in the graph of its WARC record; --shacl writes a shape of what was learned. "
    "why reads each value of a record again from WARC, at its path; RECORD is a key, the beginning of one, "
    "an address, or `all`. reread learns a wrapper anew from the archived answers and tells what would "
    "change; --jsonl writes those versions. "
)
_FILES = ("jsonl", "csv", "turtle", "nquads", "jsonld", "shacl")
_RDF = ("turtle", "nquads", "jsonld", "shacl")
_VALUES = (
    TableColumn(title="ATTRIBUTE", narrowest=8),
    TableColumn(title="VALUE", narrowest=12),
    TableColumn(title="TYPE", is_optional=True),
    TableColumn(title="CONF", is_number=True, is_optional=True),
    TableColumn(title="IN WARC"),
    TableColumn(title="PATH", narrowest=10),
)


def add_record_options(parser: argparse.ArgumentParser) -> None:
    for name, what in (
        ("jsonl", "with records or reread: write them there as objects, a line each"),
        ("csv", "with records: write a table there"),
        ("turtle", "with records: write Turtle there"),
        ("nquads", "with records: write N-Quads there"),
        ("jsonld", "with records: write JSON-LD there"),
        ("shacl", "with records: write a SHACL shape of them there, as Turtle"),
    ):
        parser.add_argument(f"--{name}", metavar="FILE", help=what)


class FormRecords:
    """The records of forms, as objects files have them."""

    def __init__(self, command: ArchiveCommand, opts: argparse.Namespace) -> None:
        self._command, self._opts = command, opts
        self._folder = archive_to_read(command.its_settings)

    def run(self, action: str, args: Sequence[str]) -> None:
        if action == "why":
            if len(args) != 2:
                raise ConfigurationError("Name a form and a record, or `all`: scrapy forms why NAME RECORD")
            self._why(*args)
        elif action == "reread":
            self._reread(one_argument(args, "form"))
        else:
            self._records(one_argument(args, "form"))

    def of(self, name: str) -> list[ArchivedRecord]:
        from archiver.inspection.records.lines import last_versions  # noqa: PLC0415 - no help needs it
        from archiver.inspection.records.linked import with_links  # noqa: PLC0415 - likewise

        found = last_versions(self._folder / "objects", name, self._command.withheld())
        return with_links(self._folder, name, found)

    def _records(self, name: str) -> None:
        files = {
            kind: output_file(f"--{kind}", told) for kind in _FILES if (told := getattr(self._opts, kind))
        }
        if any(kind in _RDF for kind in files):
            need_pyoxigraph("scrapy forms records")
        records = self.of(name)
        for kind, path in files.items():
            self._write(kind, path, name, records)
            self._command.tell(f"{path}: {many(len(records), 'record')}")
        if not files and self._opts.json:
            show([msgspec.json.format(msgspec.json.encode(records), indent=1).decode()])
        elif not files:
            _print_records(records)

    def _write(self, kind: str, path: Path, name: str, records: list[ArchivedRecord]) -> None:
        if kind == "jsonl":
            write_text(path, "".join(f"{msgspec.json.encode(one).decode()}\n" for one in records))
        elif kind == "csv":
            from archiver.inspection.records.tables import csv_lines  # noqa: PLC0415 - no help needs it

            rows = [({"key": one.key, "url": one.url or ""}, one.attributes) for one in records]
            write_text(path, "".join(f"{line}\n" for line in csv_lines(rows)))
        else:
            self._write_rdf(kind, path, name, records)

    def _write_rdf(self, kind: str, path: Path, name: str, records: list[ArchivedRecord]) -> None:
        from archiver.inspection.records.linked import kept_links  # noqa: PLC0415 - no help needs it
        from archiver.inspection.records.shapes import write_shape  # noqa: PLC0415 - likewise
        from archiver.inspection.records.statements import RecordGraph  # noqa: PLC0415 - likewise

        links = kept_links(self._folder, name)
        graph = RecordGraph(name, (links.properties if links is not None else {}) | self._properties(name))
        with whole_file(path) as file:
            if kind == "shacl":
                write_shape(file, graph, records)
            else:
                graph.write(file, kind, records)

    def _properties(self, name: str) -> dict[str, str]:
        """How the form's file would have attributes called in RDF; objects alone do not tell."""
        from archiver.inspection.forms import properties_of_form  # noqa: PLC0415 - no help needs it

        try:
            with self._command.state() as state:
                return properties_of_form(state, name)
        except ArchiveError as error:
            self._command.tell(f"{error}. Until then, attributes have no properties of the form's file")
            return {}

    def _why(self, name: str, record: str) -> None:
        from archiver.inspection.records.lines import one_record  # noqa: PLC0415 - no help needs it
        from archiver.inspection.records.proving import Prover  # noqa: PLC0415 - likewise

        prover, records = Prover(self._folder / "warc"), self.of(name)
        if record != "all":
            one = one_record(records, record)
            _print_proven(one, list(prover.values(one)))
            if not all(value.is_proven for value in prover.values(one)):
                self._command.fail("Values with `no` do not stand in WARC at their paths")
            return
        proven = failed = 0
        for one in sorted(records, key=_place):
            found = [value.is_proven for value in prover.values(one)]
            proven, failed = proven + sum(found), failed + found.count(False)
        _line(f"{many(proven, 'value')} of {many(len(records), 'record')} stand in WARC at their paths")
        if failed:
            self._command.fail(f"{many(failed, 'value')} are not there")

    def _reread(self, name: str) -> None:
        from archiver.inspection.records.rereading import reread  # noqa: PLC0415 - no help needs it

        found = reread(self.of(name), self._folder / "warc", "reread", *self._known(name))
        if found.wrapper is None:
            self._command.fail(f"{many(found.pages, 'page')} read again: no records were found on them")
            return
        _line(f"Records at {found.wrapper.xpath}, {many(len(found.wrapper.columns), 'column')}")
        _line(
            f"{many(found.pages, 'page')} read again: {found.unchanged:,} records as they were, "
            f"{len(found.written):,} with other values, {len(found.missing):,} not found"
        )
        if self._opts.jsonl:
            path = output_file("--jsonl", self._opts.jsonl)
            write_text(path, "".join(f"{msgspec.json.encode(one).decode()}\n" for one in found.written))
            self._command.tell(f"{path}: {many(len(found.written), 'version')}")
        if found.unreadable:
            self._command.fail(f"{many(found.unreadable, 'page')} could not be read: run `scrapy verify`")

    def _known(self, name: str) -> tuple[FormDescription | None, RecordWrapper | None]:
        """The form's file, as it was read last, and its wrapper; None where objects are all that is left."""
        from archiver.inspection.forms import definition_of  # noqa: PLC0415 - no help needs it
        from archiver.store.asked_forms.forms import find_form, wrapper_of_form  # noqa: PLC0415 - likewise

        try:
            with self._command.state() as state:
                form = find_form(state, name)
                wrapper = wrapper_of_form(state, form.id) if form is not None else None
        except ArchiveError:
            return None, None
        return definition_of(form) if form is not None else None, wrapper[1] if wrapper is not None else None

    def align(self, args: Sequence[str], right: Path) -> tuple[Alignment, Graph, Graph]:
        """The records of a form against an RDF file; --out gets words to ask for as well."""
        need_pyoxigraph("scrapy forms align NAME")
        name = args[0]
        refuse_arguments(args[1:])
        from archiver.inspection.records.aligning import (  # noqa: PLC0415 - no help needs it
            align_records,
            further_words,
            write_words,
        )
        from archiver.inspection.records.statements import RecordGraph  # noqa: PLC0415 - likewise

        status, records = StatusLine(sys.stderr), self.of(name)
        graph = RecordGraph(name, self._properties(name))
        found, *graphs = align_records(
            graph,
            records,
            right,
            lambda what, done: status.show(f"{what} {right.name}: {done:,}"),
            self._opts.joins,
        )
        status.clear()
        if self._opts.out:
            folder = Path(self._opts.out)
            folder.mkdir(parents=True, exist_ok=True)
            files = write_words(folder, further_words(graph, records, found, right))
            if files:
                self._command.tell(f"{folder}: {', '.join(files)}")
        return found, graphs[0], graphs[1]


def _line(text: str) -> None:
    show([text])


def _place(record: ArchivedRecord) -> tuple[str, int]:
    answer = next(iter(record.answers), record.detail)
    return (answer.warc.file, answer.warc.offset) if answer else ("", 0)


def _print_records(records: Sequence[ArchivedRecord]) -> None:
    from archiver.inspection.records.tables import record_table  # noqa: PLC0415 - no help needs it

    columns, rows = record_table([one.attributes for one in records])
    width, paint = window_width(sys.stdout), Colours(sys.stdout).paint
    show(table_lines(columns, rows, width=width, paint=paint))


def _print_proven(record: ArchivedRecord, proven: Sequence[ProvenValue]) -> None:
    _line(f"{record.id}, version {record.version}, captured {record.captured:%Y-%m-%d %H:%M} UTC")
    for answer in dict.fromkeys(
        (one.answer.url, one.answer.warc.file, one.answer.warc.offset) for one in proven
    ):
        _line("{}\n  {}, offset {}".format(*answer))
    rows = [
        (
            one.name,
            one.value.value,
            one.value.type,
            f"{one.value.confidence:.2f}",
            "yes" if one.is_proven else "no",
            f"{one.value.path} ({one.value.pattern})" if one.value.pattern else one.value.path,
        )
        for one in proven
    ]
    width, paint = window_width(sys.stdout), Colours(sys.stdout).paint
    show(table_lines(_VALUES, rows, width=width, paint=paint))
