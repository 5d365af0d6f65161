"""Feeds of relevant pages become channels while a campaign lasts, and their entries wait in its queue."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from archiver.acquisition.campaigns.feeds import speaks_for_feeds
from archiver.acquisition.campaigns.model import (
    CampaignState,
    CandidateFetch,
    CandidateRead,
    NamedFeed,
    PendingCandidate,
    WayThere,
    found_link,
)
from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.campaigns.words import PageWords
from archiver.inspection.campaigns.as_text import feed_lines
from archiver.store.campaigns.definitions import campaign_named
from archiver.store.campaigns.feeds import end_overdue, feeds_of
from archiver.store.campaigns.fetched import ScoredPage, store_page
from archiver.store.campaigns.orders import CampaignAction, CampaignOrder, apply_campaign_order
from archiver.store.campaigns.queue import add_candidates
from archiver.store.campaigns.repeats import drop_repeats
from archiver.store.campaigns.rescoring import rescore
from archiver.store.polling.channels import remove
from archiver.store.polling.due import due_channels
from archiver.store.schema import candidates, channels, entries, pages
from tests.store.samples import NOW, add_channel, capture, entry, poll, rows_of
from tests.store.test_campaigns import FLOOD, begun

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.running.campaign_run import CampaignRun
    from archiver.store.database import Database

PAGE, OTHER = "http://paper.example/1", "http://paper.example/2"
FEEDS = ("http://paper.example/feed",)


def fetch(
    database: Database, run: CampaignRun, url: str, score: float, feeds: tuple[str, ...] = FEEDS
) -> None:
    """A page of the campaign is fetched, and found to be so relevant."""
    (running,) = run.campaigns.values()
    campaign = running.campaign

    def work(connection: Connection) -> None:
        way = WayThere(relevance=0.9)
        add_candidates(
            connection, campaign, [found_link(url, "", "", None)], NOW, score=running.models.score, way=way
        )
        row = connection.execute(select(candidates).where(candidates.c.url == url)).one()
        candidate = PendingCandidate(
            id=row.id,
            url=url,
            host=row.host,
            campaign_id=campaign.id,
            campaign=campaign.name,
            chosen_by="best",
        )
        read = CandidateRead(
            is_page=True, digest=url[-24:], words=PageWords(counts={1: 2}), feeds=tuple(map(_named, feeds))
        )
        found = CandidateFetch(candidate=candidate, url=url, read=read, capture=capture(url=url))
        judged = ScoredPage(score=score, signals=Signals())
        store_page(connection, campaign, found, judged, models=running.models, recorded=NOW, now=NOW)

    database.run(work)


def _named(url: str) -> NamedFeed:
    return NamedFeed(url=url, title="News")


def polled(database: Database, names: list[str] | None = None, *, now: datetime = NOW) -> set[str]:
    found = database.run(due_channels, now, limit=100, busy=(), sources=names, not_since=None)
    return {one.url for one in found}


def queued(database: Database) -> dict[str, int]:
    waiting = candidates.c.found_by == "feed"
    query = select(candidates.c.url, candidates.c.rank).where(waiting)
    return {row.url: row.rank for row in database.run(lambda connection: connection.execute(query).all())}


@pytest.mark.parametrize(
    ("score", "others", "is_enough"),
    [(0.85, [], True), (0.7, [], False), (0.7, [0.65], True), (0.7, [0.5], False), (0.5, [0.9], False)],
)
def test_one_surely_relevant_page_or_two_speak_for_the_feeds_of_a_host(
    score: float, others: list[float], is_enough: bool
) -> None:
    assert speaks_for_feeds(score, others, 0.6) is is_enough


def test_feeds_of_a_relevant_host_become_channels(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.7)
    assert polled(database) == set()
    fetch(database, run, OTHER, 0.65)
    assert polled(database, ["campaign:water"]) == set(FEEDS)
    (channel,) = rows_of(database, channels)
    assert (channel.labels, channel.title) == (("campaign:water",), "News")
    (found,) = database.run(feeds_of, next(iter(run.campaigns)))
    assert found.is_polled


def test_a_campaign_follows_no_more_feeds_than_it_may(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "feeds: {most: 4}\n", tmp_path)
    many = tuple(f"http://paper.example/tag/{number}" for number in range(9))
    fetch(database, run, PAGE, 0.9, many)
    assert polled(database) == set(many[:3])
    fetch(database, run, "http://other.example/", 0.9, ("http://other.example/a", "http://other.example/b"))
    assert len(polled(database)) == 4


def test_a_campaign_leaves_the_channels_of_others_alone(database: Database, tmp_path: Path) -> None:
    number = add_channel(database, FEEDS[0], labels=("news",))
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.9)
    assert rows_of(database, channels)[0].labels == ("news",)
    poll(database, number, entry("a"))
    assert queued(database) == {}
    database.run(remove, number, NOW)
    fetch(database, run, OTHER, 0.9)
    assert polled(database) == set()


def test_entries_wait_in_the_queue_by_their_words(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.9)
    (channel,) = rows_of(database, channels)
    news = (
        entry("opera", title="A night at the opera", summary="<p>Singers and <b>stars</b></p>"),
        entry("dyke", title="Flood breaks the dyke", summary="<p>The flood came at night</p>"),
    )
    poll(database, channel.id, *news)
    (running,) = run.campaigns.values()
    database.run(rescore, running.campaign, running.models.score, 100)
    found = queued(database)
    assert found["http://example.org/dyke"] < found["http://example.org/opera"]
    assert {(row.pending, row.outcome) for row in rows_of(database, entries)} == {(False, "queued")}
    announced = [row for row in rows_of(database, pages) if row.host == "example.org"]
    assert {row.state for row in announced} == {"settled"}
    # Seen again, nothing of them is asked for again.
    poll(database, channel.id, *news)
    assert queued(database) == found


def test_an_entry_that_is_another_address_of_a_page_is_not_asked_for(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.9)
    (channel,) = rows_of(database, channels)
    sessions = ("0a1b2c3d4e5f607182", "99887766554433221b", "5a6b7c8d9e0f112233", "1f2e3d4c5b6a798081")
    one, two, three, four = (f"http://example.org/3?visit={session}" for session in sessions)
    fetch(database, run, one, 0.9, ())
    (running,) = run.campaigns.values()
    running.models.repeats.note_same(one, two)
    database.run(drop_repeats, running.campaign, running.models.repeats)
    other = four.replace("/3?", "/4?")
    poll(database, channel.id, entry("3", link=three), entry("4", link=other))
    assert queued(database).keys() == {three, other}
    assert database.run(drop_repeats, running.campaign, running.models.repeats) == 1
    states = {row.url: (row.state, row.key) for row in rows_of(database, candidates)}
    assert states[three][0] == "dropped"
    assert states[other] == ("waiting", running.models.repeats.key(other))
    assert database.run(drop_repeats, running.campaign, running.models.repeats) == 0


def test_an_entry_whose_page_was_fetched_waits_for_its_article(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.9)
    (channel,) = rows_of(database, channels)
    poll(database, channel.id, entry("dyke"), entry("opera"))
    fetch(database, run, "http://example.org/dyke", 0.9, ())
    fetch(database, run, "http://example.org/opera", 0.1, ())
    found = {row.key: (row.pending, row.outcome) for row in rows_of(database, entries)}
    assert found == {"dyke": (True, None), "opera": (False, "queued")}
    (page,) = [row for row in rows_of(database, pages) if row.url.endswith("/dyke")]
    assert (page.state, page.scope_id) == ("captured", channel.id)


def test_feeds_are_listed_by_their_share_of_relevant_entries(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    hosts = {"few": 0.95, "many": 0.8, "none": 0.9}
    for host, score in hosts.items():
        fetch(database, run, f"http://{host}.example/1", score, (f"http://{host}.example/feed",))
    numbers = {row.host.removesuffix(".example"): row.id for row in rows_of(database, channels)}
    for host, relevant in {"few": 1, "many": 3}.items():
        names = [f"{host}{number}" for number in range(4)]
        poll(database, numbers[host], *map(entry, names))
        for number, name in enumerate(names):
            fetch(database, run, f"http://example.org/{name}", 0.9 if number < relevant else 0.1, ())
    # Not fetched yet: it says nothing of the feed.
    poll(database, numbers["none"], entry("waits"))
    fetch(database, run, "http://none.example/2", 0.1, ())
    found = database.run(feeds_of, next(iter(run.campaigns)))
    told = [(one.host.partition(".")[0], one.share_of, one.relevant, one.judged) for one in found]
    assert told == [("many", "entries", 3, 4), ("none", "host", 1, 2), ("few", "entries", 1, 4)]
    lines = "\n".join(feed_lines(found, None))
    assert "75%  http://many.example/feed  (polled)\n       News\n       relevant: 3 of 4 fetched" in lines
    assert "no entry fetched yet; relevant: 1 of 2 pages of none.example" in lines


def test_a_judgement_counts_in_the_share_of_a_feed(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.9)
    (channel,) = rows_of(database, channels)
    poll(database, channel.id, entry("a"))
    fetch(database, run, "http://example.org/a", 0.9, ())
    no = CampaignOrder(action=CampaignAction.IRRELEVANT, campaign="water", url="http://example.org/a")
    database.run(apply_campaign_order, no, NOW)
    (found,) = database.run(feeds_of, next(iter(run.campaigns)))
    assert (found.share, found.judged) == (0.0, 1)


def test_feeds_stop_with_the_campaign_and_go_on_with_it(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    fetch(database, run, PAGE, 0.9)
    stop = CampaignOrder(action=CampaignAction.STOP, campaign="water")
    database.run(apply_campaign_order, stop, NOW)
    assert polled(database) == set()
    (channel,) = rows_of(database, channels)
    assert (channel.status, channel.why) == ("unlisted", "the campaign water is stopped")
    database.run(apply_campaign_order, CampaignOrder(action=CampaignAction.RESUME, campaign="water"), NOW)
    assert polled(database) == set(FEEDS)


def test_feeds_of_a_campaign_whose_days_are_over_are_not_polled(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "budget: {days: 3}\n", tmp_path)
    fetch(database, run, PAGE, 0.9)
    database.run(end_overdue, NOW + timedelta(days=2))
    assert polled(database) == set(FEEDS)
    database.run(end_overdue, NOW + timedelta(days=3))
    assert polled(database) == set()
    assert database.run(campaign_named, "water").state is CampaignState.ENDED


def test_feeds_stop_where_the_budget_is_spent(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "budget: {requests: 5}\n", tmp_path)
    fetch(database, run, PAGE, 0.9)
    (running,) = run.campaigns.values()
    running.requests = 5
    database.run(run.write_spent, running, NOW)
    assert polled(database) == set()


def spend(database: Database, run: CampaignRun, *, now: datetime) -> None:
    (running,) = run.campaigns.values()
    running.requests = 5
    database.run(run.write_spent, running, now)


def test_feeds_outlast_a_campaign_as_long_as_its_file_says(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "budget: {requests: 5}\nfeeds: {until: +30d}\n", tmp_path)
    fetch(database, run, PAGE, 0.9)
    spend(database, run, now=NOW)
    # Noted again by later answers: its end is the first moment.
    spend(database, run, now=NOW + timedelta(days=20))
    database.run(end_overdue, NOW + timedelta(days=29))
    assert polled(database) == set(FEEDS)
    (channel,) = rows_of(database, channels)
    poll(database, channel.id, entry("dyke"))
    assert set(queued(database)) == {"http://example.org/dyke"}
    database.run(end_overdue, NOW + timedelta(days=30))
    assert polled(database, now=NOW + timedelta(days=60)) == set()


def test_a_poll_after_the_last_day_is_the_last_one(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + f"feeds: {{until: {NOW.date()}}}\n", tmp_path)
    fetch(database, run, PAGE, 0.9)
    (channel,) = rows_of(database, channels)
    poll(database, channel.id, entry("dyke"))
    later = NOW + timedelta(days=60)
    assert polled(database, now=later) == set(FEEDS)
    poll(database, channel.id, now=NOW + timedelta(days=1))
    assert polled(database, now=later) == set()
    (channel,) = rows_of(database, channels)
    assert channel.status == "unlisted"


def test_feeds_of_a_campaign_that_a_person_stopped_are_not_polled(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD + "feeds: {until: +30d}\n", tmp_path)
    fetch(database, run, PAGE, 0.9)
    database.run(apply_campaign_order, CampaignOrder(action=CampaignAction.STOP, campaign="water"), NOW)
    assert polled(database) == set()
