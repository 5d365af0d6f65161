"""Known articles are looked at again within their share, and what each look came to is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, select, update

from archiver.acquisition.channels.sightings import VANISHED
from archiver.acquisition.findings import Finding, Judged, Settlement
from archiver.acquisition.pages import EntryOutcome, PageValidators
from archiver.acquisition.rechecks.absence import AbsenceKind
from archiver.acquisition.rechecks.curve import unpacked
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.watching import NO_RECHECKS, RecheckRules, Restless, age_of
from archiver.articles.versions.model import Change, Judgement, Spot
from archiver.store.content import pages as page_store
from archiver.store.content.leads import past_leads
from archiver.store.content.pages import FreshCapture
from archiver.store.content.settlement import SettlementRules, settle_findings
from archiver.store.looks.rechecks import (
    due_rechecks,
    look_later,
    look_now,
    next_recheck_due,
    reach_scheduled,
)
from archiver.store.looks.watching import restlessness
from archiver.store.polling.prices import count_requests, rechecks_now
from archiver.store.schema import absences, articles, channels, pages, recheck_prices
from tests.store.samples import HOUR, NOW, capture, entry, poll, row_of, rows_of
from tests.store.settling import finding

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.targets import PendingPage
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

DAY = timedelta(days=1)
DAILY = RecheckRules(policy=RecheckPolicy(interval=DAY, until=365 * DAY), share=0.5)
LEARNED = RecheckRules(policy=RecheckPolicy(), share=0.5)


def look(
    database: Database,
    objects: ObjectWriter,
    *,
    at: datetime,
    rules: RecheckRules = DAILY,
    page_id: int = 1,
    **other: object,
) -> str | None:
    """Settle a look at a page that is known; what it came to."""
    row = row_of(database, pages, id=page_id)
    values = {"article_id": row.article_id, "is_recheck": row.article_id is not None, "date": at} | other
    found = finding(database, page_id, **values)
    if not found.leads:
        leads = database.run(past_leads, [page_id])[page_id]
        found = replace(found, leads=leads)
    return settled(database, objects, found, at=at, rules=rules)


def settled(
    database: Database, objects: ObjectWriter, found: Finding, *, at: datetime, rules: RecheckRules
) -> str | None:
    settling = SettlementRules(rechecks=rules)
    ended = database.run(settle_findings, [found], objects, settling, recorded=at, now=at)
    (ending,) = ended.of_each
    assert ending.is_version or ending.look != "changed"
    assert ending.is_version == (ending.outcome is EntryOutcome.STORED)
    return ending.look


def due(
    database: Database, at: datetime, rules: RecheckRules = DAILY, not_since: datetime | None = NOW
) -> list[PendingPage]:
    """In a run that began with the poll of the fixtures."""
    return database.run(due_rechecks, at, rules, limit=100, per_host=100, busy=(), not_since=not_since)


@pytest.fixture
def known(database: Database, channel: int, objects: ObjectWriter) -> int:
    """A channel with one article that was just captured."""
    poll(database, channel, entry("a"))
    database.run(page_store.mark_captured, [FreshCapture(page_id=1, capture=capture())])
    assert look(database, objects, at=NOW) == "new"
    return channel


@pytest.mark.usefixtures("known")
def test_an_article_is_due_after_its_interval_with_what_makes_the_request_conditional(
    database: Database,
) -> None:
    given = PageValidators(url="http://example.org/a", etag='"1"')
    fresh = FreshCapture(page_id=1, capture=capture(), validators=given)
    database.run(page_store.mark_captured, [fresh])
    assert due(database, NOW + 2 * DAY) == []  # it is being read
    database.run(
        page_store.settle,
        [Settlement(page_id=1, outcome=EntryOutcome.UNCHANGED, known_at=NOW)],
        recorded=NOW,
        now=NOW,
    )
    assert due(database, NOW + DAY - HOUR) == []
    (page,) = due(database, NOW + DAY)
    assert (page.is_recheck, page.validators, page.capture) == (True, given, capture())
    assert database.run(next_recheck_due) == NOW + DAY


@pytest.mark.usefixtures("known")
def test_what_looks_showed_is_learned_for_the_channel(database: Database, objects: ObjectWriter) -> None:
    assert look(database, objects, at=NOW + DAY, is_same=True, words=None) == "unchanged"
    judged = {"words": "Other words", "at": NOW + 2 * DAY}
    assert look(database, objects, **judged) == "changed"
    row = row_of(database, pages, id=1)
    assert (row.looks, row.edits, row.looked) == (2, 1, NOW + 2 * DAY)
    counted = unpacked(row_of(database, channels).curve)
    assert sum(counted.watched) == pytest.approx(2, rel=0.01)
    assert sum(counted.edits) > 0.9


@pytest.mark.usefixtures("known")
def test_without_a_share_nothing_is_looked_at_until_there_is_one(database: Database) -> None:
    assert due(database, NOW + 99 * DAY, NO_RECHECKS) == []
    assert len(due(database, NOW + 99 * DAY)) == 1


@pytest.mark.parametrize(("status", "found"), [("active", 1), ("retired", 1), ("paused", 0), ("unlisted", 0)])
def test_articles_of_channels_that_are_left_alone_are_left_alone(
    database: Database, known: int, status: str, found: int
) -> None:
    change = update(channels).where(channels.c.id == known).values(status=status)
    database.run(lambda connection: connection.execute(change))
    assert len(due(database, NOW + DAY)) == found


def test_no_host_takes_the_places_of_the_others(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    hosts = ["one.example"] * 30 + ["two.example"] * 2
    links = [f"http://{host}/{number}" for number, host in enumerate(hosts)]
    poll(database, channel, *(entry(str(number), link=link) for number, link in enumerate(links)))
    for number, link in enumerate(links, 1):
        look(database, objects, at=NOW, page_id=number, url=link, words=link)
    found = database.run(due_rechecks, NOW + DAY, DAILY, limit=6, per_host=4, busy=(), not_since=NOW)
    assert sorted(page.host for page in found) == ["one.example"] * 4 + ["two.example"] * 2


@pytest.mark.usefixtures("known")
def test_what_a_page_shows_instead_of_its_article_makes_no_request_conditional(
    database: Database, objects: ObjectWriter
) -> None:
    given = PageValidators(url="http://example.org/a", etag='"soft"')
    database.run(page_store.mark_captured, [FreshCapture(page_id=1, capture=capture(), validators=given)])
    missing = {"words": None, "absence": AbsenceKind.SOFT_404, "outcome": EntryOutcome.GONE}
    look(database, objects, at=NOW + DAY, **missing)
    assert row_of(database, pages, id=1).validators is None


def test_an_article_that_another_page_shows_is_not_gone(
    database: Database, known: int, objects: ObjectWriter
) -> None:
    poll(database, known, entry("a"), entry("b", link="http://example.org/b"), now=NOW + HOUR)
    look(database, objects, at=NOW + 2 * DAY, page_id=2, url="http://example.org/a")
    assert row_of(database, pages, id=2).article_id == 1
    missing = {"words": None, "capture": None, "absence": AbsenceKind.GONE, "outcome": EntryOutcome.GONE}
    assert look(database, objects, at=NOW + DAY, **missing) == "missing"
    assert rows_of(database, absences) == []


@pytest.mark.usefixtures("known")
def test_an_article_is_gone_when_it_was_missing_twice_with_the_bracket_of_the_first_time(
    database: Database, objects: ObjectWriter
) -> None:
    missing = {"words": None, "capture": None, "absence": AbsenceKind.NOT_FOUND, "outcome": EntryOutcome.GONE}
    assert look(database, objects, at=NOW + DAY, is_same=True, words=None) == "unchanged"
    assert look(database, objects, at=NOW + 2 * DAY, **missing) == "missing"
    assert rows_of(database, absences) == []
    assert look(database, objects, at=NOW + 3 * DAY, **missing) == "gone"
    assert look(database, objects, at=NOW + 5 * DAY, **missing) == "still_gone"
    (away,) = rows_of(database, absences)
    assert (away.after, away.gone, away.how, away.back) == (
        NOW + DAY,
        NOW + 2 * DAY,
        "not_found",
        None,
    )
    assert look(database, objects, at=NOW + 9 * DAY) == "back"
    (away,) = rows_of(database, absences)
    assert (away.back_after, away.back) == (NOW + 5 * DAY, NOW + 9 * DAY)
    assert row_of(database, pages, id=1).missing is None


@pytest.mark.usefixtures("known")
def test_one_answer_that_it_is_missing_is_a_hiccup(database: Database, objects: ObjectWriter) -> None:
    missing = {"words": None, "capture": None, "absence": AbsenceKind.NOT_FOUND, "outcome": EntryOutcome.GONE}
    look(database, objects, at=NOW + DAY, **missing)
    assert look(database, objects, at=NOW + DAY + HOUR) == "unchanged"
    assert rows_of(database, absences) == []


@pytest.mark.usefixtures("known")
def test_a_page_that_cannot_be_had_says_nothing_of_its_article(database: Database) -> None:
    database.run(look_later, 1, "timeout", HOUR, 30 * DAY, NOW + DAY)
    row = row_of(database, pages, id=1)
    assert (row.recheck, row.looks, row.tries) == (NOW + DAY + HOUR, 0, 1)
    database.run(look_later, 1, "timeout", HOUR, 30 * DAY, NOW + 30 * DAY)
    assert row_of(database, pages, id=1).recheck is None


@pytest.mark.usefixtures("known")
def test_a_page_without_an_article_is_looked_at_again_and_teaches_nothing(
    database: Database, objects: ObjectWriter
) -> None:
    unclear = {"words": None, "outcome": EntryOutcome.EMPTY}
    assert look(database, objects, at=NOW + DAY, **unclear) == "unclear"
    row = row_of(database, pages, id=1)
    assert (row.looks, row.recheck) == (0, NOW + 2 * DAY)
    assert row_of(database, channels).curve is None


# Thousands of transactions: with a server they take ten times as long.
@pytest.mark.parametrize(
    "store_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.zoo)], indirect=True
)
def test_rechecks_stay_within_their_share(database: Database, channel: int, objects: ObjectWriter) -> None:
    names = [f"a{number}" for number in range(200)]
    poll(database, channel, *map(entry, names))
    for number, name in enumerate(names, 1):
        url = f"http://example.org/{name}"
        look(database, objects, at=NOW, page_id=number, url=url, words=name, rules=LEARNED)
    later = NOW + 6 * HOUR
    database.run(rechecks_now, 0.5, later)
    limits = {"limit": 999, "per_host": 999, "busy": (), "not_since": NOW}
    assert 150 <= len(database.run(due_rechecks, later, LEARNED, **limits)) <= 200
    database.run(count_requests, rechecks=190)
    assert len(due(database, later, LEARNED)) <= 40
    database.run(count_requests, rechecks=500)
    assert due(database, later, LEARNED) == []
    # A fixed interval is what the operator wants, whatever it takes.
    fixed = replace(LEARNED, policy=RecheckPolicy(interval=HOUR))
    assert len(due(database, later, fixed)) == 100


@pytest.mark.parametrize(
    ("published", "not_before", "age"),
    [
        (NOW - DAY, None, DAY),
        (NOW - DAY, NOW - HOUR, HOUR),
        (NOW - HOUR, NOW - DAY, HOUR),
        (None, NOW - HOUR, HOUR),
        (NOW + DAY, None, timedelta()),
        (None, None, timedelta()),
    ],
)
def test_an_article_is_no_older_than_the_poll_that_did_not_show_it(
    published: datetime | None, not_before: datetime | None, age: timedelta
) -> None:
    assert age_of(published, not_before, NOW) == age


@pytest.mark.usefixtures("known")
def test_an_article_of_a_new_address_stays_itself_where_it_was_compared(
    database: Database, objects: ObjectWriter
) -> None:
    judged = Judged(version=1, judgement=Judgement(change=Change(kinds=("text",), similarity=0.9)))
    moved = {"url": "http://example.org/elsewhere", "words": "Many more words", "judged": judged}
    assert look(database, objects, at=NOW + DAY, **moved) == "changed"
    assert row_of(database, pages, id=1).article_id == 1


@pytest.mark.usefixtures("known")
def test_other_words_at_another_address_are_another_article(
    database: Database, objects: ObjectWriter
) -> None:
    """Some feeds give one id to one article after the other."""
    judged = Judged(version=1, judgement=Judgement(change=Change(kinds=("text",), similarity=0.1)))
    moved = {"url": "http://example.org/elsewhere", "words": "Wholly other words", "judged": judged}
    look(database, objects, at=NOW + DAY, is_recheck=False, **moved)
    assert row_of(database, pages, id=1).article_id == 2
    assert [row.version for row in rows_of(database, articles)] == [1, 1]


def test_an_article_that_two_pages_miss_is_gone_once_and_back_when_a_third_shows_it(
    database: Database, known: int, objects: ObjectWriter
) -> None:
    links = {name: entry(name, link=f"http://example.org/{name}") for name in "bc"}
    poll(database, known, entry("a"), *links.values(), now=NOW + HOUR)
    look(database, objects, at=NOW + DAY, page_id=2, url="http://example.org/a")
    away = [
        Finding(
            page_id=number,
            url="http://example.org/a",
            leads=(),
            known_at=NOW + 2 * DAY + number * HOUR,
            article_id=1,
            absence=AbsenceKind.GONE,
            is_recheck=True,
            outcome=EntryOutcome.GONE,
        )
        for number in (1, 2)
    ]
    at = NOW + 3 * DAY
    rules = SettlementRules(rechecks=DAILY)
    ended = database.run(settle_findings, away, objects, rules, recorded=at, now=at)
    assert [ending.look for ending in ended.of_each] == ["gone", "still_gone"]
    assert len(rows_of(database, absences)) == 1
    assert look(database, objects, at=NOW + 4 * DAY, page_id=3, url="http://example.org/a") == "back"
    assert row_of(database, absences).back == NOW + 4 * DAY


@pytest.mark.usefixtures("known")
def test_what_was_learned_stays_while_no_rechecks_are_made(database: Database, objects: ObjectWriter) -> None:
    for day in range(1, 6):
        look(database, objects, at=NOW + day * DAY, is_same=True, words=None)
    before = unpacked(row_of(database, recheck_prices).curve)
    look(database, objects, at=NOW + 6 * DAY, is_same=True, words=None, rules=NO_RECHECKS)
    after = unpacked(row_of(database, recheck_prices).curve)
    assert sum(after.watched) > sum(before.watched) > 4


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("rules", [DAILY, NO_RECHECKS])
def test_the_third_change_in_a_row_asks_for_one_more_look_at_once(
    database: Database, objects: ObjectWriter, rules: RecheckRules
) -> None:
    for number in (1, 2, 3):
        assert due(database, NOW + number * DAY, NO_RECHECKS) == []
        at = NOW + number * DAY
        assert look(database, objects, at=at, rules=rules, words=f"Words {number}") == "changed"
    (page,) = due(database, NOW + 3 * DAY, NO_RECHECKS)
    assert page.is_recheck
    assert "3 times in a row" in row_of(database, pages, id=1).why
    assert database.run(restlessness, [1])[1].is_looked_at_once_more
    look(database, objects, at=NOW + 3 * DAY, is_same=True, words=None)
    assert due(database, NOW + 3 * DAY, NO_RECHECKS) == []
    assert database.run(restlessness, [1])[1] == Restless(streak=0)


@pytest.mark.usefixtures("known")
def test_what_changes_by_itself_is_remembered_with_the_page(
    database: Database, objects: ObjectWriter
) -> None:
    spot = Spot(before="a", after="b", paths=("div/p",), seen="c")
    known = Judged(version=1, judgement=Judgement(change=None, volatile=(spot,)))
    assert look(database, objects, at=NOW + DAY, words="Others", judged=known) == "unchanged"
    assert database.run(restlessness, [1])[1] == Restless(streak=0, volatile=(spot,))
    look(database, objects, at=NOW + 2 * DAY, is_same=True, words=None)
    assert database.run(restlessness, [1])[1].volatile == (spot,)


def test_a_page_waits_for_the_poll_of_its_channel_and_is_fetched_once(database: Database, known: int) -> None:
    """An entry that changed asks for its page itself: a recheck before that would be another fetch."""
    later = NOW + DAY
    moved = update(channels).where(channels.c.id == known)
    database.run(lambda connection: connection.execute(moved.values(next_poll=later)))
    assert due(database, later, not_since=later) == []
    poll(database, known, entry("a", title="Another title"), now=later)
    assert [page.id for page in database.run(pending, later)] == [1]
    assert due(database, later) == []


def test_a_channel_that_a_run_has_polled_keeps_no_article_waiting(database: Database, known: int) -> None:
    later = NOW + DAY
    poll(database, known, entry("a"), now=later)
    soon = update(channels).where(channels.c.id == known).values(next_poll=later)
    database.run(lambda connection: connection.execute(soon))
    assert due(database, later, not_since=None) == []
    assert [page.id for page in due(database, later, not_since=later - HOUR)] == [1]


def pending(connection: Connection, now: datetime) -> list[PendingPage]:
    return page_store.pending_pages(connection, now, limit=9, per_host=9, busy=())


def scheduled(database: Database) -> tuple[datetime | None, str]:
    row = row_of(database, pages, id=1)
    return row.recheck, row.why


@pytest.mark.usefixtures("known")
def test_a_new_interval_reaches_articles_that_are_scheduled(database: Database) -> None:
    """Shorter or longer: the fixture's is a day."""
    for interval, told in ((6 * HOUR, "every 6 h"), (3 * DAY, "every 3 days")):
        policy = replace(DAILY.policy, interval=interval)
        assert database.run(reach_scheduled, policy, NOW + HOUR) == 1
        assert scheduled(database) == (NOW + interval, f"{told}, as RECHECK_INTERVAL says")
        assert database.run(reach_scheduled, policy, NOW + HOUR) == 0


