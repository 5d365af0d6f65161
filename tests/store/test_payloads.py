"""The store of payloads: asked by the process that writes, and never in the way of a capture."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, insert, select

from archiver.archive.warc.writer import WarcOptions
from archiver.digests import warc_digest
from archiver.running.writing import lookup
from archiver.running.writing.lookup import PayloadIndex
from archiver.running.writing.messages import Begin
from archiver.running.writing.payloads import PayloadNotes
from archiver.running.writing.process import WriterProcess
from archiver.store.database import Database
from archiver.store.schema import payloads
from tests.warc.samples import capture, check_files, exchange, read_all, revisit, warcs, writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture

PAGE = b"HTTP/1.1 200 OK\r\n\r\n" + b"The same words. " * 100


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'state.sqlite'}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


class Index(PayloadIndex):
    """Both sides of it: what is on disk is noted at once."""

    def __init__(self, url: str, database: Database) -> None:
        super().__init__(url)
        self._notes = PayloadNotes(database, at_once=1)

    def flush(self) -> None:
        super().flush()
        self._notes.add(self.take_new())


@pytest.fixture
def index(url: str, database: Database) -> Iterator[Index]:
    index = Index(url, database)
    yield index
    index.close()


def stored(database: Database) -> int:
    """How many payloads are in the store, once everything that waits was written."""

    def count(connection: Connection) -> int:
        return connection.execute(select(func.count()).select_from(payloads)).scalar_one()

    return database.run(count)


def after_a_restart(url: str, database: Database, digest: str) -> Capture | None:
    """What a later run finds."""
    stored(database)  # after whatever waits to be written
    fresh = PayloadIndex(url)
    try:
        return fresh.find(digest)
    finally:
        fresh.close()


def test_what_was_never_kept_is_not_found(index: Index) -> None:
    assert index.find("sha1:AAAA") is None


def test_what_was_kept_is_found_at_once(index: Index, database: Database) -> None:
    index.add(capture())
    assert index.find("sha1:AAAA") == capture()
    # Nothing is in the store before it is on disk.
    assert stored(database) == 0


@pytest.mark.parametrize("kept", [capture(), capture(revisit=revisit()), capture(url="http://example.org/Ö")])
def test_what_was_flushed_is_found_by_the_next_run(
    index: Index, url: str, database: Database, kept: Capture
) -> None:
    index.add(kept)
    index.flush()
    assert after_a_restart(url, database, kept.digest) == kept


def test_what_was_not_flushed_is_not(index: Index, url: str, database: Database) -> None:
    index.add(capture())
    assert after_a_restart(url, database, "sha1:AAAA") is None


def test_nothing_new_costs_nothing(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index._notes, "_database", None)  # whatever asks it fails
    index.flush()
    index._notes.flush()
    index.add(capture())
    with pytest.raises(AttributeError):  # so it would have been noticed
        index.flush()


def test_what_may_never_come_to_be_on_disk_is_not_referred_to(index: Index, database: Database) -> None:
    index.add(capture(digest="sha1:SAFE"))
    index.flush()
    index.add(capture())
    index.forget()
    index.flush()
    assert index.find("sha1:AAAA") is None
    assert index.find("sha1:SAFE") is not None
    assert stored(database) == 1


def test_notes_are_written_many_at_a_time_and_all_of_them_at_the_end(database: Database) -> None:
    notes = PayloadNotes(database, at_once=3)
    notes.add([capture(digest="sha1:1"), capture(digest="sha1:2")])
    assert stored(database) == 0
    notes.add([capture(digest="sha1:3"), capture(digest="sha1:4")])
    assert stored(database) == 4
    notes.add([capture(digest="sha1:5")])
    notes.flush()
    assert stored(database) == 5


def test_the_newest_wins(index: Index, url: str, database: Database) -> None:
    """The payload that was noted first may have been lost with its file."""
    first, second, third = (capture(file=f"{number}.warc.gz") for number in range(3))
    index.add(first)
    index.flush()
    index.add(second)
    assert index.find("sha1:AAAA") == second
    index.flush()
    assert after_a_restart(url, database, "sha1:AAAA") == second
    # Also where both come in one batch.
    index.add(first)
    index.add(third)
    index.flush()
    assert after_a_restart(url, database, "sha1:AAAA") == third
    assert stored(database) == 1


def test_a_batch_may_hold_old_and_new(index: Index, url: str, database: Database) -> None:
    index.add(capture(digest="sha1:OLD"))
    index.flush()
    for digest in ("sha1:OLD", "sha1:NEW"):
        index.add(capture(digest=digest, offset=999))
    index.flush()
    for digest in ("sha1:OLD", "sha1:NEW"):
        assert after_a_restart(url, database, digest) == capture(digest=digest, offset=999)


def test_memory_is_bounded_and_the_store_remembers(
    index: Index, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "_REMEMBERED", 10)
    kept = [capture(digest=f"sha1:{number}", offset=number) for number in range(50)]
    for one in kept:
        index.add(one)
        index.flush()
    assert len(index._recent) == 10
    assert stored(database) == 50
    assert [index.find(one.digest) for one in kept] == kept


def test_a_large_batch_is_written(index: Index, database: Database) -> None:
    """More values than a statement of SQLite may have in old versions."""
    for number in range(2000):
        index.add(capture(digest=f"sha1:{number}"))
    index.flush()
    assert stored(database) == 2000


def test_a_path_with_escapes_leads_where_the_store_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/two%20words.sqlite"
    database = Database(url)
    index = Index(url, database)
    index.add(capture())
    index.flush()
    assert after_a_restart(url, database, capture().digest) == capture()
    index.close()
    database.close()


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+pysqlite"])
def test_to_close_is_to_let_go(url: str, database: Database, driver: str) -> None:
    index = Index(url.replace("sqlite", driver, 1), database)
    index.find("sha1:AAAA")
    opened = open_files(url)
    index.close()
    index.close()
    assert len(open_files(url)) < len(opened)


def open_files(url: str) -> list[str]:
    """What this process has open of the state store."""
    targets = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return [target for target in targets if target.startswith(url.removeprefix("sqlite:///"))]


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+pysqlite"])
def test_whatever_reads_the_store_finds_the_same_and_says_what_is_wrong(
    url: str, index: Index, database: Database, driver: str, caplog: pytest.LogCaptureFixture
) -> None:
    index.add(capture())
    index.flush()
    stored(database)
    reader = PayloadIndex(url.replace("sqlite", driver, 1))
    assert reader.find(capture().digest) == capture()
    assert reader.find("sha1:ELSE") is None
    database.run(payloads.drop)
    assert reader.find(capture().digest) is None
    assert caplog.messages == ["Payloads could not be looked up: no such table: payloads"]
    reader.close()


def test_it_is_closed_without_having_been_asked(index: Index, url: str, database: Database) -> None:
    index.add(capture())
    index.flush()
    index.close()
    assert after_a_restart(url, database, capture().digest) is not None


def test_asking_never_waits_for_a_transaction(index: Index, database: Database) -> None:
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
    tmp_path: Path, index: Index, database: Database, caplog: pytest.LogCaptureFixture
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


def test_a_store_that_recovers_is_asked_again(index: Index, database: Database) -> None:
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
        index = Index(url, database)
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


def test_captures_of_before_revisits_are_read(database: Database, index: Index) -> None:
    """The column holds what an older version wrote: without the field."""

    def write(connection: Connection) -> None:
        statement = "INSERT INTO payloads (digest, capture) VALUES ('sha1:AAAA', ?)"
        connection.exec_driver_sql(statement, (OLD,))

    database.run(write)
    assert index.find("sha1:AAAA") == capture()


def test_the_process_that_writes_asks_every_kind_of_store(store_url: str, tmp_path: Path) -> None:
    async def work() -> list[Capture | None]:
        database = Database(store_url)
        notes = PayloadNotes(database)
        begin = Begin(folder=str(tmp_path / "warc"), options=WarcOptions(fsync=False), state_url=store_url)
        process = WriterProcess(begin, on_new_payloads=notes.add)
        kept = await process.write([exchange(PAGE)])
        await process.close()
        notes.flush()
        database.close()
        return kept

    (first,), (second,) = asyncio.run(work()), asyncio.run(work())
    assert first is not None
    assert first.revisit is None
    assert second is not None
    assert second.revisit is not None
    assert second.record_id == first.record_id
    check_files(tmp_path / "warc")
