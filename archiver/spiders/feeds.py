"""The spider: polls the channels that are due and fetches the pages that entries announce."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider

from archiver.acquisition.items import ChannelPoll, PageFetch, RequisiteFetch, failed_requisite
from archiver.acquisition.seeds import Seed
from archiver.acquisition.seeds.address import url_flaw, web_address
from archiver.acquisition.seeds.model import BY_HAND
from archiver.acquisition.targets import GapAsk, PendingRequisite, SitemapAsk
from archiver.clock import machine_now
from archiver.documents.feeds.discover import DiscoveredFeed, well_known
from archiver.errors import ArchiveError, ConfigurationError, ExtractionError, RunEnding, WorkersBroken
from archiver.extensions.archive import ArchiveExtension
from archiver.running.workers.messages import FeedRead, ReadFeed
from archiver.spiders.failures import failure_of_error, failure_of_response
from archiver.spiders.gaps import GapRequests
from archiver.spiders.headers import body_size
from archiver.spiders.leads import LeadRequests, Leads
from archiver.spiders.pages import page_fetch, page_request
from archiver.spiders.polls import (
    broken_off_poll,
    feed_poll,
    site_poll,
    unasked_poll,
    unchanged_poll,
    unfit_poll,
)
from archiver.spiders.seeding import import_files, make_due, read_files
from archiver.spiders.sitemaps import SitemapRequests
from archiver.store.channels import has_channels, seeds_of
from archiver.store.database import Database
from archiver.store.listing import add_seed, import_seeds
from archiver.store.pages import PendingPage
from archiver.store.subscriptions import trust_nobody
from archiver.urls import authorization, redact, request_url
from archiver.user_agent import user_agent

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.archive.warc.records import Capture
    from archiver.running.frontier import Target
    from archiver.store.channels import DueChannel

_REQUISITE_PRIORITY = -10
_ACCEPT_FEED = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml,"
    " application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.7, */*;q=0.5"
)
# The run ends, and no fault of the page or the channel: everything stays as it is.
_NOT_TRIED = (ArchiveError, RunEnding)
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


class FeedsSpider(Spider):
    """`scrapy crawl feeds -a seeds=FILE[,FILE…] -a urls="URL URL…" -a watch=1 -a now=failing -a drop=1`."""

    name = "feeds"
    # What may follow -a; anything else is a mistake that must not pass in silence.
    arguments = ("seeds", "urls", "watch", "now", "drop")

    def __init__(
        self,
        seeds: str | None = None,
        watch: str = "0",
        now: str = "0",
        drop: str = "0",
        urls: str = "",
        **unknown: object,
    ) -> None:
        super().__init__()
        if unknown:
            raise ConfigurationError(
                f"Unknown -a {', '.join(unknown)}: known are {', '.join(self.arguments)}"
            )
        self.watch = _boolean("watch", watch)
        self.drop = _boolean("drop", drop)
        self.has_begun = False
        self.now = _now(now)
        self.files = None if seeds is None else read_files(seeds)
        self.added = seeds_by_hand(urls.split())

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        if settings["USER_AGENT"] is None:
            settings.set("USER_AGENT", user_agent(settings["CONTACT"]), priority="spider")
        # A setting of its own, so that a profile need not say all headers again.
        headers = settings.getdict("DEFAULT_REQUEST_HEADERS") | {
            "Accept-Encoding": settings["ACCEPT_ENCODING"]
        }
        settings.set("DEFAULT_REQUEST_HEADERS", headers, priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """Register the seeds, then ask for whatever the frontier hands out."""
        # Told to end before the engine ran: Scrapy has forgotten that by now, and would cut this off.
        if not self.crawler.crawling:
            return
        self.has_begun = True
        session = ArchiveExtension.of(self.crawler)
        archive = session.archive
        if not self.settings["CONTACT"] and archive.config.replayed is None:
            archive.report.note("CONTACT is not set: sites cannot reach you if the crawl troubles them")
        if self.files is not None:
            logs = self.watch or not self.settings.getbool("SUMMARY")
            await import_files(archive, self.files, drop=self.drop, logs=logs)
        elif archive.config.replayed is not None:
            seeds = replayed_seeds(archive.config.replayed.state_url)
            await archive.database.run_async(import_seeds, seeds, ["replay"], archive.clock.now())
        for seed in self.added:
            await archive.database.run_async(add_seed, seed, archive.clock.now())
        if not await archive.database.run_async(has_channels):
            archive.report.note(
                "There are no channels yet: `scrapy crawl feeds -a seeds=FILE` or `scrapy channels add URL`"
            )
        await archive.database.run_async(trust_nobody, archive.clock.now())
        # What was added by hand is polled with every seeds file.
        is_all = self.files is None and not self.added
        sources = None if is_all else [*(self.files.sources if self.files else ()), BY_HAND]
        session.sources = sources
        await make_due(archive, sources, self.now)
        targets = session.frontier.targets(sources, watch=self.watch, idle=session.extraction.idle)
        async for target in targets:
            yield self._request(target)

    def _request(self, target: Target) -> Request:
        if isinstance(target, PendingPage):
            return page_request(target, self.parse_page, self.page_failed)
        if isinstance(target, PendingRequisite):
            return self._requisite_request(target)
        if isinstance(target, GapAsk):
            return GapRequests(self.crawler, _ACCEPT_FEED).request(target)
        if isinstance(target, SitemapAsk):
            return SitemapRequests(self.crawler).request(target)
        return self._poll_request(target)

    def _poll_request(self, channel: DueChannel) -> Request:
        credentials = authorization(channel.url)
        return Request(
            request_url(channel.url),
            callback=self.parse_channel,
            errback=self.channel_failed,
            cb_kwargs={"channel_id": channel.id, "kind": channel.kind},
            headers={"Accept": _ACCEPT_FEED} | ({"Authorization": credentials} if credentials else {}),
            meta={"validators": channel.validators, "is_feed": True},
            dont_filter=True,
        )

    def _requisite_request(self, requisite: PendingRequisite) -> Request:
        return Request(
            requisite.url,
            callback=self.parse_requisite,
            errback=self.requisite_failed,
            cb_kwargs={"requisite": requisite},
            headers={"Accept": "*/*"},
            meta={"context": (("via", redact(requisite.via)), ("hopType", requisite.kind))},
            dont_filter=True,
            priority=_REQUISITE_PRIORITY,
        )

    async def parse_requisite(
        self, response: Response, requisite: PendingRequisite
    ) -> AsyncIterator[RequisiteFetch]:
        if not await _is_kept(response):
            return
        yield RequisiteFetch(
            requisite_id=requisite.id,
            url=response.url,
            kind=requisite.kind,
            depth=requisite.depth,
            capture=response.meta.get("capture"),
            failed=failure_of_response(response, machine_now()),
            size=body_size(response),
        )

    async def requisite_failed(self, error: TwistedFailure) -> AsyncIterator[RequisiteFetch]:
        if isinstance(error.value, _NOT_TRIED):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        requisite: PendingRequisite = request.cb_kwargs["requisite"]
        yield failed_requisite(requisite, failure_of_error(error, request.url))

    async def parse_page(
        self, response: Response, page_id: int, *, is_recheck: bool, further: str
    ) -> AsyncIterator[PageFetch]:
        if await _is_kept(response):
            yield page_fetch(response, page_id, is_recheck=is_recheck, further=further)

    async def page_failed(self, error: TwistedFailure) -> AsyncIterator[PageFetch]:
        if isinstance(error.value, _NOT_TRIED):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        failed = failure_of_error(error, request.url)
        yield PageFetch(url=request.url, failed=failed, **request.cb_kwargs)

    async def parse_channel(
        self, response: Response, channel_id: int, kind: str
    ) -> AsyncIterator[ChannelPoll | Request]:
        if not await _is_kept(response):
            return
        async for found in self._found(response, channel_id, kind):
            yield replace(found, size=body_size(response)) if isinstance(found, ChannelPoll) else found

    async def _found(
        self, response: Response, channel_id: int, kind: str
    ) -> AsyncIterator[ChannelPoll | Request]:
        failed = failure_of_response(response, machine_now())
        if failed is not None:
            yield ChannelPoll(channel_id=channel_id, url=response.url, failed=failed)
            return
        if response.status == 304:
            yield unchanged_poll(response, channel_id)
            return
        unasked = unasked_poll(response, channel_id)
        if unasked is not None:
            yield unasked
            return
        read = await self._read(response.meta["capture"])
        if read.broken_off:
            yield broken_off_poll(response, channel_id, read)
        elif read.feed is not None:
            yield feed_poll(response, channel_id, read)
        elif read.discovered is None or kind == "feed":
            yield unfit_poll(response, channel_id, read)
        elif read.discovered:
            yield site_poll(response, channel_id, read)
        else:
            leads = Leads(channel_id=channel_id, site=response.url, urls=read.leads)
            yield self._guess(leads, well_known(response.url))

    async def channel_failed(self, error: TwistedFailure) -> AsyncIterator[ChannelPoll]:
        if isinstance(error.value, _NOT_TRIED):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        failed = failure_of_error(error, request.url)
        yield ChannelPoll(channel_id=request.cb_kwargs["channel_id"], url=request.url, failed=failed)

    def _guess(self, leads: Leads, addresses: list[str]) -> Request | ChannelPoll:
        """Try the next well-known address of a site that names no feed, then links that may lead to one."""
        if not addresses:
            return LeadRequests(self._read).follow(leads)
        return Request(
            addresses[0],
            callback=self.parse_guess,
            errback=self.guess_failed,
            cb_kwargs={"leads": leads, "others": addresses[1:]},
            headers={"Accept": _ACCEPT_FEED},
            dont_filter=True,
        )

    async def parse_guess(
        self, response: Response, leads: Leads, others: list[str]
    ) -> AsyncIterator[ChannelPoll | Request]:
        if not await _is_kept(response):
            return
        if response.status == 200 and "dataloss" not in response.flags:
            read = await self._read(response.meta["capture"])
            if read.feed is not None:
                found = DiscoveredFeed(url=response.url, title=read.feed.info.title)
                yield ChannelPoll(channel_id=leads.channel_id, url=response.url, discovered=(found,))
                return
        yield self._guess(leads, others)

    async def guess_failed(self, error: TwistedFailure) -> AsyncIterator[ChannelPoll | Request]:
        if isinstance(error.value, _NOT_TRIED):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        yield self._guess(request.cb_kwargs["leads"], request.cb_kwargs["others"])

    async def _read(self, capture: Capture) -> FeedRead:
        session = ArchiveExtension.of(self.crawler)
        folder = str(session.archive.config.warc_folder)
        try:
            return await session.archive.workers.read_feed(
                ReadFeed(url=capture.url, folder=folder, file=capture.file, offset=capture.offset)
            )
        except ExtractionError as error:
            return FeedRead(problem=str(error))
        except WorkersBroken as error:
            session.fatal(error)
            raise CloseSpider("archive_error") from error


async def _is_kept(response: Response) -> bool:
    """Wait until the response is in the archive: nothing is made of it before. False ends the run."""
    try:
        response.meta["capture"] = await response.meta["capture"]
    except ArchiveError:
        return False
    return True


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
        return "all" if _boolean("now", word) else ""
    except ConfigurationError as error:
        raise ConfigurationError(f"-a now={value}: say 1, or failing") from error


def seeds_by_hand(urls: Sequence[str]) -> list[Seed]:
    """Addresses that were typed, as `scrapy channels add` takes them."""
    urls = [web_address(url) for url in urls]
    for url in urls:
        if flaw := url_flaw(url):
            raise ConfigurationError(f"{redact(url)}: {flaw}")
    return [Seed(url=url, labels=(), every=None, source=BY_HAND, line=0) for url in urls]


def _boolean(name: str, value: str) -> bool:
    word = str(value).strip().lower()
    if word not in _TRUE | _FALSE:
        raise ConfigurationError(f"-a {name}={value}: say 1 or 0")
    return word in _TRUE
