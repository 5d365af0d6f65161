"""Requests for what a feed showed between two polls, and what their answers become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import GapFetch
from archiver.clock import machine_now
from archiver.documents.lists.model import FEED_WAYS, ArchivePage, Way
from archiver.errors import ArchiveError, ExtractionError, RunEnding
from archiver.extensions.archive import ArchiveExtension
from archiver.running.workers.messages import ReadArchivePage
from archiver.spiders.failures import failure_of_error, failure_of_response
from archiver.spiders.headers import body_size
from archiver.urls import authorization, host_of, redact

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.acquisition.targets import GapAsk

# A list of links need not be longer; it is read in a worker.
_MOST_BYTES = 16 * 1024 * 1024
_ACCEPT_PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_ACCEPT_XML = "application/xml,text/xml;q=0.9,*/*;q=0.8"


class GapRequests:
    """Asks for one document of a gap and reads it as what it was asked for."""

    def __init__(self, crawler: Crawler, accept_feed: str) -> None:
        self._crawler = crawler
        self._accept_feed = accept_feed

    def request(self, gap: GapAsk) -> Request:
        headers = {"Accept": self._accept(gap.ask.way)}
        credentials = authorization(gap.channel_url)
        # What the channel is asked with is for its own host.
        if credentials and gap.host == host_of(gap.channel_url):
            headers["Authorization"] = credentials
        return Request(
            gap.ask.url,
            callback=self.parse,
            errback=self.failed,
            cb_kwargs={"gap": gap},
            headers=headers,
            meta={
                "context": (("via", redact(gap.channel_url)), ("gap", gap.ask.way)),
                "download_maxsize": _MOST_BYTES,
            },
            dont_filter=True,
        )

    def _accept(self, way: Way) -> str:
        if way in FEED_WAYS:
            return self._accept_feed
        return _ACCEPT_PAGE if way is Way.LISTING else _ACCEPT_XML

    async def parse(self, response: Response, gap: GapAsk) -> AsyncIterator[GapFetch]:
        try:
            capture = await response.meta["capture"]
        except ArchiveError:
            return
        failed = failure_of_response(response, machine_now())
        page = None
        if failed is None:
            archive = ArchiveExtension.of(self._crawler).archive
            task = ReadArchivePage(
                url=response.url,
                folder=str(archive.config.warc_folder),
                file=capture.file,
                offset=capture.offset,
                ask=gap.ask,
                examples=gap.examples,
                since=gap.since,
            )
            try:
                page = await archive.workers.read_archive_page(task)
            except ExtractionError as error:
                page = ArchivePage(problem=str(error))
        size = body_size(response)
        yield GapFetch(gap=gap, url=response.url, page=page, capture=capture, failed=failed, size=size)

    async def failed(self, error: TwistedFailure) -> AsyncIterator[GapFetch]:
        if isinstance(error.value, (ArchiveError, RunEnding)):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        failed = failure_of_error(error, request.url)
        yield GapFetch(gap=request.cb_kwargs["gap"], url=request.url, failed=failed)
