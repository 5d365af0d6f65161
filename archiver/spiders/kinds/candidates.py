"""Requests for the pages of campaigns, and what their answers become."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.campaigns.model import CandidateFetch, CandidateRead, PendingCandidate
from archiver.acquisition.campaigns.queue import is_out_of_scope
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.clock import machine_now
from archiver.running.sources.candidates import CandidateSource
from archiver.running.workers.candidates import ReadCandidate
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size, page_validators
from archiver.spiders.kinds import Kind
from archiver.store.campaigns.queue import known_candidate
from archiver.urls import host_of, redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed

# Each costs a request of the budget: from http to https, to www, to a language, and one more.
_MOST_REDIRECTS = 4


class CandidateKind(Kind[PendingCandidate]):
    """Asks for a page of a campaign, and has a worker read what it says of the subject."""

    source = CandidateSource
    # As pages that entries announce, where a run has both.
    priority = 10

    @cached_property
    def _digest(self) -> str:
        """Of the knowledge base: workers read the same one."""
        return load_knowledge(self.session.archive.config.knowledge).digest

    async def knows(self, target: PendingCandidate, url: str) -> bool:
        """Whether the campaign has this page, is about to have it, or never asks for it."""
        run = self.session.campaign_run
        if run is None:
            return False
        running = run.campaigns[target.campaign_id]
        if is_out_of_scope(url, host_of(url), running.campaign.definition):
            return True
        key = running.models.repeats.key(url)
        database = self.session.archive.database
        row = await database.run_async(known_candidate, target.campaign_id, key)
        return not running.ways.leads(target.id, key, row)

    def request(self, target: PendingCandidate) -> Request:
        context = (("via", redact(target.via)),) if target.via else ()
        return Request(
            target.url,
            headers={"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
            meta={
                "context": (*context, ("campaign", target.campaign)),
                "campaign": target.campaign,
                "redirect_ttl": _MOST_REDIRECTS,
            },
            priority=self.priority,
        )

    async def read(self, response: Response, target: PendingCandidate) -> CandidateFetch:
        if "leads_to" in response.meta:
            return CandidateFetch(candidate=target, url=response.meta["leads_to"], is_known=True)
        failed = failure_of_response(response, machine_now())
        capture, read = response.meta["capture"], None
        run = self.session.campaign_run
        if failed is None and run is not None:
            running = run.campaigns[target.campaign_id]
            place = self.place(response.url, capture)
            task = ReadCandidate(
                **place,
                topic=running.topic,
                most_links=run.most_links,
                knowledge=self.session.archive.config.knowledge,
                digest=self._digest,
            )
            read = await self.read_document(task)
        return CandidateFetch(
            candidate=target,
            url=response.url,
            read=read if read is not None else CandidateRead(),
            capture=capture,
            size=body_size(response),
            failed=failed,
            validators=page_validators(response),
        )

    def failed(self, target: PendingCandidate, url: str, failed: Failed) -> CandidateFetch:
        return CandidateFetch(candidate=target, url=url, failed=failed)
