"""Requests for the sitemaps of hosts with many known articles, and what their answers become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import SitemapFetch, Validators
from archiver.acquisition.pages import PageValidators
from archiver.acquisition.rechecks.sitemaps import SitemapRead
from archiver.clock import machine_now
from archiver.errors import ArchiveError, ExtractionError, RunEnding
from archiver.extensions.archive import ArchiveExtension
from archiver.running.workers.messages import ReadSitemap
from archiver.spiders.failures import failure_of_error, failure_of_response
from archiver.spiders.headers import body_size, header
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.acquisition.targets import SitemapAsk
    from archiver.archive.warc.records import Capture

# On the wire; the protocol allows 50 MiB without compression, of which a worker reads no more.
_MOST_BYTES = 16 * 1024 * 1024
_ACCEPT = "application/xml,text/xml;q=0.9,*/*;q=0.8"
# After pages that somebody waits for and before looks, some of which it may spare.
_PRIORITY = -4


class SitemapRequests:
    """Asks for one document of a round, conditionally where it was had before, and has a worker read it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    def request(self, ask: SitemapAsk) -> Request:
        known = ask.file.validators
        validators = {}
        if known is not None:
            validators[known.url] = Validators(
                etag=known.etag, last_modified=known.last_modified, capture=ask.file.capture
            )
        return Request(
            ask.file.url,
            callback=self.parse,
            errback=self.failed,
            cb_kwargs={"sitemap": ask},
            headers={"Accept": _ACCEPT},
            meta={
                "context": (("via", redact(ask.file.via or ask.origin)), ("sitemap", ask.site)),
                "download_maxsize": _MOST_BYTES,
                "validators": validators,
            },
            dont_filter=True,
            priority=_PRIORITY,
        )

    async def parse(self, response: Response, sitemap: SitemapAsk) -> AsyncIterator[SitemapFetch]:
        try:
            capture = await response.meta["capture"]
        except ArchiveError:
            return
        failed = failure_of_response(response, machine_now())
        is_not_modified = response.status == 304
        read = None if failed or is_not_modified else await self._read(response.url, sitemap, capture)
        etag, last_modified = header(response, "ETag"), header(response, "Last-Modified")
        yield SitemapFetch(
            ask=sitemap,
            read=read,
            is_not_modified=is_not_modified and failed is None,
            validators=PageValidators(url=response.url, etag=etag, last_modified=last_modified)
            if etag or last_modified
            else None,
            capture=capture,
            failed=failed,
            size=body_size(response),
        )

    async def _read(self, url: str, sitemap: SitemapAsk, capture: Capture) -> SitemapRead:
        archive = ArchiveExtension.of(self._crawler).archive
        task = ReadSitemap(
            url=url,
            folder=str(archive.config.warc_folder),
            file=capture.file,
            offset=capture.offset,
            host=sitemap.site,
        )
        try:
            return await archive.workers.read_sitemap(task)
        except ExtractionError as error:
            return SitemapRead(problem=str(error))

    async def failed(self, error: TwistedFailure) -> AsyncIterator[SitemapFetch]:
        if isinstance(error.value, (ArchiveError, RunEnding)):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        yield SitemapFetch(ask=request.cb_kwargs["sitemap"], failed=failure_of_error(error, request.url))
