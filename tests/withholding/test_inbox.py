"""What readers leave is done once, whatever happens in between."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.archive.inbox import leave, set_down, taken, waiting
from archiver.archive.withheld import pattern_of
from archiver.running.inbox import empty_inbox, restore_requests
from archiver.store.database import Database
from archiver.store.inbox import take_up
from archiver.store.withheld import KIND, WithholdRequest, list_orders, load_withheld

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
PAGE = "https://example.org/page"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(f"sqlite:///{tmp_path / 'state.sqlite'}")) as database:
        yield database


def ask(archive: Path, named: str = PAGE, *, lift: bool = False, after: int = 0) -> None:
    request = WithholdRequest(pattern=pattern_of(named), reason="order 7", lift=lift)
    leave(archive, KIND, request, NOW + timedelta(seconds=after))


def hides(database: Database, archive: Path, url: str = PAGE) -> bool:
    return database.run(load_withheld, archive).hides(url)


def test_a_request_holds_while_it_waits_and_after_it_was_taken_up(tmp_path: Path, database: Database) -> None:
    assert not hides(database, tmp_path)
    ask(tmp_path)
    assert hides(database, tmp_path)
    assert [order.is_waiting for order in database.run(list_orders, tmp_path)] == [True]
    assert empty_inbox(database, tmp_path, NOW) == []
    assert waiting(tmp_path).requests == ()
    assert hides(database, tmp_path)
    (order,) = database.run(list_orders, tmp_path)
    assert (order.named, order.reason, order.since, order.is_waiting) == (PAGE, "order 7", NOW, False)


def test_a_lift_holds_at_once_and_the_order_stays_on_record(tmp_path: Path, database: Database) -> None:
    ask(tmp_path)
    empty_inbox(database, tmp_path, NOW)
    ask(tmp_path, "http://www.example.org/page", lift=True, after=60)
    assert not hides(database, tmp_path)
    empty_inbox(database, tmp_path, NOW)
    assert not hides(database, tmp_path)
    ask(tmp_path, after=120)
    empty_inbox(database, tmp_path, NOW)
    assert hides(database, tmp_path)
    assert [order.lifted for order in database.run(list_orders, tmp_path)] == [
        None,
        NOW + timedelta(seconds=60),
    ]


def test_a_crash_before_the_file_is_gone_does_nothing_twice(tmp_path: Path, database: Database) -> None:
    ask(tmp_path)
    database.run(take_up, waiting(tmp_path).requests, NOW)  # and the process is killed here
    assert len(waiting(tmp_path).requests) == 1
    assert len(database.run(list_orders, tmp_path)) == 1
    ask(tmp_path, lift=True, after=1)
    empty_inbox(database, tmp_path, NOW)
    # Done again, the first would withhold the page anew after it was lifted.
    assert not hides(database, tmp_path)
    assert len(taken(tmp_path, KIND)) == 2


def test_a_crash_between_the_journal_and_the_file_repeats_no_request(
    tmp_path: Path, database: Database
) -> None:
    ask(tmp_path)
    (request,) = waiting(tmp_path).requests
    database.run(take_up, [request], NOW)
    set_down(tmp_path, [request])
    journal = tmp_path / "inbox" / "taken-withhold.jsonl"
    journal.write_bytes(journal.read_bytes() + b'{"id": "cut')
    ask(tmp_path, "example.com", after=1)
    empty_inbox(database, tmp_path, NOW)
    set_down(tmp_path, [request])
    first, second = taken(tmp_path, KIND)
    assert first.id == request.id
    assert second.made > first.made


def test_orders_survive_the_loss_of_the_state_store(tmp_path: Path, database: Database) -> None:
    ask(tmp_path)
    ask(tmp_path, "example.com", after=1)
    ask(tmp_path, "example.com", lift=True, after=2)
    empty_inbox(database, tmp_path, NOW)
    ask(tmp_path, "https://example.net/folder/*", after=3)
    # No store at all, then a new one that no run has opened yet, then one that a run has.
    for connection_of in (None, "new", "restored"):
        if connection_of is None:
            found = load_withheld(None, tmp_path)
        else:
            with closing(Database(f"sqlite:///{tmp_path / 'new.sqlite'}")) as new:
                if connection_of == "restored":
                    restore_requests(new, tmp_path, NOW)
                found = new.run(load_withheld, tmp_path)
        assert found.hides(PAGE)
        assert not found.hides("https://example.com/")
        assert found.hides("https://example.net/folder/page")


def test_what_is_not_a_request_is_set_aside_and_stops_no_other(tmp_path: Path, database: Database) -> None:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "0-broken.json").write_bytes(b"{")
    (tmp_path / "inbox" / "1-unknown.json").write_bytes(
        b'{"id": "1-unknown", "kind": "praise", "made": "2026-03-02T07:05:09Z", "what": {}}'
    )
    (tmp_path / "inbox" / "2-odd.json").write_bytes(
        b'{"id": "2-odd", "kind": "withhold", "made": "2026-03-02T07:05:09Z", "what": {"reason": 3}}'
    )
    ask(tmp_path)
    told = empty_inbox(database, tmp_path, NOW)
    assert len(told) == 3
    assert "'praise' is not a kind of request" in "".join(told)
    assert hides(database, tmp_path)
    assert empty_inbox(database, tmp_path, NOW) == []
    assert len(list((tmp_path / "inbox").glob("*.unreadable"))) == 3


def test_an_order_is_noted_once_however_often_it_is_given(tmp_path: Path, database: Database) -> None:
    ask(tmp_path)
    ask(tmp_path, after=1)
    empty_inbox(database, tmp_path, NOW)
    assert len(database.run(list_orders, tmp_path)) == 1
