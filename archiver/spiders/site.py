"""The spider of whole sites: `scrapy crawl site -a url=https://blog.example/`."""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scrapy import Request, Spider

from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.learning.pattern_files import load_patterns
from archiver.acquisition.sites.model import Strategy
from archiver.acquisition.sites.scope import SCOPES, site_address
from archiver.clock import machine_now
from archiver.display.tables import folded
from archiver.display.terminal import window_width
from archiver.errors import ConfigurationError
from archiver.extensions.archive import ArchiveExtension
from archiver.extensions.places import knowledge_sources
from archiver.running.site_run import SiteRun
from archiver.spiders.arguments import one_of, positive, refuse_unknown, set_request_headers, whole
from archiver.store.whole_sites.choosing import SiteWish, choose_sites, without_others
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from archiver.acquisition.sites.learning.pattern_files import BelievedLabel

logger = logging.getLogger(__name__)

_AGAIN = ("new", "all")
# What is asked for in a crawl of sites: not what feeds announce, and no polls.
_KINDS = {
    "archiver.spiders.kinds.rendering.RenderingKind": 650,
    "archiver.spiders.kinds.pages.SitePageKind": 100,
    "archiver.spiders.kinds.visits.VisitKind": 200,
    "archiver.spiders.kinds.requisites.RequisiteKind": 600,
}


class SiteSpider(Spider):
    """`scrapy crawl site -a url=URL[,URL…] -a strategy=auto -a limit=500 -a hours=8 -a again=new`."""

    name = "site"
    arguments = ("url", "strategy", "scope", "limit", "hours", "again", "patterns")

    def __init__(
        self,
        url: str = "",
        strategy: str = "",
        scope: str = "auto",
        limit: str = "",
        hours: str = "",
        again: str = "",
        patterns: str = "",
        **unknown: object,
    ) -> None:
        super().__init__()
        refuse_unknown(unknown, self.arguments)
        self.watch = False
        self.has_begun = False
        self.urls = addresses_of(url)
        chosen = one_of("strategy", strategy, ("", *Strategy))
        self.strategy = Strategy(chosen) if chosen else None
        self.scope = one_of("scope", scope, SCOPES)
        self.again = one_of("again", again, ("", *_AGAIN))
        self.believed = believed_from(patterns, self.strategy)
        if patterns:
            self.strategy = Strategy.LEARNED
        self.limit = whole("limit", limit)
        self.hours = positive("hours", hours)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        set_request_headers(settings)
        settings.set("KINDS_BASE", _KINDS, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: str, **arguments: str) -> Self:
        # Read here as well, so that a file with a flaw is refused before anything is asked for.
        load_knowledge(knowledge_sources(crawler.settings))
        return super().from_crawler(crawler, *args, **arguments)

    async def start(self) -> AsyncIterator[Request]:
        """Register the sites, then ask for whatever the frontier hands out."""
        if not self.crawler.crawling:
            return
        self.has_begun = True
        extension = ArchiveExtension.of(self.crawler)
        session, archive = extension.session, extension.session.archive
        # No channel is polled.
        session.seeds = []
        archive.report.crawled = "sites"
        if not await session.has_alone(*(f"site {url}" for url in self.urls)):
            return
        seed = self.settings.getint("SITE_SEED")
        wish = SiteWish(
            strategy=self.strategy, scope=self.scope, again=self.again, seed=seed, believed=self.believed
        )
        chosen = await archive.database.run_async(
            choose_sites, self.urls, wish, archive.clock.now(), machine_now()
        )
        if not self.urls:
            chosen = await archive.database.run_async(without_others, chosen)
        for told in chosen.notes:
            archive.report.note(told)
        if not self.settings["CONTACT"] and archive.config.replayed is None:
            archive.report.note("CONTACT is not set, so site owners cannot reach you")
        session.sites = SiteRun(
            ids=tuple(site.id for site in chosen.sites),
            limit=self.limit,
            until=None if self.hours is None else time.monotonic() + 3600 * self.hours,
            delay=self.settings.getfloat("DOWNLOAD_DELAY"),
            tell=tell,
        )
        if session.adapting is not None:
            await session.adapting.begin(chosen.sites)
        targets = session.frontier.targets(watch=False, idle=session.extraction.idle)
        async for target in targets:
            yield extension.asking.request(target)


def believed_from(name: str, strategy: Strategy | None) -> tuple[BelievedLabel, ...]:
    """What the file after `-a patterns=` says of links."""
    if not name:
        return ()
    if strategy not in {None, Strategy.LEARNED}:
        raise ConfigurationError(f"-a patterns= is for -a strategy=learned, not for {strategy}")
    return load_patterns(Path(name))


def tell(told: str) -> None:
    """Say at once what a crawl is going to spend: at a terminal, or in the log."""
    if sys.stderr.isatty():
        print(folded(redact(told), window_width(sys.stderr)), file=sys.stderr)  # noqa: T201 - for the person there
    else:
        logger.info("%s", redact(told))


def addresses_of(argument: str) -> list[str]:
    """What follows `-a url=`: addresses, or files that have one on each line."""
    return [url for word in _words(argument) for url in (_of_file(word) if _is_file(word) else [_of(word)])]


def _words(argument: str) -> list[str]:
    """Commas or spaces are between them; the name of a single file may have either."""
    return [argument] if _is_file(argument) else argument.replace(",", " ").split()


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except OSError:  # too long for the name of a file
        return False


def _of(word: str) -> str:
    try:
        return site_address(word)
    except ConfigurationError as error:
        raise ConfigurationError(f"-a url={error}{_advice(word)}") from error


def _advice(word: str) -> str:
    """What ends like a file is likely to be the name of one."""
    is_name = "://" not in word and Path(word).suffix.lower() in {".txt", ".csv", ".lst", ".list", ".md"}
    return f"; if a file is meant, there is none called {word} in {Path.cwd()}" if is_name else ""


def _of_file(name: str) -> list[str]:
    """The addresses in a file, one on each line; lines that begin with # are comments."""
    try:
        lines = Path(name).read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{name} is not a text file in UTF-8: write one address on each line"
        ) from error
    except OSError as error:
        raise ConfigurationError(f"{name} cannot be read: {error.strerror}") from error
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(site_address(line))
            except ConfigurationError as error:
                raise ConfigurationError(f"{name}:{number}: {error}") from error
    if not found:
        raise ConfigurationError(f"{name} has no address in it: write one on each line")
    return found
