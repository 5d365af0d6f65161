"""Links of a site that names no feed, followed one hop: a timeline, news, a blog, a page of feeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import ChannelPoll
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.feeds.discover import DiscoveredFeed
from archiver.errors import ArchiveError, RunEnding
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.archive.warc.records import Capture
    from archiver.running.workers.messages import FeedRead

_ACCEPT = (
    "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,application/xml;q=0.9,*/*;q=0.8"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leads:
    """The links that are left to follow, and the page that they were on."""

    channel_id: int
    site: str
    urls: tuple[str, ...] = ()


class LeadRequests:
    """Asks for one link after the other until a feed is found, or there is none."""

    def __init__(self, read: Callable[[Capture], Awaitable[FeedRead]]) -> None:
        self._read = read

    def follow(self, leads: Leads) -> Request | ChannelPoll:
        if not leads.urls:
            failed = Failed(failure=Failure.NOT_A_FEED, detail="a web page that names no feed")
            return ChannelPoll(channel_id=leads.channel_id, url="", failed=failed)
        rest = Leads(channel_id=leads.channel_id, site=leads.site, urls=leads.urls[1:])
        return Request(
            leads.urls[0],
            callback=self.parse,
            errback=self.failed,
            cb_kwargs={"leads": rest},
            headers={"Accept": _ACCEPT},
            meta={"context": (("via", redact(leads.site)),)},
            dont_filter=True,
        )

    async def parse(self, response: Response, leads: Leads) -> AsyncIterator[ChannelPoll | Request]:
        try:
            capture = await response.meta["capture"]
        except ArchiveError:
            return
        found: tuple[DiscoveredFeed, ...] = ()
        if response.status == 200 and "dataloss" not in response.flags:
            found = _feeds(await self._read(capture), response.url)
        if not found:
            yield self.follow(leads)
            return
        yield ChannelPoll(
            channel_id=leads.channel_id, url=response.url, discovered=found, found_on=response.url
        )

    async def failed(self, error: TwistedFailure) -> AsyncIterator[ChannelPoll | Request]:
        if isinstance(error.value, (ArchiveError, RunEnding)):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        yield self.follow(request.cb_kwargs["leads"])


def _feeds(read: FeedRead, url: str) -> tuple[DiscoveredFeed, ...]:
    """The feed that a link led to, or those that the page there names."""
    if read.feed is not None:
        return (DiscoveredFeed(url=url, title=read.feed.info.title),)
    return read.discovered or ()
