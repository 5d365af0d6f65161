"""What is followed through APIs: posts become objects, and what they lead to is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.model import CAMPAIGNS, CampaignState
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.targets import ApiAsk
from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.store.campaigns.definitions import campaign_by_id
from archiver.store.polling.apis import due_apis, next_api, store_api_fetch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.items import ApiFetch
    from archiver.running.campaign_run import RunningCampaign
    from archiver.running.sources import Room
    from archiver.store.polling.apis import ApiResult


class PostSource(Source[ApiAsk]):
    """Asks for the next page of each query whose time has come, of the campaigns of this run."""

    name = "apis"
    # As long as limits of servers let wait between two pages; what is put off further waits for a later run.
    patience = 120.0

    def due(self, connection: Connection, room: Room) -> Sequence[ApiAsk]:
        found = due_apis(
            connection,
            room.now,
            self._campaigns(connection, room.now),
            limit=room.limit,
            per_host=room.per_host,
            busy=room.busy,
            without=room.full,
        )
        for ask in found:
            running = self._running(ask.campaign)
            if running is not None:
                running.api_requests += 1
        return found

    def _campaigns(self, connection: Connection, now: datetime) -> list[str]:
        """Those of this run; where it has budgets to keep, those that go on and have something left."""
        return [name for name in self.session.campaigns if self._may_ask(connection, name, now)]

    def _may_ask(self, connection: Connection, name: str, now: datetime) -> bool:
        running = self._running(name)
        if running is None:
            return True
        is_stopped = campaign_by_id(connection, running.campaign.id).state is not CampaignState.RUNNING
        return not is_stopped and running.may_ask_apis(now)

    def _running(self, name: str) -> RunningCampaign | None:
        run = self.session.campaign_run
        return None if run is None else run.named(name)

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:
        return next_api(connection, self._campaigns(connection, now))

    async def store(self, answer: ApiFetch) -> Effects:
        archive = self.session.archive
        result = await archive.write(
            store_api_fetch,
            answer,
            rules=archive.config.apis,
            policy=archive.config.pages,
            recorded=machine_now(),
            now=archive.clock.now(),
            take=self.session.take_posts,
        )
        archive.report.posted(result.posts)
        self._tell(answer, result)
        # Pages of the host may have waited for this.
        return Effects(wants=("apis", CAMPAIGNS) if self.session.campaign_run else ("apis",))

    def _tell(self, answer: ApiFetch, result: ApiResult) -> None:
        """Say what a person should know: refusals, and lists that do not end as they should."""
        state, report = result.verdict.state, self.session.archive.report
        is_failed = state.outcome in set(Failure) or state.outcome == "refused"
        report.posts["failed"] += is_failed
        if (is_failed or state.why) and state.outcome != Failure.RATE_LIMITED:
            told = ": ".join(filter(None, (answer.ask.state.query.key, state.outcome, state.why)))
            report.note_once(told)
        for feed in result.feeds:
            report.note_once(f"{feed} is a channel in its place: `scrapy crawl feeds` polls it")
