"""`scrapy changes`: the feed of edits, on the terminal, as Atom and as JSON Lines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.display.tables import folded
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import (
    add_channel_option,
    add_since_option,
    add_until_option,
    chosen_channels,
    named_channels,
    output_file,
    refuse_arguments,
    span_from,
)
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.files import whole_file
from archiver.inspection.history.articles import title_at
from archiver.inspection.history.atom import FeedHead, document, head_title
from archiver.inspection.history.feed_text import lines_of
from archiver.inspection.history.model import KINDS, urn_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection

    from archiver.inspection.history.changes import Wanted
    from archiver.inspection.history.model import Event

_LIMIT = 200


class Command(ArchiveCommand):
    usage = "[--since TIME] [--until TIME] [--channel CHANNEL…] [--min-words N] [--kind KIND…] [options]"
    about = (
        "List what was edited: versions of articles after the first, and articles that went or came "
        "back, by the time at which it was seen. A CHANNEL is a number or URL of `scrapy channels`. "
        "Changes nothing in the archive. Exit codes: 0 shown or written, also where there is nothing; "
        "1 no such channel, the state store cannot be read, the file not be written, or an object not "
        "be read for it; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        add_since_option(parser, "edits seen")
        add_until_option(parser, "edits seen")
        add_channel_option(parser, "articles of")
        parser.add_argument(
            "--min-words", type=int, default=0, metavar="N", help="no edits of fewer words, added and removed"
        )
        parser.add_argument(
            "--kind",
            nargs="+",
            action="extend",
            default=[],
            choices=KINDS,
            help="only changes of these kinds",
        )
        parser.add_argument(
            "--limit",
            type=int,
            default=_LIMIT,
            metavar="N",
            help=f"only the newest N, {_LIMIT} unless you say otherwise; 0: all",
        )
        parser.add_argument("--atom", metavar="FILE", help="write an Atom feed with the differences instead")
        parser.add_argument("--jsonl", metavar="FILE", help="write JSON Lines instead; -: to standard output")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        wanted = _wanted(opts)
        _check_outputs(opts)
        objects = archive_to_read(self.its_settings) / "objects"
        with self.state() as state:
            self._tell(state, replace(wanted, channels=chosen_channels(state, opts.channel)), objects, opts)

    def _tell(self, state: Connection, wanted: Wanted, objects: Path, opts: argparse.Namespace) -> None:
        from archiver.inspection.history.changes import find_events  # noqa: PLC0415 - no help needs it

        events = _titled(
            _limited(find_events(state, _one_more(wanted), self.withheld(state)), wanted.limit), objects
        )
        if not opts.atom and not opts.jsonl:
            show(_listed(events))
            return
        # An Atom feed says in its head when its newest entry was.
        found = list(events) if opts.atom else events
        count = _write_lines(found, opts.jsonl) if opts.jsonl else 0
        if isinstance(found, list) and opts.atom:
            self._write_atom(_head(state, wanted, found, opts), found, objects, Path(opts.atom))
            count = len(found)
        written = [name for name in (opts.atom, opts.jsonl) if name and name != "-"]
        if written:
            stream = sys.stderr if opts.jsonl == "-" else sys.stdout
            print(f"Written: {count} events to {', '.join(written)}", file=stream)

    def _write_atom(self, head: FeedHead, found: list[Event], objects: Path, path: Path) -> None:
        with whole_file(path) as file:
            # The newest first, as readers of feeds expect it.
            for part in document(head, reversed(found), objects, self.fail):
                file.write(part.encode())


def _wanted(opts: argparse.Namespace) -> Wanted:
    from archiver.inspection.history.changes import Wanted  # noqa: PLC0415 - no help needs it

    since, until = span_from(opts)
    for option in ("limit", "min_words"):
        if getattr(opts, option) < 0:
            raise ConfigurationError(f"--{option.replace('_', '-')}: write a number from 0 on")
    return Wanted(
        since=since,
        until=until,
        kinds=tuple(dict.fromkeys(opts.kind)),
        min_words=opts.min_words,
        limit=opts.limit,
    )


def _check_outputs(opts: argparse.Namespace) -> None:
    for option in ("atom", "jsonl"):
        name = getattr(opts, option)
        if name is None or (option == "jsonl" and name == "-"):
            continue
        output_file(f"--{option}", name)


def _one_more(wanted: Wanted) -> Wanted:
    """To know whether there are more."""
    return replace(wanted, limit=wanted.limit + 1) if wanted.limit else wanted


def _limited(events: Iterator[Event], limit: int) -> Iterator[Event]:
    if not limit:
        yield from events
        return
    found = list(events)
    if len(found) > limit:
        these = "this is the newest" if limit == 1 else f"these are the newest {limit}"
        print(f"There are more: {these}; --limit 0 shows all", file=sys.stderr)
    yield from found[-limit:]


def _titled(events: Iterable[Event], objects: Path) -> Iterator[Event]:
    """Older archivers did not note titles."""
    for event in events:
        yield event if event.title else replace(event, title=title_at(objects, event.object))


def _listed(events: Iterator[Event]) -> Iterator[str]:
    paint, width = Colours(sys.stdout).paint, window_width(sys.stdout)
    is_empty = True
    for event in events:
        is_empty = False
        yield from (folded(line, width, indent=" " * 21) for line in lines_of(event, paint))
    yield "No edits were seen." if is_empty else "All times are UTC."


def _write_lines(events: Iterable[Event], name: str) -> int:
    """A line for each event; how many these were."""
    if name == "-":
        show(msgspec.json.encode(event).decode() for event in events)
        return 0
    count = 0
    with whole_file(Path(name)) as file:
        for count, event in enumerate(events, 1):  # noqa: B007 - the last number is how many
            file.write(msgspec.json.encode(event) + b"\n")
    return count


def _head(state: Connection, wanted: Wanted, found: list[Event], opts: argparse.Namespace) -> FeedHead:
    from archiver.inspection.history.changes import store_name  # noqa: PLC0415 - no help needs it

    chosen = (*sorted(map(str, wanted.channels or ())), *wanted.kinds, str(wanted.min_words))
    return FeedHead(
        id=urn_of(("changes", *store_name(state), *chosen)),
        title=head_title(row.title or row.url for row in named_channels(state, opts.channel)),
        updated=found[-1].at if found else machine_now(),
    )
