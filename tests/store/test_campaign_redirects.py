"""Redirects of a campaign's pages lead to no page twice, and what they lead to is known afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from archiver.acquisition.campaigns.model import CandidateFetch, PendingCandidate, WayThere, found_link
from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.outcomes import Failure
from archiver.running.campaign_run import CampaignRun, RunningCampaign, WaysThere
from archiver.store.campaigns.fetched import store_known
from archiver.store.campaigns.queue import add_alias, add_candidates, known_candidate
from archiver.store.campaigns.rescoring import judgements
from archiver.store.schema import candidates, relevances
from tests.store.samples import NOW, capture
from tests.store.test_campaigns import FLOOD, begun

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.store.database import Database

A, B, C = (f"http://a.example/{name}" for name in "abc")


def waiting(run: CampaignRun, connection: Connection, *urls: str) -> RunningCampaign:
    (running,) = run.campaigns.values()
    links = [found_link(url, "flood", "", "en") for url in urls]
    way = WayThere(relevance=0.9)
    add_candidates(connection, running.campaign, links, NOW, score=running.models.score, way=way)
    return running


def row_of(connection: Connection, running: RunningCampaign, url: str) -> Row[Any] | None:
    return known_candidate(connection, running.campaign.id, running.models.repeats.key(url))


def led(connection: Connection, running: RunningCampaign, url: str, to: str) -> tuple[str, str]:
    """State and outcome of a candidate whose redirect led to a known address."""
    row = connection.execute(select(candidates).where(candidates.c.url == url)).one()
    one = PendingCandidate(
        id=row.id, url=url, host=row.host, campaign_id=row.campaign_id, campaign="water", chosen_by="best"
    )
    fetch = CandidateFetch(candidate=one, url=to, is_known=True)
    store_known(connection, running.campaign, fetch, running.models.repeats.key(to))
    row = connection.execute(select(candidates).where(candidates.c.url == url)).one()
    return row.state, row.outcome


def test_an_address_shares_what_became_of_the_one_it_leads_to(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B, C)
        assert led(connection, running, A, C) == ("dropped", "same")
        gone = {"state": "failed", "outcome": str(Failure.GONE)}
        connection.execute(update(candidates).where(candidates.c.url == C).values(**gone))
        assert led(connection, running, B, C) == ("failed", "gone")

    database.run(work)


def test_where_a_redirect_led_is_not_a_new_address_later(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A)
        number = row_of(connection, running, A).id  # type: ignore[union-attr] # it was added
        add_alias(connection, running.campaign, number, running.models.repeats.key(B), B, NOW)
        add_alias(connection, running.campaign, number, running.models.repeats.key(A), A, NOW)
        waiting(run, connection, B)
        query = select(candidates.c.url, candidates.c.state)
        states = {row.url: row.state for row in connection.execute(query)}
        assert (states[A], states[B]) == ("waiting", "dropped")

    database.run(work)


def test_of_two_that_lead_to_one_page_the_first_brings_it(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, C)
        row, ways = row_of(connection, running, C), WaysThere()
        assert row is not None
        ways.begin(1001, A)
        ways.begin(1002, B)
        assert ways.leads(1001, C, row)
        assert not ways.leads(1002, C, row)
        # The page itself is not handed out until then, not even if it was chosen a moment before.
        assert ways.awaited == {row.id}
        assert not ways.begin(row.id, C)
        ways.end(1001)
        assert ways.awaited == frozenset()
        assert ways.leads(1002, C, row)
        # One that is asked for already is not led to; one's own address may be led to again.
        ways.begin(row.id, "other")
        assert not ways.leads(1002, "other", None)
        assert ways.leads(1002, B, None)

    database.run(work)


def test_a_judgement_of_a_page_counts_once(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, C)
        row = row_of(connection, running, C)
        assert row is not None
        connection.execute(update(candidates).where(candidates.c.id == row.id).values(state="done"))
        page = {"campaign_id": running.campaign.id, "url": C, "title": "", "score": 0.9, "signals": Signals()}
        page |= {"capture": capture(), "words": b"", "digest": "d", "judged": 1, "revision": 1, "seen": NOW}
        connection.execute(insert(relevances).values(candidate_id=row.id, **page))
        assert led(connection, running, A, C) == ("done", "twin")
        assert judgements(connection, running.campaign.id) == (1, 1)
        # Once more, as after a crash.
        assert led(connection, running, A, C) == ("done", "twin")

    database.run(work)
