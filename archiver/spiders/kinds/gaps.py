"""Requests for what a feed showed between two polls, and what their answers become."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import GapFetch
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.targets import ACCEPT_FEED, GapAsk
from archiver.clock import machine_now
from archiver.documents.lists.model import FEED_WAYS, Way
from archiver.errors import FileFlaws
from archiver.running.sources.gaps import GapSource
from archiver.running.workers.tasks import ReadArchivePage
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size
from archiver.spiders.kinds import Kind
from archiver.urls import authorization, host_of, redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed
    from archiver.documents.lists.model import ArchivePage

# A list of links need not be longer; it is read in a worker.
_MOST_BYTES = 16 * 1024 * 1024
_ACCEPT_PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_ACCEPT_JSON = "application/json,*/*;q=0.8"
_ACCEPT_XML = "application/xml,text/xml;q=0.9,*/*;q=0.8"


class GapKind(Kind[GapAsk]):
    """Asks for one document of a gap and reads it as what it was asked for."""

    source = GapSource

    @cached_property
    def _knowledge(self) -> tuple[tuple[str, ...], str]:
        """Where the knowledge of sites is, and its digest: workers read the same."""
        try:
            base = load_knowledge(self.session.archive.config.knowledge)
        except FileFlaws as error:
            self.session.archive.report.note(f"Gaps are filled without SITE_KNOWLEDGE: {error}")
            return (), ""
        return base.sources, base.digest

    def request(self, target: GapAsk) -> Request:
        headers = {"Accept": _accept(target.ask.way)}
        credentials = authorization(target.channel_url)
        # What the channel is asked with is for its own host.
        if credentials and target.host == host_of(target.channel_url):
            headers["Authorization"] = credentials
        return Request(
            target.url,
            headers=headers,
            meta={
                "context": (("via", redact(target.channel_url)), ("gap", target.ask.way)),
                "download_maxsize": _MOST_BYTES,
            },
        )

    async def read(self, response: Response, target: GapAsk) -> GapFetch:
        failed = failure_of_response(response, machine_now())
        return GapFetch(
            gap=target,
            url=response.url,
            page=await self._page(response, target) if failed is None else None,
            capture=response.meta["capture"],
            failed=failed,
            size=body_size(response),
        )

    async def _page(self, response: Response, target: GapAsk) -> ArchivePage:
        sources, digest = self._knowledge
        return await self.read_document(
            ReadArchivePage(
                **self.place(response.url, response.meta["capture"]),
                ask=target.ask,
                examples=target.examples,
                since=target.since,
                knowledge=sources,
                digest=digest,
            )
        )

    def failed(self, target: GapAsk, url: str, failed: Failed) -> GapFetch:
        return GapFetch(gap=target, url=url, failed=failed)


def _accept(way: Way) -> str:
    if way in FEED_WAYS:
        return ACCEPT_FEED
    if way is Way.SITE:
        return _ACCEPT_JSON
    return _ACCEPT_PAGE if way is Way.LISTING else _ACCEPT_XML
