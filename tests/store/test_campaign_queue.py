"""How a long queue of a campaign is counted, and what is handed out of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.acquisition.campaigns.model import WayThere, found_link
from archiver.acquisition.campaigns.queue import LOWEST_BAND
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.store.campaigns import exploring
from archiver.store.campaigns.definitions import register_campaign
from archiver.store.campaigns.exploring import choose, draw, waiting_by_band
from archiver.store.campaigns.granting import QueueRoom, grant
from archiver.store.campaigns.queue import add_candidates
from archiver.store.campaigns.quotas import agree_quota
from archiver.store.campaigns.tallies import waiting_by_rank
from archiver.store.schema import candidates, host_yields
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
        found = waiting_by_band(connection, running.campaign)
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


def given(connection: Connection, running: RunningCampaign, times: int = 60) -> int:
    """How many pages of the best host are asked for until it may give no more, all of them relevant."""
    count = 0
    for _ in range(times):
        room = QueueRoom(limit=1, per_host=1)
        chosen = grant(connection, running.campaign, NOW, room, running.models.score)
        if not chosen:
            break
        connection.execute(update(candidates).where(candidates.c.id == chosen[0].id).values(state="done"))
        here = host_yields.c.host == chosen[0].host
        more = {"fetched": host_yields.c.fetched + 1, "fresh": host_yields.c.fresh + 1}
        connection.execute(
            update(host_yields).where(here).values(**more, relevance=host_yields.c.relevance + 1)
        )
        agree_quota(connection, running.campaign, connection.execute(select(host_yields).where(here)).one())
        count += 1
    return count


def test_a_host_gives_as_many_pages_as_the_file_allows_of_any(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "scope: {per_host: 5}\n", tmp_path)
    (running,) = run.campaigns.values()

    def revise(connection: Connection, per_host: int) -> None:
        text = FLOOD + f"scope: {{per_host: {per_host}}}\n"
        read = read_campaign(text.encode(), "water.yaml", tmp_path)
        register_campaign(connection, read, running.campaign.file, NOW)
        run.revise(connection, running.campaign.id, NOW)

    def work(connection: Connection) -> None:
        links = [found_link(f"http://a.example/{number}", "flood", "", "en") for number in range(99)]
        way = WayThere(relevance=0.5)
        add_candidates(connection, running.campaign, links, NOW, score=running.models.score, way=way)
        assert given(connection, running) == 5
        # Edited while it runs: more, and then less.
        revise(connection, 30)
        assert given(connection, running) == 25
        revise(connection, 60)
        assert given(connection, running, 10) == 10
        revise(connection, 35)
        assert given(connection, running) == 0

    database.run(work)


def test_a_host_that_has_given_all_that_the_file_allows_is_not_drawn_from(
    database: Database, tmp_path: Path
) -> None:
    (running,) = begun(database, FLOOD + "scope: {per_host: 6}\nexplore: 0.5\n", tmp_path).campaigns.values()
    campaign = running.campaign

    def work(connection: Connection) -> None:
        connection.execute(update(candidates).values(state="done"))
        links = [found_link(f"http://h{at % 2}.example/{at}", "flood", "", "en") for at in range(60)]
        score = running.models.score
        add_candidates(connection, campaign, links, NOW, score=score, way=WayThere(relevance=0.5))
        h0, h1 = (host_yields.c.host == f"h{at}.example" for at in range(2))
        connection.execute(update(host_yields).where(h0).values(fetched=6))
        # One may still come of the other host, be it the best or by chance.
        connection.execute(update(host_yields).where(h1).values(fetched=5))
        assert sum(waiting_by_band(connection, campaign).values()) == 30
        assert sum(waiting_by_rank(connection, campaign).values()) == 30
        first = draw(connection, campaign, NOW, (), running.draws)
        assert first is not None
        assert first.host == "h1.example"
        assert draw(connection, campaign, NOW, {first.id}, running.draws) is None
        room = QueueRoom(limit=4, per_host=4, busy=frozenset({first.id}))
        assert grant(connection, campaign, NOW, room, score) == []
        # Drawn before its host had given all: it is not asked for any more.
        running.draws.pending[first.id] = first
        connection.execute(update(host_yields).where(h1).values(fetched=6))
        room = QueueRoom(limit=4, per_host=4)
        assert choose(connection, campaign, NOW, room, running.models, running.draws, 9) == []
        assert not running.draws.pending

    database.run(work)


def test_chance_does_not_exceed_what_a_host_may_give(database: Database, tmp_path: Path) -> None:
    (running,) = begun(database, FLOOD + "scope: {per_host: 5}\nexplore: 0.4\n", tmp_path).campaigns.values()
    campaign, asked = running.campaign, Counter[str]()

    def work(connection: Connection) -> None:
        long_queue(connection, running)
        while True:
            spent = sum(asked.values())
            room = QueueRoom(limit=4, per_host=2)
            chosen = choose(connection, campaign, NOW, room, running.models, running.draws, spent)
            if not chosen:
                break
            for one in chosen:
                asked[one.host] += 1
                running.draws.pending.pop(one.id, None)
                connection.execute(update(candidates).where(candidates.c.id == one.id).values(state="done"))
                here = host_yields.c.host == one.host
                connection.execute(update(host_yields).where(here).values(fetched=asked[one.host]))
        # The seed is of a host of its own.
        assert set(asked.values()) == {1, 5}
        assert len(asked) == HOSTS + 1
        assert running.draws.made > 20

    database.run(work)


def test_the_lowest_scores_are_asked_for_last_and_those_of_zero_by_chance_alone(
    database: Database, tmp_path: Path
) -> None:
    (running,) = begun(database, FLOOD, tmp_path).campaigns.values()
    campaign, scores = running.campaign, {"http://h.example/": LOWEST_BAND / 2, "http://n.example/": 0.0}

    def work(connection: Connection) -> None:
        connection.execute(update(candidates).values(state="done"))
        for url, score in scores.items():
            links, way = [found_link(url, "", "", None)], WayThere(relevance=0.5)
            add_candidates(connection, campaign, links, NOW, score=lambda _, score=score: score, way=way)
        bands = select(candidates.c.band).where(candidates.c.state == "waiting")
        assert set(connection.execute(bands).scalars()) == {0}
        room = QueueRoom(limit=4, per_host=4)
        lowest = grant(connection, campaign, NOW, room, lambda _: LOWEST_BAND / 2)
        assert [one.host for one in lowest] == ["h.example"]
        drawn = draw(connection, campaign, NOW, {lowest[0].id}, running.draws)
        assert drawn is not None
        assert drawn.host == "n.example"

    database.run(work)
