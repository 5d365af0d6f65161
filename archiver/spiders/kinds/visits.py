"""Requests for documents of sites, and what their answers become."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from scrapy import Request

from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.model import PendingVisit, Strategy, VisitFetch, VisitRead, VisitReading
from archiver.acquisition.sites.plan import ENTRY
from archiver.acquisition.targets import ACCEPT_FEED
from archiver.clock import machine_now
from archiver.running.sources.visits import VisitSource
from archiver.running.workers.visits import ReadVisit
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size, header, page_validators, validators_of
from archiver.spiders.kinds import Kind
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.sites.adaptation.model import LearnedAction
    from archiver.acquisition.sites.model import Site
    from archiver.archive.warc.records import Capture

_ACCEPT = {
    VisitReading.PAGE: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    VisitReading.SITEMAP: "application/xml,text/xml;q=0.9,*/*;q=0.8",
    VisitReading.ROBOTS: "text/plain,*/*;q=0.8",
    VisitReading.FEED: ACCEPT_FEED,
}


class VisitKind(Kind[PendingVisit]):
    """Asks for a document of a site, and has a worker read where it leads."""

    source = VisitSource

    @cached_property
    def _digest(self) -> str:
        """Of the knowledge base: workers read the same one."""
        return load_knowledge(self.session.archive.config.knowledge).digest

    def request(self, target: PendingVisit) -> Request:
        return Request(
            target.url,
            headers={"Accept": _ACCEPT[target.reading]},
            meta={
                "context": (("via", redact(target.via)), ("site", redact(target.site.url))),
                "validators": validators_of(target.validators, target.capture),
            },
        )

    async def read(self, response: Response, target: PendingVisit) -> VisitFetch:
        failed = failure_of_response(response, machine_now())
        capture, is_as_it_was = response.meta["capture"], response.status == 304 and failed is None
        reads = failed is None and not is_as_it_was
        return VisitFetch(
            visit=target,
            url=response.url,
            read=await self._read(response.url, capture, target) if reads else None,
            capture=capture,
            size=body_size(response),
            content_type=header(response, "Content-Type"),
            failed=failed,
            validators=page_validators(response),
            not_modified=is_as_it_was,
        )

    async def _read(self, url: str, capture: Capture, target: PendingVisit) -> VisitRead:
        site = target.site
        task = ReadVisit(
            **self.place(url, capture),
            reading=target.reading,
            scope=site.scope,
            way=site.way or site.strategy,
            type=site.type,
            level=target.level,
            only=target.only,
            is_again=site.again is not None,
            knowledge=self.session.archive.config.knowledge,
            digest=self._digest,
            learned=await self._learned(site),
        )
        read = await self.read_document(task)
        if target.action != ENTRY or site.strategy is Strategy.BLIND:
            return read
        # robots.txt was asked for before anything else: the sitemaps that it names cost no request.
        robots = await self._sitemaps_in_robots(url, site.scope)
        return msgspec.structs.replace(read, sitemaps=robots.lists)

    async def _learned(self, site: Site) -> tuple[LearnedAction, ...]:
        """What was learned on the site before, in place of actions that fail there."""
        adapting = self.session.adapting
        return await adapting.learned_of(site) if adapting is not None and site.type else ()

    async def _sitemaps_in_robots(self, url: str, scope: str) -> VisitRead:
        origin = "/".join(url.split("/", 3)[:3])
        capture = self.session.robots.get(origin)
        if capture is None:
            return VisitRead()
        place = self.place(f"{origin}/robots.txt", capture)
        return await self.read_document(ReadVisit(**place, reading=VisitReading.ROBOTS, scope=scope, way=""))

    def failed(self, target: PendingVisit, url: str, failed: Failed) -> VisitFetch:
        return VisitFetch(visit=target, url=url, failed=failed)
