"""A run feeds the index behind the crawl, and never fails with it."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from archiver.running import indexing
from archiver.running.indexing import Indexing
from archiver.search.index import FILE, open_to_feed, reset, transaction
from archiver.search.opening import forget_all
from tests.history.made import HOUR, START
from tests.search.made import searched
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.search.made import SearchedArchive


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_EVERY", 0.02)
    monkeypatch.setattr(indexing, "_PATIENCE", 0.1)


def begun(archive: SearchedArchive) -> tuple[Indexing, list[str]]:
    notes: list[str] = []
    run = Indexing(archive.folder, archive.url, notes.append)
    run.begin()
    return run, notes


def test_what_is_settled_is_found_while_the_run_goes_on(archive: SearchedArchive) -> None:
    run, notes = begun(archive)
    archive.add("one", "ferry")
    wait_until(lambda: archive.found("ferry") == ["one"])
    archive.add("two", "ferry", at=START + HOUR)
    run.end()
    assert archive.found("ferry") == ["two", "one"]
    assert notes == []
    assert run.cpu_seconds > 0


@pytest.mark.zoo
def test_a_run_feeds_the_index_in_postgresql(tmp_path: Path, store_url: str) -> None:
    with searched(tmp_path / "archive", store_url) as archive:
        run, notes = begun(archive)
        archive.add("one", "ferry")
        run.end()
        assert (archive.found("ferry"), notes) == (["one"], [])
        forget_all(archive.folder, archive.url)
        assert archive.found("ferry") == []
        run, notes = begun(archive)
        run.end()
        assert (archive.found("ferry"), notes) == (["one"], [])
        assert (archive.folder / FILE).exists() == store_url.startswith("sqlite")


def test_the_index_is_there_before_anything_is_settled(archive: SearchedArchive) -> None:
    run, _ = begun(archive)
    assert archive.search("ferry").behind == 0
    run.end()


def test_an_archive_of_before_is_not_indexed_in_passing_and_a_note_says_how(archive: SearchedArchive) -> None:
    archive.add("one", "ferry")
    run, notes = begun(archive)
    run.end()
    assert notes == ["This archive has no search index yet: run `scrapy search --build`"]
    assert not (archive.folder / FILE).exists()


def test_an_index_that_another_program_writes_to_is_fed_as_soon_as_it_is_free(
    archive: SearchedArchive,
) -> None:
    run, notes = begun(archive)
    with open_to_feed(archive.folder) as index, transaction(index):
        archive.add("one", "ferry")
        wait_until(lambda: "locked" in run._trouble)
    run.end()
    assert notes == []
    assert archive.found("ferry") == ["one"]


def test_an_index_that_stays_locked_is_a_note(archive: SearchedArchive) -> None:
    run, notes = begun(archive)
    archive.add("one", "ferry")
    wait_until(lambda: archive.found("ferry") == ["one"])
    with open_to_feed(archive.folder) as index, transaction(index):
        archive.add("two", "ferry")
        run.end()
    assert ["is not up to date: database is locked" in note for note in notes] == [True]
    assert archive.search("ferry").behind > 0


def test_a_damaged_index_is_a_note_and_ends_the_feeding(archive: SearchedArchive) -> None:
    archive.feed()
    (archive.folder / FILE).write_bytes(b"not a database, by far" * 400)
    run, notes = begun(archive)
    archive.add("one", "ferry")
    run.end()
    assert ["file is not a database" in note for note in notes] == [True]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_a_note(archive: SearchedArchive) -> None:
    archive.folder.chmod(0o500)
    run, notes = begun(archive)
    run.end()
    archive.folder.chmod(0o700)
    assert len(notes) == 1


def test_an_error_of_ours_is_a_note_too(archive: SearchedArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: object) -> None:
        raise KeyError("ferry")

    run, notes = begun(archive)
    monkeypatch.setattr("archiver.search.feeding.Feeder.agree", broken)
    archive.add("one", "ferry")
    run.end()
    assert ["KeyError: 'ferry'" in note for note in notes] == [True]
    assert threading.active_count() < 50


def test_much_that_is_left_does_not_keep_a_run_from_ending(
    archive: SearchedArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.search.feeding.AT_ONCE", 1)
    monkeypatch.setattr(indexing, "_AT_THE_END", 0.0)
    monkeypatch.setattr(indexing, "_EVERY", 60.0)
    run, notes = begun(archive)
    for number in range(5):
        archive.add(f"n{number}", "ferry")
    run.end()
    assert notes == []
    assert 0 < archive.search("ferry").total < 5


def test_an_index_is_emptied_when_the_state_store_is_made_again(archive: SearchedArchive) -> None:
    reset(archive.folder)
    assert not (archive.folder / FILE).exists()
    archive.add("one", "ferry")
    archive.feed()
    reset(archive.folder)
    assert archive.found("ferry") == []
    assert archive.search("ferry").behind > 0
    (archive.folder / FILE).write_bytes(b"not a database, by far" * 400)
    reset(archive.folder)
    assert not (archive.folder / FILE).exists()
    with closing(sqlite3.connect(archive.folder / "state.sqlite")) as state:
        assert state.execute("SELECT count(*) FROM versions").fetchone() == (1,)
