"""`scrapy articles`: the articles of the archive, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.search_options import add_filter_options, ask, print_result, request_from
from archiver.search.listing import lag_in_words

if TYPE_CHECKING:
    import argparse


class Command(ArchiveCommand):
    usage = "[filters] [--json]"
    about = (
        "List the articles of the archive, the newest first, from the search index. "
        "Exit codes: 0 shown, even if the list is empty; 1 the search index is missing, the channel is "
        "unknown, or the archive cannot be read; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        add_filter_options(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        folder = archive_to_read(self.its_settings)
        with self.state() as state:
            result = ask(state, folder, request_from(opts), opts.limit)
        print_result(result, as_json=opts.json, with_snippet=False)
        if result.behind:
            self.tell(lag_in_words(result))
