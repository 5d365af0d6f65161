"""How forms stand that are asked for records, as `scrapy forms` shows it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import msgspec

from archiver.display.tables import TableColumn, folded, table_lines
from archiver.display.terminal import Colours, StatusLine, show, window_width
from archiver.extensions.arguments import one_argument, refuse_arguments
from archiver.extensions.places import archive_to_read, known_state

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from archiver.extensions.command import ArchiveCommand
    from archiver.inspection.forms import FormStanding
    from archiver.records.model import RecordColumn

P = ParamSpec("P")
R = TypeVar("R")
STATUS_ACTIONS = ("status", "schema", "mapping", "runs", "found")
STATUS_USAGE = " | status [NAME] | schema NAME | mapping NAME | runs NAME | found [--json]"
STATUS_ABOUT = (
    "status shows how forms stand that `scrapy crawl forms` asks: records, how many there may be in all, "
    "what the form does with words. schema shows the attributes that were learned, mapping which input "
    "filters which of them, runs what each run brought. found lists the search forms on all archived pages; "
    "none of them is submitted. "
)


def column_row(column: RecordColumn) -> tuple[str, ...]:
    """An attribute in the table of a schema."""
    return (
        column.name,
        f"{column.type}, excerpt" if column.is_excerpt else column.type,
        "yes" if column.many else "",
        f"{column.fill:.2f}",
        column.label,
        ", ".join(column.paths),
    )


class FormStatus:
    """Shows what the state store knows of forms."""

    def __init__(self, command: ArchiveCommand, opts: argparse.Namespace) -> None:
        self._command, self._opts = command, opts

    def run(self, action: str, args: Sequence[str]) -> None:
        if action == "found":
            refuse_arguments(args)
            self._found()
        elif action == "status" and not args:
            self._all()
        else:
            getattr(self, f"_{action}")(one_argument(args, "form"))

    def _ask(self, function: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        known_state(self._command.its_settings)
        with self._command.state() as state:
            return function(state, *args, **more)

    def _show(
        self, found: object, columns: Sequence[TableColumn], rows: Sequence[tuple[str, ...]], none: str
    ) -> None:
        if self._opts.json:
            show([msgspec.json.format(msgspec.json.encode(found)).decode()])
        elif rows:
            paint = Colours(sys.stdout).paint
            show(table_lines(columns, list(rows), width=window_width(sys.stdout), paint=paint))
        else:
            show([none])

    def _all(self) -> None:
        from archiver.inspection.forms import standings  # noqa: PLC0415 - no help needs it

        found = self._ask(standings)
        columns = (
            TableColumn(title="FORM", narrowest=10),
            TableColumn(title="STATE"),
            TableColumn(title="RECORDS", is_number=True),
            TableColumn(title="IN ALL", is_number=True),
            TableColumn(title="REQUESTS", is_number=True),
        )
        rows = [
            (one.form.name, one.form.state, f"{one.records:,}", _in_all(one), f"{one.requests:,}")
            for one in found
        ]
        self._show(found, columns, rows, "No form was asked yet: `scrapy crawl forms -a file=FILE`")

    def _status(self, name: str) -> None:
        from archiver.inspection.forms import standing  # noqa: PLC0415 - no help needs it

        found = self._ask(standing, name)
        if self._opts.json:
            show([msgspec.json.format(msgspec.json.encode(found)).decode()])
            return
        width = window_width(sys.stdout)
        for line in _told(found):
            show([folded(line, width, indent="  ")])

    def _schema(self, name: str) -> None:
        from archiver.inspection.forms import columns_of_form  # noqa: PLC0415 - no help needs it

        found = self._ask(columns_of_form, name)
        columns = (
            TableColumn(title="ATTRIBUTE", narrowest=8),
            TableColumn(title="TYPE"),
            TableColumn(title="MANY"),
            TableColumn(title="FILL", is_number=True),
            TableColumn(title="LABEL", is_optional=True),
            TableColumn(title="PATH", narrowest=10),
        )
        self._show(found, columns, [*map(column_row, found)], "Nothing was learned yet")

    def _mapping(self, name: str) -> None:
        from archiver.inspection.forms import mappings_of_form  # noqa: PLC0415 - no help needs it

        found = self._ask(mappings_of_form, name)
        columns = (
            TableColumn(title="INPUT", narrowest=8),
            TableColumn(title="ATTRIBUTE", narrowest=8),
            TableColumn(title="TRIED", is_number=True),
            TableColumn(title="HELD", is_number=True),
            TableColumn(title="CONTROL", is_number=True),
            TableColumn(title="CONF", is_number=True),
        )
        rows = [
            (
                one.input,
                one.attribute or "any",
                str(one.tried),
                f"{one.held:.2f}",
                f"{one.control:.2f}",
                f"{one.confidence:.2f}",
            )
            for one in found
        ]
        self._show(found, columns, rows, "No input is known to filter an attribute")

    def _runs(self, name: str) -> None:
        from archiver.inspection.forms import runs_of_form  # noqa: PLC0415 - no help needs it

        found = self._ask(runs_of_form, name)
        columns = (
            TableColumn(title="RUN", is_number=True),
            TableColumn(title="BEGAN"),
            TableColumn(title="REQUESTS", is_number=True),
            TableColumn(title="NEW", is_number=True),
            TableColumn(title="CHANGED", is_number=True),
            TableColumn(title="ENDED", narrowest=10),
        )
        rows = [
            (
                str(one.run),
                f"{one.started:%Y-%m-%d %H:%M}",
                f"{one.requests:,}",
                f"{one.added:,}",
                f"{one.changed:,}",
                one.why if one.ended else "goes on",
            )
            for one in found
        ]
        self._show(found, columns, rows, "No run yet")

    def _found(self) -> None:
        from archiver.inspection.met_forms import met_forms  # noqa: PLC0415 - no help needs it

        folder = archive_to_read(self._command.its_settings)
        status = StatusLine(sys.stderr)
        found = met_forms(folder, self._command.withheld(), lambda done: status.show(f"{done:,} pages"))
        status.clear()
        columns = (
            TableColumn(title="FORM", narrowest=20),
            TableColumn(title="METHOD"),
            TableColumn(title="INPUTS", narrowest=8),
            TableColumn(title="ON", narrowest=20, is_optional=True),
        )
        rows = [(one.action, one.method, ", ".join(one.inputs), one.page) for one in found]
        self._show(found, columns, rows, "No search form was met yet")


def _in_all(one: FormStanding) -> str:
    coverage = one.form.coverage
    return f"{coverage.estimate:,.0f}" if coverage is not None and coverage.estimate is not None else ""


def _told(one: FormStanding) -> list[str]:
    form, coverage, does = one.form, one.form.coverage, one.form.behaviour
    lines = [f"{form.name}: {form.state}{f', {form.why}' if form.why else ''}", f"Page       {form.page}"]
    lines.append(f"Records    {one.records:,} by {one.requests:,} requests in run {form.run}")
    if coverage is not None and coverage.estimate is not None:
        ways = {"claimed": coverage.claimed, "Chao": coverage.chao, "recaptured": coverage.recaptured}
        told = ", ".join(f"{name} {value:,.0f}" for name, value in ways.items() if value is not None)
        span = f"{coverage.low or 0:,.0f} to {coverage.high or 0:,.0f}"
        lines.append(f"In all     about {coverage.estimate:,.0f} ({span}); {told}")
    lines.append(
        f"Answers    {', '.join(f'{count} {kind}' for kind, count in one.answers.items()) or 'none'}"
    )
    if does is not None:
        said = {
            "all for nothing": does.empty_all, "stop words": does.stop_words, "single letters": does.letters,
            "mistakes": does.forgives,
        }  # fmt: skip
        finds = [f"{name}: {'yes' if value else 'no'}" for name, value in said.items() if value is not None]
        finds += [f"several words: {does.operator}"] if does.operator else []
        lines.append(f"Finds      {', '.join(finds)}")
    return lines
