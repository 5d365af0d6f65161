"""`scrapy search`: articles found by their words, and the index made anew."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.display.terminal import ProgressLine
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.search_options import add_filter_options, ask, print_result, request_from
from archiver.search.listing import built_in_words, lag_in_words

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


class Command(ArchiveCommand):
    usage = "WORDS… [filters] [--rank] [--json] | --build"
    about = (
        "Find articles by their words, the newest first. All words have to be there; "
        '"a phrase" in its order, -word not, this OR that, begin* for words that begin so. Quote the '
        "whole for the shell: scrapy search 'ferry -harbour'. "
        "Exit codes: 0 shown, also where nothing was found; 1 there is no search index yet, no such "
        "channel, or the archive cannot be read; 2 wrong usage."
    )
    interrupted = "interrupted; the next crawl, or the same command, goes on from here"

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        add_filter_options(parser)
        parser.add_argument("--rank", action="store_true", help="the best first, instead of the newest")
        parser.add_argument(
            "--all-versions", action="store_true", help="in earlier versions of articles, too"
        )
        parser.add_argument(
            "--build", action="store_true", help="make the search index anew from the objects"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        folder = archive_to_read(self.its_settings)
        if opts.build:
            refuse_arguments(args)
            self._build(folder)
            return
        words = " ".join(args)
        if not words.strip():
            raise ConfigurationError("Name the words to search for; `scrapy articles` lists all articles")
        request = msgspec.structs.replace(
            request_from(opts, words), ranked=opts.rank, all_versions=opts.all_versions
        )
        with self.state() as state:
            result = ask(state, folder, request, opts.limit)
        print_result(result, as_json=opts.json, with_snippet=True)
        if result.behind:
            self.tell(lag_in_words(result))

    def _build(self, folder: Path) -> None:
        from archiver.search.building import build  # noqa: PLC0415 - no help needs it

        self.set_umask()
        with ProgressLine(sys.stderr) as progress, self.state() as state:
            feeder = build(folder, state, progress.show)
        print(built_in_words(feeder.fed, feeder.unreadable))
        self.exitcode = 1 if feeder.unreadable else 0
