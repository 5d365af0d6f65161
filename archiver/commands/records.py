"""`scrapy records`: what archived pages list, as records with columns."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import TableColumn, many, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import output_file
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read, wrappers_folder
from archiver.extensions.record_pages import answer_pages
from archiver.files import write_text
from archiver.urls import is_web

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from archiver.records.model import AnswerPage, ListedRecord, RecordWrapper

    Found = tuple[AnswerPage, tuple[ListedRecord, ...]]

_COLUMNS = (
    TableColumn(title="COLUMN", narrowest=8),
    TableColumn(title="TYPE"),
    TableColumn(title="FILL", is_number=True),
    TableColumn(title="VALUES", is_number=True),
    TableColumn(title="PATH", narrowest=12),
)


class Command(ArchiveCommand):
    usage = (
        "URL | FILE … [--word WORD…] [--wrapper NAME | FILE] [--columns] [--jsonl FILE] [--csv FILE] [--json]"
    )
    about = (
        "Show what a page lists: search results, products, a table, a register. The page is one of the "
        "archive (its newest capture) or an HTML file. Several pages of one site are read together, which "
        "finds columns more surely; --word tells what was searched for, once for each page. --wrapper reads "
        "by the records part of a field wrapper instead of learning. --columns shows the columns instead. "
        "Nothing is fetched and nothing is written to the archive. "
        "Exit codes: 0 records found; 1 no records, or a page that cannot be read; 2 wrong usage, or a page "
        "that is not in the archive."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--word",
            action="append",
            default=[],
            metavar="WORD",
            help="what was searched for; once for each page",
        )
        parser.add_argument(
            "--columns", action="store_true", help="show where records are, and their columns"
        )
        parser.add_argument(
            "--wrapper",
            metavar="NAME",
            help="read by the records part of this field wrapper, or of this file",
        )
        parser.add_argument("--jsonl", metavar="FILE", help="write the records there, a JSON object a line")
        parser.add_argument("--csv", metavar="FILE", help="write a table there")
        parser.add_argument("--json", action="store_true", help="print wrapper and records as JSON")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise ConfigurationError("Name a web address or a file")
        if len(opts.word) > len(args):
            raise ConfigurationError(f"--word: {many(len(args), 'page')} have at most as many words")
        files = {kind: output_file(f"--{kind}", told) for kind in _WRITERS if (told := getattr(opts, kind))}
        is_archived = any(map(is_web, args))
        folder = archive_to_read(self.its_settings) if is_archived else None
        pages = answer_pages(folder, self.withheld(), args, opts.word)
        wrapper, found = (None, self._designed(pages, opts.wrapper)) if opts.wrapper else _learned(pages)
        if not any(records for _, records in found):
            told = (
                f"{opts.wrapper} finds nothing" if opts.wrapper else "nothing repeats that looks like a list"
            )
            self.fail(f"No records: {told} on the page")
            return
        for kind, path in files.items():
            write_text(path, "".join(f"{line}\n" for line in _WRITERS[kind](found)))
            self.tell(f"{path}: {many(sum(len(records) for _, records in found), 'record')}")
        if opts.json:
            told = {"wrapper": wrapper, "records": {page.url: records for page, records in found}}
            show([msgspec.json.format(msgspec.json.encode(told), indent=1).decode()])
        elif not files:
            if opts.columns and wrapper:
                _print_columns(wrapper)
            else:
                _print(found)

    def _designed(self, pages: Sequence[AnswerPage], name: str) -> list[Found]:
        from archiver.documents.expressions.document import VirtualDocument  # noqa: PLC0415 - no help needs it
        from archiver.fields.files import load_wrapper  # noqa: PLC0415 - likewise
        from archiver.inspection.fields.details import named_wrapper  # noqa: PLC0415 - likewise
        from archiver.records.designed import designed_records  # noqa: PLC0415 - likewise

        path = Path(name)
        known = load_wrapper(path) if path.is_file() else None
        wrapper = known or named_wrapper(wrappers_folder(self.its_settings), name).wrapper
        if wrapper is None or not wrapper.records:
            raise ConfigurationError(f"--wrapper {name}: it has no records part that can be used")
        documents = [(page, VirtualDocument(tree=page.tree, url=page.url)) for page in pages]
        return [
            (page, tuple(one for part in wrapper.records for one in designed_records(document, part)))
            for page, document in documents
        ]


def _learned(pages: Sequence[AnswerPage]) -> tuple[RecordWrapper | None, list[Found]]:
    from archiver.records.learning import learn_records  # noqa: PLC0415 - no help needs it
    from archiver.records.reading import read_records  # noqa: PLC0415 - likewise

    wrapper = learn_records(pages)
    return wrapper, [(page, read_records(page, wrapper)) for page in pages] if wrapper else []


def _print_columns(wrapper: RecordWrapper) -> None:
    print(f"Records at {wrapper.xpath}")
    rows = [
        (one.name, one.type, f"{one.fill:.0%}", str(one.distinct), " | ".join(one.paths))
        for one in wrapper.columns
        if not one.is_constant
    ]
    show(table_lines(_COLUMNS, rows, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))


def _print(found: Sequence[Found]) -> None:
    from archiver.inspection.records.tables import record_table  # noqa: PLC0415 - no help needs it
    from archiver.records.paging import next_link, total_claimed  # noqa: PLC0415 - likewise

    width, paint = window_width(sys.stdout), Colours(sys.stdout).paint
    records = [record for _, of_page in found for record in of_page]
    columns, rows = record_table([record.attributes for record in records])
    show(table_lines(columns, rows, width=width, paint=paint))
    for page, of_page in found:
        total, following = total_claimed(page), next_link(page)
        of = f" of {total:,}" if total is not None and total >= len(of_page) else ""
        print(f"{len(of_page)}{of} records; next page: {following or 'none'}")


def _jsonl(found: Sequence[Found]) -> list[str]:
    return [
        msgspec.json.encode({"page": page.url, **msgspec.structs.asdict(record)}).decode()
        for page, records in found
        for record in records
    ]


def _csv(found: Sequence[Found]) -> list[str]:
    from archiver.inspection.records.tables import csv_lines  # noqa: PLC0415 - no help needs it

    rows = [
        ({"page": page.url, "place": str(record.place), "url": record.detail_url}, record.attributes)
        for page, records in found
        for record in records
    ]
    return list(csv_lines(rows))


_WRITERS = {"jsonl": _jsonl, "csv": _csv}
