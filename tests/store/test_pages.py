"""Pages: which are fetched next, which are read next, and who waits for them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.findings import Settlement
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.pages import EntryOutcome
from archiver.store.content import pages as page_store
from archiver.store.content.leads import waiting_leads
from archiver.store.content.pages import FreshCapture
from tests.store.samples import HOUR, NOW, add_channel, all_entries, all_pages, capture, entry, poll

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.store.database import Database


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


def pending(database: Database, now: datetime = NOW, **other: Any) -> list[str]:
    values = {"limit": 100, "per_host": 100, "busy": frozenset()} | other
    return [page.url for page in database.run(page_store.pending_pages, now, **values)]


def settle(database: Database, page_id: int, known_at: datetime, **other: Any) -> None:
    values = {"outcome": EntryOutcome.EMPTY} | other
    ended = Settlement(page_id=page_id, known_at=known_at, **values)
    database.run(page_store.settle, [ended], recorded=known_at, now=known_at)


def test_pages_are_fetched_in_the_order_in_which_they_wait(database: Database, channel: int) -> None:
    for number in (2, 0, 1):
        poll(database, channel, entry(str(number)), now=NOW + HOUR * number)
    assert pending(database, NOW + 2 * HOUR) == [f"http://example.org/{number}" for number in range(3)]
    assert pending(database, NOW + 2 * HOUR, limit=2) == ["http://example.org/0", "http://example.org/1"]
    assert pending(database, NOW) == ["http://example.org/0"]


def test_no_host_takes_the_places_of_the_others(database: Database, channel: int) -> None:
    links = [f"http://large.example/{number}" for number in range(20)]
    poll(database, channel, *(entry(link, link=link) for link in links))
    poll(database, channel, entry("s", link="http://small.example/"), now=NOW + HOUR)
    assert pending(database, NOW + HOUR, per_host=3) == [*links[:3], "http://small.example/"]


def test_what_is_being_fetched_is_not_handed_out_again(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"), entry("b"))
    assert pending(database, busy={all_pages(database)["http://example.org/a"].id}) == [
        "http://example.org/b"
    ]


def test_a_page_is_tried_again_after_its_wait(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    assert database.run(page_store.tries_of, 1) == 0
    database.run(page_store.try_again, 1, Failure.TIMEOUT, HOUR, NOW)
    assert database.run(page_store.tries_of, 1) == 1
    assert pending(database, NOW + HOUR * 0.9) == []
    assert pending(database, NOW + HOUR) == ["http://example.org/a"]
    assert database.run(page_store.next_try) == NOW + HOUR
    assert all_pages(database)["http://example.org/a"].failure == "timeout"


def test_a_captured_page_is_read_and_not_fetched(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"), entry("b"))
    database.run(page_store.mark_captured, [FreshCapture(page_id=1, capture=capture(1))])
    assert pending(database) == ["http://example.org/b"]
    assert database.run(page_store.count_captured) == 1
    page = all_pages(database)["http://example.org/a"]
    assert (page.capture, page.captured, page.scope_id) == (capture(1), NOW, channel)


def test_a_captured_page_whose_record_is_lost_is_fetched_again(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    database.run(page_store.mark_captured, [FreshCapture(page_id=1, capture=capture(1))])
    database.run(page_store.try_again, 1, Failure.INTERNAL, HOUR, NOW)
    assert database.run(page_store.count_captured) == 0
    assert pending(database, NOW + HOUR) == ["http://example.org/a"]


def test_faults_that_keep_a_page_from_being_read_are_counted_apart_from_the_tries_to_fetch_it(
    database: Database, channel: int
) -> None:
    poll(database, channel, entry("a"))
    database.run(page_store.try_again, 1, Failure.TIMEOUT, HOUR, NOW)
    database.run(page_store.mark_captured, [FreshCapture(page_id=1, capture=capture(1))])
    assert [database.run(page_store.note_fault, 1) for _ in range(3)] == [1, 2, 3]
    assert all_pages(database)["http://example.org/a"].state == "captured"


def test_who_announced_a_page_first_stands_in_front(database: Database, channel: int) -> None:
    other = add_channel(database, "http://example.com/feed")
    link = "http://example.org/a"
    poll(database, other, entry("z", link=link), now=NOW + HOUR)
    poll(database, channel, entry("a"), now=NOW)
    waiting = database.run(waiting_leads, [1, 99])
    assert [one.entry.id for one in waiting[1]] == ["a", "z"]
    assert waiting[1][0].via == "http://example.org/feed"
    assert list(waiting) == [1]


def test_settling_ends_the_wait_of_all_entries_of_a_page(database: Database, channel: int) -> None:
    other = add_channel(database, "http://example.com/feed")
    poll(database, channel, entry("a"), entry("b"))
    poll(database, other, entry("z", link="http://example.org/a"))
    settle(database, 1, NOW + HOUR, outcome=EntryOutcome.REFUSED, detail="robots")
    found = all_entries(database)
    assert (found["a"].pending, found["a"].outcome, found["a"].settled) == (False, "refused", NOW + HOUR)
    assert (found["z"].pending, found["z"].outcome) == (False, "refused")
    assert found["b"].pending
    page = all_pages(database)["http://example.org/a"]
    assert (page.state, page.failure) == ("settled", "robots")


def test_an_entry_that_changed_after_the_capture_asks_again(database: Database, channel: int) -> None:
    poll(database, channel, entry("a"))
    database.run(
        page_store.mark_captured,
        [FreshCapture(page_id=1, capture=capture(1, date=NOW + timedelta(minutes=1)))],
    )
    poll(database, channel, entry("a", title="Corrected"), now=NOW + timedelta(minutes=2))
    settle(database, 1, NOW + timedelta(minutes=1))
    assert all_entries(database)["a"].pending
    assert all_pages(database)["http://example.org/a"].state == "pending"
    settle(database, 1, NOW + timedelta(minutes=3))
    assert not all_entries(database)["a"].pending
    assert all_pages(database)["http://example.org/a"].state == "settled"


def test_an_entry_that_joins_while_a_page_is_captured_is_answered_by_it(
    database: Database, channel: int
) -> None:
    poll(database, channel, entry("a"))
    database.run(page_store.mark_captured, [FreshCapture(page_id=1, capture=capture(1))])
    other = add_channel(database, "http://example.com/feed")
    poll(database, other, entry("z", link="http://example.org/a"), now=NOW + HOUR)
    settle(database, 1, NOW)
    assert not any(row.pending for row in all_entries(database).values())


def test_many_pages_are_settled_in_one_go(database: Database, channel: int) -> None:
    poll(database, channel, *(entry(str(number)) for number in range(200)))
    outcomes = [EntryOutcome.EMPTY, EntryOutcome.GONE]
    ended = [Settlement(page_id=n, outcome=outcomes[n % 2], known_at=NOW) for n in range(1, 201)]
    database.run(page_store.settle, ended, recorded=NOW, now=NOW)
    rows = all_entries(database).values()
    assert sorted(row.outcome for row in rows) == ["empty"] * 100 + ["gone"] * 100
    assert pending(database) == []
    assert database.run(page_store.next_try) is None
