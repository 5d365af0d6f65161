"""What a page in the browser asks for: styles, scripts, images, and the data that its scripts show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import ResourceFetch
from archiver.acquisition.targets import RENDERING, RenderResource
from archiver.running.sources.rendering import RenderingSource
from archiver.spiders.kinds import Kind
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed

# A page waits for it, and others wait for that page.
_PRIORITY = 20


class RenderingKind(Kind[RenderResource]):
    source = RenderingSource

    def request(self, target: RenderResource) -> Request:
        return Request(
            target.url,
            headers={"Accept": "*/*"},
            meta={"context": (("via", redact(target.page_url)), ("hopType", RENDERING))},
            priority=_PRIORITY,
        )

    async def read(self, response: Response, target: RenderResource) -> ResourceFetch:
        # Also an error: the page is told what any browser would be.
        return ResourceFetch(id=target.id, capture=response.meta["capture"])

    def failed(self, target: RenderResource, url: str, failed: Failed) -> ResourceFetch:  # noqa: ARG002
        return ResourceFetch(id=target.id)
