"""`scrapy simulate`: other budgets, on the archive's own histories."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.clock import machine_now
from archiver.documents.feeds.model import FeedDate
from archiver.inspection.simulation.archive import own_histories
from archiver.store.database import Database
from archiver.store.reading import reading
from tests.store.samples import add_channel, entry, poll

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

NOW = machine_now()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Two feeds, polled twice: one dates its entries, the other does not."""
    (tmp_path / "warc").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    dated, undated = (add_channel(database, f"http://example.org/{name}") for name in ("dated", "undated"))
    for days in (3, 0):
        now = NOW - timedelta(days=days)
        stamps = [FeedDate(text="then", utc=now - timedelta(hours=2 * number)) for number in range(12)]
        poll(database, dated, *(entry(f"{days}-{n}", published=one) for n, one in enumerate(stamps)), now=now)
        poll(database, undated, *(entry(f"{days}-{number}") for number in range(5)), now=now)
    database.close()
    return tmp_path


def test_histories_are_dates_where_there_are_any_else_when_entries_were_first_seen(archive: Path) -> None:
    with reading(f"sqlite:///{archive / 'state.sqlite'}") as state:
        own = own_histories(state)
    assert own is not None
    assert own.histories.window.tolist() == [12, 5]
    dates = [NOW - timedelta(days=days, hours=2 * number) for days in (3, 0) for number in range(12)]
    assert own.histories.of(0) == pytest.approx(sorted(one.timestamp() for one in dates))
    # What the first poll found without a date is of nobody knows when.
    assert own.histories.of(1) == pytest.approx([NOW.timestamp()] * 5)
    assert own.since == pytest.approx((NOW - timedelta(days=3)).timestamp())
    assert own.span.days == pytest.approx(7, abs=0.01)


def test_it_tells_what_a_budget_would_have_lost(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = run_here("simulate", archive, "--budget", "6", "1", "--json", str(out))
    assert done.exit_code == 0, done
    told = done.out.decode()
    assert "2 feeds, replayed from " in told
    assert "The archive is younger than that" in told
    assert "With a budget of 6 polls a day you would have lost 0 of " in told
    assert "with fixed polling: " in told
    rows = json.loads(out.read_bytes())
    assert {row["budget"] for row in rows} == {6, 1, None}
    assert {"ours", "ours-fair", "ours-floor-30", "fixed", "square root"} <= {row["policy"] for row in rows}


def test_only_the_channels_that_the_seeds_name(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("http://example.org/dated\n")
    (tmp_path / "none.txt").write_text("http://elsewhere.example/\n")
    done = run_here("simulate", archive, str(tmp_path / "one.txt"), "--budget", "2")
    assert done.exit_code == 0, done
    assert done.out.decode().startswith("1 feeds, ")
    none = run_here("simulate", archive, str(tmp_path / "none.txt"))
    assert none.exit_code == 1
    assert "No channel of the archive is named in" in none.told


def test_wrong_words_are_told_before_anything_is_done(archive: Path, run_here: RunHere) -> None:
    assert run_here("simulate", archive, "a", "b").exit_code == 2
    assert run_here("simulate", archive, "--budget", "none").exit_code == 2
    assert run_here("simulate", archive, "--json", str(archive / "no" / "out.json")).exit_code == 2


def test_an_archive_without_entries_is_told(run_here: RunHere, tmp_path: Path) -> None:
    (tmp_path / "warc").mkdir()
    Database(f"sqlite:///{tmp_path / 'state.sqlite'}").close()
    done = run_here("simulate", tmp_path)
    assert (done.exit_code, done.out) == (1, b"")
    assert "No feed with entries was found" in done.told
