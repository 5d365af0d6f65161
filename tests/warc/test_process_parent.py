"""The process that writes WARC and its parent: signals for the run, the parent's death, the lock of both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from archiver.archive.lock import ArchiveLock
from archiver.errors import ArchiveLocked
from tests.waiting import SOON, state_of, wait_until
from tests.warc.samples import check_files, exchange, warcs
from tests.warc.writing import open_writer, pid_of, running

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_for_the_whole_run_does_not_end_it(tmp_path: Path, number: int) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange()])
            os.kill(pid_of(writer), number)
            await writer.write([exchange()])
        assert os.getsid(0) != pid_of(writer)

    running(work())
    check_files(tmp_path)


PARENT = """
import asyncio, pathlib, sys, time
from archiver.archive.lock import ArchiveLock
from archiver.running.writing.process import WriterProcess
from tests.warc.samples import exchange
from tests.warc.writing import begin, ignore

async def main(folder):
    with ArchiveLock(folder) as lock:
        writer = WriterProcess(begin(folder), on_new_payloads=ignore, lock=lock.fileno())
        await writer.write([exchange()])
        print(writer._process.pid, flush=True)
        await asyncio.sleep(60)

asyncio.run(main(pathlib.Path(sys.argv[1])))
"""


def parent_and_child(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


def test_it_ends_when_its_parent_is_killed_and_leaves_the_file_to_the_repair(tmp_path: Path) -> None:
    parent, pid = parent_and_child(tmp_path)
    with parent:
        parent.kill()
    wait_until(lambda: state_of(pid) in {"", "Z"})
    assert [path.name.endswith(".open") for path in warcs(tmp_path)] == [True]
    with ArchiveLock(tmp_path):
        pass


def test_while_it_lives_nobody_else_may_work_on_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.archive.lock._PATIENCE", 0.2)
    parent, pid = parent_and_child(tmp_path)
    try:
        os.kill(pid, signal.SIGSTOP)
        with parent:
            parent.kill()
        told = rf"Another run \(process {parent.pid}, killed or .*\) has left a process .* still writing"
        with pytest.raises(ArchiveLocked, match=told):
            ArchiveLock(tmp_path).__enter__()
        # Going on, it sees that it is alone, and ends.
        os.kill(pid, signal.SIGCONT)
        monkeypatch.setattr("archiver.archive.lock._PATIENCE", SOON)
        with ArchiveLock(tmp_path):
            pass
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
