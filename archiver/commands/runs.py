"""`scrapy runs`: what each run did, and what failed in it and why."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.display.tables import Coloured, TableColumn, size_in_words, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.display.when import length, when
from archiver.errors import ConfigurationError, StateLost
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.telling import as_typed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from archiver.inspection.runs import RunDetails, RunList, RunNote

_LIMIT = 20
_COLUMNS = (
    TableColumn(title="run"),
    TableColumn(title="when"),
    TableColumn(title="state"),
    TableColumn(title="took", is_optional=True),
    TableColumn(title="polls", is_number=True),
    TableColumn(title="304", is_number=True, is_optional=True),
    TableColumn(title="failed", is_number=True),
    TableColumn(title="entries", is_number=True, is_optional=True),
    TableColumn(title="articles", is_number=True),
    TableColumn(title="edits", is_number=True),
    TableColumn(title="kept", is_number=True, is_optional=True),
    TableColumn(title="errors", is_number=True),
)
_COLOURS = {"finished": "green", "failed": "red", "unreadable": "red", "no report": "red"}


class Command(ArchiveCommand):
    usage = "[NAME] [--limit N] [--before NAME] [--json]"
    about = (
        "List the runs, the newest first: when, how long, polls and how many of them were not modified "
        "(304), new entries, articles and edits, bytes kept, errors. With the NAME of a run, or the "
        "beginning of it, tell all of that run: what failed and why, errors, notes. Changes nothing. "
        "Exit codes: 0 shown; 1 no such run; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--limit",
            type=int,
            default=_LIMIT,
            metavar="N",
            help=f"at most N runs, {_LIMIT} unless you say otherwise",
        )
        parser.add_argument("--before", metavar="NAME", help="those before this run")
        parser.add_argument("--json", action="store_true", help="as one JSON object")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) > 1:
            raise ConfigurationError("Name one run, or none for all")
        if opts.limit < 1:
            raise ConfigurationError("--limit: write a number from 1 on")
        folder = archive_to_read(self.its_settings)
        found = self._details(folder, args[0]) if args else self._runs(folder, opts)
        if opts.json:
            show([msgspec.json.format(msgspec.json.encode(found), indent=1).decode()])
        else:
            show(self._told(found, folder))

    def _told(self, found: RunDetails | RunList, folder: Path) -> Iterator[str]:
        from archiver.inspection.runs import RunDetails  # noqa: PLC0415 - no help needs it

        if isinstance(found, RunDetails):
            return self._detailed(found, folder)
        return self._listed(found)

    def _listed(self, found: RunList) -> Iterator[str]:
        rows, now = [_cells(one, machine_now()) for one in found.runs], Colours(sys.stdout)
        if not rows:
            yield as_typed("No run has left a report yet: `scrapy crawl feeds` does.", self.program)
            return
        yield from table_lines(_COLUMNS, rows, width=window_width(sys.stdout), paint=now.paint)
        if found.next:
            self.tell(f"there are more: --before {found.next} lists them")

    def _detailed(self, found: RunDetails, folder: Path) -> Iterator[str]:
        from archiver.inspection.runs import read_report  # noqa: PLC0415 - likewise
        from archiver.running.summary import summary  # noqa: PLC0415 - likewise

        path = folder / "runs" / f"run-{found.run.name}.json"
        report = read_report(path)
        started = f"{found.run.started:%Y-%m-%d %H:%M:%S} UTC" if found.run.started else "unknown"
        took = f", {length(found.run.seconds)}" if found.run.seconds is not None else ""
        yield f"Run of {started}: {found.run.state}{took}"
        if report is not None:
            yield summary(
                report,
                folder,
                path,
                width=window_width(sys.stdout),
                spell=lambda text: as_typed(text, self.program),
                shown=None,
            )

    def _runs(self, folder: Path, opts: argparse.Namespace) -> RunList:
        from archiver.inspection.runs import list_runs  # noqa: PLC0415 - likewise

        try:
            with self.state() as state:
                return list_runs(folder, state, limit=opts.limit, before=opts.before)
        except StateLost:
            return list_runs(folder, None, limit=opts.limit, before=opts.before)

    def _details(self, folder: Path, name: str) -> RunDetails:
        from archiver.inspection.runs import run_details  # noqa: PLC0415 - likewise

        try:
            with self.state() as state:
                return run_details(folder, state, name, self.withheld(state))
        except StateLost:
            return run_details(folder, None, name, self.withheld())


def _cells(run: RunNote, now: datetime) -> tuple[str | Coloured, ...]:
    share = run.not_modified_share
    return (
        run.name,
        when(run.started, now) if run.started else "–",
        Coloured(run.state, _COLOURS.get(run.state, "")),
        length(run.seconds) if run.seconds is not None else "–",
        str(run.polls),
        f"{share:.0%}" if share is not None else "–",
        str(run.polls_failed),
        str(run.entries_new),
        str(run.articles_new),
        str(run.versions_new),
        size_in_words(run.bytes_kept),
        Coloured(str(run.errors), "red" if run.errors else ""),
    )
