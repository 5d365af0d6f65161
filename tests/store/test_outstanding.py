"""What is still to be done, for the progress line and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from archiver.store.outstanding import Outstanding, outstanding
from archiver.store.schema import channels, pages
from tests.store.samples import HOUR, NOW, add_channel, entry, poll, row_of

if TYPE_CHECKING:
    from sqlalchemy import Table

    from archiver.store.database import Database


def change(database: Database, table: Table, number: int, **values: Any) -> None:
    query = update(table).where(table.c.id == number).values(**values)
    database.run(lambda connection: connection.execute(query))


def test_what_is_left_is_counted_by_what_is_to_be_done(database: Database) -> None:
    first = add_channel(database, "http://example.org/feed")
    other = add_channel(database, "http://example.net/feed")
    poll(database, first, entry("a"), entry("b"), entry("c"), entry("d"), now=NOW)
    change(database, pages, 1, state="captured")
    change(database, pages, 2, state="settled")
    change(database, pages, 3, next_try=NOW + HOUR)
    left = database.run(outstanding, NOW, None)
    polled = row_of(database, channels, id=first)
    assert left == Outstanding(pages=1, retries=1, unread=1, channels=1, next_poll=NOW)
    assert database.run(outstanding, NOW, ["http://example.org/feed"]).channels == 0
    assert database.run(outstanding, NOW, ["http://example.org/feed"]).next_poll == polled.next_poll
    change(database, channels, other, status="paused")
    assert database.run(outstanding, NOW, None).channels == 0


def test_a_run_counts_what_it_polled_once_and_what_of_that_fails(database: Database) -> None:
    for number in range(3):
        channel = add_channel(database, f"http://example.org/{number}")
        change(
            database, channels, channel, last_poll=NOW + (number - 1) * HOUR, failures=number, next_poll=NOW
        )
    left = database.run(outstanding, NOW + HOUR, None, began=NOW, polls_again=False)
    assert (left.channels, left.failing) == (1, 2)
    again = database.run(outstanding, NOW + HOUR, None, began=NOW, polls_again=True)
    assert (again.channels, again.failing) == (3, 2)