@pytest.mark.usefixtures("known")
def test_an_interval_that_is_no_longer_set_leaves_none_waiting_for_it(database: Database) -> None:
    assert database.run(reach_scheduled, RecheckPolicy(), NOW + HOUR) == 1
    assert scheduled(database) == (NOW + HOUR, "RECHECK_INTERVAL is no longer set")
    assert database.run(reach_scheduled, RecheckPolicy(), NOW + HOUR) == 0


@pytest.mark.usefixtures("known")
def test_a_new_interval_looks_at_none_that_is_too_old_by_then(database: Database) -> None:
    policy = replace(DAILY.policy, interval=6 * HOUR, until=2 * HOUR)
    database.run(reach_scheduled, policy, NOW + HOUR)
    assert scheduled(database) == (None, "older than 2 h")


@pytest.mark.usefixtures("known")
def test_a_page_that_could_not_be_had_keeps_its_own_plan(database: Database) -> None:
    database.run(look_later, 1, "timeout", HOUR, DAY, NOW)
    assert database.run(reach_scheduled, replace(DAILY.policy, interval=6 * HOUR), NOW) == 0


@pytest.mark.usefixtures("known")
def test_an_article_whose_entry_vanished_is_looked_at_now_though_the_interval_is_new(
    database: Database,
) -> None:
    database.run(look_now, [1], VANISHED, NOW + HOUR)
    assert database.run(reach_scheduled, replace(DAILY.policy, interval=6 * HOUR), NOW + HOUR) == 0
    assert scheduled(database) == (NOW + HOUR, VANISHED)


