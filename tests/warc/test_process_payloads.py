"""The process that writes WARC asks the state store for payloads, and tells what is new."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING

import pytest

from archiver.errors import ArchiveFull
from archiver.running.writing.payloads import PayloadNotes
from archiver.store.database import Database
from archiver.store.schema import payloads
from tests.warc.samples import check_files, exchange, read_all, warcs
from tests.warc.writing import PAGE, limit_files, open_writer, pid_of, running

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.warc.records import Capture


def test_payloads_are_kept_once_within_a_run_and_across_runs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    folder = tmp_path / "warc"

    async def work(run: int) -> None:
        database = Database(url)
        notes = PayloadNotes(database)
        async with open_writer(folder, state_url=url, on_new_payloads=notes.add) as writer:
            given = [exchange(PAGE, url=f"http://example.org/{run}/{number}") for number in range(3)]
            captures = await writer.write(given)
        notes.flush()
        database.close()
        assert {capture.payload_url for capture in captures if capture} == {"http://example.org/0/0"}

    for run in range(2):
        running(work(run))
    types = [record.type for path in warcs(folder) for record in read_all(path)]
    assert (types.count("response"), types.count("revisit")) == (1, 5)
    check_files(folder)


def test_payloads_are_noted_once_they_are_on_disk(tmp_path: Path) -> None:
    noted: list[Capture] = []

    async def work() -> None:
        url = f"sqlite:///{tmp_path / 'state.sqlite'}"
        Database(url).close()
        async with open_writer(tmp_path / "warc", state_url=url, on_new_payloads=noted.extend) as writer:
            (first,) = await writer.write([exchange(PAGE)])
            assert noted == [first]
            limit_files(pid_of(writer), 1)
            with pytest.raises(ArchiveFull):
                await writer.write([exchange(PAGE + b"other")])
            limit_files(pid_of(writer), resource.RLIM_INFINITY)
            await writer.write([exchange(), exchange(PAGE)])
            assert noted == [first]

    running(work())


def test_what_is_wrong_with_the_store_is_in_the_log_of_the_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    database = Database(url)
    database.run(payloads.drop)
    database.close()

    async def work() -> None:
        async with open_writer(tmp_path / "warc", state_url=url) as writer:
            assert (await writer.write([exchange(PAGE)]))[0] is not None

    running(work())
    assert "Payloads could not be looked up: no such table" in caplog.text
