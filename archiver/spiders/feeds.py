"""The spider: polls the channels that are due and fetches the pages that entries announce."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, Spider

from archiver.acquisition.seeds import Seed
from archiver.acquisition.seeds.address import url_flaw, web_address
from archiver.acquisition.seeds.model import BY_HAND
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.archive import ArchiveExtension
from archiver.extensions.places import state_url
from archiver.spiders.arguments import boolean, refuse_unknown, set_request_headers
from archiver.spiders.campaigning import begin_campaigns, campaign_works, load_campaigns
from archiver.spiders.seeding import add_by_hand, import_files, make_due, read_files
from archiver.store.campaigns.feeds import end_overdue
from archiver.store.database import Database
from archiver.store.polling.channels import has_channels, seeds_of
from archiver.store.polling.listing import import_seeds
from archiver.store.polling.subscriptions import distrust_hubs
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from archiver.running.session import Session


class FeedsSpider(Spider):
    """`scrapy crawl feeds -a seeds=FILE[,FILE…] -a urls="URL URL…" -a watch=1 -a now=failing -a drop=1`.

    With `-a campaigns=FILE[,FILE…]`, campaigns are fetched for in the same run.
    """

    name = "feeds"
    # What may follow -a; anything else is a mistake that must not pass in silence.
    arguments = ("seeds", "urls", "watch", "now", "drop", "campaigns")

    def __init__(
        self,
        seeds: str | None = None,
        watch: str = "0",
        now: str = "0",
        drop: str = "0",
        urls: str = "",
        campaigns: str = "",
        **unknown: object,
    ) -> None:
        super().__init__()
        refuse_unknown(unknown, self.arguments)
        self.watch = boolean("watch", watch)
        self.drop = boolean("drop", drop)
        self.has_begun = False
        self.now = _now(now)
        self.files = None if seeds is None else read_files(seeds)
        self.added = seeds_by_hand(urls.split())
        self.campaigns = load_campaigns([Path(name) for name in campaigns.split(",") if name.strip()])

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:  # noqa: ANN401 - as Scrapy has it
        spider = super().from_crawler(crawler, *args, **kwargs)
        if spider.files is not None:
            spider.files.refuse_new_empty(state_url(crawler.settings))
        return spider

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        set_request_headers(settings)

    async def start(self) -> AsyncIterator[Request]:
        """Register the seeds, then ask for whatever the frontier hands out."""
        # Told to end before the engine ran: Scrapy has forgotten that by now, and would cut this off.
        if not self.crawler.crawling:
            return
        self.has_begun = True
        extension = ArchiveExtension.of(self.crawler)
        session, archive = extension.session, extension.session.archive
        if not self.settings["CONTACT"] and archive.config.replayed is None:
            archive.report.note("CONTACT is not set, so site owners cannot reach you")
        try:
            await self._register(session)
        except ArchiveError as error:
            # Scrapy would log a traceback. What the operator needs to know is said by the session.
            session.fatal(error)
            return
        if not await session.has_alone(*campaign_works(self.campaigns)):
            return
        async with self._campaigns_begun(session):
            targets = session.frontier.targets(watch=self.watch, idle=session.extraction.idle)
            async for target in targets:
                yield extension.asking.request(target)

    @asynccontextmanager
    async def _campaigns_begun(self, session: Session) -> AsyncIterator[None]:
        """Fetch for campaigns beside the channels, whose list has theirs, too."""
        if not self.campaigns:
            yield
            return
        async with begin_campaigns(session, self.campaigns, self.settings) as run:
            if session.seeds is not None:
                session.seeds += run.sources
            yield

    async def _register(self, session: Session) -> None:
        """Make the channels agree with the seeds, and say which of them this run is about."""
        archive = session.archive
        if self.files is not None:
            logs = self.watch or not self.settings.getbool("SUMMARY")
            await import_files(archive, self.files, drop=self.drop, logs=logs)
        elif archive.config.replayed is not None:
            seeds = replayed_seeds(archive.config.replayed.state_url)
            await archive.database.run_async(import_seeds, seeds, ["replay"], archive.clock.now())
        await add_by_hand(archive, self.added)
        await archive.database.run_async(end_overdue, archive.clock.now())
        if not self.campaigns and not await archive.database.run_async(has_channels):
            archive.report.note(
                "There are no channels yet: `scrapy crawl feeds -a seeds=FILE` or `scrapy channels add URL`"
            )
        await archive.database.run_async(distrust_hubs, archive.clock.now())
        # What was added by hand is polled with every seeds file.
        is_all = self.files is None and not self.added
        sources = None if is_all else [*(self.files.sources if self.files else ()), BY_HAND]
        session.seeds = sources
        await make_due(archive, sources, self.now)


def replayed_seeds(state_url: str) -> list[Seed]:
    """What the archive that is played again was made from."""
    database = Database(state_url)
    try:
        return database.run(seeds_of)
    finally:
        database.close()


def _now(value: str) -> str:
    """What to poll before its time: nothing, "all" or "failing"."""
    word = str(value).strip().lower()
    if word == "failing":
        return word
    try:
        return "all" if boolean("now", word) else ""
    except ConfigurationError as error:
        raise ConfigurationError(f"-a now={value}: say 1, or failing") from error


def seeds_by_hand(urls: Sequence[str]) -> list[Seed]:
    """Addresses that were typed, as `scrapy channels add` takes them."""
    urls = [web_address(url) for url in urls]
    for url in urls:
        if flaw := url_flaw(url):
            raise ConfigurationError(f"{redact(url)}: {flaw}")
    return [Seed(url=url, labels=(), every=None, source=BY_HAND, line=0) for url in urls]
