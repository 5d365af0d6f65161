"""Polls: feeds, and sites on which feeds are looked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import ChannelPoll
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.targets import ACCEPT_FEED, DueChannel, FeedSearch
from archiver.clock import machine_now
from archiver.documents.feeds.discovered import DiscoveredFeed, well_known
from archiver.running.sources.channels import ChannelSource
from archiver.running.workers.tasks import ReadFeed
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size
from archiver.spiders.kinds import Kind
from archiver.spiders.kinds.polls import (
    broken_off_poll,
    feed_poll,
    site_poll,
    unchanged_poll,
    unfit_poll,
    unsolicited_delta,
)
from archiver.urls import authorization, redact, request_url

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.archive.warc.records import Capture
    from archiver.running.workers.tasks import FeedRead

_ACCEPT_LINKED = (
    "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,application/xml;q=0.9,*/*;q=0.8"
)


class ChannelKind(Kind[DueChannel | FeedSearch]):
    """Polls a channel. Where a site names no feed, well-known addresses and links of it are tried."""

    source = ChannelSource

    def request(self, target: DueChannel | FeedSearch) -> Request:
        if isinstance(target, DueChannel):
            credentials = authorization(target.url)
            return Request(
                request_url(target.url),
                headers={"Accept": ACCEPT_FEED} | ({"Authorization": credentials} if credentials else {}),
                meta={"validators": target.validators, "is_feed": True},
            )
        if not target.is_link:
            return Request(target.url, headers={"Accept": ACCEPT_FEED})
        context = (("via", redact(target.site)),)
        return Request(target.url, headers={"Accept": _ACCEPT_LINKED}, meta={"context": context})

    async def read(self, response: Response, target: DueChannel | FeedSearch) -> ChannelPoll | FeedSearch:
        if isinstance(target, FeedSearch):
            return await self._searched(response, target)
        found = await self._polled(response, target)
        return found if isinstance(found, FeedSearch) else replace(found, size=body_size(response))

    async def _polled(self, response: Response, channel: DueChannel) -> ChannelPoll | FeedSearch:
        failed = failure_of_response(response, machine_now())
        if failed is not None:
            return self.failed(channel, response.url, failed)
        if response.status == 304:
            return unchanged_poll(response, channel.id)
        unasked = unsolicited_delta(response, channel.id)
        return unasked or self._poll(response, channel, await self._read(response.meta["capture"]))

    def _poll(self, response: Response, channel: DueChannel, read: FeedRead) -> ChannelPoll | FeedSearch:
        if read.broken_off:
            return broken_off_poll(response, channel.id, read)
        if read.feed is not None:
            return feed_poll(response, channel.id, read)
        if read.discovered is None or channel.kind == "feed":
            return unfit_poll(response, channel.id, read)
        if read.discovered:
            return site_poll(response, channel.id, read)
        addresses = tuple(well_known(response.url))
        search = FeedSearch(
            channel=channel, site=response.url, url="", addresses=addresses, links=tuple(read.leads)
        )
        return self.instead(search) or _no_feed(channel)

    async def _searched(self, response: Response, search: FeedSearch) -> ChannelPoll | FeedSearch:
        found: tuple[DiscoveredFeed, ...] = ()
        if response.status == 200 and "dataloss" not in response.flags:
            read = await self._read(response.meta["capture"])
            if read.feed is not None:
                found = (DiscoveredFeed(url=response.url, title=read.feed.info.title),)
            elif search.is_link:
                found = read.discovered or ()
        if not found:
            return self.instead(search) or _no_feed(search.channel)
        found_on = response.url if search.is_link else None
        return ChannelPoll(channel_id=search.id, url=response.url, discovered=found, found_on=found_on)

    def instead(self, target: DueChannel | FeedSearch) -> FeedSearch | None:
        if isinstance(target, DueChannel):
            return None
        if target.addresses:
            return replace(target, url=target.addresses[0], addresses=target.addresses[1:])
        if target.links:
            return replace(target, url=target.links[0], links=target.links[1:], is_link=True)
        return None

    def failed(self, target: DueChannel | FeedSearch, url: str, failed: Failed) -> ChannelPoll:
        if isinstance(target, FeedSearch) and failed.failure is not Failure.INTERNAL:
            return _no_feed(target.channel)
        return ChannelPoll(channel_id=target.id, url=url, failed=failed)

    async def _read(self, capture: Capture) -> FeedRead:
        return await self.read_document(ReadFeed(**self.place(capture.url, capture)))


def _no_feed(channel: DueChannel) -> ChannelPoll:
    failed = Failed(failure=Failure.NOT_A_FEED, detail="a web page that names no feed")
    return ChannelPoll(channel_id=channel.id, url="", failed=failed)
