"""`scrapy search`: articles found by their words, searches saved under a name, and the index made anew."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import printable
from archiver.display.terminal import ProgressLine, show
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.search_files import add_file_options, wanted_files, write_files
from archiver.extensions.search_options import add_filter_options, ask, print_result, request_from
from archiver.search.listing import built_in_words, lag_in_words, request_in_words

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from archiver.running.papers import Papers
    from archiver.search.model import SearchRequest


class Command(ArchiveCommand):
    usage = (
        "WORDS… [filters] [--rank] [--json] [--atom FILE] [--html FILE] [--epub FILE] [--save NAME] | --build"
    )
    about = (
        "Find articles, and what readers wrote about them, by their words, the newest first. "
        "With --author or --kind, no words are needed. All words have to be there; "
        '"a phrase" in its order, -word not, this OR that, begin* for words that begin so. Quote the '
        "whole for the shell: scrapy search 'ferry -harbour'. "
        "Exit codes: 0 shown, even if nothing was found; 1 the search index is missing, the channel or saved "
        "search is unknown, or the archive cannot be read; 2 wrong usage."
    )
    interrupted = "interrupted; the next crawl, or the same command, goes on from here"

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--rank", action="store_true", help="the best first, instead of the newest")
        parser.add_argument(
            "--all-versions", action="store_true", help="in earlier versions of articles, too"
        )
        add_filter_options(parser)
        add_file_options(parser)
        parser.add_argument(
            "--save", metavar="NAME", help="save the search under this name, to --use it again"
        )
        parser.add_argument("--use", metavar="NAME", help="search as it was saved under this name")
        parser.add_argument("--saved", action="store_true", help="list the searches that are saved")
        parser.add_argument("--forget", metavar="NAME", help="remove the search of this name")
        parser.add_argument(
            "--build", action="store_true", help="make the search index anew from the objects"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        folder = archive_to_read(self.its_settings)
        if opts.build or opts.saved or opts.forget:
            refuse_arguments(args)
            self._manage(folder, opts)
            return
        files, request = wanted_files(opts), _request(folder, args, opts)
        if opts.save:
            from archiver.search.saved import save_search  # noqa: PLC0415 - no help needs it

            self.set_umask()
            save_search(folder, opts.save, request)
            self.tell(f"Saved as {opts.save}: `scrapy search --use` finds it again")
        self._search(folder, request, files, opts)

    def _search(
        self, folder: Path, request: SearchRequest, files: dict[str, Path], opts: argparse.Namespace
    ) -> None:
        with self.state() as state:
            result = ask(state, folder, request, opts.limit)
            if files:
                print(write_files(files, state, folder, request, result, self.fail))
        if not files or opts.json:
            print_result(result, as_json=opts.json, with_snippet=True)
        if result.behind:
            self.tell(lag_in_words(result))

    def _manage(self, folder: Path, opts: argparse.Namespace) -> None:
        from archiver.search.saved import forget_search, saved_searches  # noqa: PLC0415 - no help needs it

        if opts.build:
            self._build(folder)
        if opts.forget:
            forget_search(folder, opts.forget)
        if opts.saved:
            found = saved_searches(folder)
            show(
                [f"{printable(name)}: {printable(request_in_words(one))}" for name, one in found.items()]
                or ["No search is saved."]
            )

    def _build(self, folder: Path) -> None:
        from archiver.search.building import build  # noqa: PLC0415 - no help needs it

        self.set_umask()
        with ProgressLine(sys.stderr) as progress, self.state() as state:
            feeder = build(folder, state, progress.show)
        papers = self._read_papers()
        print(built_in_words(feeder.fed, feeder.unreadable, papers.read, feeder.contributed))
        self.exitcode = 1 if feeder.unreadable else 0
        if papers.trouble:
            self.fail(papers.trouble)

    def _read_papers(self) -> Papers:
        """PDF documents are in no object: they are read from WARC."""
        from archiver.running.papers import Papers  # noqa: PLC0415 - no help needs it
        from archiver.running.workers.pool import WorkerPool  # noqa: PLC0415 - likewise

        config = self.config_to_write()
        pool = WorkerPool(config.workers, seconds=config.worker_seconds, memory_mb=config.worker_memory_mb)
        papers = Papers(config.folder, config.warc_folder, config.index_folder, config.state_url, pool)
        with ProgressLine(sys.stderr, in_words="{:,} PDF documents".format) as progress:
            try:
                asyncio.run(papers.run(progress.show))
            finally:
                pool.close()
        return papers


def _request(folder: Path, args: list[str], opts: argparse.Namespace) -> SearchRequest:
    """What was typed; or what was saved, with the page that was typed."""
    typed = msgspec.structs.replace(
        request_from(opts, " ".join(args)), ranked=opts.rank, all_versions=opts.all_versions
    )
    if opts.use:
        from archiver.search.saved import saved_search  # noqa: PLC0415 - no help needs it

        refuse_arguments(args)
        return msgspec.structs.replace(saved_search(folder, opts.use), after=typed.after, limit=typed.limit)
    if not (typed.words.strip() or typed.author or typed.kind):
        raise ConfigurationError("Name the words to search for; `scrapy articles` lists all articles")
    return typed
