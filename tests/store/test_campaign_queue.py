"""How a long queue of a campaign is counted, and what is handed out of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.acquisition.campaigns.model import WayThere, found_link
from archiver.store.campaigns import exploring
from archiver.store.campaigns.exploring import waiting_by_band
from archiver.store.campaigns.granting import QueueRoom, grant
from archiver.store.campaigns.queue import add_candidates
from archiver.store.schema import candidates
from tests.store.samples import NOW
from tests.store.test_campaigns import FLOOD, begun

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from sqlalchemy import Connection

    from archiver.running.campaign_run import RunningCampaign
    from archiver.store.database import Database

COUNT, HOSTS, FEW = 1000, 20, 3


def long_queue(connection: Connection, running: RunningCampaign) -> None:
    links = [
        found_link(f"http://h{number % HOSTS}.example/{number}", "flood", "", "en") for number in range(COUNT)
    ]
    way = WayThere(relevance=0.5)
    add_candidates(connection, running.campaign, links, NOW, score=running.models.score, way=way)


def test_bands_with_many_are_counted_by_a_part_and_others_to_the_last(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "_LONG_QUEUE", COUNT // 2)
    monkeypatch.setattr(exploring, "_PARTS", 4)
    (running,) = begun(database, FLOOD, tmp_path).campaigns.values()

    def work(connection: Connection) -> None:
        long_queue(connection, running)
        connection.execute(update(candidates).values(band=1))
        few = select(candidates.c.id).order_by(candidates.c.id).limit(FEW)
        connection.execute(update(candidates).where(candidates.c.id.in_(few)).values(band=4))
        found = waiting_by_band(connection, running.campaign.id)
        assert found[4] == FEW
        assert 0.7 * COUNT < found[1] < 1.3 * COUNT
        assert found.keys() == {1, 4}

    database.run(work)


def test_what_is_under_way_is_not_handed_out_again(database: Database, tmp_path: Path) -> None:
    (running,) = begun(database, FLOOD, tmp_path).campaigns.values()

    def work(connection: Connection) -> None:
        long_queue(connection, running)
        taken: list[int] = []
        for _ in range(5):
            room = QueueRoom(limit=16, per_host=2, busy=frozenset(taken))
            chosen = grant(connection, running.campaign, NOW, room, running.models.score)
            assert len(chosen) == 16
            assert max(Counter(one.host for one in chosen).values()) <= 2
            taken += [one.id for one in chosen]
        assert len(taken) == len(set(taken))

    database.run(work)
