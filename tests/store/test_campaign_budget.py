"""A budget of a campaign has requests, bytes and days: where one of them is used up, nothing is asked for."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from sqlalchemy import update

from archiver.acquisition.campaigns.model import CampaignState
from archiver.acquisition.campaigns.queries import queries_of
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.running.campaign_run import CampaignRun
from archiver.running.sources import Room
from archiver.running.sources.apis import PostSource
from archiver.running.sources.candidates import CandidateSource
from archiver.store.campaigns.definitions import campaign_named, register_campaign
from archiver.store.campaigns.feeds import set_state
from archiver.store.campaigns.orders import CampaignAction, CampaignOrder, apply_campaign_order
from archiver.store.polling.apis import register_apis
from archiver.store.schema import campaigns
from tests.store.samples import NOW
from tests.store.test_campaigns import FLOOD, begun

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.running.session import Session
    from archiver.store.database import Database

DAY, SOON = timedelta(days=1), timedelta(seconds=5)


def next_due(connection: Connection, run: CampaignRun, now: datetime = NOW) -> datetime | None:
    session = SimpleNamespace(campaign_run=run, places=SimpleNamespace(requests=4, per_host=4))
    return CandidateSource(cast("Session", session)).next_due(connection, now)


def resume(connection: Connection, now: datetime) -> CampaignState:
    apply_campaign_order(connection, CampaignOrder(action=CampaignAction.RESUME, campaign="water"), now)
    return campaign_named(connection, "water").state


def test_a_budget_of_bytes_is_spent_like_one_of_requests(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "budget: {requests: 100, bytes: 1KB}\n", tmp_path)
    (running,) = run.campaigns.values()

    def work(connection: Connection) -> None:
        running.requests, running.bytes = 1, 999
        run.write_spent(connection, running, NOW)
        assert campaign_named(connection, "water").state is CampaignState.RUNNING
        running.bytes = 1000
        run.write_spent(connection, running, NOW)
        assert campaign_named(connection, "water").state is CampaignState.SPENT
        assert resume(connection, NOW) is CampaignState.SPENT

    database.run(work)


def test_a_campaign_whose_days_are_over_is_not_resumed(database: Database, tmp_path: Path) -> None:
    begun(database, FLOOD + "budget: {days: 2}\n", tmp_path)

    def work(connection: Connection) -> None:
        number = campaign_named(connection, "water").id
        set_state(connection, number, CampaignState.STOPPED, NOW)
        assert resume(connection, NOW + DAY) is CampaignState.RUNNING
        set_state(connection, number, CampaignState.ENDED, NOW + 2 * DAY)
        assert resume(connection, NOW + 9 * DAY) is CampaignState.ENDED
        assert campaign_named(connection, "water").ended == NOW + 2 * DAY

    database.run(work)


@pytest.mark.parametrize(
    ("budget", "requests", "wait"),
    [
        ("{requests: 9}", 8, SOON),
        ("{requests: 9}", 9, None),
        ("{days: 1}", 0, None),
        ("{per_day: 3}", 3, DAY - timedelta(hours=2)),
    ],
)
def test_a_run_that_watches_waits_until_there_is_budget(
    database: Database, tmp_path: Path, budget: str, requests: int, wait: timedelta | None
) -> None:
    run = begun(database, FLOOD + f"budget: {budget}\n", tmp_path)
    (running,) = run.campaigns.values()
    now = NOW + DAY

    def work(connection: Connection) -> None:
        running.requests = requests
        running.recent.extend([now - timedelta(hours=2)] * requests)
        found = next_due(connection, run, now)
        assert found == (None if wait is None else now + wait)
        connection.execute(update(campaigns).values(state=CampaignState.STOPPED))
        assert next_due(connection, run, now) is None

    database.run(work)


def test_a_campaign_that_is_stopped_asks_no_api(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "apis: [{wordpress: http://blog.example}]\n", tmp_path)
    (running,) = run.campaigns.values()
    places = SimpleNamespace(requests=4, per_host=4)
    source = PostSource(
        cast("Session", SimpleNamespace(campaign_run=run, campaigns=("water",), places=places))
    )
    room = Room(now=NOW, moment=NOW, limit=4, busy=frozenset(), per_host=1)

    def work(connection: Connection) -> None:
        register_apis(connection, "water", queries_of(running.campaign.definition), NOW)
        assert len(source.due(connection, room)) == 1
        set_state(connection, running.campaign.id, CampaignState.STOPPED, NOW)
        assert not source.due(connection, room)
        assert source.next_due(connection, NOW) is None

    database.run(work)


def test_campaigns_of_a_run_take_turns(database: Database, tmp_path: Path) -> None:
    run, names = CampaignRun(), ("fire", "water")

    def work(connection: Connection) -> None:
        for name in names:
            seeds = ", ".join(f"http://{name}{number}.example/" for number in range(9))
            text = f"campaign: {name}\nkeywords: [flood]\nseeds: [{seeds}]\n"
            found = register_campaign(connection, read_campaign(text.encode(), name, tmp_path), name, NOW)
            run.begin(connection, [found.campaign.id], NOW)
        places = SimpleNamespace(requests=4, per_host=4)
        source = CandidateSource(cast("Session", SimpleNamespace(campaign_run=run, places=places)))
        room = Room(now=NOW, moment=NOW, limit=3, busy=frozenset(), per_host=1)
        granted = [{one.campaign for one in source.due(connection, room)} for _ in names]
        assert sorted(map(sorted, granted)) == [["fire"], ["water"]]

    database.run(work)
