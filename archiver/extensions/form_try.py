"""`scrapy forms try`: a few probes of a form, and what they show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import TableColumn, folded, many, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import one_argument
from archiver.extensions.handing_on import crawl_forms
from archiver.extensions.places import archive_to_read

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.forms.model import FormPlan, ProbedInput
    from archiver.documents.pages.forms.description import FormDescription
    from archiver.extensions.command import ArchiveCommand
    from archiver.inspection.records.trial import FormTrial

TRY_USAGE = " | try FILE [-n N] [--json]"
TRY_ABOUT = (
    "try makes at most five probes of the form of a file, after its page: nonsense, nothing, two words, an "
    "option. It tells what the form would be asked, what each answer is, and which attributes its records "
    "have. The answers are kept, and `scrapy crawl forms -a file=FILE` goes on with them. "
)
_MOST = 5
_NOTHING = (
    "No records were found on these answers. Words that find something help: `words: {file: FILE}` "
    "in the form's file names a file with one on each line."
)
_PROBES = (
    TableColumn(title="PROBE"),
    TableColumn(title="INPUTS", narrowest=12),
    TableColumn(title="ANSWER"),
    TableColumn(title="RECORDS", is_number=True),
    TableColumn(title="OF", is_number=True),
    TableColumn(title="MORE"),
)
_ATTRIBUTES = (
    TableColumn(title="ATTRIBUTE", narrowest=8),
    TableColumn(title="TYPE"),
    TableColumn(title="FILL", is_number=True),
    TableColumn(title="FOR EXAMPLE", narrowest=12),
)


def add_try_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n",
        dest="probes",
        type=int,
        default=_MOST,
        metavar="N",
        help=f"with try: at most so many probes (default and most: {_MOST})",
    )


class FormTry:
    """Asks a form a few times, as a crawl does, and shows what came."""

    def __init__(self, command: ArchiveCommand, opts: argparse.Namespace) -> None:
        self._command, self._opts = command, opts

    def run(self, args: Sequence[str]) -> None:
        from archiver.documents.pages.forms.description import load_form  # noqa: PLC0415 - no help needs it
        from archiver.inspection.records.trial import trial_of  # noqa: PLC0415 - likewise

        file = one_argument(args, "form file")
        if not 1 <= self._opts.probes <= _MOST:
            raise ConfigurationError(f"-n {self._opts.probes}: write a number from 1 to {_MOST}")
        if "," in file:
            raise ConfigurationError(f"{file}: a comma parts the names of form files: rename this one")
        said, _ = load_form(Path(file))
        asked = (f"file={file}", f"tries={self._opts.probes}")
        if not crawl_forms(self._command, self._opts, *asked, failed=f"{file} was not tried"):
            return
        folder = archive_to_read(self._command.its_settings)
        with self._command.state() as state:
            found = trial_of(state, said, folder / "warc")
        if self._opts.json:
            show([msgspec.json.format(msgspec.json.encode(found)).decode()])
        else:
            self._print(found, said, file)

    def _print(self, found: FormTrial, said: FormDescription, file: str) -> None:
        width, paint = window_width(sys.stdout), Colours(sys.stdout).paint
        for line in _plan_lines(found.form.planned, said):
            show([folded(line, width, indent="           ")])
        show(["", *table_lines(_PROBES, _probe_rows(found), width=width, paint=paint), ""])
        if found.wrapper is None:
            show([folded(_NOTHING, width)])
            return
        show([folded(f"Records at {found.wrapper.xpath}", width, indent="  ")])
        show(table_lines(_ATTRIBUTES, list(_attribute_rows(found)), width=width, paint=paint))
        told = f"`{self._command.program} crawl forms -a file={file}` goes on, with at most "
        show(["", folded(f"{told}{many(said.budget.requests, 'request')}.", width)])


def _plan_lines(plan: FormPlan | None, said: FormDescription) -> Iterator[str]:
    yield f"{said.form}: {said.page}"
    if plan is None:
        return
    yield f"Asks       {plan.method} {plan.action}"
    checked = [pair for pair in plan.checked if pair[0] not in plan.always]
    always = ", ".join(f"{name}={value}" for name, value in (*plan.always.items(), *checked) if value)
    yield f"Sends      {always or 'nothing by itself'}"
    yield f"Sets       {', '.join(map(_input, plan.inputs)) or 'nothing'}"


def _input(one: ProbedInput) -> str:
    if one.kind == "option":
        return f"{one.name} ({many(len(one.values), 'value')})"
    return f"{one.name} – {one.until} (range)" if one.until else f"{one.name} ({one.kind})"


def _probe_rows(found: FormTrial) -> list[tuple[str, ...]]:
    return [
        (
            one.chosen_by,
            ", ".join(f"{name}={value}" for name, value in one.inputs.items()),
            one.kind,
            f"{one.records:,}",
            "" if one.total is None else f"{one.total:,}",
            "yes" if one.next_url else "",
        )
        for one in found.probes
    ]


def _attribute_rows(found: FormTrial) -> Iterator[tuple[str, ...]]:
    columns = found.wrapper.columns if found.wrapper is not None else ()
    for column in columns:
        if not column.is_constant:
            values = [one.attributes[column.name] for one in found.records if column.name in one.attributes]
            shown = "; ".join(one.value for one in values[0]) if values else ""
            yield column.name, column.type, f"{column.fill:.0%}", shown
