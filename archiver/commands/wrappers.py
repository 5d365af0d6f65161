"""`scrapy wrappers`: what was learned of the templates of each channel."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from archiver.articles.methods.registry import usable_methods
from archiver.clock import machine_now
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import named_channel
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.telling import as_typed
from archiver.running.reading.wrapper_listing import by_channel, wrapper_details, wrapper_table, wrappers_json
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Row

_NONE = "No wrappers were learned{where} yet: EXTRACT_METHOD must be one that learns ({methods})."
_NONE_SUCH = "No channel with wrappers is like that: `scrapy wrappers` without options lists all."


class Command(ArchiveCommand):
    usage = "[CHANNEL] [--label LABEL] [--failing] [--json]"
    about = (
        "A line for each channel: how many wrappers are in use and how many are outdated, how many pages "
        "they served, and the XPath of the article. With a CHANNEL, which is a number or URL of "
        "`scrapy channels`, all that is known of its wrappers. Changes nothing. "
        "Exit codes: 0 shown; 1 no such channel; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--label", action="append", default=[], help="only channels with this label (may be repeated)"
        )
        parser.add_argument(
            "--failing", action="store_true", help="only channels of which no wrapper fits any more"
        )
        parser.add_argument("--json", action="store_true", help="as a list of JSON objects")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) > 1:
            raise ConfigurationError("Name one channel, or none for all")
        archive_to_read(self.its_settings)
        with self.state() as state:
            rows = _rows(state, args)
        show(_shown(rows, args, opts, self.program))


def _rows(state: Connection, names: Sequence[str]) -> Sequence[Row[Any]]:
    from archiver.store.content.wrappers import list_wrappers  # noqa: PLC0415 - no help needs it

    if not names:
        return list_wrappers(state)
    return list_wrappers(state, named_channel(state, names[0]).id)


def _shown(
    rows: Sequence[Row[Any]], names: Sequence[str], opts: argparse.Namespace, program: str
) -> Iterable[str]:
    channels, now = by_channel(rows, failing=opts.failing, labels=opts.label), machine_now()
    if opts.json:
        return [wrappers_json(channels)]
    if not rows:
        learning = (name for name, facts in usable_methods().items() if facts.learns)
        where = f" for {redact(names[0])}" if names else ""
        return [_NONE.format(where=where, methods=", ".join(learning))]
    if not channels:
        return [as_typed(_NONE_SUCH, program)]
    if names:
        return wrapper_details(channels[0], now)
    width, colours = window_width(sys.stdout), Colours(sys.stdout)
    return wrapper_table(channels, now, width=width, paint=colours.paint)