@pytest.mark.usefixtures("known")
def test_an_article_that_is_missing_is_looked_for_as_before_though_its_entry_vanished(
    database: Database, objects: ObjectWriter
) -> None:
    missing = {"words": None, "capture": None, "absence": AbsenceKind.NOT_FOUND, "outcome": EntryOutcome.GONE}
    look(database, objects, at=NOW + DAY, **missing)
    before = scheduled(database)
    database.run(look_now, [1], VANISHED, NOW + DAY)
    assert scheduled(database) == before


def listed_as(database: Database, channel: int, names: str, hours: float) -> list[str]:
    """Poll what shows these entries; those whose articles are due at once, though all were settled."""
    at = NOW + hours * HOUR
    for number, name in enumerate("abcdef", start=1):
        shown = update(pages).where(pages.c.url == f"http://example.org/{name}")
        values = {"state": "settled", "article_id": None, "recheck": None}
        database.run(lambda connection, shown=shown, values=values: connection.execute(shown.values(values)))
        database.run(article_known, f"http://example.org/{name}", number)
    poll(database, channel, *map(entry, names), now=at)
    return [row.url[-1] for row in rows_of(database, pages) if row.recheck == at and row.why == VANISHED]


def article_known(connection: Connection, url: str, number: int) -> None:
    if connection.execute(select(articles.c.id).where(articles.c.id == number)).first() is None:
        seen = {"first_seen": NOW, "last_captured": NOW, "version": 1}
        connection.execute(insert(articles).values(id=number, key=url, url=url, **seen))
    connection.execute(update(pages).where(pages.c.url == url).values(article_id=number))


@pytest.mark.parametrize(
    ("before", "after", "vanished"),
    [
        ("edcba", "edba", ["c"]),
        ("edcba", "fedba", ["c"]),
        ("edcba", "fedcb", []),  # the oldest went, as it should
        ("abcde", "bcdef", []),  # so did the first, of a feed that has its newest last
        ("edcba", "dcba", []),  # the newest was taken back: nothing newer is there
        ("edcba", "", []),
        ("edcba", "f", []),
    ],
)
def test_an_article_whose_entry_vanished_from_the_middle_is_due(
    database: Database, channel: int, before: str, after: str, vanished: list[str]
) -> None:
    poll(database, channel, *map(entry, before))
    assert listed_as(database, channel, after, 1) == vanished


def test_what_came_later_is_newer_wherever_it_stands(database: Database, channel: int) -> None:
    poll(database, channel, *map(entry, "ba"))
    listed_as(database, channel, "dcba", 1)
    assert listed_as(database, channel, "dba", 2) == []  # of `c`, nothing tells whether `d` is newer
    assert listed_as(database, channel, "edba", 3) == []
    assert listed_as(database, channel, "eba", 4) == ["d"]
