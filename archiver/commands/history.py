"""`scrapy history`: the versions of an article, when each came, and what changed."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.display.terminal import Colours, show
from archiver.extensions.arguments import one_url
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.inspection.history.listing import lines_of

if TYPE_CHECKING:
    import argparse


class Command(ArchiveCommand):
    usage = "URL [--json]"
    about = (
        "List the versions of the article at a URL: when each was captured, in which time the change "
        "came, what changed; when the article went and came back; its near-duplicates; when it is looked "
        "at next. The URL is the article's, or one that an entry linked to. Changes nothing. "
        "Exit codes: 0 shown; 1 no article there, or the state store cannot be read; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="as one JSON object")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        url = one_url(args)
        folder = archive_to_read(self.its_settings)
        from archiver.inspection.history.queries import known_article  # noqa: PLC0415 - no help needs it

        with self.state() as state:
            found = known_article(state, url, folder / "objects", self.withheld(state))
        if opts.json:
            show([msgspec.json.format(msgspec.json.encode(found), indent=1).decode()])
            return
        show(lines_of(found, Colours(sys.stdout).paint, width=shutil.get_terminal_size().columns))
