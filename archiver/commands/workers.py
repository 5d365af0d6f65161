"""`scrapy workers`: the crawl workers that share the state store, and what each of them holds."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.display.tables import Coloured, TableColumn, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.display.when import when
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.telling import as_typed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import datetime

    from archiver.inspection.workers import WorkerList, WorkerNote

_COLUMNS = (
    TableColumn(title="worker"),
    TableColumn(title="state"),
    TableColumn(title="host", is_optional=True),
    TableColumn(title="process", is_number=True, is_optional=True),
    TableColumn(title="began"),
    TableColumn(title="last sign"),
    TableColumn(title="domains", is_number=True),
    TableColumn(title="to read", is_number=True),
)
_COLOURS = {"alive": "green", "silent": "red", "dead": "red"}


class Command(ArchiveCommand):
    usage = "[NAME] [--json]"
    about = (
        "List the crawl workers that share the state store: which are alive, when each gave its last sign of "
        "life, how many registered domains it holds, and how many pages it captured that are not read. With "
        "the NAME of a worker, list the domains that it holds. Several workers need PostgreSQL and a folder "
        "each. Changes nothing. Exit codes: 0 shown; 1 no such worker; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="as one JSON object")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        from archiver.inspection.workers import list_workers  # noqa: PLC0415 - no help needs it

        if len(args) > 1:
            raise ConfigurationError("Name one worker, or none for all")
        with self.state() as state:
            found = list_workers(state, machine_now())
            domains = self._domains(state, found, args[0]) if args else None
        if opts.json:
            told = found if domains is None else domains
            show([msgspec.json.format(msgspec.json.encode(told), indent=1).decode()])
        else:
            show(domains if domains is not None else self._listed(found))

    def _domains(self, state: object, found: WorkerList, name: str) -> list[str]:
        from archiver.inspection.workers import held_domains  # noqa: PLC0415 - likewise

        if name not in {one.name for one in found.workers}:
            raise ArchiveError(f"There is no worker {name}: `scrapy workers` lists them")
        return held_domains(state, name)  # type: ignore[arg-type] # a connection

    def _listed(self, found: WorkerList) -> Iterator[str]:
        if not found.is_shared:
            yield (
                "The state store is SQLite, which serves one run at a time: several crawl workers need"
                " PostgreSQL (STATE_URL), each with an ARCHIVE_DIR of its own."
            )
            return
        if not found.workers:
            yield as_typed("No worker has begun yet: `scrapy crawl feeds` is one.", self.program)
            return
        rows, colours = [_cells(one, machine_now()) for one in found.workers], Colours(sys.stdout)
        yield from table_lines(_COLUMNS, rows, width=window_width(sys.stdout), paint=colours.paint)


def _cells(worker: WorkerNote, now: datetime) -> tuple[str | Coloured, ...]:
    return (
        worker.name,
        Coloured(worker.state, _COLOURS.get(worker.state, "")),
        worker.host,
        str(worker.process),
        when(worker.started, now),
        when(worker.beat, now),
        str(worker.domains),
        str(worker.unread),
    )
