"""`scrapy crawl`: Scrapy's own, with a lock, a summary, and exit codes that tell cron the truth."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, cast

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.utils.conf import closest_scrapy_cfg, get_config

from archiver.errors import ArchiveLocked, ArchiverError, ConfigurationError
from archiver.extensions.archive import ArchiveExtension
from archiver.extensions.configuration import archive_folder
from archiver.extensions.redaction import hide_secrets_in_logs
from archiver.summary import summary
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
        report = ArchiveExtension.of(crawler).archive.report
        self.exitcode = report.exit_code
        if crawler.settings.getbool("SUMMARY") or report.exit_code:
            print(summary(report, archive_folder(crawler.settings)))


def check_profile() -> None:
    """An unknown SCRAPY_PROJECT would silently load Scrapy's defaults instead of ours."""
    if not closest_scrapy_cfg():
        raise UsageError("There is no scrapy.cfg here: go to the archiver's folder", print_help=False)
    wanted = os.environ.get("SCRAPY_PROJECT", "default")
    known = [name for name, _ in get_config().items("settings")]
    if wanted not in known:
        raise UsageError(
            f"SCRAPY_PROJECT={wanted} is not in scrapy.cfg, which has: {', '.join(known)}", print_help=False
        )
