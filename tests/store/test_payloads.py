"""The store of payloads: asked from the thread that writes, and never in the way of a capture."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, insert, select

from archiver.digests import warc_digest
from archiver.store import payloads as payloads_module
from archiver.store.database import Database
from archiver.store.payloads import PayloadIndex
from archiver.store.schema import payloads
from tests.warc.samples import capture, check_files, exchange, read_all, revisit, warcs, writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.warc.records import Capture

PAGE = b"HTTP/1.1 200 OK\r\n\r\n" + b"The same words. " * 100


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'state.sqlite'}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


@pytest.fixture
def index(database: Database) -> Iterator[PayloadIndex]:
    index = PayloadIndex(database, at_once=1)
    yield index
    index.close()


def stored(database: Database) -> int:
    """How many payloads are in the store, once everything that waits was written."""

    def count(connection: Connection) -> int:
        return connection.execute(select(func.count()).select_from(payloads)).scalar_one()

    return database.run(count)


def after_a_restart(database: Database, digest: str) -> Capture | None:
    """What a later run finds."""
    fresh = PayloadIndex(database, at_once=1)
    try:
        stored(database)  # after whatever waits to be written
        return fresh.find(digest)
    finally:
        fresh.close()


def test_what_was_never_kept_is_not_found(index: PayloadIndex) -> None:
    assert index.find("sha1:AAAA") is None


def test_what_was_kept_is_found_at_once(index: PayloadIndex, database: Database) -> None:
    index.add(capture())
    assert index.find("sha1:AAAA") == capture()
    # Nothing is in the store before it is on disk.
    assert stored(database) == 0


@pytest.mark.parametrize("kept", [capture(), capture(revisit=revisit()), capture(url="http://example.org/Ö")])
def test_what_was_flushed_is_found_by_the_next_run(
    index: PayloadIndex, database: Database, kept: Capture
) -> None:
    index.add(kept)
    index.flush()
    assert after_a_restart(database, kept.digest) == kept


def test_what_was_not_flushed_is_not(index: PayloadIndex, database: Database) -> None:
    index.add(capture())
    assert after_a_restart(database, "sha1:AAAA") is None


def test_nothing_new_costs_nothing(index: PayloadIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_database", None)  # whatever asks it fails
    index.flush()


def test_the_newest_wins(index: PayloadIndex, database: Database) -> None:
    """The payload that was noted first may have been lost with its file."""
    first, second, third = (capture(file=f"{number}.warc.gz") for number in range(3))
    index.add(first)
    index.flush()
    index.add(second)
    assert index.find("sha1:AAAA") == second
    index.flush()
    assert after_a_restart(database, "sha1:AAAA") == second
    # Also where both come in one batch.
    index.add(first)
    index.add(third)
    index.flush()
    assert after_a_restart(database, "sha1:AAAA") == third
    assert stored(database) == 1


def test_a_batch_may_hold_old_and_new(index: PayloadIndex, database: Database) -> None:
    index.add(capture(digest="sha1:OLD"))
    index.flush()
    for digest in ("sha1:OLD", "sha1:NEW"):
        index.add(capture(digest=digest, offset=999))
    index.flush()
    for digest in ("sha1:OLD", "sha1:NEW"):
        assert after_a_restart(database, digest) == capture(digest=digest, offset=999)


def test_memory_is_bounded_and_the_store_remembers(
    index: PayloadIndex, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payloads_module, "_REMEMBERED", 10)
    kept = [capture(digest=f"sha1:{number}", offset=number) for number in range(50)]
    for one in kept:
        index.add(one)
        index.flush()
    assert len(index._recent) == 10
    assert stored(database) == 50
    assert [index.find(one.digest) for one in kept] == kept


def test_a_large_batch_is_written(index: PayloadIndex, database: Database) -> None:
    """More values than a statement of SQLite may have in old versions."""
    for number in range(2000):
        index.add(capture(digest=f"sha1:{number}"))
    index.flush()
    assert stored(database) == 2000


def test_another_thread_may_ask_and_a_third_close(index: PayloadIndex, database: Database) -> None:
    with ThreadPoolExecutor(1) as writing:
        writing.submit(index.add, capture()).result()
        writing.submit(index.flush).result()
        stored(database)
        index._recent.clear()
        assert writing.submit(index.find, "sha1:AAAA").result() == capture()
    with ThreadPoolExecutor(1) as closing:
        closing.submit(index.close).result()


def test_to_close_is_to_let_go(url: str) -> None:
    database = Database(url)
    index = PayloadIndex(database, at_once=1)
    index.find("sha1:AAAA")
    assert index._reader is not None
    engine = index._reader.engine
    index.close()
    index.close()
    assert engine.pool.checkedin() == 0  # type: ignore[attr-defined] # a pool that counts
    database.close()


def test_it_is_closed_without_having_been_asked(index: PayloadIndex) -> None:
    index.close()


def test_asking_never_waits_for_a_transaction(index: PayloadIndex, database: Database) -> None:
    index.add(capture())
    index.flush()
    stored(database)
    index._recent.clear()
    busy, release = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        connection.execute(insert(payloads).values(digest="sha1:HELD", capture=capture()))
        busy.set()
        release.wait(20)

    with ThreadPoolExecutor(1) as holding:
        job = holding.submit(database.run, hold)
        assert busy.wait(20)
        before = time.monotonic()
        assert index.find("sha1:AAAA") == capture()
        assert index.find("sha1:HELD") is None  # not committed
        assert time.monotonic() - before < 5
        release.set()
        job.result()
    assert index.find("sha1:HELD") == capture()


def test_a_store_that_fails_keeps_nothing_from_the_archive(
    tmp_path: Path, index: PayloadIndex, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    database.run(payloads.drop)
    keeper = writer(tmp_path / "warc", index)
    (kept,) = keeper.write([exchange(PAGE)])
    keeper.sync()
    keeper.close()
    assert kept is not None
    with pytest.raises(Exception, match="no such table"):
        stored(database)
    assert "Payloads could not be looked up: no such table" in caplog.text
    check_files(tmp_path / "warc")


def test_a_store_that_recovers_is_asked_again(index: PayloadIndex, database: Database) -> None:
    database.run(payloads.drop)
    assert index.find("sha1:AAAA") is None
    database.run(payloads.create)
    index.add(capture())
    index.flush()
    stored(database)
    index._recent.clear()
    assert index.find("sha1:AAAA") == capture()


def test_across_runs_the_same_payload_is_kept_once(tmp_path: Path, url: str) -> None:
    folder = tmp_path / "warc"
    for number in range(3):
        database = Database(url)
        index = PayloadIndex(database, at_once=1)
        keeper = writer(folder, index)
        (kept,) = keeper.write([exchange(PAGE, url=f"http://example.org/{number}")])
        keeper.sync()
        keeper.close()
        index.close()
        database.close()
        assert kept is not None
        assert kept.digest == warc_digest(PAGE.partition(b"\r\n\r\n")[2])
        assert kept.payload_url == "http://example.org/0"
    types = [record.type for path in warcs(folder) for record in read_all(path)]
    assert types.count("response") == 1
    assert types.count("revisit") == 2
    check_files(folder)


OLD = """{
    "url": "http://example.org/a", "file": "test.warc.gz", "offset": 321, "digest": "sha1:AAAA",
    "record_id": "<urn:uuid:00000000-0000-0000-0000-000000000001>", "date": "2026-03-02T07:05:09.123456Z"
}"""


def test_captures_of_before_revisits_are_read(database: Database, index: PayloadIndex) -> None:
    """The column holds what an older version wrote: without the field."""

    def write(connection: Connection) -> None:
        statement = "INSERT INTO payloads (digest, capture) VALUES ('sha1:AAAA', ?)"
        connection.exec_driver_sql(statement, (OLD,))

    database.run(write)
    assert index.find("sha1:AAAA") == capture()
