"""`scrapy browse`: the archive in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.serving import ServingCommand

if TYPE_CHECKING:
    import argparse


class Command(ServingCommand):
    usage = "[--port N] [--host ADDRESS] [--no-open]"
    about = (
        "Show the archive in a browser: channels, sites, articles, what changed, captures; also while a "
        "crawl runs. Crawls of sites can be begun there, paused and stopped, and fields be marked. Only this "
        "machine can ask, unless --host names another address, for which BROWSE_PASSWORD has to be set. "
        "Ctrl-C ends it. Exit codes: 0 ended; 1 the archive cannot be read; 2 wrong usage."
    )
    port = 8040

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        self.serve(opts)
