"""A clock that was ahead once: told at the next start, and nothing waits for years because of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, update

from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.store.clockwork import Horizons, begin_run, check_clock, end_run
from archiver.store.polling.due import due_channels
from archiver.store.schema import channels, entries, pages, poll_prices, runs
from tests.store.samples import NOW, add_channel, entry, poll, row_of, rows_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.store.clockwork import DoubtedRun, PulledBack
    from archiver.store.database import Database

DAY = timedelta(days=1)
AHEAD = NOW + 5 * 365 * DAY
HORIZONS = Horizons(polls=33 * DAY, pages=33 * DAY, rechecks=60 * DAY, leases=90 * DAY)


def start(
    database: Database, moment: datetime = NOW, now: datetime | None = None
) -> tuple[list[DoubtedRun], PulledBack]:
    run, doubted, pulled = database.run(check_clock, HORIZONS, now=now or moment, moment=moment)
    database.run(end_run, run, moment)
    return doubted, pulled


def due(database: Database, started: datetime) -> list[int]:
    found = database.run(due_channels, started, limit=9, busy=(), sources=None, not_since=started)
    return [one.id for one in found]


def change(database: Database, table: Any, **values: object) -> None:
    database.run(lambda connection: connection.execute(update(table).values(**values)))


@pytest.fixture
def channel(database: Database) -> int:
    """A channel that was polled when the clock was five years ahead."""
    number = add_channel(database)
    start(database, AHEAD)
    poll(database, number, entry("1"), now=AHEAD, validators=Validators(etag="x"))
    return number


def test_polls_that_a_clock_put_off_for_years_are_due_at_the_next_start(
    database: Database, channel: int
) -> None:
    assert due(database, NOW) == []
    doubted, pulled = start(database)
    assert [(one.started, one.entries) for one in doubted] == [(AHEAD, 1)]
    assert (pulled.polls, pulled.pages) == (1, 1)
    assert due(database, NOW + timedelta(seconds=1)) == [channel]
    row = row_of(database, channels)
    assert row.last_poll == row.last_success == NOW
    assert "clock" in row.why
    assert row_of(database, pages).next_try == NOW
    # What was noted then is left as it is, and its run stays marked.
    assert row_of(database, entries).first_seen == AHEAD
    assert [row.doubted for row in rows_of(database, runs)] == [NOW, None]
    # It is told once.
    again, pulled = start(database, NOW + timedelta(minutes=1))
    assert (again, bool(pulled)) == ([], False)


def test_a_clock_that_was_ahead_by_days_keeps_no_channel_from_being_polled(database: Database) -> None:
    """Nothing is put off too far, but a channel counts as polled until that time has come."""
    number = add_channel(database)
    start(database, NOW + 3 * DAY)
    poll(database, number, entry("1"), now=NOW + 3 * DAY)
    change(database, channels, next_poll=NOW)
    assert due(database, NOW) == []
    doubted, _ = start(database)
    assert len(doubted) == 1
    assert due(database, NOW + timedelta(seconds=1)) == [number]


def test_an_archive_that_noted_no_runs_is_looked_at_as_well(database: Database) -> None:
    number = add_channel(database)
    poll(database, number, now=NOW + 3 * DAY)
    doubted, _ = start(database)
    assert doubted == []
    assert row_of(database, channels).last_poll == NOW


def test_times_that_something_waits_for_are_brought_down(database: Database, channel: int) -> None:
    price = {"id": 1, "budget": 1.0, "price": 1.0, "since": AHEAD, "polls": 0, "before": 0.0, "days": 0.0}
    database.run(lambda connection: connection.execute(insert(poll_prices).values(**price)))
    change(database, entries, changed=AHEAD)
    change(database, channels, last_gap=AHEAD)
    change(database, pages, state="settled", recheck=AHEAD, looked=AHEAD, born=AHEAD)
    _, pulled = start(database)
    assert pulled.rechecks == 1
    page = row_of(database, pages)
    assert (page.recheck, page.looked, page.born) == (NOW, NOW, NOW)
    assert row_of(database, entries).changed == NOW
    assert row_of(database, channels).last_gap == NOW
    assert row_of(database, poll_prices).since == NOW
    assert channel


def test_what_a_setting_or_a_seed_asks_for_is_left_alone(database: Database) -> None:
    number = add_channel(database)
    start(database)
    # A retired channel is asked once a month; a seed may ask for a poll a year.
    for values in ({"next_poll": NOW + 32 * DAY}, {"next_poll": NOW + 364 * DAY, "every": 365 * 86400.0}):
        change(database, channels, **values)
        assert not start(database)[1]
        assert row_of(database, channels).next_poll == values["next_poll"]
    # Pages of a very large feed have their turn later, as long as no clock is suspect.
    poll(database, number, entry("1"))
    change(database, pages, next_try=NOW + 40 * DAY)
    assert not start(database)[1]


def test_a_rehearsal_that_moves_only_the_schedule_is_no_doubt(database: Database) -> None:
    number = add_channel(database)
    for days in (0, 1, 400):
        doubted, pulled = start(database, NOW + timedelta(minutes=days), NOW + days * DAY)
        assert (doubted, bool(pulled)) == ([], False)
        poll(database, number, entry(str(days)), now=NOW + days * DAY)
        change(database, channels, last_poll=NOW, last_success=NOW)
    # When the rehearsal is over, the schedule is brought back.
    doubted, pulled = start(database, NOW + timedelta(hours=7), NOW + timedelta(hours=7))
    assert (doubted, pulled.polls) == ([], 1)


def test_clocks_that_differ_a_little_are_no_doubt(database: Database) -> None:
    database.run(begin_run, NOW + timedelta(minutes=10))
    assert start(database)[0] == []


def test_a_failing_channel_is_pulled_back_too(database: Database) -> None:
    number = add_channel(database)
    start(database, AHEAD)
    poll(database, number, feed=None, failed=Failed(failure=Failure.CONNECTION), now=AHEAD)
    start(database)
    assert due(database, NOW + timedelta(seconds=1)) == [number]
