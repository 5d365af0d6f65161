"""`scrapy crawl`: Scrapy's own, with a lock, a summary, and exit codes that tell cron the truth."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError

from archiver.errors import ArchiveLocked, ArchiverError, ConfigurationError
from archiver.extensions.places import check_profile, from_here
from archiver.extensions.redaction import hide_secrets_in_logs
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    import asyncio

    from scrapy.crawler import Crawler


class Command(ScrapyCrawl):
    """0: all is well. 1: an operator must look. 2: the command was typed or configured wrongly."""

    def short_desc(self) -> str:
        return "Poll the channels that are due, keep their pages, write their articles"

    def long_desc(self) -> str:
        return (
            "Poll the channels that are due and archive what they announce. "
            "-a seeds=FILE[,FILE...] names seeds files (text, OPML, CSV); without it the known channels are "
            "polled. -a watch=1 stays and polls as channels fall due, until SIGTERM. "
            "Exit codes: 0 all well; 1 an operator must look (a bad seed line, an error, too many failing "
            "channels); 2 wrong usage."
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        check_profile()
        super().process_options(args, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError(
                f"Name one spider, such as feeds; got {' '.join(args) or 'none'}", print_help=False
            )
        try:
            self._crawl(args[0], opts)
        except ArchiveLocked as error:
            print(f"{error}: nothing to do.")
        except ConfigurationError as error:
            raise UsageError(redact(str(error)), print_help=False) from error
        except ArchiverError as error:
            print(f"scrapy crawl: error: {redact(str(error))}", file=sys.stderr)
            self.exitcode = 1

    def _crawl(self, name: str, opts: argparse.Namespace) -> None:
        assert self.crawler_process is not None  # noqa: S101 - set by Scrapy before run
        try:
            crawler = self._create_crawler(name)
        except KeyError as error:
            raise ConfigurationError(f"No spider is called {name!r}: try `scrapy list`") from error
        hide_secrets_in_logs()
        # Deep inside the event loop, where Scrapy would load it, it takes a fifth of a second longer: it goes
        # through the whole stack for each of its deprecated classes.
        import scrapy.core.downloader.contextfactory  # noqa: F401, PLC0415

        task = self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        # With the asyncio reactor, Scrapy hands out a task.
        done = cast("asyncio.Task[None]", task)
        if not done.done():
            raise ArchiverError("Stopped by force; the next run goes on where this one was.")
        failed = done.exception()
        if failed is not None:
            raise failed
        self._tell(crawler)

    def _tell(self, crawler: Crawler) -> None:
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.extensions.archive import ArchiveExtension  # noqa: PLC0415
        from archiver.summary import summary  # noqa: PLC0415
        from archiver.terminal import window_width  # noqa: PLC0415

        session = ArchiveExtension.of(crawler)
        report, folder, written = session.archive.report, session.archive.config.folder, session.report_file
        self.exitcode = report.exit_code
        if crawler.settings.getbool("SUMMARY") or report.exit_code:
            width = window_width(sys.stdout)
            print(summary(report, from_here(folder), written and from_here(written), width=width))
