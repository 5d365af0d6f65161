"""Hosts that ask for long delays are known from one run to the next, and forgotten when they are over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.store import quotas
from archiver.store.quotas import note_rest, resting_hosts
from archiver.store.schema import host_rests
from tests.store.samples import NOW, rows_of

if TYPE_CHECKING:
    import pytest

    from archiver.store.database import Database

MINUTE = timedelta(minutes=1)


def left(database: Database, moment: object = NOW) -> dict[str, float]:
    found = database.run(resting_hosts, moment)  # type: ignore[arg-type] # a datetime
    return {host: rest.left for host, rest in found.items()}


def test_what_is_left_of_a_rest_is_known_and_what_is_over_is_forgotten(database: Database) -> None:
    database.run(note_rest, "hour.test", 3600.0, NOW - 50 * MINUTE)
    database.run(note_rest, "over.test", 3600.0, NOW - 61 * MINUTE)
    assert left(database) == {"hour.test": 600.0}
    assert [row.host for row in rows_of(database, host_rests)] == ["hour.test"]


def test_the_last_answer_counts_and_the_delay_that_was_asked_for_then(database: Database) -> None:
    database.run(note_rest, "a.test", 3600.0, NOW - 50 * MINUTE)
    database.run(note_rest, "a.test", 120.0, NOW - MINUTE)
    assert left(database) == {"a.test": 60.0}


def test_a_clock_that_was_ahead_makes_no_rest_longer(database: Database) -> None:
    database.run(note_rest, "a.test", 3600.0, NOW + timedelta(days=365))
    assert left(database) == {"a.test": 3600.0}


def test_no_more_hosts_are_known_than_fit(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "_MOST_HOSTS", 2)
    for number in range(4):
        database.run(note_rest, f"{number}.test", 3600.0, NOW - number * MINUTE)
    assert set(left(database)) == {"0.test", "1.test"}
    assert len(rows_of(database, host_rests)) == 2
