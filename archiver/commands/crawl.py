"""`scrapy crawl`: Scrapy's own, with a lock, a summary, and exit codes that tell cron the truth."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError

from archiver.command_line.suggestions import did_you_mean
from archiver.errors import ArchiveLocked, ConfigurationError
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.logs import hide_secrets_in_logs
from archiver.extensions.places import archive_folder, from_here, known_state, state_url
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

_SPIDER = "feeds"
_SITE_SPIDER = "site"
_POSTS_SPIDER = "posts"
_CAMPAIGN_SPIDER = "campaign"
_FORMS_SPIDER = "forms"
_SPIDERS_OPTIONS = """\
seeds=FILE[,FILE...] names seeds files; urls="URL URL..." adds feeds or sites; watch=1 stays and polls as
channels fall due, until SIGTERM; now=1 polls all channels now, now=failing those that fail; drop=1 lets
seeds files drop many channels. Of `crawl site`: url=URL[,URL...], strategy=auto|known|sitemap|blind,
scope=auto|host|prefix, limit=REQUESTS, hours=HOURS, again=new|all. Of `crawl campaign`:
file=FILE[,FILE...], watch=1; campaigns=FILE[,FILE...] has `crawl feeds` fetch for them, too. Of
`crawl forms`: file=FILE[,FILE...], wrapper=NAME[,NAME...], watch=1, tries=NUMBER"""


# Scrapy's -o and -O: our items are not articles.
_OF_FEED_EXPORT = ("output", "overwrite_output")
_NO_FEED_EXPORT = "-o and -O would write nothing: articles are in ARCHIVE_DIR/objects, one JSON object a line"

# For those who want a second worker.
_SEVERAL = "Several crawl workers need PostgreSQL (STATE_URL), and an ARCHIVE_DIR each."


class Command(ArchiveCommand, ScrapyCrawl):
    """0: all is well. 1: an operator must look. 2: the command was typed or configured wrongly."""

    requires_crawler_process = True

    usage = "[feeds|site|campaign|posts|forms] [FILE…] [URL…] [-a NAME=VALUE]… [options]"
    about = (
        "Poll the channels that are due and archive what they announce. FILEs are seeds files (text, "
        "OPML, CSV), the same as -a seeds=FILE[,FILE...]: the channels are made to agree with them. URLs "
        "are feeds or sites, added as `scrapy channels add` does it. Without either, all known channels "
        "are polled. `crawl site URL…` archives whole sites instead, `crawl campaign -a file=FILE` what is "
        "most relevant to a subject, `crawl forms -a file=FILE` the records behind a search form. "
        "An argument that is called like a "
        "spider is the spider: ./feeds is a file. "
        "Exit codes: 0 all well; 1 an operator must look (a new bad seed line, an error, too many "
        "failing channels); 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "-a",
            dest="spargs",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"{_SPIDERS_OPTIONS} (may be repeated)",
        )
        for action in parser._actions:  # noqa: SLF001 - argparse tells them nowhere else
            if action.dest in _OF_FEED_EXPORT:
                action.help = argparse.SUPPRESS

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        if any(getattr(opts, name) for name in _OF_FEED_EXPORT):
            raise UsageError(_NO_FEED_EXPORT, print_help=False)
        super().process_options(args, opts)
        _check_scrapy()

    def also_meant(self) -> dict[str, str]:
        from archiver.spiders.campaign import CampaignSpider  # noqa: PLC0415 - only where an option is wrong
        from archiver.spiders.feeds import FeedsSpider  # noqa: PLC0415 - likewise
        from archiver.spiders.forms import FormsSpider  # noqa: PLC0415 - likewise
        from archiver.spiders.posts import PostsSpider  # noqa: PLC0415 - likewise
        from archiver.spiders.site import SiteSpider  # noqa: PLC0415 - likewise

        spiders = (FeedsSpider, SiteSpider, PostsSpider, CampaignSpider, FormsSpider)
        known = [name for spider in spiders for name in spider.arguments]
        return {f"--{name}": f"-a {name}=…" for name in known}

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        # Until Scrapy listens: a crawl that has not begun leaves nothing to look after.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        name, others = self._spider(args)
        words = _WORDS.get(name, _seeds)
        arguments = opts.spargs | words(others, opts.spargs)
        try:
            self._crawl(name, arguments)
        except ArchiveLocked as error:
            print(f"{error}: nothing to do. {_SEVERAL}")

    def _refuse_unknown_archive(self) -> None:
        """Where nothing is named, all known channels are meant: in a wrong folder there are none."""
        from archiver.extensions.configuration import check_settings  # noqa: PLC0415 - no help needs it
        from archiver.store.lost import refuse_lost_state  # noqa: PLC0415 - likewise

        check_settings(self.its_settings)
        refuse_lost_state(state_url(self.its_settings), archive_folder(self.its_settings))
        known_state(self.its_settings)

    def _spider(self, args: list[str]) -> tuple[str, list[str]]:
        """The spider that is meant, and what it is to crawl."""
        assert self.crawler_process is not None  # noqa: S101 - set by Scrapy before run
        known = self.crawler_process.spider_loader.list()
        named = [word for word in args if word in known]
        if len(named) > 1:
            raise ConfigurationError(f"Name one spider; got {' '.join(named)}: ./{named[0]} is a file")
        return (named or [_SPIDER])[0], [word for word in args if word not in named]

    def _crawl(self, name: str, arguments: dict[str, str]) -> None:
        assert self.crawler_process is not None  # noqa: S101 - set by Scrapy before run
        crawler = self.crawler_process.create_crawler(name)
        _check_arguments(crawler, arguments)
        if name in {_SPIDER, _SITE_SPIDER} and not arguments.keys() & {"seeds", "urls", "url", "campaigns"}:
            self._refuse_unknown_archive()
        hide_secrets_in_logs(self.program)
        # Deep inside the event loop, where Scrapy would load it, it takes a fifth of a second longer: it goes
        # through the whole stack for each of its deprecated classes.
        import scrapy.core.downloader.contextfactory  # noqa: F401, PLC0415

        task = self.crawler_process.crawl(crawler, **arguments)
        self.crawler_process.start()
        # With the asyncio reactor, Scrapy hands out a task.
        done = cast("asyncio.Task[None]", task)
        if not done.done() and not getattr(crawler.spider, "has_begun", False):
            # Told to end while the archive was being opened, which may take a while after a crash.
            print("Stopped before the crawl began: nothing was fetched.")
            return
        if not done.done():
            self._end_by_force()
        failed = done.exception()
        if failed is not None:
            raise failed
        self._tell(crawler)

    def _end_by_force(self) -> NoReturn:
        """As a crash would: Python, clearing away a loop in the midst of its work, may itself crash on it."""
        self.fail("Stopped by force; the next run goes on where this one was.")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self.exitcode)

    def _tell(self, crawler: Crawler) -> None:
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.display.terminal import window_width  # noqa: PLC0415
        from archiver.extensions.archive import ArchiveExtension  # noqa: PLC0415
        from archiver.running.summary import summary  # noqa: PLC0415

        session = ArchiveExtension.of(crawler).session
        report, folder, written = session.archive.report, session.archive.config.folder, session.report_file
        self.exitcode = report.exit_code
        if crawler.settings.getbool("SUMMARY") or report.exit_code:
            width = window_width(sys.stdout)
            spell = partial(as_typed, program=self.program)
            place = written and from_here(written)
            print(redact(summary(report, from_here(folder), place, width=width, spell=spell)))


def _check_scrapy() -> None:
    """Before Scrapy loads the spider, whose errors it would print as a traceback."""
    try:
        from archiver.handlers.internals import check_shapes  # noqa: PLC0415 - no help needs it

        check_shapes()
    except ConfigurationError as error:
        raise UsageError(str(error), print_help=False) from error


def _check_arguments(crawler: Crawler, given: dict[str, str]) -> None:
    """A misspelt -a gets the right one named; another spider than ours takes whatever it takes."""
    known: Sequence[str] = getattr(crawler.spidercls, "arguments", ())
    for name in given if known else ():
        if name not in known:
            advice = did_you_mean(name, known, f"known are {', '.join(known)}")
            raise ConfigurationError(f"Unknown -a {name}: {advice}")


def _seeds(words: Sequence[str], given: dict[str, str]) -> dict[str, str]:
    """Files and addresses as the arguments of the spider."""
    urls = [word for word in words if "://" in word or word.startswith("feed:")]
    files = [word for word in words if word not in urls]
    for name in files:
        _check_file(name)
    if files and "seeds" in given:
        raise ConfigurationError(f"Name seeds files once: as {files[0]} or with -a seeds=")
    found = {"seeds": ",".join(files)} if files else {}
    return found | ({"urls": " ".join(urls)} if urls else {})


def _sites(words: Sequence[str], given: dict[str, str]) -> dict[str, str]:
    """Addresses of sites, and files of such, as the argument of the spider."""
    if words and "url" in given:
        raise ConfigurationError(f"Name sites once: as {words[0]} or with -a url=")
    return {"url": ",".join(words)} if words else {}


def _campaigns(words: Sequence[str], given: dict[str, str]) -> dict[str, str]:
    """Files of campaigns, or of forms, as the argument of the spider."""
    if words and "file" in given:
        raise ConfigurationError(f"Name files once: as {words[0]} or with -a file=")
    return {"file": ",".join(words)} if words else {}


_WORDS = {
    _SITE_SPIDER: _sites,
    _POSTS_SPIDER: _campaigns,
    _CAMPAIGN_SPIDER: _campaigns,
    _FORMS_SPIDER: _campaigns,
}


def _check_file(name: str) -> None:
    if "," in name:
        raise ConfigurationError(f"{name}: a comma parts the names of seeds files: rename this one")
    if Path(name).exists():
        return
    said = redact(name)
    if "." not in name and "/" not in name:
        advice = did_you_mean(
            name, [_SPIDER, _SITE_SPIDER], "name a seeds file, or an address that begins with https://"
        )
        raise ConfigurationError(f"No spider is called {said!r}, and no file: {advice}")
    told = f"There is no file called {said}"
    host, slash, _ = name.partition("/")
    if "." in host.strip(".") and (slash or Path(name).suffix.lower() not in _SUFFIXES):
        told += f": if it is a web address, write https://{said}"
    raise ConfigurationError(told)


# Of seeds files: no web address ends like this without a path.
_SUFFIXES = (".txt", ".opml", ".csv", ".xml", ".toml", ".json")
