"""The channels as people and programs see them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from archiver.acquisition.channels.polling.details import Surroundings, channel_details, channels_json
from archiver.acquisition.channels.polling.listing import channel_table, chosen, schedule_now
from archiver.acquisition.outcomes import Failure
from archiver.display.tables import display_width
from archiver.store.database import Database
from archiver.store.polling.channels import list_channels
from archiver.store.schema import channels
from tests.store.samples import add_channel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Row

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECRET = "http://me:hunter2@example.org/feed?token=hunter2"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    well = {"last_poll": NOW - HOUR, "next_poll": NOW + 20 * HOUR / 60, "outcome": "new", "entries": 12}
    bad = {"outcome": Failure.NOT_FOUND, "failures": 3, "failing_since": NOW - 48 * HOUR}
    add_channel(database, SECRET, labels=("news", "harbour"))
    change(database, 1, title="The Harbour\x1b[31m \u202eGazette", why="about 0.4 are expected", **well)
    add_channel(database, "http://example.org/dead", labels=("news",))
    change(database, 2, why="not found (404), 3 in a row", **well | bad)
    add_channel(database, "http://example.org/stopped")
    change(database, 3, status="paused", why="paused by hand on 2026-03-01", **well | bad)
    add_channel(database, "http://example.org/new")
    yield database
    database.close()


def change(database: Database, number: int, **values: Any) -> None:
    query = update(channels).where(channels.c.id == number).values(**values)
    database.run(lambda connection: connection.execute(query))


@pytest.fixture
def rows(database: Database) -> Sequence[Row[Any]]:
    return database.run(list_channels)


def test_each_channel_has_a_line_that_fits_the_window(rows: Sequence[Row[Any]]) -> None:
    lines = list(channel_table(rows, NOW, width=80))
    assert lines == [
        "No.  Channel               Status           Entries  Next poll      Labels",
        "  1  The Harbour\ufffd[31m \ufffdG…  ok                    12  in 20 minutes  news, harbo…",
        "  2  example.org/dead      not found (404)       12  in 20 minutes  news",
        "  3  example.org/stopped   paused                12  –",
        "  4  example.org/new       not polled yet         0  due now",
    ]
    for width in (20, 40, 60, 100, 200):
        assert all(display_width(line) <= width for line in channel_table(rows, NOW, width=width))
    whole = list(channel_table(rows, NOW, width=None))
    assert (
        whole[1].endswith("1 hour ago  http://***@example.org/feed?token=***") or "60 minutes ago" in whole[1]
    )
    assert "hunter2" not in "".join(whole)


def test_channels_are_chosen_by_label_status_and_failure(rows: Sequence[Row[Any]]) -> None:
    def numbers(**wanted: Any) -> list[int]:
        return [row.id for row in chosen(rows, **wanted)]

    assert numbers() == [1, 2, 3, 4]
    # What was stopped by hand does not fail any more.
    assert numbers(failing=True) == [2]
    assert numbers(labels=["harbour", "unknown"]) == [1]
    assert numbers(labels=["news"], failing=True) == [2]
    assert numbers(status="paused") == [3]


def test_all_that_is_known_of_a_channel_is_told(rows: Sequence[Row[Any]]) -> None:
    around = Surroundings(gaps={2: {"filled": 2, "partly": 1}}, sources={2: ["/seeds.txt"]})
    told = "\n".join(channel_details(rows[1], around, NOW))
    assert told == (
        "Channel 2: http://example.org/dead\n"
        "  URL        http://example.org/dead\n"
        "  Kind       not known yet\n"
        "  Named by   /seeds.txt\n"
        "  Labels     news\n"
        "  Status     active; 3 polls in a row failed, the first 2 days ago (2026-02-28 07:00 UTC)\n"
        "  Entries    12\n"
        "  Last poll  60 minutes ago (2026-03-02 06:00 UTC): not found (404)\n"
        "  Next poll  in 20 minutes (2026-03-02 07:20 UTC): not found (404), 3 in a row\n"
        "  Gaps       2 filled, 1 partly filled"
    )
    first = "\n".join(channel_details(rows[0], around, NOW))
    assert "hunter2" not in first
    assert first.replace("\n", "").isprintable()
    assert "Status     paused: paused by hand on 2026-03-01" in "\n".join(
        channel_details(rows[2], around, NOW)
    )
    assert "Last poll  never" in "\n".join(channel_details(rows[3], around, NOW))


def test_programs_get_codes_and_exact_times(rows: Sequence[Row[Any]]) -> None:
    first, dead, paused, _ = json.loads(channels_json(rows, Surroundings(gaps={2: {"open": 1}})))
    assert first["url"] == "http://***@example.org/feed?token=***"
    assert first["next_poll"] == "2026-03-02T07:20:00.000000Z"
    assert first["labels"] == ["news", "harbour"]
    assert (dead["outcome"], dead["failures"], dead["gaps"]) == ("not_found", 3, {"open": 1})
    assert dead["failing_since"] == "2026-02-28T07:00:00.000000Z"
    assert (paused["status"], paused["next_poll"]) == ("paused", None)


def test_after_a_rehearsal_now_is_when_its_last_poll_was(rows: Sequence[Row[Any]]) -> None:
    assert schedule_now(rows, NOW - 100 * HOUR) == NOW - HOUR
    assert schedule_now(rows, NOW) == NOW
    assert schedule_now([], NOW) == NOW
