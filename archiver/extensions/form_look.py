"""`scrapy forms look`: the forms of a page, and whether robots.txt allows to ask them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import TableColumn, folded, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import one_argument
from archiver.extensions.handing_on import crawl_forms
from archiver.extensions.places import archive_folder
from archiver.files import write_text
from archiver.urls import is_web

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.documents.pages.forms.finding import FoundForm
    from archiver.extensions.command import ArchiveCommand
    from archiver.inspection.looked_forms import LookedForms, SearchVerdict
    from archiver.inspection.robots import RobotsVerdict

LOOK_USAGE = "look URL | FILE [--fetch] [--number N] [--write FILE] [--json]"
LOOK_ABOUT = (
    "look shows the forms of a page, or of an HTML file: what each is for, its inputs with their kinds, "
    "labels and values, and whether robots.txt allows to ask those that search. A page that is not in the "
    "archive is fetched, and kept, by one request after its robots.txt; --fetch has it fetched in any case. "
    "Nothing is submitted. --write writes the search form, or the one of --number, as a YAML description "
    "to edit. "
)
_FIELDS = (
    TableColumn(title="INPUT", narrowest=8),
    TableColumn(title="KIND"),
    TableColumn(title="LABEL", narrowest=10),
    TableColumn(title="VALUES", narrowest=8, is_optional=True),
)
_SHOWN_VALUES = 6
# Links of a file are read against an address; this one leads nowhere.
_NOWHERE = "https://page.invalid/"


def add_look_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fetch", action="store_true", help="with look: fetch the page, although it is in the archive"
    )
    parser.add_argument("--number", type=int, metavar="N", help="with look: this form of the page alone")
    parser.add_argument("--write", metavar="FILE", help="with look: write a description of the form there")


class FormLook:
    """Shows the forms of a page, which is fetched where the archive does not have it."""

    def __init__(self, command: ArchiveCommand, opts: argparse.Namespace) -> None:
        self._command, self._opts = command, opts

    def run(self, args: Sequence[str]) -> None:
        name = one_argument(args, "URL or file")
        if is_web(name):
            found = self._page(name)
        elif Path(name).is_file():
            found = _forms_of_file(Path(name))
        else:
            raise ConfigurationError(f"{name} is neither a web address nor a file")
        if found is not None:
            self._tell(found)

    def _tell(self, found: LookedForms) -> None:
        number = self._opts.number
        if number is not None:
            found = msgspec.structs.replace(found, forms=(_chosen_form(found, number),))
        if self._opts.write:
            self._write(Path(self._opts.write), found, number)
        if self._opts.json:
            show([msgspec.json.format(msgspec.json.encode(found)).decode()])
        else:
            _print_forms(found)

    def _page(self, url: str) -> LookedForms | None:
        from archiver.inspection.looked_forms import looked_forms  # noqa: PLC0415 - no help needs it

        settings = self._command.its_settings
        line = None if self._opts.fetch else self._kept(url)[1]
        failed = f"{url} was not fetched"
        if line is None and not crawl_forms(self._command, self._opts, f"look={url}", failed=failed):
            return None
        index, line = self._kept(url)
        if line is None:
            raise ConfigurationError(f"{url} is not in the archive: name a file, or crawl it first")
        warc_folder = archive_folder(settings) / "warc"
        return looked_forms(index, warc_folder, line, settings["ROBOTSTXT_USER_AGENT"])

    def _kept(self, url: str) -> tuple[Index, CdxLine | None]:
        from archiver.archive.cdxj.index import Index  # noqa: PLC0415 - no help needs it
        from archiver.inspection.looked_forms import kept_page  # noqa: PLC0415 - likewise

        withheld, folder = self._command.withheld(), archive_folder(self._command.its_settings)
        withheld.refuse(url)
        index = Index(folder / "index", withheld.hides)
        return index, kept_page(index, folder / "warc", url)

    def _write(self, target: Path, found: LookedForms, number: int | None) -> None:
        from archiver.documents.pages.forms.description import form_as_yaml  # noqa: PLC0415 - no help needs it
        from archiver.documents.pages.forms.finding import described  # noqa: PLC0415 - likewise

        if target.exists():
            raise ConfigurationError(f"{target} already exists: delete it first, or name another file")
        form = _chosen_form(found, number)
        write_text(target, form_as_yaml(described(form, found.url)))
        self._command.tell(f"{target}: form {form.number}")


def _forms_of_file(path: Path) -> LookedForms:
    from archiver.documents.pages.dom import parse_html  # noqa: PLC0415 - no help needs it
    from archiver.documents.pages.forms.finding import forms_of  # noqa: PLC0415 - likewise
    from archiver.inspection.looked_forms import LookedForms  # noqa: PLC0415 - likewise

    found = forms_of(parse_html(path.read_bytes(), None, _NOWHERE), _NOWHERE)
    return LookedForms(url=found.url, forms=found.forms, opensearch=found.opensearch)


def _chosen_form(found: LookedForms, number: int | None) -> FoundForm:
    """The form with this number, or the first one of search."""
    if number is not None:
        for form in found.forms:
            if form.number == number:
                return form
        raise ConfigurationError(f"--number {number}: the page has {len(found.forms)} forms")
    for form in found.forms:
        if form.kind == "search":
            return form
    raise ConfigurationError("The page has no search form: --number N chooses another one")


def _print_forms(found: LookedForms) -> None:
    width, paint = window_width(sys.stdout), Colours(sys.stdout).paint
    verdicts = {one.form: one for one in found.searches}
    show([f"OpenSearch: {address}" for address in found.opensearch])
    for form in found.forms:
        title = f"Form {form.number}: {form.kind}, {form.method} {form.action}"
        verdict = verdicts.get(form.number)
        told = [title] if verdict is None else [title, _verdict_line(verdict)]
        show([folded(line, width, indent="  ") for line in told])
        show([*table_lines(_FIELDS, list(_field_rows(form)), width=width, paint=paint), ""])
    if not found.forms:
        show(["No forms"])


def _verdict_line(verdict: SearchVerdict) -> str:
    return f"Not asked: {verdict.refused}" if verdict.robots is None else robots_line(verdict.robots)


def robots_line(verdict: RobotsVerdict) -> str:
    told = f"robots.txt of {verdict.captured:%Y-%m-%d}" if verdict.captured is not None else "robots.txt"
    if verdict.is_allowed is None:
        return f"{told} says nothing of {verdict.address}: {verdict.why}"
    if verdict.is_allowed:
        return f"{told} allows it: {verdict.address}"
    by_line = f" by its line {verdict.number} ({verdict.line})" if verdict.number else ""
    return f"{told} forbids it{by_line}: {verdict.address}"


def _field_rows(form: FoundForm) -> Iterator[tuple[str, ...]]:
    for field in form.fields:
        values = [one.text or one.value for one in field.choices] or [field.value]
        more = f" … {len(values)}" if len(values) > _SHOWN_VALUES else ""
        name = f"{field.name} – {field.until}" if field.until else field.name
        kind = "trap" if field.is_trap else field.kind
        yield name, kind, field.label, ", ".join(values[:_SHOWN_VALUES]) + more
