"""Candidates: the pages that campaigns fetch, the most promising first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.learned import LearnedPage
from archiver.acquisition.campaigns.model import CAMPAIGNS, CampaignState, PendingCandidate
from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.store.campaigns.definitions import campaign_by_id
from archiver.store.campaigns.fetched import ScoredPage, store_failure, store_page
from archiver.store.campaigns.queue import QueueRoom, draw, grant, next_candidate
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import CandidateFetch
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.running.campaign_run import RunningCampaign
    from archiver.running.session import Session
    from archiver.running.sources import Room
    from archiver.store.campaigns.fetched import FetchResult

# Of a host: what comes of them decides on others.
_PER_HOST = 2


class CandidateSource(Source[PendingCandidate]):
    name = CAMPAIGNS
    is_read = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.per_host = min(session.places.per_host, _PER_HOST)

    def due(self, connection: Connection, room: Room) -> Sequence[PendingCandidate]:
        run = self.session.campaign_run
        if run is None:
            return ()
        found: list[PendingCandidate] = []
        for running in run.campaigns.values():
            found += self._of(connection, running, room, room.limit - len(found))
        return found

    def _of(
        self, connection: Connection, running: RunningCampaign, room: Room, limit: int
    ) -> list[PendingCandidate]:
        campaign = campaign_by_id(connection, running.campaign.id)
        if campaign.state is not CampaignState.RUNNING or running.is_over(room.now):
            return []
        free = min(limit, self.most - len(room.busy), running.left(room.now) - len(room.busy))
        if free <= 0:
            return []
        queue = QueueRoom(
            limit=free, per_host=room.per_host, full=room.full, busy=room.busy, at_host=room.at_host
        )
        chosen = grant(connection, running.campaign, room.now, room=queue, score=running.models.score)
        return self._explored(connection, running, queue, chosen, room.now)

    def _explored(
        self,
        connection: Connection,
        running: RunningCampaign,
        queue: QueueRoom,
        chosen: list[PendingCandidate],
        now: datetime,
    ) -> list[PendingCandidate]:
        """Put some by chance in the place of the best: what they bring measures what is not fetched."""
        found = {one.id: one for one in chosen}
        for one in chosen:
            if one.chosen_by == "best" and running.chance.random() < running.campaign.definition.explore:
                other = draw(connection, running.campaign, now, queue, running.chance)
                if other is not None and other.id not in found:
                    del found[one.id]
                    found[other.id] = other
        return list(found.values())

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:  # noqa: ARG002
        run = self.session.campaign_run
        if run is None:
            return None
        moments = [next_candidate(connection, number) for number in run.campaigns]
        return min((one for one in moments if one is not None), default=None)

    async def store(self, answer: CandidateFetch) -> Effects:
        archive, run = self.session.archive, self.session.campaign_run
        if run is None:
            return Effects()
        running = run.campaigns[answer.candidate.campaign_id]
        running.bytes += answer.size
        result = await archive.write(self._stored, answer, running, archive.clock.now())
        if result.evidence is not None and answer.read is not None:
            self._learn(running, answer, result)
        return Effects(wants=(CAMPAIGNS,), reads=result.reads)

    def _stored(
        self,
        connection: Connection,
        objects: ObjectWriter,  # noqa: ARG002 - as `Archive.write` has it
        answer: CandidateFetch,
        running: RunningCampaign,
        now: datetime,
    ) -> FetchResult:
        run, archive = self.session.campaign_run, self.session.archive
        if run is not None:
            run.write_spent(connection, running, now)
        if answer.failed is not None:
            return store_failure(connection, running.campaign, answer, archive.config.pages, now)
        judged = self._judged(running, answer)
        score = running.models.score
        times = {"recorded": machine_now(), "now": now}
        return store_page(connection, running.campaign, answer, judged, score=score, **times)

    def _judged(self, running: RunningCampaign, answer: CandidateFetch) -> ScoredPage:
        read = answer.read
        if read is None:
            return ScoredPage(score=0.0, signals=None)
        score, signals = running.models.judge(read.signals, read.words)
        if _is_among(answer, running.campaign.definition.examples.like):
            score = 1.0
        return ScoredPage(score=score, signals=signals)

    def _learn(self, running: RunningCampaign, answer: CandidateFetch, result: FetchResult) -> None:
        read, evidence = answer.read, result.evidence
        if read is None or evidence is None:
            return
        examples = running.campaign.definition.examples
        judged = self._judged(running, answer)
        page = LearnedPage(
            url=answer.url,
            words=read.words,
            evidence=evidence,
            score=judged.score,
            signals=judged.signals,
            is_twin=result.is_twin,
        )
        running.models.learn(page)
        if _is_among(answer, examples.like):
            running.models.add_example(read.words, is_like=True)
        elif _is_among(answer, examples.unlike):
            running.models.add_example(read.words, is_like=False)


def _is_among(answer: CandidateFetch, urls: Sequence[str]) -> bool:
    return same_page_key(answer.candidate.url) in {same_page_key(url) for url in urls}
