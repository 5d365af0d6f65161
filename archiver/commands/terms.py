"""`scrapy terms`: words that come for the first time, that rise and that fall."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.display.terminal import Colours, ProgressLine, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import add_channel_option, refuse_arguments, since_from
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.inspection.terms.model import TermReport
    from archiver.inspection.terms.reading import TermsAsked

_LIMIT = 20


class Command(ArchiveCommand):
    usage = "[--channel CHANNEL…] [--label LABEL…] [--since DAY] [--new] [--limit N] [--json]"
    about = (
        "Show terms, words and pairs of words, that articles are about: those that came for the first time, "
        "and those that rise or fall in the last two weeks, or since a day, against the half year before. "
        "Articles are counted, and the first time that takes a while; it goes on where it was interrupted. "
        "Writes terms.sqlite in the archive, which may be removed. "
        "Exit codes: 0 shown; 1 no such channel or label, or nothing to count; 2 wrong usage."
    )
    interrupted = "interrupted; the same command goes on from here"

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        add_channel_option(parser, "articles of")
        parser.add_argument(
            "--label",
            nargs="+",
            action="extend",
            default=[],
            help="only articles of channels with these labels",
        )
        parser.add_argument(
            "--since", metavar="DAY", help="from the week of this day on, not the last two weeks"
        )
        parser.add_argument("--new", action="store_true", help="only terms that no article had before")
        parser.add_argument(
            "--limit",
            type=int,
            default=_LIMIT,
            metavar="N",
            help=f"at most N terms of each list (default: {_LIMIT})",
        )
        parser.add_argument("--json", action="store_true", help="as one JSON object")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        since = since_from(opts)
        if opts.limit < 1:
            raise ConfigurationError("--limit: write a number from 1 on")
        folder = archive_to_read(self.its_settings)
        self.set_umask()
        from archiver.inspection.terms.reading import TermsAsked, chosen  # noqa: PLC0415 - no help needs it

        with self.state() as state:
            channels = chosen(state, opts.channel, opts.label)
            asked = TermsAsked(channels=channels, since=since and since.date(), limit=opts.limit)
            found = self._counted(folder, state, asked)
        self._show(found, opts)

    def _counted(self, folder: Path, state: Connection, asked: TermsAsked) -> TermReport:
        from archiver.inspection.terms.reading import counted_terms  # noqa: PLC0415 - likewise

        with ProgressLine(sys.stderr) as progress:
            return counted_terms(folder, state, self.withheld(state), asked, show=progress.show)

    def _show(self, found: TermReport, opts: argparse.Namespace) -> None:
        from archiver.inspection.terms.as_text import lines_of  # noqa: PLC0415 - likewise

        if opts.json:
            told = msgspec.structs.replace(found, rising=(), falling=()) if opts.new else found
            show([msgspec.json.format(msgspec.json.encode(told), indent=1).decode()])
            return
        width, colours = window_width(sys.stdout), Colours(sys.stdout)
        show(lines_of(found, only_new=opts.new, width=width, paint=colours.paint))
