"""When the process that writes WARC fails, or is killed: everybody who waits is told, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from archiver.errors import ArchiveError, ArchiveFull
from archiver.running.writing.process import WriterProcess
from tests.waiting import state_of
from tests.warc.samples import RECEIVED, check, exchange, only_file
from tests.warc.writing import begin, begun, ignore, limit_files, open_writer, pid_of, running, stop

if TYPE_CHECKING:
    from pathlib import Path

ENDED = r"The process that writes WARC ended \(%s\)\. What it had written is kept: run again"


def test_an_exchange_that_cannot_be_written_does_not_silence_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            broken = [writer.write([exchange(started=None)]), writer.write([exchange(started=object())])]
            good, *errors = await asyncio.gather(writer.write([exchange()]), *broken, return_exceptions=True)
            assert isinstance(good, list)
            assert [type(error) for error in errors] == [RuntimeError, TypeError]
            assert len(await writer.write([exchange()])) == 1

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 7


def test_a_full_disk_is_told_to_who_waits_and_it_goes_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange()])
            limit_files(pid_of(writer), 4096)
            large = writer.write([exchange(RECEIVED + os.urandom(8000))])
            small = writer.write([exchange()])
            failed, kept = await asyncio.gather(large, small, return_exceptions=True)
            assert isinstance(failed, ArchiveFull)
            assert str(failed).startswith(f"Cannot write to {only_file(tmp_path)}: File too large.")
            assert str(failed).endswith("Free some space and run again.")
            assert isinstance(kept, list)
            limit_files(pid_of(writer), resource.RLIM_INFINITY)
            assert len(await writer.write([exchange()])) == 1

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 10


def test_a_disk_that_is_full_in_the_end_is_told_by_closing(tmp_path: Path) -> None:
    async def work() -> None:
        writer = WriterProcess(begin(tmp_path), on_new_payloads=ignore)
        await writer.write([exchange()])
        limit_files(pid_of(writer), 1)
        with pytest.raises(OSError, match="File too large"):  # the line of the manifest
            await writer.close()
        assert state_of(pid_of(writer)) == ""
        await writer.close()

    running(work())


def test_an_error_of_the_system_keeps_its_number_and_its_file(tmp_path: Path) -> None:
    (tmp_path / "warc").touch()

    async def work() -> None:
        async with open_writer(tmp_path / "warc") as writer:
            with pytest.raises(FileExistsError) as told:
                await writer.write([exchange()])
            assert told.value.filename == str(tmp_path / "warc")
            assert told.value.strerror == "File exists"

    running(work())


def test_a_process_that_is_killed_fails_everybody_who_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            pid = await stop(writer)
            waiting = begun(writer, 60, os.urandom(100_000))
            await asyncio.sleep(0)
            os.kill(pid, signal.SIGKILL)
            answers = await asyncio.gather(*waiting, return_exceptions=True)
            assert {type(answer) for answer in answers} == {ArchiveError}
            with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
                raise answers[0]  # type: ignore[misc] # as its type says
            with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
                await writer.write([exchange()])

    running(work())
    assert only_file(tmp_path).name.endswith(".open")
    assert len(check(only_file(tmp_path).read_bytes())) == 4


def test_one_that_is_killed_while_nobody_waits_is_told_to_the_next(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange()])
            os.kill(pid_of(writer), signal.SIGKILL)
            with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
                await writer.write([exchange()])

    running(work())


def test_one_that_is_killed_before_it_is_closed_is_told_by_closing(tmp_path: Path) -> None:
    async def work() -> None:
        writer = WriterProcess(begin(tmp_path), on_new_payloads=ignore)
        await writer.write([exchange()])
        os.kill(pid_of(writer), signal.SIGKILL)
        with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
            await writer.close()
        await writer.close()

    running(work())


@pytest.mark.parametrize(
    ("interpreter", "cause"),
    [("/bin/false", ENDED % "exit code 1"), ("/nonexistent", "cannot be started: .*No such file")],
)
def test_a_process_that_cannot_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str, cause: str
) -> None:
    monkeypatch.setattr(sys, "executable", interpreter)

    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            with pytest.raises(ArchiveError, match=cause):
                await writer.write([exchange()])

    running(work())
