"""Candidates: the pages that campaigns fetch, the most promising first."""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.model import CAMPAIGNS, CampaignState, PendingCandidate
from archiver.clock import machine_now
from archiver.running.campaign_settling import learn_from, settle_fetch
from archiver.running.sources import Effects, Source
from archiver.store.campaigns.definitions import campaign_by_id
from archiver.store.campaigns.exploring import choose
from archiver.store.campaigns.granting import QueueRoom, next_candidate
from archiver.store.polling.apis import hosts_being_asked

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

# After so long it is looked again whether something may be handed out.
_LOOK = timedelta(seconds=5)
# Of a host: what comes of them decides on others.
_PER_HOST = 2


class CandidateSource(Source[PendingCandidate]):
    name = CAMPAIGNS
    is_read = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.per_host = min(session.places.per_host, _PER_HOST)
        self._turn = 0

    def due(self, connection: Connection, room: Room) -> Sequence[PendingCandidate]:
        run = self.session.campaign_run
        if run is None:
            return ()
        # Each is the first in its turn: with many hosts, the first can fill all places.
        self._turn += 1
        campaigns, found = deque(run.campaigns.values()), list[PendingCandidate]()
        campaigns.rotate(self._turn)
        for running in campaigns:
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
        full = room.full
        if running.may_ask_apis(room.now):
            full |= hosts_being_asked(connection, campaign.name, room.now)
        busy = room.busy | running.ways.awaited
        queue = QueueRoom(limit=free, per_host=room.per_host, full=full, busy=busy, at_host=room.at_host)
        models, draws, spent = running.models, running.draws, running.spent
        chosen = choose(connection, running.campaign, room.now, queue, models, draws, spent)
        return [one for one in chosen if running.ways.begin(one.id, models.repeats.key(one.url))]

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:
        run = self.session.campaign_run
        if run is None:
            return None
        moments = (self._next_of(connection, running, now) for running in run.campaigns.values())
        return min((one for one in moments if one is not None), default=None)

    def _next_of(self, connection: Connection, running: RunningCampaign, now: datetime) -> datetime | None:
        """When a campaign has something to ask for, and may."""
        number, may = running.campaign.id, running.next_request(now)
        if may is None or campaign_by_id(connection, number).state is not CampaignState.RUNNING:
            return None
        found = next_candidate(connection, number, now)
        # What is due and was not handed out waits for its host to be given more.
        return None if found is None else max(found, may, now + _LOOK)

    async def store(self, answer: CandidateFetch) -> Effects:
        archive, run = self.session.archive, self.session.campaign_run
        if run is None:
            return Effects()
        running = run.campaigns[answer.candidate.campaign_id]
        running.draws.pending.pop(answer.candidate.id, None)
        result = await archive.write(self._stored, answer, running, archive.clock.now())
        running.ways.end(answer.candidate.id)
        learn_from(running, answer, result)
        wants = [CAMPAIGNS]
        wants += ["channels"] if result.feeds else []
        wants += ["apis"] if result.queries else []
        return Effects(wants=tuple(wants), reads=result.reads)

    def _stored(
        self,
        connection: Connection,
        objects: ObjectWriter,  # noqa: ARG002 - as `Archive.write` has it
        answer: CandidateFetch,
        running: RunningCampaign,
        now: datetime,
    ) -> FetchResult:
        run, policy = self.session.campaign_run, self.session.archive.config.pages
        if run is not None:
            run.write_spent(connection, running, now)
        return settle_fetch(connection, running, answer, policy, recorded=machine_now(), now=now)
