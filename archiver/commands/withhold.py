"""`scrapy withhold`: pages and hosts that are kept and not shown, as an order to take them down asks for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.withheld import HOST, URL, pattern_of
from archiver.clock import machine_now
from archiver.display.tables import Coloured, TableColumn, folded, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import one_argument, refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.ordering import take_up
from archiver.extensions.places import archive_to_read, known_state
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.withheld import WithheldPattern, WithholdingOrder

_COLUMNS = (
    TableColumn(title="since"),
    TableColumn(title="lifted"),
    TableColumn(title="what"),
    TableColumn(title="withheld", narrowest=20),
    TableColumn(title="reason", narrowest=20),
)
_KINDS = {"url": "page", "prefix": "below", "host": "host"}


class Command(ArchiveCommand):
    usage = "URL | URL* | HOST --reason TEXT | --lift URL | HOST [--reason TEXT] | --list [--json]"
    about = (
        "Withhold a page, all pages whose addresses begin so (https://example.org/folder/*), or a host with "
        "all names below it: from now on no command, view or export shows them. Everything stays in the "
        "archive, and --lift shows it again. Works beside a run, too. --list has what is withheld and what "
        "was. Exit codes: 0 done; 1 failed, or nothing like that is withheld; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--reason", metavar="TEXT", default="", help="why: who ordered it, and when")
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--lift", action="store_true", help="show it again")
        action.add_argument("--list", action="store_true", help="list the orders, the newest first")
        parser.add_argument("--json", action="store_true", help="with --list: as a list of JSON objects")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        folder = archive_to_read(self.its_settings)
        if opts.list:
            refuse_arguments(args)
            self._list(folder, opts)
            return
        pattern = pattern_of(one_argument(args, "URL or host"))
        _check(pattern, opts)
        known_state(self.its_settings)
        self.set_umask()
        self._order(folder, pattern, opts)

    def _list(self, folder: Path, opts: argparse.Namespace) -> None:
        from archiver.store.withheld import list_orders  # noqa: PLC0415 - no help needs it

        try:
            with self.state() as state:
                orders = list_orders(state, folder)
        except ArchiveError as error:
            self.tell(f"{error}; this is what was ordered")
            orders = list_orders(None, folder)
        if opts.json:
            show([msgspec.json.format(msgspec.json.encode(orders), indent=1).decode()])
        elif orders:
            rows = [_cells(order) for order in orders]
            width, colours = window_width(sys.stdout), Colours(sys.stdout)
            show(table_lines(_COLUMNS, rows, width=width, paint=colours.paint))
        else:
            print("Nothing is withheld, and nothing was.")

    def _order(self, folder: Path, pattern: WithheldPattern, opts: argparse.Namespace) -> None:
        from archiver.archive.inbox import leave  # noqa: PLC0415 - no help needs it
        from archiver.store.withheld import KIND, WithholdRequest  # noqa: PLC0415 - likewise

        if opts.lift and not self._is_withheld(folder, pattern):
            self.fail(f"{redact(pattern.named)} is not withheld: `scrapy withhold --list` has what is")
            return
        what = WithholdRequest(pattern=pattern, reason=opts.reason, lift=opts.lift)
        leave(folder, KIND, what, machine_now())
        self._say(f"{redact(pattern.named)}: {'shown again' if opts.lift else 'withheld'}")
        if not self._take_up(folder):
            self._say("A run is on, and notes it in the state store. It holds from now on.")
        if not opts.lift:
            for line in self._beside(pattern):
                self._say(line)

    def _is_withheld(self, folder: Path, pattern: WithheldPattern) -> bool:
        from archiver.store.withheld import is_in_force  # noqa: PLC0415 - likewise

        with self.state() as state:
            return is_in_force(state, folder, pattern)

    def _take_up(self, folder: Path) -> bool:
        """Make it part of the state store, unless a run is on, which does."""
        problems = take_up(self.its_settings, folder)
        for problem in problems or ():
            self.fail(problem)
        return problems is not None

    def _beside(self, pattern: WithheldPattern) -> Iterator[str]:
        """What shows the same, and is not covered by the order."""
        from archiver.inspection.withholding import beside  # noqa: PLC0415 - likewise

        if pattern.kind == URL:
            with self.state() as state:
                yield from beside(state, pattern.named, self.withheld(state))

    def _say(self, line: str) -> None:
        print(folded(line, window_width(sys.stdout)))


def _check(pattern: WithheldPattern, opts: argparse.Namespace) -> None:
    if opts.json:
        raise ConfigurationError("--json goes with --list")
    if not opts.lift and not opts.reason.strip():
        raise ConfigurationError("Say with --reason why: who ordered it, and when")
    if pattern.kind == HOST:
        from archiver.domains import is_public_suffix  # noqa: PLC0415 - it loads the list of suffixes

        if is_public_suffix(pattern.keys[0].partition(":")[0]):
            raise ConfigurationError(f"{pattern.named} has many owners: name the hosts below it one by one")


def _cells(order: WithholdingOrder) -> tuple[str | Coloured, ...]:
    lifted = f"{order.lifted:%Y-%m-%d %H:%M}" if order.lifted else "–"
    state = Coloured(lifted, "grey" if order.lifted else "")
    reason = f"{order.reason}; lifted: {order.lift_reason}" if order.lift_reason else order.reason
    return f"{order.since:%Y-%m-%d %H:%M}", state, _KINDS[order.kind], redact(order.named), redact(reason)
