"""Requests for the sitemaps of hosts with many known articles, and what their answers become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import SitemapFetch
from archiver.acquisition.targets import SitemapAsk
from archiver.clock import machine_now
from archiver.running.sources.sitemaps import SitemapSource
from archiver.running.workers.tasks import ReadSitemap
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size, page_validators, validators_of
from archiver.spiders.kinds import Kind
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.rechecks.sitemaps import SitemapRead

# On the wire; the protocol allows 50 MiB without compression, of which a worker reads no more.
_MOST_BYTES = 16 * 1024 * 1024
_ACCEPT = "application/xml,text/xml;q=0.9,*/*;q=0.8"
# After pending pages and before rechecks, some of which it may spare.
_PRIORITY = -4


class SitemapKind(Kind[SitemapAsk]):
    """Asks for one document of a round, conditionally where it is known, and has a worker read it."""

    source = SitemapSource

    def request(self, target: SitemapAsk) -> Request:
        return Request(
            target.url,
            headers={"Accept": _ACCEPT},
            meta={
                "context": (("via", redact(target.file.via or target.origin)), ("sitemap", target.site)),
                "download_maxsize": _MOST_BYTES,
                "validators": validators_of(target.file.validators, target.file.capture),
            },
            priority=_PRIORITY,
        )

    async def read(self, response: Response, target: SitemapAsk) -> SitemapFetch:
        failed = failure_of_response(response, machine_now())
        is_not_modified = response.status == 304
        return SitemapFetch(
            ask=target,
            read=None if failed or is_not_modified else await self._read(response, target),
            is_not_modified=is_not_modified and failed is None,
            validators=page_validators(response),
            capture=response.meta["capture"],
            failed=failed,
            size=body_size(response),
        )

    async def _read(self, response: Response, target: SitemapAsk) -> SitemapRead:
        place = self.place(response.url, response.meta["capture"])
        return await self.read_document(ReadSitemap(**place, host=target.site))

    def failed(self, target: SitemapAsk, url: str, failed: Failed) -> SitemapFetch:  # noqa: ARG002
        return SitemapFetch(ask=target, failed=failed)
