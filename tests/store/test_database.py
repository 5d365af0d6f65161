"""The connection to the store: whole transactions, plain errors, a schema that knows its version."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Column, MetaData, Table, insert, select, text, update

from archiver.documents.feeds.model import FeedDate, FeedEntry
from archiver.errors import ArchiveError, ConfigurationError
from archiver.store.database import Database
from archiver.store.migrations import CURRENT_VERSION
from archiver.store.schema import object_files, schema_version
from archiver.store.types import Instant, Json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection


def add_file(connection: Connection, name: str, length: int = 1) -> None:
    connection.execute(insert(object_files).values(file=name, length=length))


def files(connection: Connection) -> list[str]:
    return list(connection.execute(select(object_files.c.file).order_by(object_files.c.file)).scalars())


def test_what_was_written_is_there_after_a_restart(open_store: Callable[[], Database]) -> None:
    open_store().run(add_file, "a")
    assert open_store().run(files) == ["a"]


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def fail(connection: Connection) -> None:
        add_file(connection, "a")
        raise RuntimeError("bug")

    with pytest.raises(RuntimeError, match="bug"):
        database.run(fail)
    assert database.run(files) == []
    database.run(add_file, "b")
    assert database.run(files) == ["b"]


def test_an_error_of_the_database_is_told_as_ours_and_the_store_goes_on(database: Database) -> None:
    database.run(add_file, "a")
    with pytest.raises(ArchiveError, match="The state store failed"):
        database.run(add_file, "a")
    database.run(add_file, "b")
    assert database.run(files) == ["a", "b"]


def test_the_event_loop_does_not_wait_for_the_store(database: Database) -> None:
    may_end = threading.Event()

    def slow(_: Connection) -> str:
        return "done" if may_end.wait(10) else "waited in vain"

    async def run() -> tuple[str, list[str]]:
        slowly = asyncio.create_task(database.run_async(slow))
        await asyncio.sleep(0.01)
        may_end.set()  # only reached while the store is busy
        return await slowly, await database.run_async(files)

    assert asyncio.run(run()) == ("done", [])


def test_transactions_come_one_after_another(database: Database) -> None:
    database.run(add_file, "counter", 0)

    def count(connection: Connection) -> None:
        length = connection.execute(select(object_files.c.length)).scalar_one()
        connection.execute(update(object_files).values(length=length + 1))

    async def run() -> None:
        await asyncio.gather(*(database.run_async(count) for _ in range(50)))

    asyncio.run(run())
    assert database.run(lambda one: one.execute(select(object_files.c.length)).scalar_one()) == 50
    assert database.cpu_seconds() > 0


def test_a_new_store_has_the_current_version(open_store: Callable[[], Database]) -> None:
    for _ in range(2):
        versions = open_store().run(lambda one: one.execute(select(schema_version)).all())
        assert versions == [(1, CURRENT_VERSION)]


def test_a_store_of_a_newer_archiver_is_left_alone(open_store: Callable[[], Database]) -> None:
    open_store().run(lambda one: one.execute(update(schema_version).values(version=CURRENT_VERSION + 1)))
    with pytest.raises(ArchiveError, match=f"version {CURRENT_VERSION + 1} .* use a newer archiver"):
        open_store()


def test_a_store_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="Cannot open the state store"):
        Database(f"sqlite:///{tmp_path / 'none' / 'state.sqlite'}")


def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(ArchiveError, match="Cannot open the state store"):
        Database(f"sqlite:///{tmp_path / 'state.sqlite'}")


@pytest.mark.parametrize(
    "url", ["", "nonsense", "oracle_of_delphi://me:hunter2@host/x", "postgresql+nodriver://h/"]
)
def test_a_state_url_that_means_nothing_is_wrong_usage(url: str) -> None:
    with pytest.raises(ConfigurationError, match="STATE_URL=") as raised:
        Database(url)
    assert "hunter2" not in str(raised.value)


def test_the_password_of_a_server_that_does_not_answer_is_not_shown() -> None:
    with pytest.raises(ArchiveError, match="Cannot open the state store") as raised:
        Database("postgresql+psycopg://me:hunter2@127.0.0.1:1/archive?connect_timeout=2")
    assert "hunter2" not in str(raised.value)


def test_sqlite_survives_a_kill_and_lets_others_read(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    modes = database.run(
        lambda one: [
            one.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    )
    database.close()
    assert modes == ["wal", 1, 1]


def test_every_column_type_means_the_same_after_a_trip(database: Database) -> None:
    moment = datetime(2026, 3, 2, 8, 5, 9, 123456, tzinfo=timezone(timedelta(hours=1)))
    value = FeedEntry(
        id="1", title="Zwölf Boxkämpfer 🥊 \x00 \\ '\"", updated=FeedDate(text="gestern", utc=moment)
    )
    trip = Table("trip", MetaData(), Column("at", Instant), Column("entry", Json(FeedEntry)))

    def there_and_back(connection: Connection) -> Any:
        connection.execute(text("DROP TABLE IF EXISTS trip"))
        trip.create(connection)
        connection.execute(insert(trip), [{"at": moment, "entry": value}, {"at": None, "entry": None}])
        return connection.execute(select(trip).order_by(trip.c.at.is_(None))).all()

    assert database.run(there_and_back) == [(moment, value), (None, None)]


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - has its zone
def test_moments_keep_their_microseconds_and_their_order(moment: datetime) -> None:
    instant = Instant()
    kept = instant.process_bind_param(moment, None)  # type: ignore[arg-type] # not looked at
    assert kept is not None
    back = instant.process_result_value(kept, None)  # type: ignore[arg-type] # not looked at
    assert back == moment
    later = instant.process_bind_param(moment + timedelta(microseconds=1), None)  # type: ignore[arg-type]
    assert later is not None
    assert later > kept
