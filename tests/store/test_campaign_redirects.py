"""Redirects of a campaign's pages lead to no page twice, and what they lead to is known afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from archiver.acquisition.campaigns.model import (
    CandidateFetch,
    CandidateRead,
    PendingCandidate,
    WayThere,
    found_link,
)
from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.campaigns.words import PageWords
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PagePolicy
from archiver.running.campaign_run import CampaignRun, RunningCampaign, WaysThere, add_seeds
from archiver.running.campaign_settling import settle_fetch
from archiver.store.campaigns import learning
from archiver.store.campaigns.fetched import ScoredPage, store_known, store_page
from archiver.store.campaigns.queue import add_alias, add_candidates, known_candidate
from archiver.store.campaigns.repeats import drop_repeats
from archiver.store.campaigns.rescoring import judgements
from archiver.store.schema import candidates, relevances
from tests.store.samples import NOW, capture
from tests.store.test_campaigns import FLOOD, begun

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from sqlalchemy import Connection, Row

    from archiver.store.database import Database

A, B, C = (f"http://a.example/{name}" for name in "abc")
# One page, with the ids of two sessions.
ONE, TWO = (f"http://a.example/3?visit={visit}" for visit in ("0a1b2c3d4e5f607182", "99887766554433221b"))


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


def pending(row: Row[Any]) -> PendingCandidate:
    known = {"campaign_id": row.campaign_id, "campaign": "water", "chosen_by": "best"}
    return PendingCandidate(id=row.id, url=row.url, host=row.host, **known)


def states(connection: Connection) -> dict[str, str]:
    rows = connection.execute(select(candidates.c.url, candidates.c.state))
    return {row.url: row.state for row in rows}


def store(connection: Connection, running: RunningCampaign, url: str, at: str, read: CandidateRead) -> None:
    """Store what a candidate brought, whose redirect led to an address."""
    row = connection.execute(select(candidates).where(candidates.c.url == url)).one()
    fetch = CandidateFetch(candidate=pending(row), url=at, read=read, capture=capture(url=at))
    judged = ScoredPage(score=0.1, signals=Signals())
    moments = {"recorded": NOW, "now": NOW}
    store_page(connection, running.campaign, fetch, judged, models=running.models, **moments)


def fail(connection: Connection, running: RunningCampaign, url: str, at: str, failure: Failure) -> None:
    """Store that a candidate failed, at the address that its redirect led to."""
    row = connection.execute(select(candidates).where(candidates.c.url == url)).one()
    fetch = CandidateFetch(candidate=pending(row), url=at, failed=Failed(failure=failure))
    settle_fetch(connection, running, fetch, PagePolicy(), recorded=NOW, now=NOW)


def test_where_a_redirect_led_in_vain_is_not_asked_for(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B)
        fail(connection, running, A, B, Failure.NOT_FOUND)
        assert (states(connection)[A], states(connection)[B]) == ("failed", "failed")
        # Also where a link leads there later.
        running = waiting(run, connection, C)
        fail(connection, running, C, "http://a.example/d", Failure.NOT_FOUND)
        waiting(run, connection, "http://a.example/d")
        assert states(connection)["http://a.example/d"] == "failed"

    database.run(work)


def test_where_a_redirect_led_waits_with_it_for_the_next_try(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B, C)
        fail(connection, running, A, B, Failure.UNAVAILABLE)
        query = select(candidates.c.url, candidates.c.next_try)
        due = {row.url: row.next_try for row in connection.execute(query)}
        assert due[A] == due[B] > NOW == due[C]

    database.run(work)


def test_a_redirect_that_was_not_followed_says_nothing_of_where_it_leads(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B)
        connection.execute(update(candidates).where(candidates.c.url == A).values(tries=99))
        fail(connection, running, A, B, Failure.REDIRECTS)
        assert (states(connection)[A], states(connection)[B]) == ("failed", "waiting")

    database.run(work)


def test_where_a_redirect_led_is_not_asked_for_where_it_is_not_a_page(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B)
        store(connection, running, A, B, CandidateRead())
        assert (states(connection)[A], states(connection)[B]) == ("done", "dropped")
        # Also where it is found later on.
        running = waiting(run, connection, C)
        store(connection, running, C, "http://a.example/d", CandidateRead())
        waiting(run, connection, "http://a.example/d")
        assert states(connection)["http://a.example/d"] == "dropped"

    database.run(work)


def test_a_page_is_not_led_to_by_another_id_of_a_session_while_it_is_under_way(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, ONE)
        row, ways = row_of(connection, running, ONE), running.ways
        assert row is not None
        assert ways.begin(row.id, running.models.repeats.key(ONE))
        # Meanwhile, that `visit` is the id of a session was learned from others.
        running.models.repeats.note_same(
            "http://a.example/9?visit=0a1b2c3d4e5f607182", TWO.replace("3?", "9?")
        )
        drop_repeats(connection, running.campaign, running.models.repeats, {row.id})
        known = row_of(connection, running, TWO)
        assert known is not None
        assert known.id == row.id
        assert not ways.leads(1001, running.models.repeats.key(TWO), known)

    database.run(work)


def test_of_several_addresses_of_a_page_the_one_under_way_is_kept(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, ONE, TWO)
        row = row_of(connection, running, TWO)
        assert row is not None
        connection.execute(update(candidates).where(candidates.c.url == ONE).values(rank=1))
        running.models.repeats.note_same(ONE, TWO)
        assert drop_repeats(connection, running.campaign, running.models.repeats, {row.id}) == 1
        assert (states(connection)[ONE], states(connection)[TWO]) == ("dropped", "waiting")

    database.run(work)


def test_where_a_redirect_led_is_known_without_the_id_of_a_session(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B, ONE)
        running.models.repeats.note_same(
            "http://a.example/9?visit=0a1b2c3d4e5f607182", TWO.replace("3?", "9?")
        )
        drop_repeats(connection, running.campaign, running.models.repeats)
        store(connection, running, A, TWO, CandidateRead(is_page=True, digest="d"))
        assert states(connection)[ONE] == "dropped"

    database.run(work)


def test_where_a_redirect_led_before_a_session_was_known_is_the_same_page(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A)
        store(connection, running, A, TWO, CandidateRead(is_page=True, digest="d"))
        waiting(run, connection, ONE)
        running.models.repeats.note_same(ONE, TWO)
        assert drop_repeats(connection, running.campaign, running.models.repeats) == 1
        assert states(connection)[ONE] == "dropped"

    database.run(work)


def test_ids_of_sessions_are_known_after_a_restart_however_long_ago_they_were_learned(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, ONE, TWO, A)
        for url in (ONE, TWO):
            words = PageWords(counts={1: 2})
            store(connection, running, url, url, CandidateRead(is_page=True, digest="same", words=words))
        store(connection, running, A, A, CandidateRead(is_page=True, digest="d"))
        monkeypatch.setattr(learning, "_MOST_PAGES", 1)
        run.revise(connection, running.campaign.id, NOW)
        other = ONE.replace("0a1b", "77aa")
        assert running.models.repeats.key(other) == running.models.repeats.key(ONE)

    database.run(work)


def test_a_seed_with_the_id_of_a_session_is_not_asked_for_again(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD.replace("http://a.example/", ONE), tmp_path)

    def work(connection: Connection) -> None:
        (running,) = run.campaigns.values()
        repeats = running.models.repeats
        connection.execute(update(candidates).values(state="done"))
        repeats.note_same(ONE, TWO)
        drop_repeats(connection, running.campaign, repeats)
        for _ in range(3):
            repeats.note(TWO, is_fresh=False)
        add_seeds(connection, running, NOW)
        assert states(connection) == {ONE: "done"}

    database.run(work)


def test_a_page_drops_what_it_calls_its_own_address_and_no_address_of_others(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)
    others = "http://b.example.com/flood"

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, B, C, others)
        store(connection, running, A, A, CandidateRead(is_page=True, digest="1", canonical=others))
        store(connection, running, B, B, CandidateRead(is_page=True, digest="2", canonical=C))
        found = states(connection)
        assert (found[others], found[C]) == ("waiting", "dropped")

    database.run(work)


def test_what_leads_out_of_the_scope_is_dropped(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "scope: {hosts_deny: [x.example]}\n", tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A)
        assert led(connection, running, A, "http://www.x.example/") == ("dropped", "denied")

    database.run(work)
